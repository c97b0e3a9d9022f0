package main

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	farHost       = "store.invalid" // only the proxy can find it: no proxy is used for loopback addresses
	proxyPassword = "Tulip-Mania-1637"
)

// forwardProxy is a proxy that forwards requests for every host to one server. It records the
// requests with the right password.
type forwardProxy struct {
	to      string // host:port
	forward httputil.ReverseProxy
	pipes   sync.WaitGroup

	mu    sync.Mutex
	asked []string // methods and hosts, each once
}

// startProxy starts a proxy and returns its host and port.
func startProxy(t *testing.T, to string) (*forwardProxy, string) {
	t.Helper()
	transport := &http.Transport{}
	p := &forwardProxy{to: to, forward: httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.Out.URL.Host = to },
		Transport: transport,
	}}
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		server.Close()
		transport.CloseIdleConnections()
		p.pipes.Wait()
	})
	return p, server.Listener.Addr().String()
}

func (p *forwardProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	account := http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
	if user, password, _ := account.BasicAuth(); user != "operator" || password != proxyPassword {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	p.mu.Lock()
	if asked := r.Method + " " + r.Host; !slices.Contains(p.asked, asked) {
		p.asked = append(p.asked, asked)
	}
	p.mu.Unlock()
	if r.Method != http.MethodConnect {
		p.forward.ServeHTTP(w, r)
		return
	}
	to, err := net.Dial("tcp", p.to)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	from, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		to.Close()
		return
	}
	io.WriteString(from, "HTTP/1.1 200 Connected\r\n\r\n")
	p.pipes.Go(func() { io.Copy(to, buffered); to.Close() })
	p.pipes.Go(func() { io.Copy(from, to); from.Close() })
}

// The program itself reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, because Go reads them once per
// process.
func (p program) testProxy(t *testing.T) {
	t.Chdir(t.TempDir())
	a := newAuthority(t)
	writeCertificate(t, "ca.pem", a.certificate.Raw)
	plain := serve(t, plantStore()).Listener.Addr().String()
	secure := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, farHost, time.Hour)}}).Listener.Addr().String()

	for _, row := range []struct {
		what    string
		base    string // the scheme
		to      string // address to which the proxy forwards
		account string
		env     string // NAME=value, in addition to the two of the proxy
		args    string
		code    int
		says    string
		asked   []string // requests to the proxy
	}{
		{"forwards", "http", plain, "operator:" + proxyPassword, "", "", exitConformant, "conformant in 6 of 15 must-clauses: ", []string{"POST store.invalid"}},
		{"makes tunnels", "https", secure, "operator:" + proxyPassword, "", "", exitConformant, "conformant in 6 of 15 must-clauses: ", []string{"CONNECT store.invalid:443"}},
		{"is asked by what waits", "http", plain, "operator:" + proxyPassword, "", "--wait 1m", exitConformant, "conformant in 6 of 15 must-clauses: ", []string{"GET store.invalid", "POST store.invalid"}},
		{"finds nobody", "https", closedPort, "operator:" + proxyPassword, "", "--wait 100ms", exitInconclusive, "the target did not answer within 100ms: the proxy that HTTP_PROXY or HTTPS_PROXY names cannot be used: CONNECT was answered with 502", []string{"CONNECT store.invalid:443"}},
		{"wants another password", "https", secure, "operator:" + proxyPassword + "x", "", "", exitInconclusive, "407", nil},
		{"is not asked for a host in NO_PROXY", "http", plain, "operator:" + proxyPassword, "NO_PROXY=" + farHost, "", exitInconclusive, "host " + farHost, nil},
		{"is not asked with --resolve", "https", closedPort, "operator:" + proxyPassword, "", "--resolve " + farHost + ":" + secure, exitConformant, "conformant in 6 of 15 must-clauses: ", nil},
	} {
		t.Run(row.what, func(t *testing.T) {
			proxy, at := startProxy(t, row.to)
			aim(t, row.base+"://"+farHost)
			for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY"} {
				t.Setenv(name, "http://"+row.account+"@"+at)
			}
			for _, name := range []string{"NO_PROXY", "no_proxy"} {
				t.Setenv(name, "")
			}
			if name, value, ok := strings.Cut(row.env, "="); ok {
				t.Setenv(name, value)
			}
			args := append([]string{"run", "--ca-cert", "ca.pem", "--only", "createPlant/valid", "--report", "json=-"}, strings.Fields(row.args)...)
			result := p.run(t, args...)
			result.wants(t, row.code, row.says)
			if !slices.Equal(proxy.asked, row.asked) {
				t.Errorf("the proxy is asked for %q, want %q", proxy.asked, row.asked)
			}
			if strings.Contains(result.out+result.err, proxyPassword) {
				t.Error("the password of the proxy is told")
			}
		})
	}
}

// An invalid proxy URL is an error if the proxy would be used: net/http would bypass it.
func TestProxyThatIsNone(t *testing.T) {
	quickly(t)
	const none = "http://operator:Tulip Mania@%zz:1"
	t.Chdir(t.TempDir())
	serve(t, plantStore())
	write(t, "targets.yaml", "targets: [{name: far, base-url: 'http://"+farHost+"'}]")
	for _, row := range []struct {
		what     string
		variable string
		line     string
		mistake  bool
	}{
		{"for the target", "HTTP_PROXY", "--base-url http://" + farHost, true},
		{"for TLS", "HTTPS_PROXY", "--base-url https://" + farHost, true},
		{"for targets", "HTTP_PROXY", "--targets targets.yaml", true},
		{"for other targets", "HTTPS_PROXY", "--base-url http://" + farHost + " --dry-run", false},
		{"for none on this machine", "HTTP_PROXY", "", false},
		{"where the address is told", "HTTP_PROXY", "--base-url http://" + farHost + " --resolve " + farHost + ":127.0.0.1 --dry-run", false},
	} {
		t.Run(row.what, func(t *testing.T) {
			t.Setenv(row.variable, none)
			result := conformance(t, append([]string{"run"}, strings.Fields(row.line)...)...)
			if !row.mistake {
				result.wants(t, exitConformant)
				return
			}
			result.wants(t, exitUsage, row.variable+" is not the URL of a proxy; write it as http://HOST:PORT")
			checkOneLine(t, result)
			if strings.Contains(result.err, "Tulip") {
				t.Errorf("it shows what may be a password")
			}
		})
	}
}
