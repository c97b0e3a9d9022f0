//go:build long

package hostiletest

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// frames answers each request in HTTP/2, frame by frame.
func frames(certified tls.Certificate, answer func(f *http2.Framer, stream uint32)) func(net.Conn) {
	config := &tls.Config{Certificates: []tls.Certificate{certified}, NextProtos: []string{"h2"}}
	return overTLS(config, func(conn net.Conn) {
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
}

// block returns header fields, compressed with HPACK.
func block(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i < len(fields); i += 2 {
		e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return b.Bytes()
}

// until repeats write until it fails because the client has disconnected.
func until(write func() error) {
	var err error
	for err == nil {
		err = write()
	}
}

func TestTargetsInHTTP2(t *testing.T) {
	certified, trusted := certificate(t, nil)
	head := block(":status", "200", "content-type", "application/json")
	headers := func(f *http2.Framer, stream uint32, fragment []byte, end bool) {
		f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: fragment, EndHeaders: end})
	}
	for _, row := range []struct {
		name   string
		answer func(f *http2.Framer, stream uint32)
		flags  string
		says   string
	}{
		{"GOAWAY", func(f *http2.Framer, stream uint32) { f.WriteGoAway(stream, http2.ErrCodeInternal, []byte("\x1b[2J")) }, few + soon, "no "},
		{"GOAWAY, and taken by nobody", func(f *http2.Framer, _ uint32) { f.WriteGoAway(0, http2.ErrCodeNo, nil) }, few, "not a complete HTTP message"},
		{"RST_STREAM", func(f *http2.Framer, stream uint32) { f.WriteRSTStream(stream, http2.ErrCodeInternal) }, few, "not a complete HTTP message"},
		{"RST_STREAM, refused", func(f *http2.Framer, stream uint32) { f.WriteRSTStream(stream, http2.ErrCodeRefusedStream) }, few, "not a complete HTTP message"},
		{"RST_STREAM in the body", func(f *http2.Framer, stream uint32) {
			headers(f, stream, head, true)
			f.WriteData(stream, false, []byte("{"))
			f.WriteRSTStream(stream, http2.ErrCodeCancel)
		}, few, "stream error"},
		{"silence", func(*http2.Framer, uint32) {}, few + soon, "no response within 500ms"},
		{"a stall in the body", func(f *http2.Framer, stream uint32) { headers(f, stream, head, true) }, few + soon, "no complete response within 500ms"},
		{"a stall in the body, and no window for the request", func(f *http2.Framer, stream uint32) { headers(f, stream, head, true) },
			"--only=createPlant/boundary/body-1-mib" + soon, "no complete response within 4.5s"},
		{"a body without end, whatever the window", func(f *http2.Framer, stream uint32) {
			headers(f, stream, head, true)
			until(func() error { return f.WriteData(stream, false, make([]byte, 16<<10)) })
		}, some + " --max-body=67108864", "FLOW_CONTROL_ERROR"}, // otherwise the first error depends on timing
		{"empty DATA without end", func(f *http2.Framer, stream uint32) {
			headers(f, stream, head, true)
			until(func() error { return f.WriteData(stream, false, nil) })
		}, few + soon, "no complete response within 500ms"},
		{"CONTINUATION without end", func(f *http2.Framer, stream uint32) {
			headers(f, stream, head, false)
			until(func() error { return f.WriteContinuation(stream, false, block("x", strings.Repeat("y", 4096))) })
		}, some, "no "},
		{"a bomb of HPACK", func(f *http2.Framer, stream uint32) {
			// One field in the table, and 16,000 references to it: 64 MiB.
			bomb := append(block(":status", "200", "x", strings.Repeat("y", 4000)), bytes.Repeat([]byte{0xbe}, 12_000)...)
			headers(f, stream, bomb, true)
		}, some, "--max-header raises this limit"},
		{"PING without end", func(f *http2.Framer, _ uint32) {
			until(func() error { return f.WritePing(false, [8]byte{}) })
		}, few + soon, "no "},
		{"SETTINGS without end", func(f *http2.Framer, _ uint32) { until(func() error { return f.WriteSettings() }) }, few + soon, "no "},
		{"100 without end", func(f *http2.Framer, stream uint32) {
			until(func() error {
				return f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: block(":status", "103", "link", "x"), EndHeaders: true})
			})
		}, few, "no "},
		{"a push", func(f *http2.Framer, stream uint32) {
			f.WritePushPromise(http2.PushPromiseParam{StreamID: stream, PromiseID: 2, BlockFragment: head, EndHeaders: true})
		}, few, "no "},
		{"no frames", func(f *http2.Framer, stream uint32) { f.WriteRawFrame(0xff, 0xff, 1<<31-1, make([]byte, 100)) }, few + soon, "no "},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, frames(certified, row.answer))
			args := append(strings.Fields(row.flags), "--verbose", "--ca-cert", writeFile(t, filepath.Join(t.TempDir(), "ca.pem"), trusted))
			o := child{args: args, token: token, url: "https://" + server.address}.run(t)
			checkStreams(t, o)
			if strings.Contains(row.says, "raises this limit") {
				checkVerdict(t, o, exitInconclusive)
			} else {
				checkVerdict(t, o, exitNonconformant, answers)
			}
			checkSays(t, o, row.says)
			t.Logf("%s of the processor, %.1f MiB", o.cpu, float64(o.peak)/(1<<20))
			show(t, o)
		})
	}
}

// A server that respects flow control can also send without end.
func TestEndlessBodyInHTTP2(t *testing.T) {
	certified, trusted := certificate(t, nil)
	endless := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		until(func() error { _, err := w.Write(make([]byte, 16<<10)); return err })
	})
	server := httptest.NewUnstartedServer(endless)
	server.EnableHTTP2 = true
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certified}}
	server.StartTLS()
	t.Cleanup(server.Close)
	args := append(strings.Fields(some), "--ca-cert", writeFile(t, filepath.Join(t.TempDir(), "ca.pem"), trusted))
	o := child{args: args, token: token, url: server.URL}.run(t)
	checkVerdict(t, o, exitNonconformant, "createPlant/request/body/name", "createPlant/request/body/id")
	checkSays(t, o, "the body is longer than 1048576 bytes; --max-body raises this limit")
}
