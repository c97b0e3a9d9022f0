package shown

import (
	"regexp"
	"slices"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/schema"
)

// A Sent is a request that created or changed a resource.
type Sent struct {
	Method     string
	Schema     *schema.Schema // of the body; nil if the contract does not describe it
	Body       any            // nil if it is ambiguous or cannot be read
	MergePatch bool           // the body is a merge patch (RFC 7396)
	Patch      bool           // the body is a list of operations (RFC 6902), or has one

	Kept []string // the path to an object in the body whose properties stay if a PATCH leaves them out; nil for none
}

// A Difference is a value that a response does not show as it was sent.
type Difference struct {
	Path     []string // in the response
	Message  string   // a predicate of the value: "is missing, though it was sent"
	Expected string
}

// Parts compares a response of that schema with the requests before it: each value that a request
// had and that both describe alike. It ignores values that the service adds.
func Parts(of *schema.Schema, sent []Sent, body any) (list []Difference) {
	requests := make([]request, len(sent))
	for i, s := range sent {
		if s.Schema != nil && s.Body == nil { // its effect on the resource is unknown
			return nil
		}
		if requests[i] = newRequest(s); s.Patch {
			requests[i].patch = readPatch(s.Body)
		}
	}
	within, resource, requests := held(of.Shape(), requests)
	object, _ := instance.At(body, within)
	got, isObject := object.(map[string]any)
	if !isObject || len(sent) == 0 {
		return nil
	}
	h := historyOf(requests)
	if h.isAnother(of, body) {
		return nil
	}
	for _, p := range members(resource, h.want, h.former) {
		if !h.sameMeaning(p) {
			continue
		}
		actual, present := got[p.Name]
		below, message, expected := h.compare(p, of.Of(p), actual, present)
		if message != "" {
			list = append(list, Difference{slices.Concat(within, []string{p.Name}, below), message, expected})
		}
	}
	return list
}

// Alike reports whether a response describes any property as a request does, so that [Parts] has
// something to compare.
func Alike(of *schema.Shape, body *schema.Schema) bool {
	_, resource, sent := held(of, []request{newRequest(Sent{Schema: body})})
	if resource.IsMap() && sent[0].shape.IsMap() {
		return resource.IsLike(sent[0].shape)
	}
	return alike(resource, sent) > 0
}

// A request is a [Sent] with the place of the resource in its body.
type request struct {
	Sent
	within []string      // the path to the resource in the body, see [held]
	shape  *schema.Shape // of the resource; nil if the body has no schema
	patch  *patch        // what a JSON Patch says; nil for other bodies
}

func newRequest(s Sent) request {
	if s.Schema == nil {
		return request{Sent: s}
	}
	return request{Sent: s, shape: s.Schema.Shape()}
}

// values returns the values of the object that the request carries. ok is false if it carries none.
func (r request) values() (values map[string]any, ok bool) {
	if r.patch != nil {
		return r.patch.values, true
	}
	inner, _ := instance.At(r.Body, r.within)
	values, ok = inner.(map[string]any)
	return values, ok
}

// held finds where a response shows what was sent: as a whole, or in an envelope as in
// {"data":{…}}. The requests may have an envelope as well, such as {"note": {…}}.
func held(of *schema.Shape, sent []request) (within []string, resource *schema.Shape, inner []request) {
	inner = slices.Clone(sent)
	for i, r := range sent {
		if path, shape := r.shape.Inside(); len(path) > 0 && (len(of.Properties) == 1 || of.Property(path[0]) == nil) {
			inner[i].within, inner[i].shape = path, shape
		}
	}
	best := alike(of, sent)
	for _, p := range of.Properties {
		if n := alike(p.Shape, inner); n > best && (len(of.Properties) == 1 || envelope.MatchString(p.Name)) {
			return []string{p.Name}, p.Shape, inner
		}
	}
	if alike(of, inner) > best {
		return nil, of, inner
	}
	return nil, of, sent
}

// envelope matches the property names that some services use for an envelope.
var envelope = regexp.MustCompile(`(?i)^(data|results?|response|payload|item|content|entity)$`)

// alike counts the properties of a response that each request describes alike.
func alike(of *schema.Shape, sent []request) (n int) {
	for _, r := range sent {
		n += lists.Count(of.Properties, func(p *schema.Property) bool { return isAlike(p, r.shape.Property(p.Name)) })
	}
	return n
}

