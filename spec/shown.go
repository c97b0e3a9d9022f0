package spec

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
)

// Sent is a request that made a thing what it is.
type Sent struct {
	Operation *Operation
	MediaType string
	Body      []byte

	within []string // the path to what the body wraps, see [held]
	patch  *patch   // what a JSON Patch says; nil for other bodies
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
		return inside(c.Schema.Shape(), s.within)
	}
	return nil
}

// values are those of the object in the content. ok is false if there is none, or it can be
// read in several ways.
func (s Sent) values(ctx context.Context, l instance.Limits) (values map[string]any, ok bool) {
	if s.patch != nil {
		return s.patch.values, true
	}
	c := s.content()
	if c != nil && c.parsed.IsForm() {
		named, err := mediatype.Parse(s.MediaType)
		if err != nil {
			return nil, false
		}
		read, err := c.read(named, s.Body) //nolint:contextcheck // what the run itself wrote is small
		inner, _ := instance.At(read, s.within)
		values, ok = inner.(map[string]any)
		return values, ok && err == nil
	}
	read, err := instance.Read(ctx, s.Body, l)
	inner, _ := instance.At(read.Value, s.within)
	values, ok = inner.(map[string]any)
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
	if declared == nil || len(sent) == 0 {
		return c, nil
	}
	content := declared.json(r.Header)
	shown, err := instance.Read(ctx, r.Body, l)
	if content == nil {
		return c, nil
	}
	within, sent := held(content.Schema.Shape(), patched(ctx, sent, l))
	object, _ := instance.At(shown.Value, within)
	got, isObject := object.(map[string]any)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case err != nil || !isObject || len(shown.Duplicates) > 0:
		return c, nil //nolint:nilerr // the judgement of the body reports it
	}
	want, former, nulled := expected(ctx, sent, l)
	for _, p := range members(inside(content.Schema.Shape(), within), want, former) {
		if !sameMeaning(p, sent) {
			continue
		}
		place := append(slices.Clip(within), p.Name)
		b := Breach{Clause: clause, Pointer: instance.Pointer(place), Offset: -1, Should: true}
		value, wanted := want[p.Name]
		old, had := former[p.Name]
		actual, present := got[p.Name]
		as, shows := showable(content.Schema.Of(p), value, actual)
		below, given := otherDefault(p, sent, value, actual)
		switch {
		case wanted && !shows:
			continue
		case wanted && value != nil && actual == nil:
			b.Message, b.Expected, b.Actual = "is missing, though it was sent", instance.Compact(value), "no such property"
		case wanted && present && instance.TypeOf(value) == instance.TypeOf(actual) && !isKept(p.Shape, as, actual, old):
			b.Message, b.Expected = change(value, actual), instance.Compact(value)
		case wanted && given != nil:
			place = append(place, below...)
			b.Message, b.Expected, b.Pointer = "is not the default, though no value was sent", instance.Compact(given), instance.Pointer(place)
		case wanted && value == nil && p.Shape.Allows("null") && !isPreset(p, sent) && !assigned.MatchString(p.Name) && isTelling(p.Shape, actual):
			b.Message, b.Expected = "is shown, though null was sent", "null"
		case !wanted && had && present && (p.Shape.Allows("null") && (nulled[p.Name] || !isPreset(p, sent)) || !isPreset(p, sent) && !p.Required) && instance.Equal(old, actual) && isTelling(p.Shape, old):
			b.Message, b.Expected = "keeps the value from before it was replaced", "no "+p.Name+", or another value"
		case !wanted && actual != nil && preset(p.Name, sent) != nil && !p.Shape.Means(preset(p.Name, sent), actual):
			b.Message, b.Expected = "is not the default, though no value was sent", instance.Compact(preset(p.Name, sent))
		default:
			continue
		}
		if present {
			b.Offset, b.Actual, _ = instance.Find(r.Body, place)
		}
		c.Breaches = append(c.Breaches, b)
	}
	return c, nil
}

// held finds what a response shows of what was sent: all of it, or what an envelope such as
// {"data": {…}} holds. The requests may have one as well, as {"note": {…}} is.
func held(of *schema.Shape, sent []Sent) (within []string, inner []Sent) {
	alike := func(of *schema.Shape, sent []Sent) (n int) {
		for _, s := range sent {
			n += len(slices.DeleteFunc(slices.Clone(of.Properties), func(p *schema.Property) bool { return !isAlike(p, s.shape().Property(p.Name)) }))
		}
		return n
	}
	inner = slices.Clone(sent)
	for i, s := range sent {
		if wrapper := s.shape().Wraps(); wrapper != nil && (len(of.Properties) == 1 || of.Property(wrapper.Name) == nil) {
			inner[i].within = []string{wrapper.Name}
		}
	}
	best := alike(of, sent)
	for _, p := range of.Properties {
		if n := alike(p.Shape, inner); n > best && (len(of.Properties) == 1 || envelope.MatchString(p.Name)) {
			return []string{p.Name}, inner
		}
	}
	if alike(of, inner) > best {
		return nil, inner
	}
	return nil, sent
}

