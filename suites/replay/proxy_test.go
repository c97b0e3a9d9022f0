package replay

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
)

// proxied returns a client that uses a proxy. It does not set the environment, because
// net/http uses no proxy for loopback addresses.
func proxied(t *testing.T, target Target, via string) *Client {
	t.Helper()
	c, err := NewClient(target, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	address, err := url.Parse(via)
	if err != nil {
		t.Fatal(err)
	}
	d := conn.Dialer{Base: c.base, TLS: target.TLS, MaxHeader: c.limits.MaxHeader, Proxy: http.ProxyURL(address)}
	if c.connections, err = conn.NewPool(d); err != nil {
		t.Fatal(err)
	}
	return c
}

// httpProxy forwards requests and makes tunnels for clients with the right password.
func httpProxy(t *testing.T) (address string, forwarded, tunnels *atomic.Int32) {
	t.Helper()
	forwarded, tunnels = new(atomic.Int32), new(atomic.Int32)
	var transport http.Transport
	var pipes sync.WaitGroup
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Proxy-Authorization"); got != "Basic dXNlcjpwYXNz" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		if r.Method == http.MethodConnect {
			tunnels.Add(1)
			to, err := net.Dial("tcp", r.Host)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			from, buffered, _ := w.(http.Hijacker).Hijack()
			io.WriteString(from, "HTTP/1.1 200 Connected\r\n\r\n")
			pipes.Go(func() { io.Copy(to, buffered); to.Close() })
			pipes.Go(func() { io.Copy(from, to); from.Close() })
			return
		}
		forwarded.Add(1)
		r.Header.Del("Proxy-Authorization")
		response, err := transport.RoundTrip(r)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		w.WriteHeader(response.StatusCode)
		io.Copy(w, response.Body)
	}))
	t.Cleanup(func() { proxy.Close(); transport.CloseIdleConnections(); pipes.Wait() })
	return strings.TrimPrefix(proxy.URL, "http://"), forwarded, tunnels
}

// socksProxy makes SOCKS 5 tunnels (RFC 1928) to IPv4 addresses, without authentication.
func socksProxy(t *testing.T) (address string, tunnels *atomic.Int32) {
	t.Helper()
	tunnels = new(atomic.Int32)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var pipes sync.WaitGroup
	pipes.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			pipes.Go(func() {
				defer from.Close()
				r := bufio.NewReader(from)
				hello := make([]byte, 2)
				io.ReadFull(r, hello)
				r.Discard(int(hello[1]))
				from.Write([]byte{5, 0})
				request := make([]byte, 10)
				io.ReadFull(r, request)
				to, err := net.Dial("tcp", (&net.TCPAddr{IP: request[4:8], Port: int(binary.BigEndian.Uint16(request[8:]))}).String())
				if err != nil {
					return
				}
				tunnels.Add(1)
				from.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
				pipes.Go(func() { io.Copy(from, to); from.Close() })
				io.Copy(to, r)
				to.Close()
			})
		}
	})
	t.Cleanup(func() { listener.Close(); pipes.Wait() })
	return listener.Addr().String(), tunnels
}

func TestProxy(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.URL.Path, " ", r.Header.Get("Proxy-Authorization"))
		io.Copy(w, r.Body)
	}
	plain := httptest.NewServer(http.HandlerFunc(echo))
	t.Cleanup(plain.Close)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(echo))
	secure.EnableHTTP2 = true
	secure.StartTLS()
	t.Cleanup(secure.Close)
	roots := secure.Client().Transport.(*http.Transport).TLSClientConfig
	m := fixtures.Message{Method: "POST", Path: "/plants", HasBody: true, Body: []byte("{}"), Times: 2}

	for _, row := range []struct {
		name   string
		target Target
		want   string
	}{
		{"plain", Target{BaseURL: plain.URL}, "HTTP/1.1 /plants {}"},
		{"TLS", Target{BaseURL: secure.URL, TLS: roots}, "HTTP/2.0 /plants {}"},
	} {
		for _, kind := range []string{"http", "socks5"} {
			t.Run(row.name+" by "+kind, func(t *testing.T) {
				address, forwarded, tunnels := httpProxy(t)
				if kind == "socks5" {
					address, tunnels = socksProxy(t)
				}
				c := proxied(t, row.target, kind+"://user:pass@"+address)
				defer c.Close()
				x := c.Exchange(t.Context(), m)
				if x.Failure != nil || string(x.Response.Body) != row.want {
					t.Fatalf("%+v %+v", x.Response, x.Failure)
				}
				if kind == "http" && row.name == "plain" {
					if forwarded.Load() != 2 || tunnels.Load() != 0 {
						t.Errorf("forwarded %d, tunnels %d", forwarded.Load(), tunnels.Load())
					}
				} else if tunnels.Load() != 1 {
					t.Errorf("%d tunnels, want one for both times", tunnels.Load())
				}
			})
		}
	}
}

func TestProxyThatCannotBeUsed(t *testing.T) {
	address, _, _ := httpProxy(t)
	gone := httptest.NewServer(nil)
	gone.Close()
	m := fixtures.Message{Method: "GET", Path: "/", Times: 1}
	for _, row := range []struct {
		name, base, via, message string
	}{
		{"gone", "http://plants.invalid", gone.URL, "connection refused"},
		{"gone, for a tunnel", "https://plants.invalid", gone.URL, "connection refused"},
		{"gone, by SOCKS", "http://plants.invalid", "socks5://" + gone.Listener.Addr().String(), "connection refused"},
		{"wrong password", "https://plants.invalid", "http://user:wrong@" + address, "407 Proxy Authentication Required"},
		{"wrong password, and no tunnel", "http://plants.invalid", "http://user:wrong@" + address, "asks for a user name and a password"},
		{"no way to the target", "https://plants.invalid", "http://user:pass@" + address, "502 Bad Gateway"},
	} {
		t.Run(row.name, func(t *testing.T) {
			x := proxied(t, Target{BaseURL: row.base}, row.via).Exchange(t.Context(), m)
			if x.Failure == nil || x.Failure.Kind != Unreachable ||
				!strings.Contains(x.Failure.Message, "proxy") || !strings.Contains(x.Failure.Message, row.message) {
				t.Errorf("%+v, want … %s …", x.Failure, row.message)
			}
			if strings.Contains(fmt.Sprint(x), "wrong") {
				t.Error("the password of the proxy is told")
			}
		})
	}
}

// A 407 from the service itself is unusual, but it is a response.
func Test407OfTheService(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) }))
	t.Cleanup(server.Close)
	c, err := NewClient(Target{BaseURL: server.URL}, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	x := c.Exchange(t.Context(), fixtures.Message{Method: "GET", Path: "/", Times: 1})
	if x.Failure != nil || x.Response.Status != http.StatusProxyAuthRequired {
		t.Errorf("%+v %+v", x.Response, x.Failure)
	}
}
