//go:build unix

package replay_test

import (
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/baseline"
	"github.com/plantstore/conformance/suites/replay"
)

// The limits bound the memory, independent of what a target sends and of the number of
// exchanges.
func TestMemory(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("takes a hundred megabytes; LONG_TESTS=1 asks for it")
	}
	bomb := framed("Content-Encoding: gzip\r\n", gzipped(strings.Repeat("x", 16<<20)))
	long := strings.Repeat("x", 1<<20)
	full := strings.Repeat("a:\r\n", 16000)
	for name, answer := range map[string]func(io.Writer){
		"body without end":   func(w io.Writer) { io.WriteString(w, "HTTP/1.1 200 OK\r\n\r\n"); endless(w, long) },
		"body of the limit":  func(w io.Writer) { io.WriteString(w, framed("", long)) },
		"body of the token":  func(w io.Writer) { io.WriteString(w, framed("", strings.Repeat(token, 1<<17/len(token)))) },
		"gzip bomb":          func(w io.Writer) { io.WriteString(w, bomb) },
		"header without end": func(w io.Writer) { io.WriteString(w, "HTTP/1.1 200 OK\r\n"); endless(w, "X-Y: z\r\n") },
		"header of the limit": func(w io.Writer) {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"+full+"\r\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			target := serveRaw(t, func(conn net.Conn) {
				conn.Read(make([]byte, 4096))
				answer(conn)
			})
			c := clientFor(t, target.URL)
			grown := baseline.Of(func() {
				c.All(t.Context(), replay.OneBatch(posts(often(10)+1)...), func(_, _ int, x replay.Exchange) { x.Forget() })
			}).Heap
			t.Logf("%.1f MiB at %d exchanges at a time", float64(grown)/(1<<20), replay.DefaultLimits().Concurrency)
			if most := int64(64 << 20); grown > most {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
		})
	}
}

func endless(w io.Writer, text string) {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}