// envelope matches the name of the property in which some services show each thing.
var envelope = regexp.MustCompile(`(?i)^(data|results?|response|payload|item|content|entity)$`)

// inside is the shape of the property at a path of objects that there is.
func inside(of *schema.Shape, path []string) *schema.Shape {
	for _, name := range path {
		of = of.Property(name).Shape
	}
	return of
}

// expected is what a thing holds after these requests, and what the last replacement
// took away, or null did.
func expected(ctx context.Context, sent []Sent, l instance.Limits) (want, former map[string]any, nulled map[string]bool) {
	want, former, nulled = map[string]any{}, map[string]any{}, map[string]bool{}
	for _, s := range sent {
		values, ok := s.values(ctx, l)
		if !ok {
			continue
		}
		if s.Operation.Method != http.MethodPatch {
			for name, value := range want {
				if s.shape().Member(name) != nil { // what a request cannot name, leaving it out does not remove
					former[name] = value
				}
			}
			want = map[string]any{}
		}
		for name, value := range values {
			old, had := want[name]
			want[name] = s.after(old, value)
			if value == nil && s.Operation.Method == http.MethodPatch {
				delete(want, name) // RFC 7396 §2; or the value is null
				if nulled[name] = had; had {
					former[name] = old
				}
			}
		}
	}
	return want, former, nulled
}

// after is the value of a property after the request.
func (s Sent) after(old, sent any) any {
	if c := s.content(); c != nil && s.Operation.Method == http.MethodPatch && c.IsMergePatch() {
		return instance.Merged(old, sent)
	}
	return sent
}

// isKept reports whether a value is shown as it was sent: a list has its items and no more,
// and an object all its properties.
func isKept(of *schema.Shape, sent, shown, before any) bool {
	list, isList := sent.([]any)
	items, _ := shown.([]any)
	if !isList {
		return isPart(of, sent, shown, before)
	}
	_, each, _ := of.Down("0", shown)
	return sameItems(of, list, items, func(a, b any) bool { return isItem(each, a, b) })
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
			if p != nil && (p.WriteOnly && !there || isPassword(p)) {
				continue
			}
			unshown := p == nil && of != nil && len(of.Properties) > 0
			if !there && !unshown && value != nil || there && !isPart(inner, value, other, former[name]) {
				return false
			}
		}
		return ok
	case []any:
		whole, ok := shown.([]any)
		former, _ := before.([]any)
		return ok && areItems(of, part, whole, former)
	}
	return of.Means(sent, shown)
}

// areItems reports whether a list has all that was sent, in that order unless it is a set, and
// nothing of what was there before.
func areItems(of *schema.Shape, part, whole, former []any) bool {
	if of != nil && of.Unique && !slices.ContainsFunc(part, func(one any) bool { return !holds(whole, one) }) {
		return true
	}
	at := 0
	for i, item := range whole {
		_, each, _ := of.Down(strconv.Itoa(i), whole)
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
	return at == len(part)
}

// isItem reports whether an item of a list is shown as it was sent.
func isItem(of *schema.Shape, sent, shown any) bool {
	_, isList := shown.([]any)
	return instance.Equal(sent, shown) || !isList && isPart(of, sent, shown, nil)
}

// isTelling reports whether a value is, or holds, one that no service would choose by itself.
func isTelling(of *schema.Shape, value any) bool {
	switch v := value.(type) {
	case string:
		return v != "" && (of == nil || !of.Enum)
	case json.Number:
		return v != "0" && v != "1" && (of == nil || !of.Enum)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool {
			_, each, _ := of.Down("0", value)
			return isTelling(each, item)
		})
	case map[string]any:
		for name := range v {
			if _, inner, one := of.Down(name, value); isTelling(inner, one) {
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
		if of == nil || !s.patch.tells(p) {
			return false
		}
		if q := of.Member(p.Name); q != nil && !isAlike(p, q) {
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

// isPassword reports whether a property holds a password, by its name or format: a service may show
// it in another form, or not at all.
func isPassword(p *schema.Property) bool {
	return p.Shape.Format == "password" || password.MatchString(p.Name)
}

var password = regexp.MustCompile(`(?i)passw|passphrase|passcode`)

// isAlike reports whether two properties go both ways, describe the same, and hold no password; q
// may be nil.
func isAlike(p, q *schema.Property) bool {
	return q != nil && !p.Shape.IsFile() && !isPassword(p) && !p.ReadOnly && !p.WriteOnly && !q.ReadOnly && !q.WriteOnly && q.Shape.IsLike(p.Shape)
}
