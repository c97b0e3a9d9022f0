package spec

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
	"github.com/plantstore/conformance/spec/style"
)

// Request is a request to check against the contract.
type Request struct {
	Path       string // escaped, below the base URL
	Query      string // escaped, without the question mark
	Header     http.Header
	Body       []byte
	HasBody    bool // distinguishes an empty body from no body
	Credential bool // the request has a credential in the field that the security scheme names
}

// CheckRequest returns the ids of the request clauses that a request breaks, as far as the
// document alone can tell. A text breaks a clause only if every reading of it breaks the
// schema, see package style.
//
// known is false if the document does not settle everything, for example for a read-only
// property in a request, or for a media type that this module does not read.
func (op *Operation) CheckRequest(r Request) (broken []ClauseID, known bool) {
	ids := op.ClauseIDs()
	add := func(id ClauseID) {
		if id = op.nearest(id); op.clause(id) >= 0 && !slices.Contains(broken, id) {
			broken = append(broken, id)
		}
	}
	if op.Security.Needed() && !r.Credential {
		add(ids.Credential())
	}
	known = op.Flaw == nil
	for _, p := range op.Parameters {
		meets, sure := p.meets(op.pairsOf(p, r))
		known = known && sure
		if !meets {
			add(ids.Parameter(p.In, p.Name))
		}
	}
	if body := op.RequestBody; body != nil {
		at, sure := body.check(r, ids)
		known = known && sure
		for _, id := range at {
			add(id)
		}
	}
	return broken, known
}

// RequestBody is the declared request body of an operation.
type RequestBody struct {
	Required bool
	Content  []mediatype.Content // in the document's order
	at       document.Place
}

// MediaType returns the default media type of fixtures: application/json if it is declared,
// else the first other JSON media type, else application/json if a range includes it, else
// the first media type. It is "" if b is nil or has no content.
func (b *RequestBody) MediaType() string {
	if b == nil || len(b.Content) == 0 {
		return ""
	}
	var suffixed, ranged string
	for _, c := range b.Content {
		switch m := c.Type; {
		case m.Subtype == "json":
			return c.MediaType
		case m.IsJSON() && !m.IsRange():
			suffixed = cmp.Or(suffixed, c.MediaType)
		case m.Covers(mediatype.Type{Kind: "application", Subtype: "json"}), m.IsJSON():
			ranged = "application/json"
		}
	}
	return cmp.Or(suffixed, ranged, b.Content[0].MediaType)
}

// Of returns what is declared for bodies with that media type, or nil. b may be nil.
func (b *RequestBody) Of(mediaType string) *mediatype.Content {
	named, err := mediatype.Parse(mediaType)
	if b == nil || err != nil {
		return nil
	}
	return mediatype.MostSpecific(b.Content, named)
}

// JSON returns the schema for JSON bodies, or nil if the document has none. b may be nil.
func (b *RequestBody) JSON() *schema.Schema {
	if best := b.Of(b.MediaType()); best != nil && mediatype.IsJSONType(b.MediaType()) && best.Schema.Place.Node != nil {
		return best.Schema
	}
	return nil
}

// check returns the ids of the clauses that the body or its media type breaks, even if there is no
// clause with that id.
func (b *RequestBody) check(r Request, op ClauseIDs) (ids []ClauseID, known bool) {
	if !r.HasBody || len(r.Body) == 0 {
		if b.Required {
			return []ClauseID{op.RequestBody()}, true
		}
		return nil, true
	}
	sent := b.MediaType()
	if values := r.Header.Values("Content-Type"); len(values) == 1 && b.Of(values[0]) != nil {
		sent = values[0]
	} else {
		ids = append(ids, op.RequestMediaType())
	}
	named, err := mediatype.Parse(sent)
	content := mediatype.MostSpecific(b.Content, named)
	if err != nil || content == nil {
		return ids, false
	}
	value, err := content.Read(named, r.Body)
	_, exceeded := errors.AsType[*instance.LimitError](err)
	switch {
	case content.Schema.Place.Node == nil:
		return ids, !named.IsJSON() || err == nil
	case exceeded, errors.Is(err, mediatype.ErrUnread):
		return ids, false
	case err != nil:
		return append(ids, op.RequestBody()), true
	}
	faults, err := content.Schema.Faults(schema.Request, value)
	if err != nil || content.Inverted {
		return ids, false
	}
	certain := content.Certain(faults, value)
	for _, f := range certain {
		ids = append(ids, requestClause(op.RequestBody(), content.Schema.Shape(), f.Path, value))
	}
	return ids, len(certain) == len(faults) && !carriesReadOnly(content.Schema.Shape(), value)
}

// RequestClause returns the id of the clause about the value at that path in a body, or of
// the nearest clause above it.
func (op *Operation) RequestClause(c *mediatype.Content, path []string, value any) ClauseID {
	return op.nearest(requestClause(op.ClauseIDs().RequestBody(), c.Schema.Shape(), path, value))
}

