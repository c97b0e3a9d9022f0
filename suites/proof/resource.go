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
	"github.com/plantstore/conformance/spec/schema"
)

// The service stores resources by the stem of their path. It puts the id of a new resource wherever
// a client may look for it: into the body and into Location.

// once executes a request. It repeats the earlier response if a request with the same idempotency key was
// executed before. It rejects a request with a unique value that is taken.
func (s *service) once(op *operation, path string, r *fault.Request) fault.Answer {
	sent, _ := op.sent(r.Text())
	if s.namesNothing(op, sent) && !s.ignoresCheck(op, spec.StateReference) {
		return s.reply(op, s.refusal(op, []flaw{{atBody, "type"}}))
	}
	keys := map[string]string{}
	if p, ok := op.IdempotencyKey(); ok && r.Header.Get(p.Name) != "" {
		keys[spec.StateIdempotent] = fmt.Sprintf("%s %s %s", op.ID, r.Header.Get(p.Name), r.Text())
	}
	if _, names := op.Unique(); len(names) > 0 && !op.ChangesEntry() {
		keys[spec.StateUnique] = path
		for _, name := range names {
			keys[spec.StateUnique] += " " + instance.Compact(sent[name])
		}
	}
	for _, state := range sortedKeys(keys) {
		switch before, known := s.answers[keys[state]]; {
		case !known, s.ignoresCheck(op, state):
		case state == spec.StateUnique:
			return s.reply(op, http.StatusConflict)
		default:
			before.Header = before.Header.Clone()
			return before
		}
	}
	a := s.inState(op, path, r)
	for _, key := range keys {
		if isSuccess(a.Status) {
			s.answers[key] = a
		}
	}
	return a
}

// carryOut executes a valid request.
func (s *service) carryOut(op *operation, path string, r *fault.Request) fault.Answer {
	if !s.exists(op, path) {
		return s.reply(op, http.StatusNotFound)
	}
	if status := s.ofVersion(op, path, r.Header.Get("If-Match")); status != 0 {
		return s.reply(op, status)
	}
	success, resource := s.success(op), s.resources[path]
	isItem := strings.HasSuffix(op.stem(), "}")
	switch {
	case op.makes != nil, op.Method == http.MethodPost && s.creating[op.stem()]:
		return s.create(op, success, path, r.Text())
	case !s.kept[op.stem()]:
	case s.isTaken(op, path, r) && !s.ignoresCheck(op, spec.StateUnique):
		return s.reply(op, http.StatusConflict)
	case op.Method == http.MethodPut || s.method(op) == http.MethodPatch:
		if success, resource = s.change(op, path, r); success == nil {
			return s.reply(op, http.StatusConflict)
		}
	case op.Occupier() != nil && slices.ContainsFunc(sortedKeys(s.resources), func(where string) bool { return strings.HasPrefix(where, path+"/") }) && !s.ignoresCheck(op, spec.StateOccupied):
		return s.reply(op, http.StatusConflict)
	case op.Method == http.MethodDelete && isItem && !s.ignoresChange(op, resource, nil):
		s.remove(path)
		s.touched[path] = true
	}
	if !op.IsSafe() && resource == nil {
		resource, _ = op.sent(r.Text()) // shown if the response has such properties
		s.begin(op, success, resource)
	}
	if resource == nil && isItem && op.IsSafe() {
		resource = named(op, success, path)
	}
	if op.IsSafe() && resource == nil && (s.emptyLists || s.creating[op.stem()] || len(asksFor(op, r)) > 0) {
		page, matching := s.page(op, path, r)
		if a, ok := s.list(success, path, page, sorting(op, r)...); ok {
			return success.counting(op, a, strconv.Itoa(matching))
		}
	}
	var a fault.Answer
	switch {
	case op.IsSafe() && resource == nil:
		a = success.answer(success.asked(s.value(success), mostOf(op, r.URL.Query()), isNext(op, r), sorting(op, r)))
	case op.IsSafe() && s.resources[path] != nil:
		a = s.reading(op, success, resource)
	default:
		a = s.showing(op, success, resource)
	}
	if h := success.Header("ETag"); h != nil && op.Method == http.MethodGet {
		s.tag(a, h, path, resource)
	}
	return a
}

// tag sets the ETag of a response.
func (s *service) tag(a fault.Answer, h *spec.DeclaredHeader, path string, resource map[string]any) {
	versions := []string{s.version(resource), strong(string(a.Body))} // the second one if no weak ETag is allowed
	if i := slices.IndexFunc(versions, func(tag string) bool { return h.Schema.Meets(schema.Request, tag) }); i >= 0 {
		a.Header.Set("ETag", versions[i])
		s.tags[path] = versions[i]
	} else if !h.Required {
		a.Header.Del("ETag")
	}
}

