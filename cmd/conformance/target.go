package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/plantstore/conformance/fixtures"
)

const (
	tokenEnv     = "CONFORMANCE_TOKEN"
	maxTokenFile = 64 << 10 // bytes
)

// target fills in what the flags say about the target.
func (o *options) target(stdin io.Reader) error {
	var err error
	t := &o.config.Target
	if t.Token, err = o.token(stdin); err != nil {
		return err
	}
	if t.Headers, err = parseHeaders(o.headers); err != nil {
		return err
	}
	t.TLS, err = o.tls()
	return err
}

// token reads the credential: from the file, or else from the environment.
func (o *options) token(stdin io.Reader) (string, error) {
	if o.tokenFile == "" {
		return strings.TrimSpace(os.Getenv(tokenEnv)), nil
	}
	in, name := stdin, "standard input"
	if o.tokenFile != "-" {
		f, err := os.Open(o.tokenFile)
		if err != nil {
			return "", usagef("--token-file %w", plain(err))
		}
		defer f.Close()
		in, name = f, o.tokenFile
	}
	data, err := io.ReadAll(io.LimitReader(in, maxTokenFile+1))
	switch {
	case err != nil:
		return "", usagef("--token-file %w", plain(err))
	case len(data) > maxTokenFile:
		return "", usagef("--token-file: %s is longer than %d bytes; it must hold the credential and nothing else", name, maxTokenFile)
	}
	token := strings.TrimSpace(string(data))
	switch {
	case token == "":
		return "", usagef("--token-file: %s is empty; it must hold the credential", name)
	case strings.ContainsAny(token, "\r\n"):
		return "", usagef("--token-file: %s has several lines; it must hold the credential and nothing else", name)
	}
	return token, nil
}

// parseHeaders reads headers as curl takes them. Errors name the header and
// never its value.
func parseHeaders(list []string) ([]fixtures.Field, error) {
	var headers []fixtures.Field
	for i, text := range list {
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, usagef("--header number %d has no colon; write it as 'Name: value'", i+1)
		}
		headers = append(headers, fixtures.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	return headers, nil
}

// tls is nil where no flag asks for anything but the defaults.
func (o *options) tls() (*tls.Config, error) {
	if o.caCert == "" && o.clientCert == "" && o.clientKey == "" && !o.insecure {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: o.insecure} //nolint:gosec // the user asks for it by name
	if o.caCert != "" {
		data, err := os.ReadFile(o.caCert)
		if err != nil {
			return nil, usagef("--ca-cert %w", plain(err))
		}
		if c.RootCAs, err = x509.SystemCertPool(); err != nil {
			return nil, fmt.Errorf("reading the system's certificates: %w", err)
		}
		if !c.RootCAs.AppendCertsFromPEM(data) {
			return nil, usagef("--ca-cert %s holds no certificate in PEM", o.caCert)
		}
	}
	if (o.clientCert == "") != (o.clientKey == "") {
		return nil, usagef("--client-cert and --client-key belong together; give both or neither")
	}
	if o.clientCert != "" {
		pair, err := tls.LoadX509KeyPair(o.clientCert, o.clientKey)
		if err != nil {
			return nil, usagef("--client-cert %s with --client-key %s: %w", o.clientCert, o.clientKey, plain(err))
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}
