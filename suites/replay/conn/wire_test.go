package conn

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestWire: the same request in each way of writing, as a peer reads it part by part.
func TestWire(t *testing.T) {
	for _, row := range []struct {
		name    string
		wire    Wire
		body    string
		chunked bool
		want    []string // the result of each read
	}{
		{"as usual", "", `{"id":7}`, false, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agent: y\r\nContent-Length: 8\r\nX-Name: Value\r\n\r\n{\"id\":7}"}},
		{"in lower case", LowerCase, `{"id":7}`, false, []string{"POST /plants HTTP/1.1\r\nhost: x\r\nuser-agent: y\r\ncontent-length: 8\r\nx-name: Value\r\n\r\n{\"id\":7}"}},
		{"in upper case", UpperCase, "", false, []string{"POST /plants HTTP/1.1\r\nHOST: x\r\nUSER-AGENT: y\r\nCONTENT-LENGTH: 0\r\nX-NAME: Value\r\n\r\n"}},
		{"no body, and no length", NoLength, "", false, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agent: y\r\nX-Name: Value\r\n\r\n"}},
		{"no body", "", "", false, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agent: y\r\nContent-Length: 0\r\nX-Name: Value\r\n\r\n"}},
		{"apart", Apart, `{"id":7}`, false, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agen", "t: y\r\nContent-Length: 8\r\nX-Name: Value\r\n\r\n", `{"id`, `":7}`}},
		{"without spaces", NoSpace, "", false, []string{"POST /plants HTTP/1.1\r\nHost:x\r\nUser-Agent:y\r\nContent-Length:0\r\nX-Name:Value\r\n\r\n"}},
		{"with an offer", Upgrade, "", false, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agent: y\r\nContent-Length: 0\r\nX-Name: Value\r\nConnection: Upgrade\r\nUpgrade: conformance/1\r\n\r\n"}},
		{"apart in chunks", Apart, `{"id":7}`, true, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agent: y\r", "\nTransfer-Encoding: chunked\r\nX-Name: Value\r\n\r\n", "4\r\n{\"id\r\n", "4\r\n\":7}\r\n", "0\r\n\r\n"}},
		{"in pieces", Pieces, `{"id":7}`, false, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agen", "t: y\r\nContent-Length: 8\r\nX-Name: Value\r\n\r\n", `{"i`, `d":`, `7}`}},
		{"in pieces, which are chunks", Pieces, `{"id":7}`, true, []string{"POST /plants HTTP/1.1\r\nHost: x\r\nUser-Agent: y\r", "\nTransfer-Encoding: chunked\r\nX-Name: Value\r\n\r\n", "3\r\n{\"i\r\n", "3\r\nd\":\r\n", "2\r\n7}\r\n", "0\r\n\r\n"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c, peer := piped(t, 1<<16) // in a pipe, each write needs one read
			got := make(chan []string, 1)
			go func() {
				var parts []string
				buffer := make([]byte, 4096)
				for len(strings.Join(parts, "")) < len(strings.Join(row.want, "")) {
					n, err := peer.Read(buffer)
					if err != nil {
						break
					}
					parts = append(parts, string(buffer[:n]))
				}
				_, _ = io.WriteString(peer, "HTTP/1.1 204 No Content\r\n\r\n")
				got <- parts
			}()
			var body io.Reader
			if row.body != "" {
				body = strings.NewReader(row.body)
			}
			request, err := http.NewRequestWithContext(WithWire(t.Context(), row.wire), http.MethodPost, "http://x/plants", body)
			if err != nil {
				t.Fatal(err)
			}
			request.Header = http.Header{"User-Agent": {"y"}, "X-Name": {"Value"}}
			if row.chunked {
				request.ContentLength, request.TransferEncoding = -1, []string{"chunked"}
			}
			if _, err := c.RoundTrip(request); err != nil {
				t.Fatal(err)
			}
			if parts := <-got; strings.Join(parts, "|") != strings.Join(row.want, "|") {
				t.Errorf("got %q, want %q", parts, row.want)
			}
		})
	}
}