// named returns a resource with only the id in its path.
func named(op *operation, d *declared, path string) map[string]any {
	key, id := idShown(d.full.content(), idName(op.stem()))
	text, _ := url.PathUnescape(path[strings.LastIndex(path, "/")+1:])
	switch id.(type) {
	case string:
		return map[string]any{key: text}
	case json.Number:
		if instance.IsNumber(text) {
			return map[string]any{key: instance.Number(text)}
		}
	}
	return nil
}

// ignoresCheck reports whether an operation has the deviation that ignores a state clause. It
// marks the deviation as shown.
func (s *service) ignoresCheck(op *operation, state string) bool {
	if s.deviations[op.ID].state != state {
		return false
	}
	s.shown[op.ID] = true
	return true
}

// asksFor returns the filters that the request uses to select entries of a list.
func asksFor(op *operation, r *fault.Request) []spec.Filter {
	query := r.URL.Query()
	return slices.DeleteFunc(op.Filters(), func(f spec.Filter) bool { return len(f.Asked(query)) == 0 })
}

// sorting returns the orders that the request requires for the entries of a list.
func sorting(op *operation, r *fault.Request) []spec.Order {
	query := r.URL.Query()
	return slices.DeleteFunc(op.Orders(), func(by spec.Order) bool { return !by.IsAskedBy(query) })
}

// compare compares two values: as numbers if both are numbers, otherwise as text.
func compare(one, other any) int {
	x, isNumber := instance.Rational(one)
	if y, areNumbers := instance.Rational(other); isNumber && areNumbers {
		return x.Cmp(y)
	}
	return strings.Compare(instance.Compact(one), instance.Compact(other))
}

// has reports whether a resource has the values that the filters require, directly or in lists.
func has(resource map[string]any, filters []spec.Filter, query url.Values) bool {
	return !slices.ContainsFunc(filters, func(f spec.Filter) bool {
		inner, _ := instance.At(resource, f.Path)
		asked := f.Asked(query)
		if f.By.IsBound() {
			order := compare(inner, cmp.Or(decoded(asked[0]), any(asked[0]))) * int(f.By)
			return inner == nil || order < 0 || order == 0 && f.Edge == spec.EdgeExcluded
		}
		list, isList := inner.([]any)
		if !isList {
			list = []any{inner}
		}
		return !slices.ContainsFunc(list, func(one any) bool {
			return slices.ContainsFunc(asked, func(asked string) bool {
				text := strings.Trim(instance.Compact(one), `"`)
				return text == asked || f.By == spec.OfDay && strings.HasPrefix(text, asked)
			})
		})
	})
}

// isEntry reports whether where is the path of an entry of the list.
func isEntry(where, list string) bool {
	rest, below := strings.CutPrefix(where, list+"/")
	return below && !strings.Contains(rest, "/")
}

// change replaces a resource or some of its values, or creates it. In a patch that is not a
// merge patch (RFC 7396), null is an ordinary value.
func (s *service) change(op *operation, path string, r *fault.Request) (*declared, map[string]any) {
	before := s.resources[path]
	sent, of := op.sent(r.Text())
	if (before != nil || !s.made[op.stem()]) && s.ignoresChange(op, before, sent) {
		return s.success(op), before
	}
	resource := map[string]any{}
	if op.Relates() {
		resource = s.related(op, path)
	}
	for name, value := range before {
		if s.method(op) == http.MethodPatch || isID(name, idName(op.stem())) {
			resource[name] = value
		}
	}
	var operations []any
	isList := op.Method == http.MethodPatch && json.Unmarshal([]byte(r.Text()), &operations) == nil
	if patched, ok := instance.Patched(before, operations); isList && before != nil {
		if resource, _ = patched.(map[string]any); !ok && !s.ignoresCheck(op, spec.StateAtomic) {
			return nil, nil
		}
	} else if op.Method == http.MethodPatch && strings.Contains(r.Header.Get("Content-Type"), "merge-patch") {
		resource, _ = instance.Merged(resource, sent).(map[string]any)
	} else {
		maps.Copy(resource, sent)
	}
	if op.Method == http.MethodPut {
		op.preset(resource, of)
	}
	s.keep(path, resource)
	wanted := http.StatusOK
	if before == nil {
		wanted = http.StatusCreated
	}
	if d := op.response(wanted); d != nil && d.status == wanted {
		return d, resource
	}
	return s.success(op), resource
}

