package replay

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/setting"
)

// CredentialPrefix is the prefix of the environment variables that hold the credential
// of one security scheme.
const CredentialPrefix = "CONFORMANCE_CREDENTIAL_"

// CredentialVariable returns the environment variable for the credential of a security
// scheme: the prefix and the scheme's name in capitals. Each character that is neither an
// ASCII letter nor a digit becomes an underscore.
func CredentialVariable(scheme string) string {
	return CredentialPrefix + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, scheme)
}

// Has reports whether the target has a credential for the scheme, see
// [fixtures.Available]. If messages do not carry the credential, Has looks for a client
// certificate or a secret header.
func (t Target) Has(scheme string, carried bool) bool {
	if carried {
		return t.credential(scheme) != ""
	}
	return t.TLS != nil && len(t.TLS.Certificates) > 0 ||
		slices.ContainsFunc(t.Headers, func(h fixtures.Field) bool { return t.IsSecret(h.Name) })
}

func (t Target) credential(scheme string) string {
	return cmp.Or(t.Credentials[scheme], t.Token)
}

// Variable returns the environment variable that holds the credential for a scheme in
// the commands that reports show.
func (t Target) Variable(scheme string) string {
	switch {
	case t.Credentials[scheme] != "", scheme != "" && len(t.Credentials) > 0 && t.Token == "":
		return CredentialVariable(scheme)
	case t.TokenVariable != "":
		return t.TokenVariable
	}
	return "CONFORMANCE_TOKEN"
}

// validateCredentials rejects credentials that a header field cannot contain.
func (t Target) validateCredentials() error {
	unfit := func(text string) bool {
		return strings.TrimSpace(text) != text || !httpguts.ValidHeaderFieldValue(text)
	}
	if unfit(t.Token) {
		return errors.New("the token has white space around it or a control character in it")
	}
	for _, name := range slices.Sorted(maps.Keys(t.Credentials)) {
		switch text := t.Credentials[name]; {
		case text == "":
			return setting.Errorf("credential", "%s is empty", name)
		case unfit(text):
			return fmt.Errorf("the credential %s has white space around it or a control character in it", name)
		}
	}
	return nil
}

// minAlone is the minimum length in bytes of a user name or a cookie value that is redacted
// everywhere. A shorter one may be an ordinary word, such as the name of a theme.
const minAlone = 8

// credentials returns the texts to redact: every credential, its user name and password. If a
// credential includes its scheme ("Token x"), the part after the scheme is redacted as well.
func (t Target) credentials() []string {
	var list []string
	for _, text := range append([]string{t.Token}, slices.Sorted(maps.Values(t.Credentials))...) {
		list = append(list, text)
		if scheme, _, _ := strings.Cut(text, " "); httpguts.ValidHeaderFieldName(scheme) { // a token, too (RFC 9110 §11.1)
			list = append(list, partsOf(fixtures.Field{Name: "Authorization", Value: text})...)
		}
		user, password, isPair := strings.Cut(text, ":")
		if isPair {
			list = append(list, password)
		}
		if isPair && len(user) >= minAlone {
			list = append(list, user)
		}
	}
	return list
}
