package conn

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/plantstore/conformance/suites/setting"
)

// Dialer makes connections to one target. Unless At is set, it goes through the
// proxy that the environment names for the target (HTTP_PROXY, HTTPS_PROXY,
// NO_PROXY). It never uses a proxy for a loopback address.
type Dialer struct {
	Base      *url.URL       // base URL of the target: http or https
	At        netip.AddrPort // connect to this address instead of the base URL's host, if valid
	TLS       *tls.Config    // nil for the system's roots and no client certificate
	MaxHeader int64          // limit of a response header, in bytes
	Handler   http.Handler   // called instead of a connection, if not nil
	MaxBody   int64          // limit of the body that Handler writes, in bytes
	Most      int            // connections that are used at a time

	// Proxy returns the proxy for a request. If it is nil, the environment decides.
	Proxy func(*http.Request) (*url.URL, error)
}

// completed returns a copy with the defaults filled in.
func (d Dialer) completed() (Dialer, error) {
	if d.TLS = d.TLS.Clone(); d.TLS == nil {
		d.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	d.TLS.ServerName = cmp.Or(d.TLS.ServerName, hostname(Address(d.Base)))
	if d.TLS.NextProtos == nil {
		d.TLS.NextProtos = []string{"h2", "http/1.1"}
	}
	switch {
	case d.At.IsValid():
		d.Proxy = http.ProxyURL(nil)
	case d.Proxy == nil:
		d.Proxy = http.ProxyFromEnvironment
		return d, checkProxy(d.Base)
	}
	return d, nil
}

func (d Dialer) dial(ctx context.Context) (protocol, error) {
	if d.Handler != nil {
		return &handled{d.Handler, d.MaxBody}, nil
	}
	write := (*http.Request).Write
	via, err := d.Proxy(&http.Request{URL: d.Base})
	if err != nil {
		return nil, proxyError{errors.New("its URL is malformed")} // err repeats the URL with its password
	}
	var conn net.Conn
	switch {
	case d.At.IsValid():
		conn, err = dialTCP(ctx, d.At.String())
	case via == nil:
		conn, err = dialTCP(ctx, Address(d.Base))
	case d.Base.Scheme == "http" && !isSOCKS(via):
		// Request the resource from the proxy, not a tunnel.
		conn, err = dialProxy(ctx, via)
		write = func(r *http.Request, w io.Writer) error { return withProxyAuthorization(r, via).WriteProxy(w) }
	default:
		conn, err = dialThrough(ctx, via, Address(d.Base))
	}
	if err != nil {
		return nil, err
	}
	if d.Base.Scheme == "https" {
		below := &heard{Conn: conn}
		secure := tls.Client(below, d.TLS)
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, err
		}
		if secure.ConnectionState().NegotiatedProtocol == "h2" {
			below.mute = true
			return newHTTP2(ctx, secure, d.MaxHeader)
		}
		conn = secure
	}
	return newHTTP1(conn, write, d.MaxHeader), nil
}

func dialTCP(ctx context.Context, address string) (net.Conn, error) {
	var dialer net.Dialer
	return dialer.DialContext(ctx, "tcp", address)
}

func hostname(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

// Address returns the host and port of a URL, with the host in its DNS form.
func Address(u *url.URL) string {
	host, err := httpguts.PunycodeHostPort(u.Host)
	if err != nil {
		host = u.Host // the DNS lookup will report the error
	}
	if u.Port() != "" {
		return host
	}
	port := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	return strings.TrimSuffix(host, ":") + ":" + port
}

// Resolve parses HOST:ADDRESS, the IP address for the host of the base URL, with or
// without a port. If the text is empty, the result is the invalid zero AddrPort.
func Resolve(text string, base *url.URL) (netip.AddrPort, error) {
	var none netip.AddrPort
	if text == "" {
		return none, nil
	}
	host, place, ok := strings.Cut(text, ":")
	if strings.HasPrefix(text, "[") {
		host, place, ok = strings.Cut(text, "]:")
		host += "]"
	}
	if !ok || host == "" {
		return none, setting.Errorf("resolve", "is %q; it must be HOST:ADDRESS, such as api.example:192.0.2.7", text)
	}
	if !strings.EqualFold(hostname(Address(&url.URL{Host: host})), hostname(Address(base))) {
		return none, setting.Errorf("resolve", "is for the host %q, but the host of the base URL is %q; they must be the same", host, base.Hostname())
	}
	_, port, _ := net.SplitHostPort(Address(base))
	for _, address := range []string{place, place + ":" + port} {
		if at, err := netip.ParseAddrPort(address); err == nil && at.Port() != 0 {
			return at, nil
		}
	}
	return none, setting.Errorf("resolve", "has the address %q; it must be an IP address, with or without a port: 192.0.2.7, 192.0.2.7:8443, [2001:db8::7] or [2001:db8::7]:8443", place)
}
