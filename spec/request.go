package spec

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// Request is a request as the contract sees it.
type Request struct {
	Header     http.Header
	Query      url.Values
	Body       []byte
	HasBody    bool // tells a body of no bytes from no body
	Credential bool // it carries a credential where the operation's security scheme has it
}

// CheckRequest gives the ids of the clauses on requests that a request breaks,
// as far as the document tells without knowing what the service holds. known is
// false where it does not tell all: the values of parameters and bodies that
// are not JSON are not looked at.
func (op *Operation) CheckRequest(r Request) (broken []string, known bool) {
	ids := op.ClauseIDs()
	add := func(id string) {
		for op.clause(id) < 0 && ClauseID(id).OnRequest() { // the clause on what the place is in
			id = id[:strings.LastIndex(id, "/")]
		}
		if op.clause(id) >= 0 && !slices.Contains(broken, id) {
			broken = append(broken, id)
		}
	}
	if op.Security.Needed() && !r.Credential {
		add(ids.Credential())
	}
	known = op.Flaw == nil
	for _, p := range op.Parameters {
		known = false
		if p.Required && !r.has(p) {
			add(ids.Parameter(p.In, p.Name))
		}
	}
	if body := op.RequestBody; body != nil {
		at, told := body.check(r, ids)
		known = known && told
		for _, id := range at {
			add(id)
		}
	}
	return broken, known
}

// has says whether the request has the parameter; the path always has its own.
func (r Request) has(p Parameter) bool {
	switch p.In {
	case "query":
		return r.Query.Has(p.Name)
	case "header":
		return len(r.Header.Values(p.Name)) > 0
	case "cookie":
		return strings.Contains(r.Header.Get("Cookie"), p.Name+"=")
	}
	return true
}

// check gives the ids of what is at fault in the body or what it is declared as,
// whether or not there is such a clause.
func (b *RequestBody) check(r Request, op ClauseIDs) (ids []string, known bool) {
	if !r.HasBody || len(r.Body) == 0 {
		if b.Required {
			return []string{string(op.RequestBody())}, true
		}
		return nil, true
	}
	if !b.declares(r.Header.Values("Content-Type")) {
		ids = append(ids, op.RequestMediaType())
	}
	media := b.json()
	if media == nil {
		return ids, false
	}
	judged := media.Schema
	text, err := instance.Read(context.Background(), r.Body, instance.Limits{})
	var exceeded *instance.LimitError
	switch {
	case errors.As(err, &exceeded):
		return ids, false
	case err != nil:
		return append(ids, string(op.RequestBody())), true
	}
	faults, err := judged.Faults(schema.Request, text.Value)
	if err != nil || media.touch.Inverted {
		return ids, false
	}
	for _, f := range faults {
		ids = append(ids, string(requestClause(op.RequestBody(), judged.Shape(), f.Path, text.Value)))
	}
	return ids, !carriesReadOnly(judged.Shape(), text.Value)
}

// requestClause is the id of the clause on the value at that path in a body,
// whether or not there is such a clause.
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

// carriesReadOnly reports whether a value has a property that requests should
// not carry: whether such a request is rejected the contract does not say.
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

// declares says whether the one media type that a request names is declared.
func (b *RequestBody) declares(values []string) bool {
	if len(values) != 1 {
		return false
	}
	sent, err := parseMediaType(values[0])
	return err == nil && mostSpecific(b.Content, sent) != nil
}
