package target

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/replay"
)

// credentialFlag returns the flag for a file with the credential of one security scheme.
func (o *Options) credentialFlag() cli.Flag {
	f := cli.List("credential", "SCHEME=FILE", "send the credential in FILE for this security scheme of the contract, instead of --token-file; that of a Basic scheme is user:password; or set "+replay.CredentialPrefix+"<SCHEME> to the credential itself", o.takeCredential)
	f.Locate = settings.NamedBeside
	f.Reads = func(text string) string {
		_, path, _ := strings.Cut(text, "=")
		return path
	}
	f.Hide = func(g cli.Given) string {
		scheme, file := credentialFile(g)
		if hideTokenFile(file) == "" {
			return ""
		}
		return scheme + "=(hidden)"
	}
	return f
}

func (o *Options) takeCredential(g cli.Given) error {
	scheme, file := credentialFile(g)
	if scheme == "" || file.Text == "" {
		// The text may be the credential itself.
		return cli.Usagef("%s must be SCHEME=FILE: a security scheme of the contract, and a file with its credential", g.Name)
	}
	if slices.ContainsFunc(o.Credentials, func(other cli.Given) bool {
		name, _ := credentialFile(other)
		return name == scheme
	}) {
		return cli.Usagef("%s names the security scheme %s twice; give it one credential", g.Name, scheme)
	}
	o.Credentials = append(slices.Clip(o.Credentials), g)
	return nil
}

// credentialFile returns the parts of SCHEME=FILE.
func credentialFile(g cli.Given) (scheme string, file cli.Given) {
	scheme, path, _ := strings.Cut(g.Text, "=")
	file = g
	file.Name, file.Text = g.Name+" "+scheme, path
	return scheme, file
}

// ReadCredentials reads the token, and the credentials of the contract's security schemes. A flag
// and a variable for the same scheme exclude each other. A variable overrides a configuration file.
func (o *Options) ReadCredentials(stdin io.Reader) error {
	if err := o.ReadNamed(stdin); err != nil {
		return err
	}
	var err error
	o.Config.Target.Token, err = ReadToken(o.TokenFile, stdin)
	return err
}

// ReadNamed reads the credentials of the security schemes, without the token.
func (o *Options) ReadNamed(stdin io.Reader) error {
	credentials, err := o.environmentCredentials()
	if err != nil {
		return err
	}
	fromStdin := ""
	if readsToken(o.TokenFile) && o.TokenFile.Text == output.Stdin {
		fromStdin = o.TokenFile.Name
	}
	for _, g := range o.Credentials {
		scheme, file := credentialFile(g)
		if err := suites.CheckSchemes(o.Config.Contract, scheme); err != nil {
			return g.Refused(err)
		}
		variable := replay.CredentialVariable(scheme)
		switch {
		case credentials[scheme] != "" && g.From == cli.ByFile:
			continue
		case credentials[scheme] != "" && g.Name == "--credential":
			return cli.Usagef("%s and %s both give the credential for %s; give one of them", g.Name, variable, scheme)
		case file.Text == output.Stdin && fromStdin != "":
			return cli.Usagef("%s and %s both read standard input, which holds one credential; name a file", fromStdin, file.Name)
		case file.Text == output.Stdin:
			fromStdin = file.Name
		}
		if credentials[scheme], err = readCredential(file, stdin); err != nil {
			return err
		}
	}
	o.Config.Target.Credentials = credentials
	return nil
}

// environmentCredentials returns the credentials in the environment, by scheme name. A variable for
// a scheme that the contract does not have is an error.
func (o *Options) environmentCredentials() (map[string]string, error) {
	schemes, credentials := o.Config.Contract.Schemes, map[string]string{}
	given := environment()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		token := strings.TrimSpace(given[name])
		var named, known []string
		for _, s := range schemes {
			variable := replay.CredentialVariable(s.Name)
			known = append(known, variable)
			if variable == name {
				named = append(named, s.Name)
			}
		}
		switch {
		case len(named) == 0 && len(schemes) == 0:
			return nil, cli.Usagef("%s is for no security scheme of the contract, which has none; unset it", name)
		case len(named) == 0:
			return nil, cli.Usagef("%s is for no security scheme of the contract; the variables of its schemes are %s", name, cli.Enumerate(slices.Compact(known), "and"))
		case len(named) > 1:
			return nil, cli.Usagef("%s may be for %s; use --credential SCHEME=FILE instead", name, cli.Enumerate(named, "or"))
		}
		if err := suites.CheckSchemes(o.Config.Contract, named...); err != nil {
			return nil, cli.Given{Name: name}.Refused(err)
		}
		if err := CheckToken(name, token); err != nil {
			return nil, err
		}
		if token != "" {
			credentials[named[0]] = token
		}
	}
	return credentials, nil
}

