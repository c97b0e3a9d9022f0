package replay_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/replay"
)

// clientTLS returns a configuration that trusts the server.
func clientTLS(server *httptest.Server) *tls.Config {
	return server.Client().Transport.(*http.Transport).TLSClientConfig
}

// certificate returns a self-signed certificate.
func certificate(t *testing.T, change func(*x509.Certificate)) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "target"}, BasicConstraintsValid: true, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	change(template)
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestTLS(t *testing.T) {
	good, trusted := certificate(t, func(*x509.Certificate) {})
	expired, trustedExpired := certificate(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
	other, trustedOther := certificate(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.example"} })
	for _, row := range []struct {
		name    string
		server  *tls.Config
		client  *tls.Config
		scheme  string // of the base URL
		kind    replay.FailureKind
		message string
	}{
		{"trusted", &tls.Config{Certificates: []tls.Certificate{good}}, &tls.Config{RootCAs: trusted}, "https", "", ""},
		{"not verified", &tls.Config{Certificates: []tls.Certificate{good}}, &tls.Config{InsecureSkipVerify: true}, "https", "", ""},
		{"unknown authority", &tls.Config{Certificates: []tls.Certificate{good}}, nil, "https", replay.Unreachable, "signed by an unknown authority; give it with --ca-cert"},
		{"wrong host", &tls.Config{Certificates: []tls.Certificate{other}}, &tls.Config{RootCAs: trustedOther}, "https", replay.Unreachable, "is for another host"},
		{"expired", &tls.Config{Certificates: []tls.Certificate{expired}}, &tls.Config{RootCAs: trustedExpired}, "https", replay.Unreachable, "has expired or is not valid yet"},
		{"certificate wanted, TLS 1.3", &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert}, &tls.Config{RootCAs: trusted}, "https", replay.Unreachable, "--client-cert"},
		{"certificate wanted, TLS 1.2", &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}, &tls.Config{RootCAs: trusted}, "https", replay.Unreachable, "--client-cert"},
		{"certificate given", &tls.Config{Certificates: []tls.Certificate{good}, ClientAuth: tls.RequireAnyClientCert}, &tls.Config{RootCAs: trusted, Certificates: []tls.Certificate{good}}, "https", "", ""},
		{"no version in common", &tls.Config{Certificates: []tls.Certificate{good}, MinVersion: tls.VersionTLS13}, &tls.Config{RootCAs: trusted, MaxVersion: tls.VersionTLS12}, "https", replay.Unreachable, "version"},
		{"https for a plain port", nil, nil, "https", replay.Unreachable, "does not speak TLS; try http://"},
		{"http for a TLS port", &tls.Config{Certificates: []tls.Certificate{good}}, nil, "http", replay.Unreachable, "speaks TLS; try https://"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
			server.Config.ErrorLog = quiet()
			if server.TLS = row.server; row.server != nil {
				server.StartTLS()
			} else {
				server.Start()
			}
			t.Cleanup(server.Close)
			base := row.scheme + "://" + server.Listener.Addr().String()
			c := newClient(t, replay.Target{BaseURL: base, Token: token, TLS: row.client}, limits())
			checkFailure(t, c.Exchange(t.Context(), post("{}")), row.kind, row.message)
		})
	}
}

// A TLS 1.3 server may refuse a client that is already sending. This is never reported as a
// missing response, not even over HTTP/2, where the client reads and writes concurrently.
func TestTLSRefusalOverHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = quiet()
	server.EnableHTTP2 = true
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	t.Cleanup(server.Close)
	for range often(100) {
		c := newClient(t, replay.Target{BaseURL: server.URL, Token: token, TLS: clientTLS(server)}, limits())
		checkFailure(t, c.Exchange(t.Context(), post("{}")), replay.Unreachable, "certificate required; it may want a certificate (--client-cert, --client-key)")
	}
}

