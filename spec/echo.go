package spec

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
)

// CheckEcho compares a success with the request that it answers: where the
// contract gives both the same schema, what comes back is what was sent, and
// otherwise what both describe alike, if the thing can be read. It says nothing
// where either is no JSON object, or may be read in several ways.
//
// The error is a [*instance.LimitError] where the response exceeds a limit, or that of
// the context where it ended first.
func (op *Operation) CheckEcho(ctx context.Context, request Sent, r Response, l instance.Limits) (Check, error) {
	var c Check
	op.derive()
	declared := op.response(r.Status)
	if declared == nil || declared.echo == echoNothing {
		return c, nil
	}
	content := declared.json(r.Header)
	if content == nil {
		return c, nil
	}
	if declared.echo == echoPart {
		return op.CheckShown(ctx, declared.ids.Echo(), []Sent{request}, r, l)
	}
	sent, err := instance.Read(ctx, request.Body, l)
	want, _ := sent.Value.(map[string]any)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case err != nil, want == nil, len(sent.Duplicates) > 0, sent.Surrogates > 0, !instance.IsObject(r.Body):
		return c, nil //nolint:nilerr // what cannot be read in one way only is not compared
	}
	shown, err := instance.Read(ctx, r.Body, l)
	var flaw *instance.FlawError
	got, _ := shown.Value.(map[string]any)
	switch {
	case errors.As(err, &flaw):
		return c, nil // the judgement of the body reports it
	case err != nil:
		return c, err
	case got == nil, len(shown.Duplicates) > 0:
		return c, nil
	}
	c.Declared, c.Exercised = declared.Status, []string{declared.ids.Echo()}
	for _, p := range content.Schema.Shape().Properties {
		message, expected := difference(p, want, got)
		if message == "" {
			continue
		}
		b := Breach{Clause: declared.ids.Echo(), Message: message, Pointer: instance.Pointer([]string{p.Name}), Expected: expected}
		var found bool
		if b.Offset, b.Actual, found = instance.Find(r.Body, []string{p.Name}); !found {
			b.Actual = "no such property"
		}
		c.Breaches = append(c.Breaches, b)
	}
	return c, nil
}

// difference says what happened to a property on its way, as a predicate of
// it, and what was expected; nothing where it came back as it was sent.
func difference(p *schema.Property, sent, shown map[string]any) (message, expected string) {
	want, wanted := sent[p.Name]
	got, present := shown[p.Name]
	isNone := wanted != present && want == nil && got == nil && p.Shape.Allows("null")
	switch {
	case p.ReadOnly || p.WriteOnly || isNone || !wanted && instance.IsEmpty(got): // many services show no null, or null or an empty list for what there is not
		return "", ""
	case wanted && !present:
		return "is missing, though it was sent", instance.Compact(want)
	case present && !wanted && !p.Preset && !assigned.MatchString(p.Name):
		return "is shown, though it was not sent", "no " + p.Name
	case wanted && !isShown(p.Shape, want, got):
		return change(want, got), instance.Compact(want)
	}
	return "", ""
}

// isShown reports whether a value is shown as it was sent, apart from what in it only one
// direction carries, and from defaults, ids and what nobody declares.
func isShown(of *schema.Shape, sent, shown any) bool {
	switch want := sent.(type) {
	case map[string]any:
		got, isObject := shown.(map[string]any)
		mayDiffer := of != nil && (of.Unread || len(of.Properties) > 0)
		for _, object := range []map[string]any{want, got} {
			for name := range object {
				value, wanted := want[name]
				other, present := got[name]
				p := of.Property(name)
				switch {
				case p != nil:
					if message, _ := difference(p, want, got); message != "" {
						return false
					}
				case wanted != present && (mayDiffer || wanted && value == nil): // null may remove (RFC 7396 §2)
				case wanted != present || !isShown(shapeAt(of, name, want), value, other):
					return false
				}
			}
		}
		return isObject
	case []any:
		got, isList := shown.([]any)
		each := shapeAt(of, "", sent)
		return isList && slices.EqualFunc(want, got, func(a, b any) bool { return isShown(each, a, b) })
	}
	return of.Means(sent, shown)
}

