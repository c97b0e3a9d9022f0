package main

import (
	"context"
	"crypto/tls"
	"net"
)

// readCertificates returns what HTTPS needs, or nothing when neither file is
// named.
func readCertificates(certFile, keyFile string) ([]tls.Certificate, error) {
	if certFile == "" && keyFile == "" {
		return nil, nil
	}
	if certFile == "" || keyFile == "" {
		return nil, usageErrorf("--%s and --%s belong together: give both or neither", tlsCertFlag, tlsKeyFlag)
	}
	certificate, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, usageErrorf("--%s %s, --%s %s: %v; name a PEM certificate and the key that belongs to it", tlsCertFlag, certFile, tlsKeyFlag, keyFile, err)
	}
	return []tls.Certificate{certificate}, nil
}

// listen opens the address, for HTTPS when there are certificates, and returns
// the base URL that it can be reached at. The protocols are those to offer over
// TLS; none stands for all that the server speaks.
func listen(ctx context.Context, address string, certificates []tls.Certificate, protocols []string) (net.Listener, string, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, "", usageErrorf("--%s %s: %v; use a free host:port, such as 127.0.0.1:0 for any free port", listenFlag, address, err)
	}
	url := "http://" + listener.Addr().String()
	if certificates != nil {
		if len(protocols) == 0 {
			protocols = []string{"h2", "http/1.1"}
		}
		listener = tls.NewListener(listener, &tls.Config{Certificates: certificates, NextProtos: protocols})
		url = "https://" + listener.Addr().String()
	}
	return listener, url, nil
}
