// Package target holds the settings of the service under test: its base URL, credential, header
// fields, certificates, and its name in the report.
package target

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
	"github.com/plantstore/conformance/suites/waivers"
)

// Options holds the values of the flags about one service. Settings of the engine are in Config,
// with the engine's defaults.
type Options struct {
	Config    suites.Config
	BaseURL   cli.Given
	List      cli.Given // the file of --targets, if several services are tested
	TokenFile cli.Given

	Credentials []cli.Given // those of security schemes, as SCHEME=FILE

	Implementation        cli.Given // its name
	implementationVersion cli.Given
	implementationURL     cli.Given
	CACert                cli.Given
	ClientCert, ClientKey cli.Given
	secretHeader          cli.Given // the first header that carries a credential
	Insecure              bool
}

// New returns the defaults.
func New() Options { return Options{Config: suites.NewConfig()} }

// ExampleBaseURL is the default base URL of the reference.
const ExampleBaseURL = "http://127.0.0.1:8080"

// ExampleFor returns the base URL to show if no service is named. paths are those of the servers of
// the contract.
func ExampleFor(paths []string) string { return ExampleBaseURL + slices.Concat(paths, []string{""})[0] }

// Flags returns the flags for where the service is, how to reach it and its name.
func (o *Options) Flags() cli.Flags {
	c := &o.Config
	header := cli.List("header", "'K: V'", "send this header with every request; put secret headers into "+SecretHeadersVariable+" instead, one a line", o.takeHeader)
	header.Expand, header.Hide = true, o.hideHeader
	tokenFile := cli.Value("token-file", "FILE", "send the credential in FILE (- is standard input); or set "+TokenVariable+" to the credential itself", cli.Keep(&o.TokenFile)).Path()
	tokenFile.Hide = hideTokenFile
	return cli.In("Target",
		cli.Value("base-url", "URL", "the service; without it, the bundled reference is started and tested", o.TakeBaseURL),
		cli.Value("targets", "FILE", "test all services listed in FILE; {target} in the path of --report is a service's name", cli.Keep(&o.List)).Path(),
		tokenFile,
		o.credentialFlag(),
		header,
		cli.Value("resolve", "HOST:ADDRESS", "connect to this IP address (and port, if given) for the base URL's host, without a proxy; Host header and certificate check still use the URL", o.takeResolve),
		cli.Value("wait", "TIME", "wait up to TIME for a response other than 502, 503 or 504; without one, nothing is sent", cli.Time(&c.Wait)).DefaultsTo(c.Wait.String()),
		cli.Value("implementation", "NAME", "name of the service, for the report", cli.Named(&c.Implementation.Name, &o.Implementation)),
		cli.Value("implementation-version", "VERSION", "its version, for the report", cli.Named(&c.Implementation.Version, &o.implementationVersion)),
		cli.Value("implementation-url", "URL", "its home page, for the report", cli.Named(&c.Implementation.URL, &o.implementationURL)),
	)
}

// TLSFlags returns the flags for trusted certificates and for the client certificate.
func (o *Options) TLSFlags() cli.Flags {
	return cli.In("Requests",
		cli.Value("ca-cert", "FILE", "also trust the certificates in FILE (PEM)", cli.Keep(&o.CACert)).Path(),
		cli.Value("client-cert", "FILE", "present the certificate in FILE (PEM)", cli.Keep(&o.ClientCert)).Path(),
		cli.Value("client-key", "FILE", "private key of --client-cert, in FILE (PEM)", cli.Keep(&o.ClientKey)).Path(),
		cli.Switch("insecure-skip-verify", "do not verify the certificate of the service", cli.OnOff(&o.Insecure)),
	)
}

// OwnFlags returns the flags that each of several services may set in its entry.
func (o *Options) OwnFlags() cli.Flags {
	return slices.Concat(o.Flags(), cli.Flags{WaiversFlag("", &o.Config.Waivers)}, o.TLSFlags()).Named(
		"base-url", "resolve", "token-file", "credential", "header", "waivers",
		"ca-cert", "client-cert", "client-key", "insecure-skip-verify",
		"implementation-version", "implementation-url")
}

