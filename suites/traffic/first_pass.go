package traffic

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/style"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/redact"
)

const (
	// maxMatched is the maximum number of results of one archive.
	maxMatched = 50_000
	// maxListed and maxPath limit what is stored about unmatched requests.
	maxListed = 10_000
	maxPath   = 200
	// maxOrigins is the maximum number of origins that a report names.
	maxOrigins = 3
)

// Unmatched is a kind of request that matches no operation.
type Unmatched struct {
	Request string // method and path, or why there is no path; secrets are masked, but it is untrusted
	Count   int
}

// firstPass collects what must be known about an archive before it is judged.
type firstPass struct {
	routes    spec.Routes
	base      *address // nil if every address counts
	collector *secretCollector
	entries   int
	matched   int
	elsewhere int // entries that are not below the base
	unmatched map[string]int
	origins   []string // of the matched entries
}

func newFirstPass(c Config) (*firstPass, error) {
	s := &firstPass{collector: newSecretCollector(c.Contract), unmatched: map[string]int{}}
	if c.BaseURL == "" {
		s.routes = c.Contract.Routes(append([]string{""}, slices.DeleteFunc(slices.Clone(c.Contract.ServerPaths), func(p string) bool { return p == "" })...)...)
		return s, nil
	}
	if err := (replay.Target{BaseURL: c.BaseURL}).Validate(); err != nil {
		return nil, err
	}
	base, _ := parseAddress(c.BaseURL)
	s.base, s.routes = &base, c.Contract.Routes("")
	return s, nil
}

// match returns the operation of a request, and its address. place is the path, a text about an
// invalid address, or "" if the address is not below the base.
func (s *firstPass) match(r request) (op *spec.Operation, at address, place string) {
	at, ok := parseAddress(r.URL)
	if !ok {
		return nil, at, "an invalid address"
	}
	path := at.path
	if s.base != nil {
		if path, ok = at.below(*s.base); !ok {
			return nil, at, ""
		}
	}
	op, _ = s.routes.Operation(r.Method, path)
	return op, at, at.path
}

func (s *firstPass) take(_ position, e entry) error {
	s.entries++
	op, at, place := s.match(e.Request)
	switch {
	case op != nil:
		s.matched++
		if s.matched > maxMatched {
			return fmt.Errorf("holds more than %d entries for operations of the contract; cut it into several files", maxMatched)
		}
		if !slices.Contains(s.origins, at.origin) && len(s.origins) <= maxOrigins {
			s.origins = append(s.origins, at.origin)
		}
		return s.collector.gather(e, at)
	case place == "":
		s.elsewhere++
	default:
		what := e.Request.Method + " " + place
		if len(what) > maxPath {
			// Cut between segments, because a part of a secret cannot be masked.
			what = what[:strings.LastIndexByte(what[:maxPath], '/')+1] + "…"
		}
		if _, known := s.unmatched[what]; !known && len(s.unmatched) >= maxListed {
			what = "requests of other kinds"
		}
		s.unmatched[what]++
	}
	return nil
}

func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// list returns the unmatched requests, the most frequent first.
func (s *firstPass) list(secrets *redact.Redactor) []Unmatched {
	list := make([]Unmatched, 0, len(s.unmatched))
	for what, count := range s.unmatched {
		list = append(list, Unmatched{secrets.Text(what), count})
	}
	slices.SortFunc(list, func(a, b Unmatched) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Request, b.Request))
	})
	return list
}

type address struct {
	url    *url.URL
	origin string // scheme, host and port, normalized
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

// below returns the path below a base, and reports whether the address is below it.
func (a address) below(base address) (string, bool) {
	path, ok := strings.CutPrefix(a.path, strings.TrimSuffix(base.path, "/"))
	return path, ok && a.origin == base.origin && (path == "" || path[0] == '/')
}

// masked returns the address without credentials. It also drops the fragment, which was never
// sent.
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
		if isSecret(style.Style{In: "query"}.Unescape(name)) {
			parts[i] = name + "=" + redact.Mask
		}
	}
	return strings.Join(parts, "&")
}