// nearest returns the id of the clause about a place in a request, or about the nearest place that
// contains it. If there is none, no clause has the returned id.
func (op *Operation) nearest(id ClauseID) ClauseID {
	for op.clause(id) < 0 && id.OnRequest() {
		id = id[:strings.LastIndex(string(id), "/")]
	}
	return id
}

// requestClause returns the id of the clause about the value at that path in a body, even if there
// is no clause with that id.
func requestClause(id ClauseID, s *schema.Shape, path []string, value any) ClauseID {
	for _, step := range path {
		p, next, inner := s.Down(step, value)
		if p == nil && next != nil {
			id = id.Items()
		} else {
			id = id.Property(step)
		}
		s, value = next, inner
	}
	return id
}

// Foreign returns values that no service would choose for a property by itself. If a request sends
// one for a read-only property, the response need not contain it (JSON Schema 2020-12 §9.4).
func Foreign() []any {
	return []any{"conformance read-only", "00000000-0000-4000-8000-c0f0c0f0c0f0", "1971-02-03T04:05:06Z", "1971-02-03", instance.Number("7203685"), instance.Number("72036")}
}

// carriesReadOnly reports whether a value has a read-only property. The contract does not say
// whether a request with one is rejected.
func carriesReadOnly(s *schema.Shape, value any) bool {
	if s == nil {
		return false
	}
	switch value := value.(type) {
	case map[string]any:
		for _, p := range s.Properties {
			inner, present := value[p.Name]
			if present && (p.ReadOnly || carriesReadOnly(p.Shape, inner)) {
				return true
			}
		}
		for name, inner := range value {
			if s.Property(name) == nil && carriesReadOnly(s.Each, inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, func(inner any) bool { return carriesReadOnly(s.Each, inner) })
	}
	return false
}

// Routes finds the operation that a request is for.
type Routes []route

// route matches the paths of an operation.
type route struct {
	operation  *Operation
	pattern    *regexp.Regexp // matches a path in its normal form
	parameters int            // number of segments with a parameter
}

// Routes returns the routes of all operations below each of the bases, which are paths such
// as "" or "/v1", as in [Contract.ServerPaths].
func (c *Contract) Routes(bases ...string) Routes {
	const parameter = "(?:%..|[^/%])+" // so that no literal matches inside an escape
	var list Routes
	for _, op := range c.Operations {
		for _, base := range bases {
			path := strings.TrimSuffix(base, "/") + op.Path
			list = append(list, route{op, template(path, parameter, normal), len(parametric().FindAllString(path, -1))})
		}
	}
	slices.SortStableFunc(list, func(a, b route) int { return cmp.Compare(a.parameters, b.parameters) })
	return list
}

// A placeholder is a parameter in a path template (OpenAPI 3.0.3, Path Templating). A
// segment with one is parametric.
var (
	placeholder = pattern.Lazy(`\{[^{}]+\}`)
	parametric  = pattern.Lazy(`\{[^{}/]+\}[^/]*`)
)

// template returns a regular expression for a path template. It replaces each placeholder by the
// pattern parameter, and converts the rest by literal.
func template(text, parameter string, literal func(string) string) *regexp.Regexp {
	var expression strings.Builder
	from := 0
	for _, place := range placeholder().FindAllStringIndex(text, -1) {
		expression.WriteString(regexp.QuoteMeta(literal(text[from:place[0]])) + parameter)
		from = place[1]
	}
	expression.WriteString(regexp.QuoteMeta(literal(text[from:])))
	return regexp.MustCompile(`(?s)\A` + expression.String() + `\z`)
}

// normal writes a path so that equal paths are equal texts (RFC 3986 §6.2.2): it escapes what must
// be escaped and nothing else. In a segment with a malformed escape, each % is a literal character.
func normal(path string) string {
	segments := strings.Split(path, "/")
	for i, text := range segments {
		segments[i] = url.PathEscape(style.Style{In: "path"}.Unescape(text))
	}
	return strings.Join(segments, "/")
}

// Operation returns the operation for a method and a path. The path is escaped as in a URL
// and must match as a whole. If several operations match, it is the one with the fewest
// parameters in its path (OpenAPI 3.0.3, Path Templating Matching), and of these the first
// in the document.
func (r Routes) Operation(method, path string) (*Operation, bool) {
	path = normal(path)
	found, ok := lists.First(r, func(r route) bool {
		return r.operation.Method == method && r.pattern.MatchString(path)
	})
	return found.operation, ok
}

// serverPaths returns the paths of the document's servers, without duplicates and without a slash
// at the end. Variables have their defaults.
func serverPaths(top document.Place) (paths []string) {
	for _, server := range top.To("servers").List() {
		address := server.Get("url").Text()
		for _, variable := range server.To("variables").All() {
			address = strings.ReplaceAll(address, "{"+variable.Key+"}", variable.Value.Get("default").Text())
		}
		u, err := url.Parse(address)
		if err != nil {
			continue // an invalid address has no path
		}
		if path := strings.TrimSuffix(u.EscapedPath(), "/"); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
