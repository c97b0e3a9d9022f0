package shown

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// A history holds the values that requests gave to a resource.
type history struct {
	requests []request
	want     map[string]any  // the expected values of the resource
	former   map[string]any  // the values that the last replacement removed, or that null removed
	nulled   map[string]bool // the names in former that null removed
	removed  map[string][]removal
}

// removal is a value within a property that a merge patch removes by null (RFC 7396 §2).
type removal struct {
	path  []string // below the property
	value any
}

// removals returns the values that a merge patch removes within a value.
func removals(value, patch any, path ...string) (list []removal) {
	object, _ := value.(map[string]any)
	changes, _ := patch.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		switch old, change, below := object[name], changes[name], instance.Below(path, name); {
		case change != nil:
			list = append(list, removals(old, change, below...)...)
		case old != nil:
			list = append(list, removal{below, old})
		}
	}
	return list
}

// isShown reports whether a property still has the removed value. It is false if the property
// always has a value, or if a service may choose the value by itself.
func (r removal) isShown(of *schema.Shape, shown any) bool {
	var p *schema.Property
	for _, name := range r.path {
		p, of, shown = of.Down(name, shown)
	}
	return instance.Equal(shown, r.value) && isTelling(of, r.value) && (p == nil || !p.Preset && !p.Required)
}

func historyOf(requests []request) history {
	h := history{requests, map[string]any{}, map[string]any{}, map[string]bool{}, map[string][]removal{}}
	for _, r := range requests {
		values, ok := r.values()
		if !ok {
			continue
		}
		if r.Method != http.MethodPatch {
			// A body does not remove the properties that its schema does not have.
			maps.DeleteFunc(h.want, func(name string, _ any) bool { return r.shape.Member(name) == nil })
			maps.Copy(h.former, h.want)
			h.want = map[string]any{}
		}
		for name, value := range r.completed(values, h.want) {
			old, had := h.want[name]
			h.removed[name] = nil
			if h.want[name] = value; r.MergePatch && r.Method == http.MethodPatch {
				h.want[name], h.removed[name] = instance.Merged(old, value), removals(old, value)
			}
			if value == nil && r.Method == http.MethodPatch {
				delete(h.want, name) // RFC 7396 §2; or the value is null
				if h.nulled[name] = had; had {
					h.former[name] = old
				}
			}
		}
	}
	return h
}

// completed returns the values of a request, and the values of the resource that stay although the
// request leaves them out.
func (r request) completed(values, resource map[string]any) map[string]any {
	path := r.Kept[min(len(r.within), len(r.Kept)):]
	inner, _ := instance.At(values, path)
	now, isObject := inner.(map[string]any)
	if r.Kept == nil || !isObject {
		return values
	}
	former, _ := instance.At(resource, path)
	was, _ := former.(map[string]any)
	all := map[string]any{}
	maps.Copy(all, was)
	maps.Copy(all, now)
	whole, _ := instance.Put(values, path, all).(map[string]any)
	return whole
}

// sameMeaning reports whether all requests that declare the property describe it as the
// response does.
func (h history) sameMeaning(p *schema.Property) bool {
	return !slices.ContainsFunc(h.requests, func(r request) bool {
		q := r.shape.Member(p.Name)
		return r.shape == nil || !r.patch.tells(p) || q != nil && !isAlike(p, q)
	})
}

// isAnother reports whether a response meets the wrong alternative of its schema, such as an
// outcome instead of the resource. That alternative describes at most half as many sent properties as
// the best one.
func (h history) isAnother(of *schema.Schema, body any) bool {
	best, met := 0, 0
	for _, at := range slices.Concat(of.Place.To("oneOf").List(), of.Place.To("anyOf").List()) {
		one, n := of.At(at), 0
		for _, p := range one.Shape().Properties {
			if _, was := h.want[p.Name]; was && h.sameMeaning(p) {
				n++
			}
		}
		if best = max(best, n); n > met && one.Meets(schema.Response, body) {
			met = n
		}
	}
	return best > 0 && 2*met <= best
}

