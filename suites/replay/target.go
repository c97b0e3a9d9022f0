package replay

import (
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay/conn"
	"github.com/plantstore/conformance/suites/replay/redact"
	"github.com/plantstore/conformance/suites/setting"
)

// Target is the service that is tested, and how to reach it.
type Target struct {
	BaseURL string // http or https, with or without a path
	Token   string // the credential for every security scheme that has none in Credentials; "" where there is none

	// Credentials are credentials by the names of their security schemes. That of
	// the Basic scheme is "user:password", and so is Token for it.
	Credentials map[string]string

	Headers       []fixtures.Field // sent with every request, see [Target.HeadersOf]; Host replaces the base URL's
	Handler       http.Handler     // called in place of a connection to the base URL, for what does not concern the wire; nil makes connections
	Resolve       string           // HOST:ADDRESS, to connect to that IP address for the base URL's host, see [Target.Validate]; "" asks the name system
	TLS           *tls.Config      // nil for the system's roots and no client certificate
	TLSFiles      TLSFiles         // where what TLS holds came from, for commands that are shown
	Secret        []string         // names of those headers that carry a credential, where the name alone does not show it
	TokenVariable string           // the environment variable that holds Token, for commands that are shown; "" is CONFORMANCE_TOKEN
	UserAgent     string           // sent where neither Headers nor a fixture has another; "" sends none
}

// TLSFiles are the files, in PEM, that a [Target]'s TLS was made of; "" for none.
// They are not read here, only named in commands that are shown.
type TLSFiles struct {
	CACert     string // authorities that are trusted as well
	ClientCert string
	ClientKey  string
}

// baseURL reads and checks the target's base URL. The error does not repeat the URL
// if it may contain a password.
func (t Target) baseURL() (*url.URL, error) {
	if t.BaseURL == "" {
		return nil, setting.Errorf("base URL", "is empty")
	}
	u, err := url.Parse(t.BaseURL)
	if err != nil {
		if wrapper, ok := errors.AsType[*url.Error](err); ok {
			err = wrapper.Err // the wrapper repeats the URL
		}
		return nil, setting.Errorf("base URL", "is not a URL: %s", err)
	}
	switch {
	case u.User != nil, u.Hostname() == "" && strings.Contains(t.BaseURL, "@"):
		return nil, &setting.Error{Name: "base URL", Problem: "contains a user name or password", Hint: setting.GiveToken}
	case strings.ContainsAny(t.BaseURL, "?#"):
		return nil, setting.Errorf("base URL", "has a query or a fragment; it must end with its path")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, setting.Errorf("base URL", "%q must begin with http:// or https://", t.BaseURL)
	case u.Hostname() == "":
		return nil, setting.Errorf("base URL", "%q has no host", t.BaseURL)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, setting.Errorf("base URL", "%q has a port that does not exist; it must be 1 to 65535", t.BaseURL)
		}
	}
	return u, nil
}

// Validate returns an error if the target is not valid. Nothing is sent.
//
// Resolve is for the host of the base URL only. Its address is an IPv4 address or an
// IPv6 address in brackets; the default port is that of the base URL. It changes
// nothing else: the Host header, the name that TLS asks for and the check of the
// certificate are those of the base URL. No proxy is used then.
func (t Target) Validate() error {
	_, _, err := t.validated()
	return err
}

// validated gives the base URL and the address of Resolve, which is zero if it is empty.
func (t Target) validated() (base *url.URL, at netip.AddrPort, err error) {
	if base, err = t.baseURL(); err != nil {
		return nil, at, err
	}
	if at, err = conn.Resolve(t.Resolve, base); err != nil {
		return nil, at, err
	}
	if err := t.validateCredentials(); err != nil {
		return nil, at, err
	}
	if !httpguts.ValidHeaderFieldValue(t.UserAgent) {
		return nil, at, errors.New("the user agent contains a control character")
	}
	for _, h := range t.Headers {
		if err := validateHeader(h); err != nil {
			return nil, at, err
		}
	}
	return base, at, nil
}

func validateHeader(h fixtures.Field) error {
	switch strings.ToLower(h.Name) {
	case "content-type", "accept-encoding", "content-length", "transfer-encoding", "te", "trailer", "expect",
		"connection", "keep-alive", "proxy-connection", "upgrade":
		return setting.Errorf("header", "%s belongs to the fixtures or the connection and cannot be set for all requests", h.Name)
	}
	switch {
	case !httpguts.ValidHeaderFieldName(h.Name):
		return setting.Errorf("header", "name %q is not valid", h.Name)
	case !httpguts.ValidHeaderFieldValue(h.Value):
		return fmt.Errorf("the value of header %s contains a control character", h.Name)
	case strings.EqualFold(h.Name, "Host") && !httpguts.ValidHostHeader(h.Value):
		return errors.New("the value of header Host is not a host")
	}
	return nil
}

// HeadersOf are the headers for a message: an Authorization only where the document leaves it open.
func (t Target) HeadersOf(m fixtures.Message) []fixtures.Field {
	return slices.DeleteFunc(slices.Clone(t.Headers), func(h fixtures.Field) bool {
		return m.TestsAuthorization && strings.EqualFold(h.Name, "Authorization")
	})
}

// SecretsOf are the texts to redact of a request's header: the values of fields that carry a
// credential, by their names or by those given, and what a target may show of these.
func SecretsOf(header http.Header, names []string) []string {
	sender := Target{Secret: names}
	for name, values := range header {
		for _, value := range values {
			sender.Headers = append(sender.Headers, fixtures.Field{Name: name, Value: value})
		}
	}
	return sender.secrets()
}

// secrets are the texts to redact: the credentials, the values of headers that carry some,
// and what a target may show of these.
func (t Target) secrets() []string {
	list := t.credentials()
	for _, h := range t.Headers {
		if t.IsSecret(h.Name) {
			list = append(list, h.Value)
			list = append(list, partsOf(h)...)
		}
	}
	return list
}

// partsOf are what a target may show of a secret header: the credential after its scheme, the
// name and password of Basic (RFC 7617 §2), the values of cookies.
func partsOf(h fixtures.Field) (list []string) {
	scheme, credential, ok := strings.Cut(h.Value, " ")
	if credential = strings.TrimSpace(credential); ok && strings.EqualFold(h.Name, "Authorization") {
		list = append(list, credential)
	}
	if user, err := base64.StdEncoding.DecodeString(credential); err == nil && strings.EqualFold(scheme, "Basic") {
		_, password, _ := strings.Cut(string(user), ":")
		list = append(list, string(user), password)
	}
	if cookies, err := http.ParseCookie(h.Value); err == nil && strings.EqualFold(h.Name, "Cookie") {
		for _, c := range cookies {
			if len(c.Value) >= shortestCookie {
				list = append(list, c.Value)
			}
		}
	}
	return list
}

// shortestCookie is how many bytes the value of a cookie has that is masked wherever it
// stands: a shorter one may be a word, such as a theme.
const shortestCookie = 8

// IsSecret reports whether a header of this name carries a credential, judging by
// its name or by [Target.Secret]. The values of such [Target.Headers] are
// redacted from every report.
func (t Target) IsSecret(name string) bool {
	return redact.IsSecretName(name) || slices.ContainsFunc(t.Secret, func(s string) bool { return strings.EqualFold(s, name) })
}
