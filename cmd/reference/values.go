package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/reference"
)

// tokensEnv is the environment variable that holds the accepted tokens.
const tokensEnv = "REFERENCE_TOKENS"

// readTokens returns the tokens in the file (- is stdin) or, without a file, in the environment. A
// file overrides the variable, because a forgotten variable must not give access.
func readTokens(file string, stdin io.Reader) ([]string, error) {
	if file == "" {
		tokens, err := parseTokens(strings.Fields(os.Getenv(tokensEnv)), "token", tokensEnv)
		if err == nil && len(tokens) == 0 {
			err = usageErrorf("no client could create a plant without a token: name a file with one token a line in --%s, or set %s", tokenFileFlag, tokensEnv)
		}
		return tokens, err
	}
	source := "--" + tokenFileFlag + " " + file
	read := func() ([]byte, error) { return os.ReadFile(file) }
	if file == "-" {
		read = func() ([]byte, error) { return io.ReadAll(stdin) }
	}
	text, err := read()
	if err != nil {
		return nil, usageErrorf("%s: %v; name a file with one token a line", source, err)
	}
	tokens, err := parseTokens(strings.Split(string(text), "\n"), "line", source)
	if err == nil && len(tokens) == 0 {
		err = usageErrorf("%s holds no token: write one a line", source)
	}
	return tokens, err
}

// parseTokens returns the tokens in the lines, and skips blank lines. A token that no client could
// send is an error. The error contains only its number, because an invalid token may be a secret.
func parseTokens(lines []string, unit, source string) ([]string, error) {
	var tokens []string
	for i, line := range lines {
		token := strings.TrimSpace(line)
		if strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c >= 0x7f }) { // which no client could send
			return nil, usageErrorf("%s %d of %s is not a token: use visible ASCII characters without spaces", unit, i+1, source)
		}
		if token != "" {
			tokens = append(tokens, token)
		}
	}
	return tokens, nil
}

// choose returns the entry with the name, the zero value for no name, or an error with the nearest
// name.
func choose(flag, name string, all []reference.Deviation) (reference.Deviation, error) {
	if name == "" {
		return reference.Deviation{}, nil
	}
	var names []cli.Flag // for urfave/cli, which finds the nearest name
	for _, one := range all {
		if one.Name == name {
			return one, nil
		}
		names = append(names, &cli.StringFlag{Name: one.Name})
	}
	nearest := cmp.Or(strings.TrimPrefix(cli.SuggestFlag(names, name, true), "--"), all[0].Name)
	return reference.Deviation{}, usageErrorf("--%s %q is unknown: the nearest is %s, and --%s names all", flag, name, nearest, listFlag)
}

func newLogger(format string, out io.Writer) (*slog.Logger, error) {
	switch format {
	case "text":
		return slog.New(slog.NewTextHandler(out, nil)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(out, nil)), nil
	case "off":
		return slog.New(slog.DiscardHandler), nil
	}
	return nil, usageErrorf("--%s %q is unknown: use text, json or off", logFlag, format)
}

// readCertificates returns the certificate for HTTPS, or nil if no file is named.
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

// listen opens the address, for HTTPS if there are certificates, and returns its base URL.
// protocols are those to offer over TLS; without any, h2 and http/1.1.
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