// related returns the values of the resource that a path relates to another one, and its id.
func (s *service) related(op *operation, path string) map[string]any {
	id := path[strings.LastIndex(path, "/"):]
	related := map[string]any{idName(op.stem()): id[1:]}
	for _, where := range sortedKeys(s.resources) {
		if strings.HasSuffix(where, id) && strings.Count(where, "/") < strings.Count(path, "/") {
			maps.Copy(related, s.resources[where])
		}
	}
	return related
}

// sent returns the object in a request body, or the object inside its envelope, and the shape.
func (op *operation) sent(text string) (object map[string]any, of *schema.Shape) {
	object = objectOf(text)
	body := op.RequestBody.JSON()
	if body == nil {
		return object, nil
	}
	of = body.Shape()
	if path, resource := of.Inside(); path != nil {
		if inner, isObject := object[path[0]].(map[string]any); isObject {
			return inner, resource
		}
	}
	maps.DeleteFunc(object, func(name string, _ any) bool { p := of.Property(name); return p != nil && p.ReadOnly })
	return object, of
}

// preset sets the defaults of the properties that a request omits.
func (op *operation) preset(resource map[string]any, of *schema.Shape) {
	if of == nil {
		return
	}
	for _, p := range of.Properties {
		given := p.At.Get("default")
		if _, sent := resource[p.Name]; !sent && given != nil && p.Carried(schema.Request) && op.RequestBody.JSON().Of(p).Meets(schema.Request, given.Value()) {
			resource[p.Name] = given.Value()
		}
	}
}

// keep stores a resource. If it is new, keep clears the touched marks of the other entries in
// its list, because those changes happened before this resource existed.
func (s *service) keep(path string, resource map[string]any) {
	if s.resources[path] != nil {
		s.touched[path] = true
	} else {
		list := path[:strings.LastIndex(path, "/")]
		maps.DeleteFunc(s.touched, func(other string, _ bool) bool { return isEntry(other, list) })
	}
	s.resources[path] = resource
	delete(s.deleted, path)
	delete(s.tags, path)
}

// remove removes a resource and all below it.
func (s *service) remove(path string) {
	s.deleted[path] = nil
	for other := range s.resources {
		if other == path || strings.HasPrefix(other, path+"/") {
			s.deleted[other] = s.resources[other]
			delete(s.resources, other)
		}
	}
}

// exists reports whether all resources in a path exist. A resource that no request creates exists
// until a request removes it. The last one need not exist for a PUT, or a PATCH that creates.
func (s *service) exists(op *operation, path string) bool {
	template, segments := strings.Split(op.stem(), "/"), strings.Split(path, "/")
	for i := range template {
		if !strings.HasPrefix(template[i], "{") || !strings.HasSuffix(template[i], "}") {
			continue
		}
		isLast := i == len(template)-1
		if isLast && (op.Method == http.MethodPut || op.createsByPatch()) {
			continue
		}
		where := strings.Join(segments[:i+1], "/")
		_, isDeleted := s.deleted[where]
		if isDeleted || s.made[strings.Join(template[:i+1], "/")] && s.resources[where] == nil {
			return false
		}
	}
	return true
}

// create stores a new resource and returns the response.
func (s *service) create(op *operation, d *declared, path, text string) fault.Answer {
	sent, of := op.sent(text)
	name := "id"
	if op.makes != nil {
		name = idName(op.makes.stem())
	}
	resource := map[string]any{}
	maps.Copy(resource, sent)
	op.preset(resource, of)
	s.begin(op, d, resource)
	key, shownID := op.idCreated(d.full.content(), name, sent)
	names := s.idsShown(op, name)
	id, value := "", any(nil)
	for _, own := range append([]string{key}, names...) {
		text, ok := scalarText(sent[own])
		if ok {
			id, value = text, sent[own]
		}
		if ok || key != "" { // clients use the id in the response
			break
		}
	}
	if id == "" {
		if id, value = s.assign(op, d, path, resource, key, shownID); id == "" {
			return s.reply(op, http.StatusConflict)
		}
	}
	for _, own := range names {
		if resource[own] == nil {
			resource[own] = value
		}
	}
	where := path + "/" + url.PathEscape(id)
	s.keep(where, resource)
	a := s.showing(op, d, resource)
	if item := op.makes; item != nil {
		a.Header.Set("Location", where+strings.TrimPrefix(item.Path, item.stem()))
	}
	return a
}
