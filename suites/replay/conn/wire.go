package conn

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
	"time"
)

// A Wire is a way to write a request over HTTP/1.1. It does not change the message. The names
// are those in fixtures. Any other name means that net/http writes the request. Over HTTP/2
// and for a handler, a Wire has no effect.
type Wire string

// The ways to write a request.
const (
	LowerCase Wire = "lower-case" // header field names in lower case (RFC 9110 §5.1)
	UpperCase Wire = "upper-case"
	NoLength  Wire = "no-length" // without Content-Length, which is optional if there is no body (RFC 9112 §6.3)
	Apart     Wire = "apart"     // header and body in two parts each, with a pause after each part
	Pieces    Wire = "pieces"    // the header in two parts and the body in about twenty
	NoSpace   Wire = "no-space"  // without the optional space after the colon of a field (RFC 9112 §5)
	Upgrade   Wire = "upgrade"   // offers another protocol, which a server may ignore (RFC 9110 §7.8)
)

// pause separates the parts of a request. It is long enough that the service reads the first
// part before the second arrives. shortPause separates the parts if there are many.
const (
	pause      = 5 * time.Millisecond
	shortPause = time.Millisecond
)

type wireKey struct{}

// WithWire returns a context for a request that is written in this way.
func WithWire(ctx context.Context, w Wire) context.Context {
	return context.WithValue(ctx, wireKey{}, w)
}

// write writes the request as the Wire in its context requires. It changes the output of usual.
func write(request *http.Request, out *bufio.Writer, usual func(*http.Request, io.Writer) error) error {
	w, _ := request.Context().Value(wireKey{}).(Wire)
	if !slices.Contains([]Wire{LowerCase, UpperCase, NoLength, Apart, Pieces, NoSpace, Upgrade}, w) {
		return usual(request, out)
	}
	var text bytes.Buffer
	if err := usual(request, &text); err != nil {
		return err
	}
	head, body, _ := strings.Cut(text.String(), "\r\n\r\n")
	parts := []string{w.head(head) + "\r\n\r\n", body}
	isApart, between := w == Apart || w == Pieces, pause
	if w == Pieces {
		between = shortPause
	}
	if isApart {
		more, err := w.inParts(body, len(request.TransferEncoding) > 0)
		if err != nil {
			return err
		}
		parts = append(cut(parts[0]), more...)
	}
	for i, part := range parts {
		if _, err := out.WriteString(part); err != nil {
			return err
		}
		if !isApart || i == len(parts)-1 {
			continue
		}
		if err := out.Flush(); err != nil {
			return err
		}
		select {
		case <-time.After(between):
		case <-request.Context().Done():
		}
	}
	return nil
}

// head returns the request line and the header fields in the form of w.
func (w Wire) head(head string) string {
	lines := strings.Split(head, "\r\n")
	kept := lines[:1]
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case w == LowerCase:
			line = strings.ToLower(name) + ":" + value
		case w == UpperCase:
			line = strings.ToUpper(name) + ":" + value
		case w == NoSpace:
			line = name + ":" + strings.TrimPrefix(value, " ")
		case w == NoLength && name == "Content-Length":
			continue
		}
		kept = append(kept, line)
	}
	if w == Upgrade {
		kept = append(kept, "Connection: Upgrade", "Upgrade: conformance/1") // a protocol that does not exist
	}
	return strings.Join(kept, "\r\n")
}

// cut returns a header in two parts. If there is an Authorization field, it cuts within the
// credential, so a service that ignores the second part sees half of it.
func cut(head string) []string {
	at := len(head) / 2
	if _, after, found := strings.Cut(head, "\r\nAuthorization: "); found {
		line, _, _ := strings.Cut(after, "\r\n")
		at = len(head) - len(after) + len(line)/2
	}
	return []string{head[:at], head[at:]}
}

// inParts returns a body in two parts, or for Pieces in about twenty parts of an odd length, which
// cut two-byte characters at any offset. If the body is chunked, each part is a chunk.
func (w Wire) inParts(body string, chunked bool) ([]string, error) {
	whole := []byte(body)
	format, parts := "%[2]s", []string{}
	if chunked {
		format = "%x\r\n%s\r\n"
		var err error
		if whole, err = io.ReadAll(httputil.NewChunkedReader(strings.NewReader(body))); err != nil {
			return nil, err
		}
	}
	length := (len(whole) + 1) / 2
	if w == Pieces {
		length = max(3, len(whole)/20|1)
	}
	for part := range slices.Chunk(whole, max(length, 1)) {
		parts = append(parts, fmt.Sprintf(format, len(part), part))
	}
	if chunked {
		parts = append(parts, "0\r\n\r\n")
	}
	return parts, nil
}
