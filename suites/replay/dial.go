package replay

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// dialer makes connections to one target, by the proxy that the environment
// names for it (HTTP_PROXY, HTTPS_PROXY, NO_PROXY), if any. No proxy is ever
// asked for a loopback address, nor where the target says what to connect to.
type dialer struct {
	handler   *handled // called instead of a connection, if not nil
	base      *url.URL
	at        netip.AddrPort // what to connect to instead of the base URL's host, if valid
	tls       *tls.Config
	maxHeader int64 // of a response, in bytes
	proxy     func(*http.Request) (*url.URL, error)
}

func newDialer(base *url.URL, at netip.AddrPort, config *tls.Config, maxHeader int64) dialer {
	if config = config.Clone(); config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if config.ServerName == "" {
		config.ServerName = hostname(address(base))
	}
	if config.NextProtos == nil {
		config.NextProtos = []string{"h2", "http/1.1"}
	}
	proxy := http.ProxyFromEnvironment
	if at.IsValid() {
		proxy = http.ProxyURL(nil)
	}
	return dialer{base: base, at: at, tls: config, maxHeader: maxHeader, proxy: proxy}
}

// place is what failures call the target.
func (d dialer) place() string {
	if d.at.IsValid() {
		return fmt.Sprintf("%s (at %s)", d.base.Host, d.at)
	}
	return d.base.Host
}

// dial makes a connection that is ready for a request.
func (d dialer) dial(ctx context.Context) (protocol, error) {
	if d.handler != nil {
		return d.handler, nil
	}
	write := (*http.Request).Write
	via, err := d.proxy(&http.Request{URL: d.base})
	if err != nil {
		return nil, proxyError{errors.New("its URL is malformed")} // the error repeats it, with its password
	}
	var conn net.Conn
	switch {
	case d.at.IsValid():
		conn, err = dialTCP(ctx, d.at.String())
	case via == nil:
		conn, err = dialTCP(ctx, address(d.base))
	case d.base.Scheme == "http" && !isSOCKS(via):
		// The proxy is asked for the resource, not for a connection.
		conn, err = dialProxy(ctx, via)
		write = func(r *http.Request, w io.Writer) error { return withProxyAuthorization(r, via).WriteProxy(w) }
	default:
		conn, err = dialThrough(ctx, via, address(d.base))
	}
	if err != nil {
		return nil, err
	}
	if d.base.Scheme == "https" {
		below := &heard{Conn: conn}
		secure := tls.Client(below, d.tls)
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, err //nolint:wrapcheck // put into words where all is known
		}
		if secure.ConnectionState().NegotiatedProtocol == "h2" {
			below.mute = true
			return newHTTP2(ctx, secure, d.maxHeader)
		}
		conn = secure
	}
	return newHTTP1(conn, write, d.maxHeader), nil
}

// forwarded says whether a proxy stands between, and is asked for the resource
// itself: it may then answer in the target's place (RFC 9110 §15.5.8).
func (d dialer) forwarded() bool {
	if d.handler != nil {
		return false
	}
	via, err := d.proxy(&http.Request{URL: d.base})
	return err == nil && via != nil && d.base.Scheme == "http" && !isSOCKS(via)
}

func dialTCP(ctx context.Context, address string) (net.Conn, error) {
	var dialer net.Dialer
	return dialer.DialContext(ctx, "tcp", address) //nolint:wrapcheck // put into words where all is known
}

// hostname is the host of an address.
func hostname(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}

// address is the host and port of a URL, as a name system knows them.
func address(u *url.URL) string {
	host, err := httpguts.PunycodeHostPort(u.Host)
	if err != nil {
		host = u.Host // whoever looks it up will say why not
	}
	if u.Port() != "" {
		return host
	}
	port := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	return strings.TrimSuffix(host, ":") + ":" + port
}
