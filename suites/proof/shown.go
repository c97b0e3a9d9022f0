package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// shows reports whether the response can show a property of a resource.
func (s *service) shows(d *declared, resource map[string]any, key string) bool {
	value := d.overlay(d.full, map[string]any{key: resource[key]}).content()
	if inner, ok := unwrap(value, key); ok {
		value = inner
	}
	object, _ := value.(map[string]any)
	return object != nil && instance.Equal(object[key], resource[key])
}

// showing returns a response that shows a resource.
func (s *service) showing(op *operation, d *declared, resource map[string]any) fault.Answer {
	shown := d.overlay(s.value(d), resource)
	if op.states(op.ClauseIDs().Response(d.Status).Echo()) {
		shown = d.without(shown, resource, func(string) bool { return true })
	}
	return d.answer(shown)
}

// reading returns a response that shows a stored resource, without what the last PUT left out.
func (s *service) reading(op *operation, d *declared, resource map[string]any) fault.Answer {
	shown := d.overlay(s.value(d), resource)
	if put := s.at[http.MethodPut+" "+op.Path]; put != nil && put.RequestBody.JSON() != nil {
		of := put.RequestBody.JSON().Shape()
		shown = d.without(shown, resource, func(name string) bool { return of.Property(name) != nil })
	}
	return d.answer(shown)
}

// list returns a response with the resources of a collection, if the response contains a list.
func (s *service) list(d *declared, path string, resources map[string]map[string]any, sorted ...spec.Order) (fault.Answer, bool) {
	entries := lists.Filter(sortedKeys(resources), func(where string) bool { return isEntry(where, path) })
	kept := lists.Map(entries, func(where string) map[string]any { return resources[where] })
	sortBy(kept, sorted)
	shown := d.made.get(making{d.full, "list " + instance.Compact(kept)}, func() *sample {
		name, items, set := listIn(plain(d.full.content()))
		if set == nil {
			return nil
		}
		return d.sample(set(lists.Map(kept, func(resource map[string]any) any { return d.entry(name, items[0], set, resource) })))
	})
	if shown == nil || !shown.allowed {
		return fault.Answer{}, false
	}
	return d.answer(shown), true
}

// counting sets the number of matching entries where the document says that a number counts them: in the object around
// the list, or in a header.
func (d *declared) counting(op *operation, a fault.Answer, matching string) fault.Answer {
	for name := range a.Header {
		if op.CountsMatches(name) {
			a.Header.Set(name, matching)
		}
	}
	value := decoded(string(a.Body))
	for _, one := range objectsIn(value) {
		for name, was := range one.object {
			if _, isNumber := was.(json.Number); isNumber && len(one.path) < 2 && op.CountsMatches(name) {
				one.object[name] = json.Number(matching)
			}
		}
	}
	if d.allows(value) {
		return a.WithBody(instance.Compact(value))
	}
	return a
}

// sortBy sorts a list by these orders, one after the other.
func sortBy[E any](list []E, orders []spec.Order) {
	for _, by := range orders {
		slices.SortStableFunc(list, func(a, b E) int {
			one, _ := instance.At(a, by.Path)
			other, _ := instance.At(b, by.Path)
			return cmp.Or(by.Sign, 1) * compare(one, other)
		})
	}
}

// asked sorts the entries of a list as the request requires, and keeps those of the first page or of the
// page after it.
func (d *declared) asked(shown *sample, most int, isNext bool, sorted []spec.Order) *sample {
	arranged := d.made.get(making{shown, fmt.Sprint("asked ", most, isNext, sorted)}, func() *sample {
		_, items, set := listIn(plain(shown.content()))
		if set == nil {
			return shown
		}
		sortBy(items, sorted)
		size := len(items)
		if most > 0 {
			size = min(most, size)
		}
		if isNext {
			items = items[size:]
		}
		items = items[:min(size, len(items))]
		return d.sample(set(items))
	})
	if arranged == nil || !arranged.allowed {
		return shown
	}
	return arranged
}

