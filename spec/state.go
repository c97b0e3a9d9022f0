package spec

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// The clauses on what a service keeps. They follow from the meaning of the methods (RFC
// 9110 §9.3) where the paths belong together: /things, /things/{id}.
const (
	StateCreated    = "created"    // what was created can be read
	StateReplaced   = "replaced"   // what was replaced shows the new values
	StateChanged    = "changed"    // what was changed shows the changes, and the rest as it was
	StateDeleted    = "deleted"    // what was deleted is gone
	StateListed     = "listed"     // the list has what was created
	StateUnlisted   = "unlisted"   // the list no longer has what was deleted
	StateIdempotent = "idempotent" // the same PUT is accepted again
)

// state derives the clauses on what other operations on the same thing change.
func (d *deriver) state() {
	ids := d.op.ClauseIDs()
	path := barePath(d.op.Path)
	list, isItem := strings.CutSuffix(path, "/{}")
	own := d.paths[path]
	add := func(name string, by *Operation, text string) {
		if by != nil {
			d.clause(ids.State(name), Should, d.op.at, text, by.ID)
		}
	}
	switch {
	case isItem && d.op.Method == http.MethodGet:
		create := d.paths[list][http.MethodPost]
		if create == nil {
			create = own[http.MethodPut]
		}
		add(StateCreated, create, "what %s created can be read, with the values that were sent")
		add(StateReplaced, own[http.MethodPut], "after %s the new values are read")
		add(StateChanged, own[http.MethodPatch], "after %s the changed values are read, and the others as they were")
		add(StateDeleted, own[http.MethodDelete], "what %s deleted can no longer be read")
	case isItem && d.op.Method == http.MethodPut:
		add(StateIdempotent, d.op, "%s accepts the same request again")
	case !isItem && d.op.Method == http.MethodGet && d.isList():
		create := own[http.MethodPost]
		add(StateListed, create, "the list has what %s created")
		if create != nil {
			add(StateUnlisted, d.paths[path+"/{}"][http.MethodDelete], "the list no longer has what %s deleted")
		}
	}
}

// isList says whether a success of the operation is a list, or an object with one list.
func (d *deriver) isList() bool {
	for _, r := range d.op.responses {
		for _, c := range r.content {
			if strings.HasPrefix(r.status, "2") && c.IsJSON() && ListOf(c.Schema.Shape()) != nil {
				return true
			}
		}
	}
	return false
}

// ListOf is the path to the list that a response consists of, or that is in its object;
// nil if there is none, or more than one.
func ListOf(s *schema.Shape) []string {
	if isArray(s) {
		return []string{}
	}
	var path []string
	for _, p := range s.Properties {
		if isArray(p.Shape) {
			if path != nil {
				return nil
			}
			path = []string{p.Name}
		}
	}
	return path
}

func isArray(s *schema.Shape) bool { return s != nil && len(s.Types) == 1 && s.Types[0] == "array" }

// IsPaged says whether a response may show a part of a list: the operation has a query
// parameter to choose which.
func (op *Operation) IsPaged() bool {
	return slices.ContainsFunc(op.Parameters, func(p Parameter) bool {
		return p.In == "query" && paging.MatchString(p.Name)
	})
}

var paging = regexp.MustCompile(`(?i)(page|limit|offset|cursor|size|count|skip|top|start|after|before|max|per|token|range|from|first|last|next)`)

// barePath is a path without the names of its parameters.
func barePath(path string) string {
	return strings.TrimSuffix(placeholder.ReplaceAllString(path, "{}"), "/")
}

// Sent is a request that made a thing what it is.
type Sent struct {
	Operation *Operation
	MediaType string
	Body      []byte
}

// CheckShown compares a success with what was sent before: each value that a request had
// and that the contract describes alike in both. What the service adds is its own.
//
// The error is a [*instance.LimitError] if the response exceeds a limit, or that of the
// context if it ended first.
func (op *Operation) CheckShown(ctx context.Context, clause string, sent []Sent, r Response, l instance.Limits) (Check, error) {
	c := Check{Exercised: []string{clause}}
	declared := op.response(r.Status)
	shown, err := instance.Read(ctx, r.Body, l)
	got, isObject := shown.Value.(map[string]any)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err() //nolint:wrapcheck // says what it is
	case err != nil || !isObject || declared == nil || len(declared.content) != 1 || len(shown.Duplicates) > 0:
		return c, nil //nolint:nilerr // which is told where the body is judged
	}
	want, former := expected(ctx, sent, l)
	for _, p := range declared.content[0].Schema.Shape().Properties {
		if !sameMeaning(p, sent) {
			continue
		}
		b := Breach{Clause: clause, Pointer: instance.Pointer([]string{p.Name}), Offset: -1, Should: true}
		value, wanted := want[p.Name]
		old, had := former[p.Name]
		actual, present := got[p.Name]
		switch {
		case wanted && value != nil && !present:
			b.Message, b.Expected, b.Actual = "is missing, though it was sent before", instance.Compact(value), "no such property"
		case wanted && present && jsonType(value) == jsonType(actual) && !instance.Equal(value, actual) && !isPart(value, actual):
			b.Message, b.Expected = change(value, actual), instance.Compact(value)
		case !wanted && had && present && !p.Preset && !p.Required && instance.Equal(old, actual):
			b.Message, b.Expected = "keeps the value from before it was replaced", "no "+p.Name+", or another value"
		default:
			continue
		}
		if present {
			b.Offset, b.Actual, _ = instance.Find(r.Body, []string{p.Name})
		}
		c.Breaches = append(c.Breaches, b)
	}
	return c, nil
}

// expected is what a thing holds after these requests, and what the last replacement
// took away.
func expected(ctx context.Context, sent []Sent, l instance.Limits) (want, former map[string]any) {
	want, former = map[string]any{}, map[string]any{}
	for _, s := range sent {
		read, err := instance.Read(ctx, s.Body, l)
		values, ok := read.Value.(map[string]any)
		if err != nil || !ok || len(read.Duplicates) > 0 || read.Surrogates > 0 {
			continue
		}
		if s.Operation.Method != http.MethodPatch {
			maps.Copy(former, want)
			want = map[string]any{}
		}
		for name, value := range values {
			want[name] = value
			if value == nil && s.Operation.Method == http.MethodPatch {
				delete(want, name) // RFC 7396 §2; or the value is null
			}
		}
	}
	return want, former
}

// isPart says whether an object or a list has all that was sent: a service may add to it.
func isPart(sent, shown any) bool {
	part, isObject := sent.(map[string]any)
	whole, ok := shown.(map[string]any)
	if !isObject || !ok {
		return false
	}
	for name, value := range part {
		if other, there := whole[name]; !there || !instance.Equal(value, other) && !isPart(value, other) {
			return false
		}
	}
	return true
}

// sameMeaning says whether all requests that declare the property describe it as the
// response does.
func sameMeaning(p *schema.Property, sent []Sent) bool {
	if p.ReadOnly || p.WriteOnly {
		return false
	}
	for _, s := range sent {
		if s.Operation.RequestBody == nil {
			return false
		}
		content := s.Operation.RequestBody.Of(s.MediaType)
		if content == nil || !content.IsJSON() {
			return false
		}
		q := content.Schema.Shape().Property(p.Name)
		if q == nil {
			continue
		}
		if q.ReadOnly || q.WriteOnly || q.Shape.Describe() != p.Shape.Describe() {
			return false
		}
	}
	return true
}
