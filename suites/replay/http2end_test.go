package replay_test

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// stuck are HTTP/2 responses that keep a client busy forever.
var stuck = map[string]func(f *http2.Framer, request *http2.MetaHeadersFrame){
	"silence": func(*http2.Framer, *http2.MetaHeadersFrame) {},
	// The body of the request is larger than the window that the server opens.
	"an answer, and no window for the request": func(f *http2.Framer, r *http2.MetaHeadersFrame) { writeHead(f, r) },
	"DATA, and no window for the request": func(f *http2.Framer, r *http2.MetaHeadersFrame) {
		writeHead(f, r)
		f.WriteData(r.StreamID, false, []byte("{"))
	},
	"empty DATA without end": func(f *http2.Framer, r *http2.MetaHeadersFrame) {
		writeHead(f, r)
		untilFails(func() error { return f.WriteData(r.StreamID, false, nil) })
	},
	"empty DATA without end, in no hurry": func(f *http2.Framer, r *http2.MetaHeadersFrame) {
		writeHead(f, r)
		untilFails(func() error {
			time.Sleep(10 * time.Millisecond)
			return f.WriteData(r.StreamID, false, nil)
		})
	},
	"PING without end": func(f *http2.Framer, _ *http2.MetaHeadersFrame) {
		untilFails(func() error { return f.WritePing(false, [8]byte{}) })
	},
	"WINDOW_UPDATE without end": func(f *http2.Framer, _ *http2.MetaHeadersFrame) {
		untilFails(func() error { time.Sleep(time.Millisecond); return f.WriteWindowUpdate(0, 1) })
	},
}

func writeHead(f *http2.Framer, r *http2.MetaHeadersFrame) {
	f.WriteHeaders(http2.HeadersFrameParam{StreamID: r.StreamID, BlockFragment: []byte{0x88}, EndHeaders: true}) // :status 200
}

func untilFails(write func() error) {
	var err error
	for err == nil {
		err = write()
	}
}

// The timeout of an exchange, or the end of the run, always closes the stream and the
// connection.
func TestHTTP2EndsWithItsTime(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("waits for each kind of end; LONG_TESTS=1 asks for it")
	}
	large := fixtures.Message{Method: http.MethodPost, Path: "/", HasBody: true, Body: []byte(strings.Repeat("x", 1<<20)), Times: 1}
	for name, answer := range stuck {
		for i, row := range []struct {
			name    string
			timeout time.Duration
			context func(context.Context) (context.Context, context.CancelFunc)
			kind    replay.FailureKind
			why     string
		}{
			{"timeout", quick, context.WithCancel, replay.Incomplete, "response within 4.4s"}, // plus the time for the body
			{"deadline", patience, func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, quick)
			},
				replay.Canceled, "the deadline ended the run"},
			{"interrupt", patience, func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(quick, cancel)
				return ctx, cancel
			}, replay.Canceled, "the run was interrupted"},
		} {
			if often(2) == 1 && i != len(name)%3 {
				continue
			}
			t.Run(name+"/"+row.name, func(t *testing.T) {
				t.Parallel()
				ended := make(chan struct{})
				target := serveFrames(t, func(f *http2.Framer, r *http2.MetaHeadersFrame) {
					answer(f, r)
					defer close(ended)
					for {
						if _, err := f.ReadFrame(); err != nil {
							return
						}
					}
				})
				ctx, cancel := row.context(t.Context())
				defer cancel()
				c := newClient(t, target, limits(timeout(row.timeout)))
				x := all(ctx, c, []fixtures.Message{large})[0]
				checkFailure(t, x, row.kind, row.why)
				<-ended // the connection, or the test hangs
			})
		}
	}
}

// A server may close a kept connection without GOAWAY. This causes no failure, as in
// HTTP/1.
func TestHTTP2Resend(t *testing.T) {
	var requests atomic.Int32
	target := serveFrames(t, func(f *http2.Framer, r *http2.MetaHeadersFrame) {
		if requests.Add(1) == 3 {
			runtime.Goexit() // and the connection is closed
		}
		writeStatus(f, r, "204")
	})
	c := newClient(t, target, limits())
	for i := range 4 {
		x := c.Exchange(t.Context(), fixtures.Message{Method: http.MethodGet, Path: "/"})
		checkFailure(t, x, "", "")
		if resent := x.Resent != ""; resent != (i == 2) {
			t.Errorf("%d: resent is %t", i, resent)
		}
	}
	if n := requests.Load(); n != 5 {
		t.Errorf("%d requests, want 5", n)
	}
}
