package replay_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// serveFrames speaks HTTP/2 frame by frame: it calls answer for each request.
func serveFrames(t *testing.T, answer func(f *http2.Framer, stream uint32)) replay.Target {
	t.Helper()
	certified, roots := certificate(t, func(*x509.Certificate) {})
	config := &tls.Config{Certificates: []tls.Certificate{certified}, NextProtos: []string{"h2"}}
	target := serveRaw(t, func(plain net.Conn) {
		conn := tls.Server(plain, config)
		if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
			return
		}
		f := http2.NewFramer(conn, conn)
		f.WriteSettings()
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			switch frame := frame.(type) {
			case *http2.SettingsFrame:
				if !frame.IsAck() {
					f.WriteSettingsAck()
				}
			case *http2.HeadersFrame:
				answer(f, frame.StreamID)
			}
		}
	})
	return replay.Target{BaseURL: "https" + target.URL[len("http"):], TLS: &tls.Config{RootCAs: roots}}
}

func writeStatus(f *http2.Framer, stream uint32, status string) {
	var block bytes.Buffer
	hpack.NewEncoder(&block).WriteField(hpack.HeaderField{Name: ":status", Value: status})
	f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block.Bytes(), EndHeaders: true, EndStream: true})
}

// A server that shuts a connection down says which requests it will not
// answer, and has not acted on (RFC 9113 §6.8): these go over another
// connection.
func TestHTTP2RequestThatWasNotTaken(t *testing.T) {
	var requests atomic.Int32
	target := serveFrames(t, func(f *http2.Framer, stream uint32) {
		requests.Add(1)
		if stream > 1 {
			f.WriteGoAway(1, http2.ErrCodeNo, nil)
			return
		}
		writeStatus(f, stream, "204")
	})
	c := newClient(t, target, limits())
	for range 3 {
		x := c.Exchange(t.Context(), fixtures.Message{Method: http.MethodPost, Path: "/"})
		if x.Failure != nil || x.Response.Status != http.StatusNoContent {
			t.Errorf("%+v %v", x.Response, x.Failure)
		}
	}
	// The second is refused once; after that no connection is used again.
	if n := requests.Load(); n != 4 {
		t.Errorf("%d requests, want 4", n)
	}
}

func TestHTTP2NothingIsSentTwice(t *testing.T) {
	for name, end := range map[string]func(f *http2.Framer, stream uint32){
		"reset":   func(f *http2.Framer, stream uint32) { f.WriteRSTStream(stream, http2.ErrCodeInternal) },
		"refused": func(f *http2.Framer, stream uint32) { f.WriteRSTStream(stream, http2.ErrCodeRefusedStream) },
		"shutdown": func(f *http2.Framer, stream uint32) {
			f.WriteGoAway(stream, http2.ErrCodeInternal, nil)
			f.WriteRSTStream(stream, http2.ErrCodeCancel)
		},
		"no taker": func(f *http2.Framer, stream uint32) { f.WriteGoAway(0, http2.ErrCodeNo, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int32
			target := serveFrames(t, func(f *http2.Framer, stream uint32) {
				requests.Add(1)
				end(f, stream)
			})
			x := newClient(t, target, limits()).Exchange(t.Context(), fixtures.Message{Method: http.MethodGet, Path: "/"})
			checkFailure(t, x, replay.Incomplete, "no complete HTTP message")
			if n := requests.Load(); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}