// WaiversFlag returns the flag that names a file with known violations.
func WaiversFlag(usage string, into *[]verdict.Waiver) cli.Flag {
	return cli.Value("waivers", "FILE", "known violations listed in FILE do not fail the "+usage, func(g cli.Given) error {
		list, err := waivers.LoadFile(g.Text)
		if err != nil {
			return g.Failed(err, cli.Usagef("%s: %w", g.Name, err))
		}
		*into = list
		return nil
	}).Path()
}

// Several reports whether a list of services is tested. If one service is given as
// well, the usual precedence decides: flag, variable, file.
func (o *Options) Several() (bool, error) {
	if o.List.Text == "" {
		return false, nil
	}
	for _, single := range []cli.Given{o.BaseURL, o.Implementation} {
		if single.Text != "" && single.From == o.List.From {
			return false, cli.Usagef("%s and %s exclude each other; move the settings of one target into %[3]s", o.List.Name, single.Name, o.List.Text)
		}
	}
	return o.BaseURL.Text == "" || o.List.From < o.BaseURL.From, nil
}

// CheckBundled returns an error for settings of a service if no service is named. Otherwise a user
// could mistake the verdict on the bundled reference for that on their service.
func (o *Options) CheckBundled() error {
	switch {
	case o.Config.Target.BaseURL != "":
		return nil
	case o.Config.Contract != nil:
		return cli.Usagef("--spec needs --base-url: the bundled reference serves the built-in contract, and no other; name the service with --base-url, or by base-url in conformance.yaml")
	case o.Config.Implementation != result.Implementation{}:
		named := cmp.Or(o.Implementation, o.implementationVersion, o.implementationURL)
		return cli.Usagef("%s needs --base-url: the bundled reference already has a name", named.Name)
	}
	if name := o.credentialName(); name != "" {
		return cli.Usagef("%s needs --base-url: it is a credential, and without a base URL only the bundled reference is tested; give --base-url, or remove the credential", name)
	}
	return nil
}

// credentialName returns the name of the first setting that contains a credential, or "".
func (o *Options) credentialName() string {
	switch {
	case o.TokenFile.Text != "":
		return o.TokenFile.Name
	case environmentToken() != "":
		return TokenVariable
	case len(o.Credentials) > 0:
		return o.Credentials[0].Name
	case len(CredentialVariables()) > 0:
		return CredentialVariables()[0]
	case len(secretHeaders()) > 0:
		return SecretHeadersVariable
	case o.ClientCert.Text != "":
		return o.ClientCert.Name
	}
	return o.secretHeader.Name
}

// CredentialFrom returns the flag or the variable that gives the credential, or "".
func (o *Options) CredentialFrom() string {
	switch {
	case readsToken(o.TokenFile):
		return "token-file"
	case o.Config.Target.Token != "":
		return TokenVariable
	}
	return ""
}

// TakeBaseURL takes the flag that names the service.
func (o *Options) TakeBaseURL(g cli.Given) error {
	target := o.Config.Target
	target.BaseURL = g.Text
	err := target.Validate()
	switch {
	case err == nil:
		o.Config.Target, o.BaseURL = target, g
		return nil
	case strings.Contains(g.Text, "@"): // the error could repeat a password
		return cli.Usagef("%s must be a URL without user name and password; give a credential with --token-file or %s", g.Name, TokenVariable)
	case !strings.Contains(g.Text, "://"):
		return cli.Usagef("%s is %q; it must begin with http:// or https://", g.Name, g.Text)
	}
	return g.Refused(err)
}

// takeResolve takes the address for the host of the base URL. It returns an error if a list of
// targets overrides the base URL, unless the list overrides this flag, too.
func (o *Options) takeResolve(g cli.Given) error {
	target := o.Config.Target
	switch {
	case o.List.Text != "" && (target.BaseURL == "" || o.List.From < o.BaseURL.From && g.From <= o.List.From):
		return cli.Usagef("%s applies to one host; set resolve for each target in %s", g.Name, o.List.Text)
	case target.BaseURL == "":
		return cli.Usagef("%s needs --base-url: there is no host to connect to otherwise", g.Name)
	}
	target.Resolve = g.Text
	if err := target.Validate(); err != nil {
		return g.Refused(err)
	}
	o.Config.Target = target
	return nil
}

