package target

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/suites/replay"
)

// TakeTLS makes sense of what the flags say of TLS together.
func (o *Options) TakeTLS() error {
	certificates, err := readKeyPair(o.ClientCert, o.ClientKey)
	if err != nil {
		return err
	}
	roots, err := readRoots(o.CACert)
	if err != nil {
		return err
	}
	target := &o.Config.Target
	target.TLSFiles = replay.TLSFiles{CACert: o.CACert.Text, ClientCert: o.ClientCert.Text, ClientKey: o.ClientKey.Text}
	if certificates != nil || roots != nil || o.Insecure { // or else the defaults hold
		target.TLS = &tls.Config{
			MinVersion:         tls.VersionTLS12,
			Certificates:       certificates,
			RootCAs:            roots,
			InsecureSkipVerify: o.Insecure, //nolint:gosec // the user asks for it by name
		}
	}
	return nil
}

// readRoots gives the system's authorities and those of the file.
func readRoots(file cli.Given) (*x509.CertPool, error) {
	if file.Text == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file.Text)
	if err != nil {
		return nil, file.Unreadable(err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("reading the system's certificates: %w", err)
	}
	if !roots.AppendCertsFromPEM(data) {
		return nil, cli.Usagef("%s %s contains no PEM certificate", file.Name, file.Text)
	}
	return roots, nil
}

// readKeyPair gives the client's certificate, where there is one.
func readKeyPair(cert, key cli.Given) ([]tls.Certificate, error) {
	switch {
	case cert.Text == "" && key.Text == "":
		return nil, nil
	case key.Text == "":
		return nil, cli.Usagef("%s %s needs its private key; give it with --client-key", cert.Name, cert.Text)
	case cert.Text == "":
		return nil, cli.Usagef("%s %s needs its certificate; give it with --client-cert", key.Name, key.Text)
	}
	certPEM, err := os.ReadFile(cert.Text)
	if err != nil {
		return nil, cert.Unreadable(err)
	}
	keyPEM, err := os.ReadFile(key.Text)
	if err != nil {
		return nil, key.Unreadable(err)
	}
	if isEncrypted(keyPEM) {
		return nil, cli.Usagef("%s %s is encrypted; decrypt it first", key.Name, key.Text)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, cli.Usagef("%s %s and %s %s are not a PEM certificate and its private key: %w", cert.Name, cert.Text, key.Name, key.Text, err)
	}
	return []tls.Certificate{pair}, nil
}

// isEncrypted reports whether a private key wants a password, by PKCS #8 (RFC 7468 §11)
// or as OpenSSL did before (RFC 1421 §4.6.1.1).
func isEncrypted(keyPEM []byte) bool {
	for block, rest := pem.Decode(keyPEM); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
			return true
		}
	}
	return false
}
