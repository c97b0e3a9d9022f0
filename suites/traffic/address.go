package traffic

import (
	"net/url"
	"strings"

	"github.com/plantstore/conformance/suites/replay/redact"
)

// address is where a request went.
type address struct {
	url    *url.URL
	origin string // scheme, host and port, in one spelling
	path   string // escaped
}

func parseAddress(text string) (address, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return address{}, false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	return address{u, u.Scheme + "://" + strings.TrimSuffix(host, ":"), u.EscapedPath()}, true // a port may be empty
}

// below gives the path below a base, and whether it lies there at all.
func (a address) below(base address) (string, bool) {
	path, ok := strings.CutPrefix(a.path, strings.TrimSuffix(base.path, "/"))
	return path, ok && a.origin == base.origin && (path == "" || path[0] == '/')
}

// masked is the address without credentials: user name and password are left
// out, and so is a fragment, which was never sent.
func (a address) masked(isSecret func(name string) bool) string {
	u := *a.url
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	u.RawQuery = maskQuery(u.RawQuery, isSecret)
	return u.String()
}

func maskQuery(query string, isSecret func(name string) bool) string {
	if query == "" {
		return ""
	}
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, _, _ := strings.Cut(part, "=")
		if isSecret(unescaped(name)) {
			parts[i] = name + "=" + redact.Mask
		}
	}
	return strings.Join(parts, "&")
}

// unescaped is a part of a query as it is meant, or as it is written where that
// cannot be known.
func unescaped(text string) string {
	if meant, err := url.QueryUnescape(text); err == nil {
		return meant
	}
	return text
}
