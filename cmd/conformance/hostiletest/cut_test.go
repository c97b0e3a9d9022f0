//go:build long

package hostiletest

import (
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// A connection may end at every byte of a valid answer, normally or by a reset. If a byte is
// missing, the answer is incomplete. If nothing is missing, it passes.
func TestAnswersCutAtEveryByte(t *testing.T) {
	const echo = `{"name":"conformance cut"}`
	forms := map[string]string{
		"length":  framed("200 OK", isJSON, echo),
		"chunked": "HTTP/1.1 200 OK\r\n" + isJSON + "Transfer-Encoding: chunked\r\n\r\n" + chunks(echo, 9),
		"gzip":    framed("200 OK", isJSON+"Content-Encoding: gzip\r\n", gzipped(echo)),
		"gzip in chunks": "HTTP/1.1 200 OK\r\n" + isJSON + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" +
			chunks(gzipped(echo), 20),
		"after 100": "HTTP/1.1 100 Continue\r\n\r\n" + framed("200 OK", isJSON, echo),
	}
	for form, answer := range forms {
		for end, leave := range map[string]step{"closed": func(net.Conn) {}, "reset": reset} {
			t.Run(form+", "+end, func(t *testing.T) {
				t.Parallel()
				server := serve(t, eachRequest(func(conn net.Conn, got request) bool {
					var plant struct{ Tag string }
					json.Unmarshal(got.body, &plant)
					missing, _ := strconv.Atoi(plant.Tag)
					say(answer[:len(answer)-missing])(conn)
					leave(conn)
					return false
				}))
				c := suites.NewConfig()
				c.Target.BaseURL, c.Target.Token = server.url(), token
				c.Fixtures = []fixtures.Set{cuts(len(answer))}
				c.Contract = plantStore(t)
				r, err := suites.Run(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Results) != 2*(len(answer)+1) || len(answer) < 90 {
					t.Fatalf("%d results of %d bytes", len(r.Results), len(answer))
				}
				for i, result := range r.Results {
					checkCut(t, result, i/2*((i+1)%2))
				}
			})
		}
	}
}

// cuts returns fixtures. The first expects the whole answer, the next one byte less, and so on.
// Some between them expect the whole: a run gives up a target after ten requests without a complete
// response.
func cuts(length int) fixtures.Set {
	files := fstest.MapFS{}
	for i := range 2 * (length + 1) {
		missing := i / 2 * ((i + 1) % 2)
		files[fmt.Sprintf("createPlant/valid/cut-%04d.yaml", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, `
title: an answer without its last %[1]d bytes
clause: createPlant/accepts
expect: accepted
request:
  body: {id: $freshId, name: conformance cut, tag: "%[1]d"}
`, missing)}
	}
	return fixtures.Set{Name: "cuts", FS: files}
}

func checkCut(t *testing.T, result result.Result, missing int) {
	t.Helper()
	var broken []string
	for _, f := range result.Findings {
		if f.Severity == judge.Violation {
			broken = append(broken, string(f.Clause)+": "+f.Message)
		}
	}
	switch {
	case missing == 0 && len(broken) > 0:
		t.Errorf("the whole answer: %v", broken)
	case missing > 0 && (len(broken) != 1 || !strings.HasPrefix(broken[0], answers+": ")):
		t.Errorf("without %d bytes: %s, %v", missing, result.Status, broken)
	}
}

// chunks returns a body in chunks of that size.
func chunks(body string, size int) string {
	var b strings.Builder
	for body != "" {
		n := min(size, len(body))
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return b.String() + "0\r\n\r\n"
}
