package selftest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/plantstore/conformance/reference"
)

// server is a service on a loopback port.
type server struct {
	url   string
	roots *x509.CertPool // to trust; nil for plain HTTP
	close func()
}

// serve puts a handler on a loopback port: with TLS and those protocols, or
// with plain HTTP where there are none.
func serve(ctx context.Context, handler http.Handler, protocols []string) (server, error) {
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return server{}, fmt.Errorf("opening a loopback port: %w", err)
	}
	s := server{url: "http://" + listener.Addr().String()}
	web := reference.NewServer(handler, nil)
	if len(protocols) > 0 {
		certificate, roots, err := selfSigned()
		if err != nil {
			return server{}, err
		}
		s.url, s.roots = "https://"+listener.Addr().String(), roots
		web.Protocols = new(http.Protocols)
		web.Protocols.SetHTTP1(slices.Contains(protocols, "http/1.1"))
		web.Protocols.SetHTTP2(slices.Contains(protocols, "h2"))
		web.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if s.roots != nil {
			_ = web.ServeTLS(listener, "", "")
			return
		}
		_ = web.Serve(listener)
	}()
	s.close = func() {
		_ = web.Close()
		<-ended
	}
	return s, nil
}

// selfSigned makes a certificate for the loopback address, and what trusts it.
func selfSigned() (tls.Certificate, *x509.CertPool, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("making a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("making a certificate: %w", err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("reading the certificate just made: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots, nil
}