// TakeTLS takes all TLS settings together.
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
	if certificates != nil || roots != nil || o.Insecure { // otherwise the defaults apply
		target.TLS = &tls.Config{
			MinVersion:         tls.VersionTLS12,
			Certificates:       certificates,
			RootCAs:            roots,
			InsecureSkipVerify: o.Insecure, //nolint:gosec // the user asks for it by name
		}
	}
	return nil
}

// readRoots returns the certificate authorities of the system and those of the file.
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

// readKeyPair returns the client certificate, or nil.
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

// isEncrypted reports whether a private key needs a password, by PKCS #8 (RFC 7468 §11) or by the
// older format of OpenSSL (RFC 1421 §4.6.1.1).
func isEncrypted(keyPEM []byte) bool {
	for block, rest := pem.Decode(keyPEM); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
			return true
		}
	}
	return false
}

// SecretHeadersVariable holds header fields that are credentials, one per line. No flag takes them,
// because it would show in the process list.
const SecretHeadersVariable = "CONFORMANCE_SECRET_HEADERS"

// takeHeader takes a header field in the format of curl. If a file uses a variable in it, the value
// is secret under any field name.
func (o *Options) takeHeader(g cli.Given) error {
	if !strings.Contains(g.Text, ":") {
		return cli.Usagef("%s number %d has no colon; write it as 'Name: value'", g.Name, len(o.Config.Target.Headers)+1)
	}
	return o.addHeader(g, settings.HasVariables(g.Written))
}

// addHeader adds a header field, whose value may be secret. Errors contain its name, but never its
// value.
func (o *Options) addHeader(g cli.Given, secret bool) error {
	target := o.Config.Target
	name, value, _ := strings.Cut(g.Text, ":")
	name = strings.TrimSpace(name)
	target.Headers = append(target.Headers, fixtures.Field{Name: name, Value: strings.TrimSpace(value)})
	target.BaseURL = cmp.Or(target.BaseURL, ExampleBaseURL) // a valid one
	if err := target.Validate(); err != nil {
		return g.Refused(err)
	}
	if (secret || target.IsSecret(name)) && o.secretHeader.Name == "" {
		o.secretHeader = g
	}
	if secret {
		target.Secret = append(slices.Clip(target.Secret), name)
	}
	o.Config.Target.Headers, o.Config.Target.Secret = target.Headers, target.Secret
	return nil
}

// TakeSecretHeaders takes the header fields of the environment. All of their values are redacted,
// under any field name.
func (o *Options) TakeSecretHeaders() error {
	for _, text := range secretHeaders() {
		if !strings.Contains(text, ":") {
			return cli.Usagef("%s has a line without a colon; write each as 'Name: value'", SecretHeadersVariable)
		}
		if err := o.addHeader(cli.Given{Name: SecretHeadersVariable, Text: text}, true); err != nil {
			return err
		}
	}
	return nil
}

func secretHeaders() []string {
	var list []string
	for line := range strings.Lines(os.Getenv(SecretHeadersVariable)) {
		if text := strings.TrimSpace(line); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// SecretHeaderNames returns the names of these header fields, which may be shown.
func SecretHeaderNames() []string {
	names := []string{}
	for _, text := range secretHeaders() {
		name, _, _ := strings.Cut(text, ":")
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// hideHeader hides a value that is a credential, by the field's name or by the value. A file that
// uses a variable for it contains no secret. Call it after the settings are checked, because the
// contract names secret header fields, too.
func (o *Options) hideHeader(g cli.Given) string {
	target := o.Config.Target
	target.Secret = slices.Concat(SecretHeaderNames(), o.Config.Contract.SecretHeaders())
	name, value, _ := strings.Cut(g.Text, ":")
	if g.From == cli.ByFile {
		_, value, _ = strings.Cut(settings.WithoutVariables(g.Written), ":")
	}
	secret := target.IsSecret(strings.TrimSpace(name)) || target.Token != "" && strings.Contains(value, target.Token)
	if !secret || strings.TrimSpace(value) == "" {
		return ""
	}
	return name + ": (hidden)"
}
