package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	"github.com/plantstore/conformance/suites/replay"
)

// takeTLS makes sense of what the flags say of TLS together.
func (o *options) takeTLS() error {
	var err error
	o.config.Target.TLS, err = o.tls()
	o.config.Target.TLSFiles = replay.TLSFiles{CACert: o.caCert.text, ClientCert: o.clientCert.text, ClientKey: o.clientKey.text}
	return err
}

// tls is nil where no flag asks for anything but the defaults.
func (o *options) tls() (*tls.Config, error) {
	certificates, err := readKeyPair(o.clientCert, o.clientKey)
	if err != nil {
		return nil, err
	}
	roots, err := readRoots(o.caCert)
	if err != nil {
		return nil, err
	}
	if certificates == nil && roots == nil && !o.insecure {
		return nil, nil
	}
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		Certificates:       certificates,
		RootCAs:            roots,
		InsecureSkipVerify: o.insecure, //nolint:gosec // the user asks for it by name
	}, nil
}

// readRoots gives the system's authorities and those of the file.
func readRoots(file given) (*x509.CertPool, error) {
	if file.text == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file.text)
	if err != nil {
		return nil, file.unreadable(err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("reading the system's certificates: %w", err)
	}
	if !roots.AppendCertsFromPEM(data) {
		return nil, usagef("%s %s holds no certificate in PEM", file.name, file.text)
	}
	return roots, nil
}

// readKeyPair gives the client's certificate, where there is one.
func readKeyPair(cert, key given) ([]tls.Certificate, error) {
	switch {
	case cert.text == "" && key.text == "":
		return nil, nil
	case key.text == "":
		return nil, usagef("%s %s needs its private key; give it with --client-key", cert.name, cert.text)
	case cert.text == "":
		return nil, usagef("%s %s needs its certificate; give it with --client-cert", key.name, key.text)
	}
	certPEM, err := os.ReadFile(cert.text)
	if err != nil {
		return nil, cert.unreadable(err)
	}
	keyPEM, err := os.ReadFile(key.text)
	if err != nil {
		return nil, key.unreadable(err)
	}
	if isEncrypted(keyPEM) {
		return nil, usagef("%s %s is encrypted; decrypt it first", key.name, key.text)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, usagef("%s %s and %s %s are no certificate and its private key in PEM: %w", cert.name, cert.text, key.name, key.text, err)
	}
	return []tls.Certificate{pair}, nil
}

// isEncrypted says whether a private key wants a password, by PKCS #8 (RFC 7468 §11)
// or as OpenSSL did before (RFC 1421 §4.6.1.1).
func isEncrypted(keyPEM []byte) bool {
	for block, rest := pem.Decode(keyPEM); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
			return true
		}
	}
	return false
}
