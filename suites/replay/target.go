package replay

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/plantstore/conformance/fixtures"
)

// Target is what is being tested and how to reach it.
type Target struct {
	BaseURL   string           // http or https, with or without a path
	Token     string           // the credential; "" where there is none
	Headers   []fixtures.Field // sent with every request
	TLS       *tls.Config      // nil for the system's roots and no client certificate
	UserAgent string
}

// Limits bound what a replay may cost. See [DefaultLimits].
type Limits struct {
	Concurrency int           // exchanges at a time, at least 1
	Rate        float64       // exchanges begun per second; 0 is no limit
	Timeout     time.Duration // of one exchange: connecting, headers and body together
	MaxBody     int64         // bytes of a response body, after decompression
	MaxHeader   int64         // bytes of a response's header
	MaxPause    time.Duration // that a target may ask for in all, by Retry-After
}

// DefaultLimits are the limits of a run that names none.
func DefaultLimits() Limits {
	return Limits{
		Concurrency: 8,
		Timeout:     10 * time.Second,
		MaxBody:     1 << 20,
		MaxHeader:   64 << 10,
		MaxPause:    time.Minute,
	}
}

// Validate says which limit makes no sense.
func (l Limits) Validate() error {
	switch {
	case l.Concurrency < 1:
		return fmt.Errorf("concurrency is %d; it must be at least 1", l.Concurrency)
	case l.Rate < 0:
		return fmt.Errorf("rate is %g; it must be 0 (no limit) or more", l.Rate)
	case l.Timeout <= 0:
		return fmt.Errorf("timeout is %s; it must be more than 0s", l.Timeout)
	case l.MaxBody < 1:
		return fmt.Errorf("max-body is %d bytes; it must be at least 1", l.MaxBody)
	}
	return nil
}

// baseURL reads and checks the target's base URL. What is wrong with it is
// said without repeating it where it may hold a password.
func (t Target) baseURL() (*url.URL, error) {
	if t.BaseURL == "" {
		return nil, errors.New("base URL is empty")
	}
	u, err := url.Parse(t.BaseURL)
	if err != nil {
		var parse *url.Error
		if errors.As(err, &parse) {
			err = parse.Err // the wrapper repeats the URL
		}
		return nil, fmt.Errorf("base URL is no URL: %w", err)
	}
	switch {
	case u.User != nil:
		return nil, errors.New("base URL holds a user name or password; give a credential with --token-file or CONFORMANCE_TOKEN")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("base URL %q must begin with http:// or https://", t.BaseURL)
	case u.Hostname() == "":
		return nil, fmt.Errorf("base URL %q names no host", t.BaseURL)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("base URL %q must end with its path; it has a query or a fragment", t.BaseURL)
	}
	return u, nil
}

// Validate says what is wrong with the target before anything is sent.
func (t Target) Validate() error {
	if _, err := t.baseURL(); err != nil {
		return err
	}
	if strings.TrimSpace(t.Token) != t.Token || !httpguts.ValidHeaderFieldValue(t.Token) {
		return errors.New("the token has white space around it or a control character in it")
	}
	for _, h := range t.Headers {
		if err := validateHeader(h); err != nil {
			return err
		}
	}
	return nil
}

func validateHeader(h fixtures.Field) error {
	switch strings.ToLower(h.Name) {
	case "authorization":
		return errors.New("header Authorization is what the contract puts to the test; give the credential with --token-file or CONFORMANCE_TOKEN")
	case "content-type", "content-length", "transfer-encoding", "connection", "accept-encoding":
		return fmt.Errorf("header %s belongs to the fixtures or the connection and cannot be set for all requests", h.Name)
	}
	switch {
	case !httpguts.ValidHeaderFieldName(h.Name):
		return fmt.Errorf("header name %q is none", h.Name)
	case !httpguts.ValidHeaderFieldValue(h.Value):
		return fmt.Errorf("the value of header %s holds a control character", h.Name)
	}
	return nil
}

// secrets are the texts that must not leave this package: the token and the
// values of headers whose names say that they are credentials.
func (t Target) secrets() []string {
	list := []string{t.Token}
	for _, h := range t.Headers {
		if isSecretName(h.Name) {
			list = append(list, h.Value)
		}
	}
	return list
}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"auth", "cookie", "token", "key", "secret", "password", "session", "credential", "signature"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
