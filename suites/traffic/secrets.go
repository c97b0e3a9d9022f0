package traffic

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/style"
	"github.com/plantstore/conformance/suites/replay/redact"
)

const (
	// minValue is the minimum length, in bytes, of cookie values, and of values that are secret
	// only by their name, to be masked everywhere. Shorter ones are words such as true or en-US.
	minValue = 8
	// maxSecrets is the maximum size of all secrets of an archive, in bytes.
	maxSecrets = 4 << 20
)

var errTooManySecrets = errors.New("holds more credentials than can be masked; cut it into several files")

type secretCollector struct {
	names  map[string]bool // lower-case names of headers and parameters for API keys of the contract
	known  map[string]bool
	size   int
	keys   []string // values that are certainly credentials
	others []string
}

func newSecretCollector(contract *spec.Contract) *secretCollector {
	c := &secretCollector{names: map[string]bool{}, known: map[string]bool{}}
	for _, scheme := range contract.Schemes {
		if scheme.Kind == spec.APIKey {
			c.names[strings.ToLower(scheme.Field)] = true
		}
	}
	return c
}

// isSecret reports whether the value of a header or parameter with that name is masked.
func (c *secretCollector) isSecret(name string) bool {
	switch name = strings.ToLower(name); {
	case c.names[name]:
		return true
	case name == "www-authenticate", name == "proxy-authenticate", strings.HasPrefix(name, "access-control-"):
		return false // challenges and CORS rules
	}
	return redact.IsSecretName(name)
}

func (c *secretCollector) gather(e entry, at address) error {
	c.address(at)
	for _, h := range e.Request.Headers {
		c.header(h)
	}
	if e.Response != nil {
		for _, h := range e.Response.Headers {
			c.header(h)
		}
	}
	if c.size > maxSecrets {
		return errTooManySecrets
	}
	return nil
}

func (c *secretCollector) address(at address) {
	if password, ok := at.url.User.Password(); ok {
		c.key(password)
	}
	inQuery := style.Style{In: "query"}
	for part := range strings.SplitSeq(at.url.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name = inQuery.Unescape(name); c.names[strings.ToLower(name)] {
			c.key(inQuery.Unescape(value))
		} else if c.isSecret(name) {
			c.value(inQuery.Unescape(value))
		}
	}
}

func (c *secretCollector) header(h field) {
	switch name := strings.ToLower(h.Name); {
	case strings.HasPrefix(name, ":"):
	case name == "authorization", name == "proxy-authorization":
		c.authorization(h.Value)
	case name == "cookie":
		for pair := range strings.SplitSeq(h.Value, ";") {
			c.cookie(pair)
		}
	case name == "set-cookie":
		for line := range strings.SplitSeq(h.Value, "\n") {
			pair, _, _ := strings.Cut(line, ";")
			c.cookie(pair)
		}
	case c.names[name]:
		c.key(h.Value)
	case c.isSecret(name):
		c.value(h.Value)
	case isAddress(name):
		if u, err := url.Parse(h.Value); err == nil {
			c.address(address{url: u})
		}
	}
}

// authorization collects the credential without its scheme (RFC 9110 §11.4). For Basic, it also
// collects the password alone (RFC 7617 §2).
func (c *secretCollector) authorization(value string) {
	scheme, credential, ok := strings.Cut(strings.TrimSpace(value), " ")
	if !ok {
		c.key(scheme)
		return
	}
	c.key(credential)
	if !strings.EqualFold(scheme, "Basic") {
		return
	}
	if decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(credential)); err == nil {
		_, password, _ := strings.Cut(string(decoded), ":")
		c.key(password)
	}
}

func (c *secretCollector) cookie(pair string) {
	_, value, _ := strings.Cut(pair, "=")
	value = strings.Trim(strings.TrimSpace(value), `"`)
	c.value(value)
	c.value(style.Style{In: "query"}.Unescape(value))
}

func (c *secretCollector) key(text string) {
	if text = strings.TrimSpace(text); c.isNew(text) {
		c.keys = append(c.keys, text)
	}
}

func (c *secretCollector) value(text string) {
	if text = strings.TrimSpace(text); len(text) >= minValue && c.isNew(text) {
		c.others = append(c.others, text)
	}
}

func (c *secretCollector) isNew(text string) bool {
	if text == "" || text == redact.Mask || c.known[text] {
		return false
	}
	c.known[text] = true
	c.size += len(text)
	return true
}

// headers converts fields to an http.Header. It skips the pseudo-header fields of HTTP/2 and
// HTTP/3 (RFC 9113 §8.3). It splits values at line breaks, because some tools join the values of
// several fields.
func headers(fields []field) http.Header {
	out := http.Header{}
	for _, h := range fields {
		if strings.HasPrefix(h.Name, ":") {
			continue
		}
		for value := range strings.SplitSeq(h.Value, "\n") {
			out.Add(h.Name, value)
		}
	}
	return out
}

// shown returns the value of a field with its secrets masked.
func (c *secretCollector) shown(name, value string) string {
	if scheme, _, ok := strings.Cut(value, " "); ok && strings.EqualFold(name, "Authorization") {
		return scheme + " " + redact.Mask
	}
	if c.isSecret(name) {
		return redact.Mask
	}
	if u, err := url.Parse(value); err == nil && isAddress(name) {
		return address{url: u}.masked(c.isSecret)
	}
	return value
}

// isAddress reports whether the values of a field are addresses, including relative ones.
func isAddress(name string) bool {
	return strings.EqualFold(name, "Referer") || strings.EqualFold(name, "Location") || strings.EqualFold(name, "Content-Location")
}