// mostOf returns how many entries the requested page of a list may have, or 0 if there is no such number.
func mostOf(op *operation, query url.Values) (most int) {
	if size, ok := op.PageSize(); ok && query.Has(size.Name) {
		most, _ = strconv.Atoi(query.Get(size.Name))
	} else if ok {
		most, _ = op.FirstPage(query)
	}
	return most
}

// page returns the resources on the requested page of a collection, after filtering, and how many are on all pages.
func (s *service) page(op *operation, path string, r *fault.Request) (page map[string]map[string]any, matching int) {
	filters, query := asksFor(op, r), r.URL.Query()
	all := maps.Clone(s.resources)
	maps.DeleteFunc(all, func(where string, resource map[string]any) bool {
		return !isEntry(where, path) || !has(resource, filters, query)
	})
	most, matching := mostOf(op, query), len(all)
	if most < 1 || len(all) <= most || s.ignoresCheck(op, spec.StatePaged) {
		return all, matching
	}
	pages := slices.Collect(slices.Chunk(sortedKeys(all), most)) // at least two
	shown := pages[0]
	if isNext(op, r) {
		shown = pages[1]
	}
	maps.DeleteFunc(all, func(where string, _ map[string]any) bool { return !slices.Contains(shown, where) })
	return all, matching
}

// isNext reports whether a request asks for the page after the first one.
func isNext(op *operation, r *fault.Request) bool {
	query := r.URL.Query()
	return slices.ContainsFunc(op.NextPages(), func(next spec.NextPage) bool {
		return query.Has(next.Name) && (next.Path != nil || query.Get(next.Name) == next.Value.String())
	})
}

// listIn returns the entries of a list, and a function that sets them. The value is a list, or an object
// with a list of objects in the property name. If there are several, it is the first one whose entries have an id.
func listIn(value any) (name string, entries []any, set func(items []any) any) {
	if list, ok := value.([]any); ok && len(list) > 0 {
		return "", list, func(items []any) any { return items }
	}
	object, _ := value.(map[string]any)
	hasID := false
	for _, one := range sortedKeys(object) {
		list, ok := object[one].([]any)
		if !ok || len(list) == 0 || hasID {
			continue
		}
		_, isObject := list[0].(map[string]any)
		if hasID = isObject && idIn(list[0], "") != ""; isObject && (hasID || name == "") {
			name, entries, set = one, list, func(items []any) any { object[one] = items; return object }
		}
	}
	return name, entries, set
}

// entry returns a resource as an entry of a list. If an object contains the list, list is the
// name of its property.
func (d *declared) entry(list string, template any, set func(items []any) any, resource map[string]any) any {
	item := plain(template)
	object, ok := item.(map[string]any)
	if !ok {
		return item
	}
	of := d.content.Schema.Shape()
	if p := of.Property(list); p != nil {
		of = p.Shape
	}
	if of.Each != nil && of.Each.Inherited { // its discriminator may add properties
		whole := merged(item, resource)
		if d.allows(set([]any{whole})) {
			return whole
		}
	}
	for name, value := range resource {
		if _, has := object[name]; has {
			shown := plain(value)
			if p := of.Each.Property(name); p != nil {
				shown = declaredIn(p.Shape, shown)
			}
			tried(object, name, func() { object[name] = shown }, func() bool { return d.allows(set([]any{item})) })
		}
	}
	return item
}

// overlay copies the properties of a resource into the value of a response, as far as the
// response has these properties and allows their values.
func (d *declared) overlay(over *sample, resource map[string]any) *sample {
	object, ok := over.content().(map[string]any)
	if len(resource) == 0 || !ok {
		return over
	}
	return d.made.get(making{over, "overlay " + instance.Compact(resource)}, func() *sample {
		whole, _ := plain(object).(map[string]any)
		d.put(whole, resource)
		return d.sample(whole)
	})
}

