package conn

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/proxy"
)

// ProxyPassword returns the password of the proxy that the environment sets for a URL, or
// "". It must be redacted too, because reports contain responses of the proxy.
func ProxyPassword(base *url.URL) string {
	via, err := http.ProxyFromEnvironment(&http.Request{URL: base})
	if err != nil || via == nil {
		return ""
	}
	password, _ := via.User.Password()
	return password
}

// checkProxy returns an error if the proxy in the environment is not a URL. net/http
// would ignore it and connect to the target directly. The error does not repeat the
// value, which may contain a password.
func checkProxy(base *url.URL) error {
	environment := httpproxy.FromEnvironment()
	named, variable := environment.HTTPProxy, "HTTP_PROXY"
	if base.Scheme == "https" {
		named, variable = environment.HTTPSProxy, "HTTPS_PROXY"
	}
	environment.HTTPProxy, environment.HTTPSProxy = "http://proxy.invalid", "http://proxy.invalid"
	if via, err := environment.ProxyFunc()(base); named == "" || err != nil || via == nil {
		return nil //nolint:nilerr // no proxy is asked for this target
	}
	for _, text := range []string{named, "http://" + named} {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			return nil
		}
	}
	return fmt.Errorf("%s is not the URL of a proxy; write it as http://HOST:PORT, with percent-encoding if needed, or leave it empty", variable)
}

// proxyError is an error of the proxy, or of the connection to it.
type proxyError struct{ error }

func (e proxyError) Unwrap() error { return e.error }

func isSOCKS(via *url.URL) bool { return via.Scheme == "socks5" || via.Scheme == "socks5h" }

func dialProxy(ctx context.Context, via *url.URL) (net.Conn, error) {
	conn, err := dialTCP(ctx, Address(via))
	if err != nil {
		return nil, proxyError{err}
	}
	if via.Scheme != "https" {
		return conn, nil
	}
	secure := tls.Client(conn, &tls.Config{ServerName: via.Hostname(), MinVersion: tls.VersionTLS12})
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, proxyError{err}
	}
	return secure, nil
}

func dialThrough(ctx context.Context, via *url.URL, address string) (net.Conn, error) {
	if isSOCKS(via) {
		return dialSOCKS(ctx, via, address)
	}
	conn, err := dialProxy(ctx, via)
	if err != nil {
		return nil, err
	}
	if err := connect(ctx, conn, via, address); err != nil {
		conn.Close()
		return nil, proxyError{err}
	}
	return conn, nil
}

func dialSOCKS(ctx context.Context, via *url.URL, target string) (net.Conn, error) {
	var conn net.Conn
	dialer, err := proxy.FromURL(&url.URL{Scheme: via.Scheme, User: via.User, Host: Address(via)}, &net.Dialer{})
	if withContext, ok := dialer.(proxy.ContextDialer); ok { // every dialer of that package implements it
		conn, err = withContext.DialContext(ctx, "tcp", target)
	}
	if err != nil {
		return nil, proxyError{err}
	}
	return conn, nil
}

// connect asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6).
func connect(ctx context.Context, conn net.Conn, via *url.URL, target string) error {
	const maxHeader = 64 << 10
	release := context.AfterFunc(ctx, func() { abort(conn) })
	request := withProxyAuthorization(&http.Request{
		Method: http.MethodConnect, URL: &url.URL{Opaque: target}, Host: target, Header: http.Header{},
	}, via)
	err := request.Write(conn)
	var response *http.Response
	if err == nil {
		// The buffer loses no bytes, because the target does not send first.
		response, err = http.ReadResponse(bufio.NewReader(io.LimitReader(conn, maxHeader)), request) //nolint:bodyclose // the body is the tunnel
	}
	switch {
	case !release():
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("CONNECT: %w", err)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("CONNECT was answered with %s", response.Status)
	}
	return nil
}

// withProxyAuthorization adds the user name and password in the proxy's URL, if any,
// to the request (RFC 7617).
func withProxyAuthorization(request *http.Request, via *url.URL) *http.Request {
	if via.User == nil {
		return request
	}
	password, _ := via.User.Password()
	credential := base64.StdEncoding.EncodeToString([]byte(via.User.Username() + ":" + password))
	request = request.Clone(request.Context())
	request.Header.Set("Proxy-Authorization", "Basic "+credential)
	return request
}