// isAlike reports whether two properties describe the same, are carried in both directions, and are
// neither a file nor a password. q may be nil.
func isAlike(p, q *schema.Property) bool {
	return q != nil && !p.Shape.IsFile() && !isPassword(p) && !p.ReadOnly && !p.WriteOnly && !q.ReadOnly && !q.WriteOnly && q.Shape.IsLike(p.Shape)
}

// isPassword reports whether a property holds a password, by its name or format. A service may show
// it in another form, or not at all.
func isPassword(p *schema.Property) bool {
	return p.Shape.Format == "password" || password.MatchString(p.Name)
}

var password = regexp.MustCompile(`(?i)passw|passphrase|passcode`)

// List finds the list in a response body that has one of these shapes: the body itself, or the list
// in an object that a shape describes. If no shape describes a list, it is the only list in the
// object, or else the only list in the objects inside.
func List(responses []*schema.Shape, body any) (list []any, ok bool) {
	if list, ok = body.([]any); ok {
		return list, true
	}
	described := false
	for _, of := range responses {
		path, list := listIn(of)
		if list == nil || len(path) == 0 {
			continue
		}
		inner, _ := instance.At(body, path)
		if found, ok := inner.([]any); ok {
			return found, true
		}
		described = true
	}
	if described {
		return nil, false
	}
	found := listsIn(body)
	if object, _ := body.(map[string]any); len(found) == 0 {
		for _, inner := range object {
			found = append(found, listsIn(inner)...)
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// Entries returns the shape of the entries in the list of a response, and the path to the first
// entry. If there is no such list, the path is nil, and the shape is that of the values that the
// response holds. It is nil if the contract does not describe them.
func Entries(of *schema.Shape) (each *schema.Shape, first []string) {
	path, list := listIn(of)
	if list == nil {
		return of.Each, nil
	}
	return list.Each, append(slices.Clone(path), "0")
}

func listsIn(body any) (found [][]any) {
	object, _ := body.(map[string]any)
	for _, value := range object {
		if list, ok := value.([]any); ok {
			found = append(found, list)
		}
	}
	return found
}

// described is a list in an object, and the path to it.
type described struct {
	path []string
	list *schema.Shape
}

// listIn returns the list of a response, and the path to it. If an object has no list, the lists of
// the objects inside count, as in HAL. Of several lists, it prefers the one whose entries have an
// id, then the only one of objects, then the one with the name of an envelope. The others are about
// the whole, such as links and warnings.
func listIn(s *schema.Shape) (path []string, list *schema.Shape) {
	if s.IsArray() {
		return nil, s
	}
	var all, deeper []described
	for _, p := range s.Properties {
		if p.Shape.IsArray() {
			all = append(all, described{[]string{p.Name}, p.Shape})
		}
		for _, inner := range p.Shape.Properties {
			if inner.Shape.IsArray() {
				deeper = append(deeper, described{[]string{p.Name, inner.Name}, inner.Shape})
			}
		}
	}
	if len(all) == 0 {
		all = deeper
	}
	for _, isSuch := range []func(described) bool{
		func(d described) bool {
			return d.list.Each != nil && (showsID(d.list.Each) || slices.ContainsFunc(d.list.Each.Properties, func(p *schema.Property) bool { return showsID(p.Shape) }))
		},
		func(d described) bool { return d.list.Each != nil && len(d.list.Each.Properties) > 0 },
		func(d described) bool { return envelope.MatchString(d.path[len(d.path)-1]) },
	} {
		if such := lists.Filter(all, isSuch); len(all) > 1 && len(such) > 0 {
			all = such
		}
	}
	if len(all) != 1 {
		return nil, nil
	}
	return all[0].path, all[0].list
}

// showsID reports whether an object has a property with an id.
func showsID(s *schema.Shape) bool {
	return slices.ContainsFunc(s.Properties, func(p *schema.Property) bool { return IsID(p.Name) })
}

// IsID reports whether a property with that name holds the id of its object.
func IsID(name string) bool { return idName.MatchString(name) }

var idName = regexp.MustCompile(`^_?(?i:id|uuid|guid)$`)