// put copies a resource into the value of a response, or into an object inside that value.
func (d *declared) put(object, resource map[string]any) {
	outer := d.content.Schema.Shape()
	target, of, most := object, outer, shared(outer, resource)
	if most == 0 {
		for _, name := range sortedKeys(object) {
			inner, isObject := object[name].(map[string]any)
			_, next, _ := outer.Down(name, object)
			if n := shared(next, resource); isObject && n > most {
				target, of, most = inner, next, n
			}
		}
	}
	before, shown := maps.Clone(target), shownBy(of, resource)
	names := sortedKeys(shown)
	for _, name := range names {
		target[name] = plain(shown[name])
	}
	allowed := func() bool { return d.allows(object) }
	if allowed() {
		return
	}
	for _, name := range sortedKeys(before) { // it may conflict with the sent properties
		if _, sent := shown[name]; !sent && tried(target, name, func() { delete(target, name) }, allowed) {
			return
		}
	}
	clear(target)
	maps.Copy(target, before)
	for _, name := range names {
		if !tried(target, name, func() { target[name] = plain(shown[name]) }, allowed) {
			tried(target, name, func() { target[name] = merged(inFull(d.full.content(), name), shown[name]) }, allowed)
		}
	}
}

// tried changes a property of an object, and reverts the change if it is not allowed.
func tried(object map[string]any, name string, change func(), allowed func() bool) bool {
	before, had := object[name]
	change()
	isAllowed := allowed()
	switch {
	case isAllowed:
	case had:
		object[name] = before
	default:
		delete(object, name)
	}
	return isAllowed
}

// shownBy returns the properties of a resource that a schema may show.
func shownBy(of *schema.Shape, resource map[string]any) map[string]any {
	shown := map[string]any{}
	for name, value := range resource {
		switch p := of.Property(name); {
		case p != nil && p.Carried(schema.Response):
			shown[name] = declaredIn(p.Shape, value)
		case p == nil && of != nil && (of.Inherited || of.IsMap()): // its discriminator may select the schema
			shown[name] = value
		}
	}
	return shown
}

// declaredIn returns a value without the properties that its schema does not declare, or that are write-only.
func declaredIn(of *schema.Shape, value any) any {
	if of == nil {
		return value
	}
	if list, ok := value.([]any); ok {
		return lists.Map(list, func(one any) any { return declaredIn(of.Each, one) })
	}
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	kept := map[string]any{}
	for name, one := range object {
		switch p := of.Property(name); {
		case p != nil && p.Carried(schema.Response):
			kept[name] = declaredIn(p.Shape, one)
		case p == nil && !of.TellsUndeclared():
			kept[name] = one
		}
	}
	return kept
}

// without removes such properties from a response that the resource does not have, as far as the schema allows.
func (d *declared) without(shown *sample, resource map[string]any, isSuch func(name string) bool) *sample {
	object, ok := plain(shown.content()).(map[string]any)
	if !ok {
		return shown
	}
	names := lists.Filter(sortedKeys(object), func(name string) bool {
		_, sent := resource[name]
		return !sent && isSuch(name)
	})
	return d.made.get(making{shown, "without " + fmt.Sprint(names)}, func() *sample {
		for _, name := range names {
			tried(object, name, func() { delete(object, name) }, func() bool { return d.allows(object) })
		}
		return d.sample(object)
	})
}

// inFull returns the value of a property in the full response, or in an object inside it.
func inFull(full any, name string) any {
	object, _ := full.(map[string]any)
	if value, ok := object[name]; ok {
		return value
	}
	for _, key := range sortedKeys(object) {
		if inner, ok := object[key].(map[string]any); ok && inner[name] != nil {
			return inner[name]
		}
	}
	return nil
}

// merged returns an object with the sent values in it. Responses may show more properties of
// a resource than requests contain.
func merged(shown, sent any) any {
	whole, isObject := plain(shown).(map[string]any)
	part, ok := sent.(map[string]any)
	if !isObject || !ok {
		return plain(sent)
	}
	for name, value := range part {
		whole[name] = merged(whole[name], value)
	}
	return whole
}

// shared returns how many properties of a resource a schema declares.
func shared(of *schema.Shape, resource map[string]any) int {
	return lists.Count(slices.Collect(maps.Keys(resource)), func(name string) bool { return of.Property(name) != nil })
}

func objectOf(body string) map[string]any {
	object, _ := decoded(body).(map[string]any)
	return object
}

// decoded returns the value of a JSON text, or nil if the text is not JSON.
func decoded(text string) (value any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&value) != nil || d.More() {
		return nil
	}
	return value
}