// compare says what is wrong with a property in a response, as a predicate of the value at the path
// below it. message is "" if the property is as the requests made it. of is the schema of the
// response.
func (h history) compare(p *schema.Property, of *schema.Schema, actual any, present bool) (below []string, message, expected string) {
	value, wanted := h.want[p.Name]
	old, had := h.former[p.Name]
	as, shows := showable(of, value, actual)
	last := h.requests[len(h.requests)-1]
	q := last.shape.Property(p.Name)
	mayBeNull, isPreset, preset := p.Shape.Allows("null"), h.isPreset(p), last.preset(q)
	below, given := leftOut(p, q, value, actual, nil, func(of, inner *schema.Property, actual, _ any) any {
		if given := last.preset(inner); given != nil && !of.Shape.Means(given, actual) {
			return given
		}
		return nil
	})
	kept, isLeftover := leftOut(p, q, value, actual, old, func(of, inner *schema.Property, actual, old any) any {
		if last.Method == http.MethodPut && !of.Preset && !inner.Preset && !of.Required && instance.Equal(old, actual) && isTelling(of.Shape, old) {
			return true
		}
		return nil
	})
	at := slices.IndexFunc(h.removed[p.Name], func(r removal) bool { return r.isShown(p.Shape, actual) })
	switch {
	case isNamed(p.Name, value, actual), wanted && !shows, wanted && !present && isNothing(p, value):
	case wanted && value != nil && actual == nil:
		return nil, NotShown, instance.Compact(value)
	case wanted && present && instance.TypeOf(value) == instance.TypeOf(actual) && !isKept(p.Shape, as, actual, old) && !(q != nil && q.Shape.AnyOrder && isKept(q.Shape, as, actual, old)):
		return nil, change(value, actual), instance.Compact(value)
	case at >= 0:
		return h.removed[p.Name][at].path, "is shown, though null was sent", "no such value"
	case wanted && given != nil:
		return below, notDefault, instance.Compact(given)
	case wanted && isLeftover != nil:
		return kept, KeepsOld, "no such value, or another one"
	case wanted && value == nil && mayBeNull && !isPreset && !assigned.MatchString(p.Name) && isTelling(p.Shape, actual):
		return nil, "is shown, though null was sent", "null"
	case !wanted && had && present && (mayBeNull && (h.nulled[p.Name] || !isPreset) || !isPreset && !p.Required) && instance.Equal(old, actual) && isTelling(p.Shape, old):
		return nil, KeepsOld, "no " + p.Name + ", or another value"
	case !wanted && actual != nil && preset != nil && !p.Shape.Means(preset, actual):
		return nil, notDefault, instance.Compact(preset)
	}
	return nil, "", ""
}

// Messages of differences: a response has no value for a property that was sent, or an old value for
// one that a PUT left out.
const (
	NotShown = "is missing, though it was sent"
	KeepsOld = "keeps the value from before it was replaced"
)

const notDefault = "is not the default, though no value was sent"

// isPreset reports whether a property has a default, in the response or in one of the requests.
func (h history) isPreset(p *schema.Property) bool {
	return p.Preset || slices.ContainsFunc(h.requests, func(r request) bool {
		q := r.shape.Property(p.Name)
		return q != nil && q.Preset
	})
}

// preset returns the default of a property, or nil. The request must have made or replaced the
// whole resource, so that the resource has the default if the request leaves the property out (OpenAPI
// 3.0.3, Schema Object: the value that is assumed if none is sent).
func (r request) preset(q *schema.Property) any {
	if q == nil || r.Method != http.MethodPost && r.Method != http.MethodPut || q.Shape.HasParts() {
		return nil
	}
	given := q.At.Get("default")
	if given == nil || given.Value() == any("") || !r.Schema.Of(q).Meets(schema.Request, given.Value()) { // many services do not show an empty text
		return nil
	}
	return given.Value()
}

// leftOut finds the first property in an object that a request left out and that the response shows
// wrongly. path leads from the object to the property, and given is the result of wrong for it.
// wrong returns nil if a property is right. before is the object before the request.
func leftOut(p, q *schema.Property, sent, shown, before any, wrong func(of, inner *schema.Property, actual, old any) any) (path []string, given any) {
	object, wasObject := sent.(map[string]any)
	if q == nil || !wasObject {
		return nil, nil
	}
	got, _ := shown.(map[string]any)
	former, _ := before.(map[string]any)
	for _, inner := range q.Shape.Properties {
		of, actual, old := p.Shape.Property(inner.Name), got[inner.Name], former[inner.Name]
		value, was := object[inner.Name]
		switch {
		case of == nil || !isAlike(of, inner) || actual == nil || isNamed(inner.Name, value, actual):
			continue
		case was:
			path, given = leftOut(of, inner, value, actual, old, wrong)
		default:
			path, given = nil, wrong(of, inner, actual, old)
		}
		if given != nil {
			return append([]string{inner.Name}, path...), given
		}
	}
	return nil, nil
}

// A patch holds what a JSON Patch changes in the properties of a resource.
type patch struct {
	values  map[string]any  // new values; nil for removed properties
	unclear map[string]bool // properties that it may change in other ways; "" stands for all
}

func readPatch(body any) *patch {
	list, isList := body.([]any)
	p := patch{values: map[string]any{}, unclear: map[string]bool{"": !isList}}
	for _, item := range list {
		one, _ := item.(map[string]any)
		path, _ := one["path"].(string)
		from, _ := one["from"].(string)
		value, has := one["value"]
		names := strings.Split(strings.TrimPrefix(path, "/"), "/")
		isTop := len(names) == 1 && path != ""
		switch op := one["op"]; {
		case op == "test":
		case (op == "add" || op == "replace") && isTop && has, op == "remove" && isTop:
			p.values[document.UnescapePointer(names[0])] = value
		default:
			for _, name := range append(names, strings.Split(strings.TrimPrefix(from, "/"), "/")...) {
				if name != "" || path == "" {
					p.unclear[document.UnescapePointer(name)] = true
				}
			}
		}
	}
	return &p
}

// tells reports whether the effect of the patch on a property is known. p may be nil.
func (p *patch) tells(of *schema.Property) bool {
	if p == nil {
		return true
	}
	_, changed := p.values[of.Name]
	return !p.unclear[""] && !p.unclear[of.Name] && !(changed && of.ReadOnly)
}