// shapeAt is the shape of what lies in a value of that shape.
func shapeAt(of *schema.Shape, name string, value any) *schema.Shape {
	if of != nil && of.Unread {
		return of
	}
	_, inner, _ := of.Down(name, value)
	return inner
}

// assigned are names of ids, which a service may give to what is sent without one.
var assigned = regexp.MustCompile(`^(?i:_?id|_?key|uuid|guid)$|(Id|ID|[_-]id|Uuid|UUID)$`)

// json is the JSON content that a response names, or the only one if it names none of
// those declared; nil if it is not known.
func (r *Declared) json(header http.Header) *Content {
	if len(r.Content) == 1 && r.Content[0].Flaw == nil && r.Content[0].MayBeJSON() {
		return &r.Content[0]
	}
	named, err := mediatype.Parse(header.Get("Content-Type"))
	if err != nil {
		return nil
	}
	if best := mostSpecific(r.Content, named); best != nil && best.Flaw == nil && named.IsJSON() {
		return best
	}
	return nil
}

// change says how a value differs from the one that was sent.
func change(want, got any) string {
	sent, wasText := want.(string)
	shown, isText := got.(string)
	switch {
	case wasText && isText:
		return "comes back changed: " + instance.Difference(sent, shown)
	case instance.TypeOf(want) != instance.TypeOf(got):
		return "comes back as " + schema.DescribeType(instance.TypeOf(got))
	}
	return "comes back changed"
}

// Sent is a request that made a thing what it is.
type Sent struct {
	Operation *Operation
	MediaType string
	Body      []byte
}

// content is what the request carries; nil if it is neither a JSON text nor a form.
func (s Sent) content() *Content {
	if s.Operation.RequestBody == nil {
		return nil
	}
	c := s.Operation.RequestBody.Of(s.MediaType)
	if c == nil || !c.MayBeJSON() && !c.parsed.IsForm() {
		return nil
	}
	return c
}

// shape is that of the content; nil if there is none.
func (s Sent) shape() *schema.Shape {
	if c := s.content(); c != nil {
		return c.Schema.Shape()
	}
	return nil
}

// values are those of the object in the content. ok is false if there is none, or it can be
// read in several ways.
func (s Sent) values(ctx context.Context, l instance.Limits) (values map[string]any, ok bool) {
	c := s.content()
	if c != nil && c.parsed.IsForm() {
		named, err := mediatype.Parse(s.MediaType)
		if err != nil {
			return nil, false
		}
		read, err := c.read(named, s.Body) //nolint:contextcheck // what the run itself wrote is small
		values, ok = read.(map[string]any)
		return values, ok && err == nil
	}
	read, err := instance.Read(ctx, s.Body, l)
	values, ok = read.Value.(map[string]any)
	return values, ok && err == nil && len(read.Duplicates) == 0 && read.Surrogates == 0
}

