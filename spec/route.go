package spec

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// Routes find the operation that a request is for.
type Routes struct{ list []route }

// route is where an operation is reached.
type route struct {
	operation  *Operation
	segments   []step
	parameters int // segments that hold one
}

// step is what stands between two slashes.
type step struct {
	literal string
	pattern *regexp.Regexp // instead, where the segment holds a parameter
}

// Routes are those of all operations, each below every one of the bases: paths
// such as "" or "/v1", as [Contract.ServerPaths] has them.
func (c *Contract) Routes(bases ...string) Routes {
	var r Routes
	for _, op := range c.Operations {
		for _, base := range bases {
			r.list = append(r.list, newRoute(op, strings.TrimSuffix(base, "/")+op.Path))
		}
	}
	return r
}

func newRoute(op *Operation, path string) route {
	r := route{operation: op}
	for text := range strings.SplitSeq(path, "/") {
		s := newStep(text)
		if s.pattern != nil {
			r.parameters++
		}
		r.segments = append(r.segments, s)
	}
	return r
}

// placeholder is a parameter in a path template (OpenAPI 3.0.3, Path Templating).
var placeholder = regexp.MustCompile(`\{[^{}]+\}`)

func newStep(text string) step {
	if !placeholder.MatchString(text) {
		return step{literal: unescaped(text)}
	}
	return step{pattern: template(text, `.+`, unescaped)}
}

// template matches a text with what stands for a parameter in the place of each
// placeholder, and the rest as literal has it.
func template(text, parameter string, literal func(string) string) *regexp.Regexp {
	var pattern strings.Builder
	from := 0
	for _, place := range placeholder.FindAllStringIndex(text, -1) {
		pattern.WriteString(regexp.QuoteMeta(literal(text[from:place[0]])) + parameter)
		from = place[1]
	}
	pattern.WriteString(regexp.QuoteMeta(literal(text[from:])))
	return regexp.MustCompile(`(?s)\A` + pattern.String() + `\z`)
}

// unescaped is a segment as it is meant (RFC 3986 §2.1), or as it is written
// where that cannot be known.
func unescaped(text string) string {
	if meant, err := url.PathUnescape(text); err == nil {
		return meant
	}
	return text
}

// Operation gives the operation of that method at that path, which is escaped
// as in a URL and must match as a whole. Where several do it is the one with
// the fewest parameters in its path (OpenAPI 3.0.3, Path Templating Matching),
// the first of the document among these.
func (r Routes) Operation(method, path string) (*Operation, bool) {
	var segments []string
	for text := range strings.SplitSeq(path, "/") {
		segments = append(segments, unescaped(text))
	}
	var best *route
	for i := range r.list {
		if candidate := &r.list[i]; candidate.matches(method, segments) && (best == nil || candidate.parameters < best.parameters) {
			best = candidate
		}
	}
	if best == nil {
		return nil, false
	}
	return best.operation, true
}

func (r *route) matches(method string, segments []string) bool {
	if r.operation.Method != method || len(r.segments) != len(segments) {
		return false
	}
	for i, s := range r.segments {
		if s.pattern == nil && s.literal != segments[i] || s.pattern != nil && !s.pattern.MatchString(segments[i]) {
			return false
		}
	}
	return true
}

// serverPaths are the paths of the document's servers, with the defaults of
// their variables, each once and without a slash at its end.
func serverPaths(top document.Place) []string {
	var paths []string
	for _, server := range top.To("servers").List() {
		address := server.Get("url").Text()
		for _, variable := range server.To("variables").All() {
			address = strings.ReplaceAll(address, "{"+variable.Key+"}", variable.Value.Get("default").Text())
		}
		u, err := url.Parse(address)
		if err != nil {
			continue // there is nothing that could be matched
		}
		if path := strings.TrimSuffix(u.EscapedPath(), "/"); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