// environment returns the variables for credentials of security schemes.
func environment() map[string]string {
	given := map[string]string{}
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, replay.CredentialPrefix) {
			given[name] = value
		}
	}
	return given
}

// CredentialVariables returns the names of the variables that hold a credential of a security
// scheme.
func CredentialVariables() []string {
	given := environment()
	maps.DeleteFunc(given, func(_, value string) bool { return strings.TrimSpace(value) == "" })
	return append([]string{}, slices.Sorted(maps.Keys(given))...) // in JSON not null
}

const (
	// TokenVariable is the variable that holds the credential itself.
	TokenVariable = "CONFORMANCE_TOKEN"
	// MaxTokenFile is the maximum size of a file with a credential, in bytes.
	MaxTokenFile = 64 << 10
)

// ReadToken returns the credential. Precedence: the file that a flag or a variable names, the
// environment, the file that the configuration names.
func ReadToken(file cli.Given, stdin io.Reader) (string, error) {
	token := environmentToken()
	if !readsToken(file) {
		return token, CheckToken(TokenVariable, token)
	}
	return readCredential(file, stdin)
}

// readCredential reads a file that contains a credential and nothing else.
func readCredential(file cli.Given, stdin io.Reader) (string, error) {
	data, err := readTokenFile(file, stdin)
	if err != nil {
		return "", err
	}
	name := file.Name + " " + file.Text
	token := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff")) // some editors write a byte order mark
	switch {
	case len(data) > MaxTokenFile:
		return "", cli.Usagef("%s is longer than %d bytes; it must hold the credential and nothing else", name, MaxTokenFile)
	case token == "":
		return "", cli.Usagef("%s is empty; it must hold the credential", name)
	}
	return token, CheckToken(name, token)
}

// GiveToken tells how to give the credential. In CI, a missing secret sets its variable to "".
func GiveToken() string {
	give := "give one with --token-file or " + TokenVariable
	if _, set := os.LookupEnv(TokenVariable); set && environmentToken() == "" {
		give += ", which is set, but empty (in CI, check the secret)"
	}
	return give
}

func environmentToken() string { return strings.TrimSpace(os.Getenv(TokenVariable)) }

// readsToken reports whether the credential comes from the file, and not from the environment.
func readsToken(file cli.Given) bool {
	return file.Text != "" && (file.From != cli.ByFile || environmentToken() == "")
}

// hideTokenFile hides a text that is not the path of a file: it may be the credential itself.
func hideTokenFile(file cli.Given) string {
	if _, err := os.Stat(file.Text); err != nil && file.Text != output.Stdin {
		return "(hidden)"
	}
	return ""
}

// CheckToken returns an error for a credential that is not valid in a header field.
func CheckToken(name, token string) error {
	if strings.ContainsFunc(token, unicode.IsControl) {
		return cli.Usagef("%s has a line break or a control character in it; it must hold the credential and nothing else", name)
	}
	return nil
}

// readTokenFile reads at most one byte more than MaxTokenFile.
func readTokenFile(file cli.Given, stdin io.Reader) ([]byte, error) {
	if file.Text == output.Stdin {
		data, err := io.ReadAll(io.LimitReader(stdin, MaxTokenFile+1))
		if err != nil {
			return nil, fmt.Errorf("reading the credential from standard input: %w", err)
		}
		return data, nil
	}
	f, err := os.Open(file.Text)
	if reason, ok := errors.AsType[*fs.PathError](err); ok {
		// The text may be the token itself, which must not get into a log.
		return nil, cli.Usagef("%s names a file that cannot be read: %w; the path is hidden in case it is the credential itself", file.Name, reason.Err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxTokenFile+1))
	if err != nil {
		return nil, file.Unreadable(err)
	}
	return data, nil
}