// CheckShown compares a success with what was sent before: each value that a request had
// and that the contract describes alike in both. What the service adds is its own.
//
// The error is a [*instance.LimitError] if the response exceeds a limit, or that of the
// context if it ended first.
func (op *Operation) CheckShown(ctx context.Context, clause string, sent []Sent, r Response, l instance.Limits) (Check, error) {
	c := Check{Exercised: []string{clause}}
	declared := op.response(r.Status)
	if declared == nil {
		return c, nil
	}
	content := declared.json(r.Header)
	shown, err := instance.Read(ctx, r.Body, l)
	got, isObject := shown.Value.(map[string]any)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case err != nil || !isObject || content == nil || len(shown.Duplicates) > 0:
		return c, nil //nolint:nilerr // the judgement of the body reports it
	}
	want, former := expected(ctx, sent, l)
	for _, p := range content.Schema.Shape().Properties {
		if !sameMeaning(p, sent) {
			continue
		}
		b := Breach{Clause: clause, Pointer: instance.Pointer([]string{p.Name}), Offset: -1, Should: true}
		value, wanted := want[p.Name]
		old, had := former[p.Name]
		actual, present := got[p.Name]
		switch {
		case wanted && value != nil && !present:
			b.Message, b.Expected, b.Actual = "is missing, though it was sent", instance.Compact(value), "no such property"
		case wanted && present && instance.TypeOf(value) == instance.TypeOf(actual) && !isKept(p.Shape, value, actual, old):
			b.Message, b.Expected = change(value, actual), instance.Compact(value)
		case !wanted && had && present && !isPreset(p, sent) && !p.Required && instance.Equal(old, actual) && isFreeText(p.Shape, old):
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
		values, ok := s.values(ctx, l)
		if !ok {
			continue
		}
		if s.Operation.Method != http.MethodPatch {
			for name, value := range want {
				if s.shape().Property(name) != nil { // what a request cannot name, leaving it out does not remove
					former[name] = value
				}
			}
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

// isKept reports whether a value is shown as it was sent: a list has its items and no more,
// and an object all its properties.
func isKept(of *schema.Shape, sent, shown, before any) bool {
	list, isList := sent.([]any)
	items, _ := shown.([]any)
	if !isList {
		return isPart(of, sent, shown, before)
	}
	if len(list) != len(items) {
		return false
	}
	for i, item := range items {
		if _, each, _ := of.Down(strconv.Itoa(i), shown); !isItem(each, list[i], item) {
			return false
		}
	}
	return true
}

// isPart reports whether an object, or a list in one, has all that was sent and that the
// response can show: a service may add to it, such as the owner to those who may write,
// but not what was there before.
func isPart(of *schema.Shape, sent, shown, before any) bool {
	switch part := sent.(type) {
	case map[string]any:
		whole, ok := shown.(map[string]any)
		former, _ := before.(map[string]any)
		for name, value := range part {
			p, inner, other := of.Down(name, shown)
			_, there := whole[name]
			unshown := p != nil && p.WriteOnly || p == nil && of != nil && len(of.Properties) > 0
			if !there && !unshown && value != nil || there && !isPart(inner, value, other, former[name]) {
				return false
			}
		}
		return ok
	case []any:
		whole, ok := shown.([]any)
		former, _ := before.([]any)
		at := 0
		for i, item := range whole {
			_, each, _ := of.Down(strconv.Itoa(i), shown)
			switch {
			case at < len(part) && isItem(each, part[at], item):
				at++
			case !holds(part, item) && holds(former, item):
				return false
			}
			for at < len(part) && holds(part[:at], part[at]) {
				at++ // one that is there already
			}
		}
		return ok && at == len(part)
	}
	return of.Means(sent, shown)
}

// isItem reports whether an item of a list is shown as it was sent.
func isItem(of *schema.Shape, sent, shown any) bool {
	_, isList := shown.([]any)
	return instance.Equal(sent, shown) || !isList && isPart(of, sent, shown, nil)
}

// isFreeText reports whether a value is, or holds, a text of which no other is as likely: no
// service would choose it by itself.
func isFreeText(of *schema.Shape, value any) bool {
	switch v := value.(type) {
	case string:
		return v != "" && (of == nil || !of.Enum && of.Format == "")
	case []any:
		return slices.ContainsFunc(v, func(item any) bool {
			_, each, _ := of.Down("0", value)
			return isFreeText(each, item)
		})
	case map[string]any:
		for name := range v {
			if _, inner, one := of.Down(name, value); isFreeText(inner, one) {
				return true
			}
		}
	}
	return false
}

func holds(list []any, item any) bool {
	return slices.ContainsFunc(list, func(other any) bool { return instance.Equal(item, other) })
}

// sameMeaning reports whether all requests that declare the property describe it as the
// response does.
func sameMeaning(p *schema.Property, sent []Sent) bool {
	for _, s := range sent {
		of := s.shape()
		if of == nil {
			return false
		}
		if q := of.Property(p.Name); q != nil && !isAlike(p, q) {
			return false
		}
	}
	return true
}

// isPreset reports whether a property has a default, in the response or in one of the requests.
func isPreset(p *schema.Property, sent []Sent) bool {
	return p.Preset || slices.ContainsFunc(sent, func(s Sent) bool {
		q := s.shape().Property(p.Name)
		return q != nil && q.Preset
	})
}

// isAlike reports whether two properties go both ways and describe the same; q may be nil.
func isAlike(p, q *schema.Property) bool {
	return q != nil && !p.Shape.IsFile() && !p.ReadOnly && !p.WriteOnly && !q.ReadOnly && !q.WriteOnly && q.Shape.IsLike(p.Shape)
}
