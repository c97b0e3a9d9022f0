package conn

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// piped returns a connection and its other end.
func piped(t *testing.T, maxHeader int64) (*http1, net.Conn) {
	t.Helper()
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() })
	return newHTTP1(near, (*http.Request).Write, maxHeader), far
}

func get(t *testing.T) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://target/", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// exchange does one exchange on a connection whose peer sends this response.
func exchange(t *testing.T, h *http1, far net.Conn, answer string) (*http.Response, error) {
	t.Helper()
	go func() {
		http.ReadRequest(bufio.NewReader(far))
		io.WriteString(far, answer)
	}()
	response, err := h.RoundTrip(get(t))
	if err == nil {
		_, err = io.ReadAll(response.Body)
	}
	return response, err
}

// Nothing is written to a connection whose peer sent bytes or closed it after the last
// response.
func TestHTTP1AtRest(t *testing.T) {
	for name, do := range map[string]func(net.Conn){
		"left":  func(far net.Conn) { far.Close() },
		"spoke": func(far net.Conn) { io.WriteString(far, "HTTP/1.1 500 Stray\r\n\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			h, far := piped(t, 1000)
			response, err := exchange(t, h, far, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
			if err != nil || !h.rest(response) || !h.usable() {
				t.Fatal("is not kept", err)
			}
			do(far)
			<-h.left()
			if h.usable() {
				t.Error("is said to be usable")
			}
			if _, err := h.RoundTrip(get(t)); !errors.Is(err, ErrUnsent) {
				t.Errorf("%v, want %v", err, ErrUnsent)
			}
		})
	}
}

// The limit of the header counts each byte of the header, and no byte of the body. It
// starts again for each response.
func TestHTTP1HeaderLimit(t *testing.T) {
	const header = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n"
	answer := header + strings.Repeat("x", 2000)
	h, far := piped(t, int64(len(header)))
	for range 3 {
		response, err := exchange(t, h, far, answer)
		if err != nil || !h.rest(response) {
			t.Fatal(err)
		}
	}
	h, far = piped(t, int64(len(header)-1))
	if _, err := exchange(t, h, far, answer); !errors.Is(err, errHeaderTooLong) {
		t.Errorf("%v, want %v", err, errHeaderTooLong)
	}
	h, far = piped(t, int64(len(header)+5))
	if _, err := exchange(t, h, far, "HTTP/1.1 100 Continue\r\n\r\n"+answer); !errors.Is(err, errHeaderTooLong) {
		t.Errorf("%v, want %v: what comes before counts", err, errHeaderTooLong)
	}
}
