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

// A Target is the service under test, and how to reach it.
type Target struct {
	BaseURL string // http or https, with or without a path
	Token   string // the credential for every security scheme that is not in Credentials; "" means none

	// Credentials maps the names of security schemes to credentials. The credential
	// (or Token) for a Basic scheme is "user:password".
	Credentials map[string]string

	Headers       []fixtures.Field // sent with every request, see [Target.HeadersOf]; may override Host
	Handler       http.Handler     // called instead of a connection, for tests that need no network; nil means none
	Resolve       string           // HOST:ADDRESS for the base URL's host, see [Target.Validate]; "" means DNS
	TLS           *tls.Config      // nil for the system's roots and no client certificate
	TLSFiles      TLSFiles         // the files of TLS, for the commands in reports
	Secret        []string         // further names of headers that carry a credential, see [Target.IsSecret]
	TokenVariable string           // the variable of Token, for the commands in reports; "" means CONFORMANCE_TOKEN
	UserAgent     string           // the default User-Agent if neither Headers nor a fixture sets one; "" sends none
}

// TLSFiles are the paths of the PEM files that a [Target]'s TLS was loaded from; "" means
// none. They are only shown in the commands in reports, and never read.
type TLSFiles struct {
	CACert     string // additional trusted authorities
	ClientCert string
	ClientKey  string
}

// baseURL reads and checks the target's base URL. The error does not repeat the URL
// if it may contain a password.
func (t Target) baseURL() (*url.URL, error) {
	if t.BaseURL == "" {
		return nil, setting.Errorf("base URL", "is empty")
	}
	if strings.Contains(t.BaseURL, " ") {
		return nil, setting.Errorf("base URL", "contains a space; remove it, or write it as %%20")
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
// Resolve must name the host of the base URL. Its address is an IPv4 address, or an
// IPv6 address in brackets. The default port is the port of the base URL. The Host
// header, the TLS server name and the certificate check still use the base URL. With
// Resolve, no proxy is used.
func (t Target) Validate() error {
	_, _, err := t.validated()
	return err
}

// validated returns the base URL and the address in Resolve, or the zero address if Resolve is empty.
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

// HeadersOf returns the header fields for a message, without Authorization if the message tests it.
func (t Target) HeadersOf(m fixtures.Message) []fixtures.Field {
	return slices.DeleteFunc(slices.Clone(t.Headers), func(h fixtures.Field) bool {
		return m.TestsAuthorization && strings.EqualFold(h.Name, "Authorization")
	})
}

// SecretsOf returns the texts of a request header to redact: the values of the fields that carry
// a credential, and the parts of them that a target may show. names are further secret fields.
func SecretsOf(header http.Header, names []string) []string {
	sender := Target{Secret: names}
	for name, values := range header {
		for _, value := range values {
			sender.Headers = append(sender.Headers, fixtures.Field{Name: name, Value: value})
		}
	}
	return sender.secrets()
}

// secrets returns the texts to redact: the credentials, the values of secret headers, and the
// parts of them that a target may show.
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

// partsOf returns the parts of a secret header that a target may show: the credential after its
// scheme, the user name and password of Basic (RFC 7617 §2), and the values of cookies.
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
			if len(c.Value) >= minAlone {
				list = append(list, c.Value)
			}
		}
	}
	return list
}

// IsSecret reports whether a header of this name carries a credential, according to the
// name itself or to [Target.Secret]. The values of these headers are redacted from every
// report.
func (t Target) IsSecret(name string) bool {
	return redact.IsSecretName(name) || slices.ContainsFunc(t.Secret, func(s string) bool { return strings.EqualFold(s, name) })
}