// A failure before there is a connection is not a fault of the service.
func TestNoConnection(t *testing.T) {
	for _, row := range []struct {
		name    string
		url     string
		kind    replay.FailureKind
		message string
	}{
		{"nobody there", deadURL, replay.Unreachable, "nothing listens on 127.0.0.1:"},
		{"no such host", "http://plants.invalid", replay.Unreachable, "check the base URL"},
		{"TLS never begins", "https" + strings.TrimPrefix(serveRaw(t, hang).URL, "http"), replay.Unreachable, "does not accept a connection in time"},
		{"TLS is hung up on", "https" + strings.TrimPrefix(serveRaw(t, func(net.Conn) {}).URL, "http"), replay.Unreachable, "closed the connection before it could be used"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			x := clientFor(t, row.url, timeout(quick)).Exchange(t.Context(), post("{}"))
			checkFailure(t, x, row.kind, row.message)
			if x.Response != nil {
				t.Errorf("%+v", x.Response)
			}
		})
	}
}

func serveHTTP2(t testing.TB, timeout time.Duration, handler http.HandlerFunc) (*httptest.Server, *replay.Client) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	t.Cleanup(server.Close)
	l := limits(func(l *replay.Limits) { l.MaxBody, l.Timeout = 1000, timeout })
	return server, newClient(t, replay.Target{BaseURL: server.URL, Token: token, TLS: clientTLS(server)}, l)
}

func TestHTTP2(t *testing.T) {
	for _, row := range []struct {
		name    string
		handler http.HandlerFunc
		kind    replay.FailureKind
		message string
		status  int
		body    string // or anyBody
	}{
		{"answers", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }, "", "", 200, `{"a":1}`},
		{"no body", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }, "", "", 204, ""},
		{"early hints", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusEarlyHints) }, "", "", 200, ""},
		{"hints without end", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.WriteHeader(http.StatusEarlyHints)
			}
		}, replay.Incomplete, "", 0, ""},
		{"never", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, replay.Incomplete, "no response within 1s", 0, ""},
		{"stall", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "{")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, replay.Incomplete, "no complete response within 1s", 200, "{"},
		{"stream reset", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, replay.Incomplete, "stream error", 0, ""},
		{"stream reset in the body", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "{")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, replay.Incomplete, "stream error", 200, anyBody},
		{"body too long", func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 1000)); err != nil {
					return
				}
			}
		}, replay.OverLimit, "the body is longer than 1000 bytes", 200, anyBody},
		{"header too long", func(w http.ResponseWriter, r *http.Request) {
			for i := range 10_000 {
				w.Header().Set(fmt.Sprint("X-", i), "y")
			}
		}, replay.Incomplete, "", 0, ""},
		{"field too long", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X", strings.Repeat("y", 100_000))
		}, replay.Incomplete, "not a complete HTTP message", 0, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := serveHTTP2(t, time.Second, func(w http.ResponseWriter, r *http.Request) {
				if r.ProtoMajor != 2 {
					t.Errorf("came as %s", r.Proto)
				}
				row.handler(w, r)
			})
			times := 1
			if row.kind == "" {
				times = 2 // the second request uses the connection of the first
			}
			for range times {
				x := c.Exchange(t.Context(), post(`{"a":1}`))
				checkFailure(t, x, row.kind, row.message)
				status, body := 0, ""
				if x.Response != nil {
					status, body = x.Response.Status, string(x.Response.Body)
				}
				if status != row.status || body != row.body && row.body != anyBody {
					t.Errorf("got %d %q, want %d %q", status, body, row.status, row.body)
				}
			}
		})
	}
}

// A server that shuts down gracefully closes idle connections, and tells for each request
// in flight whether it processes it.
func TestHTTP2ServerThatLetsGo(t *testing.T) {
	server, c := serveHTTP2(t, patience, func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Connection", "close") })
	for i, x := range all(t.Context(), c, posts(often(10))) {
		if x.Failure != nil || x.Response.Status != 200 {
			t.Errorf("%d: %+v %v", i, x.Response, x.Failure)
		}
	}
	server.Close()
	checkFailure(t, c.Exchange(t.Context(), post("{}")), replay.Unreachable, "nothing listens")
}
