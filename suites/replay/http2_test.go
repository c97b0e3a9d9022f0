package replay_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// serveFrames speaks HTTP/2 frame by frame: it calls answer for each request.
func serveFrames(t *testing.T, answer func(f *http2.Framer, request *http2.MetaHeadersFrame)) replay.Target {
	t.Helper()
	certified, roots := certificate(t, func(*x509.Certificate) {})
	config := &tls.Config{Certificates: []tls.Certificate{certified}, NextProtos: []string{"h2"}}
	target := serveRaw(t, func(plain net.Conn) {
		conn := tls.Server(plain, config)
		if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
			return
		}
		f := http2.NewFramer(conn, conn)
		f.ReadMetaHeaders = hpack.NewDecoder(1<<12, nil)
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
			case *http2.MetaHeadersFrame:
				answer(f, frame)
			}
		}
	})
	return replay.Target{BaseURL: "https" + target.URL[len("http"):], TLS: &tls.Config{RootCAs: roots}}
}

func writeStatus(f *http2.Framer, request *http2.MetaHeadersFrame, status string) {
	var block bytes.Buffer
	hpack.NewEncoder(&block).WriteField(hpack.HeaderField{Name: ":status", Value: status})
	f.WriteHeaders(http2.HeadersFrameParam{StreamID: request.StreamID, BlockFragment: block.Bytes(), EndHeaders: true, EndStream: true})
}

// A server that shuts a connection down says which requests it has not processed
// (RFC 9113 §6.8). The client sends these over another connection.
func TestHTTP2RequestThatWasNotTaken(t *testing.T) {
	var requests atomic.Int32
	target := serveFrames(t, func(f *http2.Framer, request *http2.MetaHeadersFrame) {
		requests.Add(1)
		if request.StreamID > 1 {
			f.WriteGoAway(1, http2.ErrCodeNo, nil)
			return
		}
		writeStatus(f, request, "204")
	})
	c := newClient(t, target, limits())
	for range 3 {
		x := c.Exchange(t.Context(), fixtures.Message{Method: http.MethodPost, Path: "/"})
		if x.Failure != nil || x.Response.Status != http.StatusNoContent {
			t.Errorf("%+v %v", x.Response, x.Failure)
		}
	}
	// The second request is refused once. After that no connection is reused.
	if n := requests.Load(); n != 4 {
		t.Errorf("%d requests, want 4", n)
	}
}

func TestHTTP2NothingIsSentTwice(t *testing.T) {
	for name, end := range map[string]func(f *http2.Framer, request *http2.MetaHeadersFrame){
		"reset": func(f *http2.Framer, request *http2.MetaHeadersFrame) {
			f.WriteRSTStream(request.StreamID, http2.ErrCodeInternal)
		},
		"refused": func(f *http2.Framer, request *http2.MetaHeadersFrame) {
			f.WriteRSTStream(request.StreamID, http2.ErrCodeRefusedStream)
		},
		"shutdown": func(f *http2.Framer, request *http2.MetaHeadersFrame) {
			f.WriteGoAway(request.StreamID, http2.ErrCodeInternal, nil)
			f.WriteRSTStream(request.StreamID, http2.ErrCodeCancel)
		},
		"no taker": func(f *http2.Framer, request *http2.MetaHeadersFrame) { f.WriteGoAway(0, http2.ErrCodeNo, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int32
			target := serveFrames(t, func(f *http2.Framer, request *http2.MetaHeadersFrame) {
				requests.Add(1)
				end(f, request)
			})
			x := newClient(t, target, limits()).Exchange(t.Context(), fixtures.Message{Method: http.MethodGet, Path: "/"})
			checkFailure(t, x, replay.Incomplete, "not a complete HTTP message")
			if n := requests.Load(); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

// White space around a field's value does not belong to the value. HTTP/1.1 permits it.
// In HTTP/2 it makes a message malformed (RFC 9113 §8.2.1), and a server may end the
// stream.
func TestHTTP2FieldsHaveNoWhiteSpaceAround(t *testing.T) {
	var values []string
	target := serveFrames(t, func(f *http2.Framer, request *http2.MetaHeadersFrame) {
		for _, field := range request.RegularFields() {
			if field.Name == "authorization" || field.Name == "content-type" {
				values = append(values, field.Value)
			}
		}
		writeStatus(f, request, "204")
	})
	c := newClient(t, target, limits())
	x := c.Exchange(t.Context(), fixtures.Message{Method: http.MethodPost, Path: "/", Header: []fixtures.Field{
		{Name: "Content-Type", Value: " \tapplication/json\t "}, {Name: "Authorization", Value: "Bearer "},
	}})
	slices.Sort(values) // the order of fields does not matter
	if x.Failure != nil || !slices.Equal(values, []string{"Bearer", "application/json"}) {
		t.Errorf("%q arrived, %v", values, x.Failure)
	}
}
