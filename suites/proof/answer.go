package proof

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// mostCases is how many values of one response are answered in turn.
const mostCases = 40

// declared is a response that the document declares, and what the service answers there.
type declared struct {
	*spec.Declared
	status    int           // that the service sends
	content   *spec.Content // nil if there is no body
	mediaType string
	judged    *openapi3.Schema // the second reader's; nil if there is none
	header    http.Header
	full      *sample   // the value with everything in it; there is none if the body is not JSON
	cases     []*sample // all values, the full one first

	made memo[making, *sample] // trials ask for the same again and again
}

// sample is the value of a response, and its text. It does not change.
type sample struct {
	value   any
	text    string
	allowed bool // by the schema of the response
}

// content is the value of the sample, where there is one.
func (s *sample) content() any {
	if s == nil {
		return nil
	}
	return s.value
}

func (d *declared) sample(value any) *sample {
	return &sample{value, instance.Compact(value), d.allows(value)}
}

// memo keeps what was made for a key, once.
type memo[K comparable, V any] struct{ known sync.Map }

func (m *memo[K, V]) get(key K, do func() V) V {
	made, ok := m.known.Load(key)
	if !ok {
		made, _ = m.known.LoadOrStore(key, sync.OnceValue(do))
	}
	return made.(func() V)() //nolint:forcetypeassert,errcheck // nothing else is kept
}

// making is what a sample is made from: another one, and the resources that it shows.
type making struct {
	from *sample
	how  string
}

// declare prepares a response. A status such as 4XX stands for its first one, and default
// for a rejection, unless the operation declares no other success.
func (r *reader) declare(d *spec.Declared, op *operation) *declared {
	one := &declared{Declared: d, status: http.StatusBadRequest, header: http.Header{}}
	if d.Status == "default" && len(op.Successes()) == 0 {
		one.status = http.StatusOK
	}
	if n, err := strconv.Atoi(strings.NewReplacer("X", "0", "x", "0").Replace(d.Status)); err == nil {
		one.status = n
	}
	for _, h := range d.Headers {
		if h.Schema == nil {
			continue
		}
		if v, err := generate.Draw(h.Schema, schema.Response, generate.Minimal{}); err == nil {
			text := headerText(v)
			if h.JSON {
				text = instance.Compact(v)
			}
			one.header.Set(h.Name, text)
		}
	}
	if one.header.Get("Retry-After") != "" {
		one.header.Set("Retry-After", "0") // the suite waits as long as it is told
	}
	i := slices.IndexFunc(d.Content, func(c spec.Content) bool { return c.MayBeJSON() && !c.IsRange() })
	if i < 0 && len(d.Content) > 0 {
		i = 0
	}
	if i < 0 || one.status < http.StatusOK || one.status == http.StatusNoContent || one.status == http.StatusNotModified {
		return one
	}
	one.content, one.mediaType = &d.Content[i], d.Content[i].MediaType
	if one.content.IsRange() {
		one.mediaType = "application/json"
	}
	if ref := op.route.Operation.Responses.Value(d.Status); ref != nil && ref.Value != nil {
		if m := ref.Value.Content[one.content.MediaType]; m != nil && m.Schema != nil {
			one.judged = m.Schema.Value
		}
	}
	if one.content.MayBeJSON() && one.content.Schema != nil && one.content.Flaw == nil {
		one.cases = r.cases(one)
		one.full = one.cases[0]
	}
	return one
}

// cases are values of a response that both readers accept, or at least one that the first
// does.
func (r *reader) cases(d *declared) []*sample {
	var list []*sample
	for c := range generate.Valid(d.content.Schema, schema.Response) {
		switch {
		case c.Kind == "undeclared", !r.accepts(d.judged, c.Value): // the first a service should not answer
		case c.Kind == "full":
			list = slices.Insert(list, 0, d.sample(c.Value))
		default:
			list = append(list, d.sample(c.Value))
		}
		if len(list) == mostCases {
			break
		}
	}
	if len(list) > 0 {
		return list
	}
	value, err := generate.Draw(d.content.Schema, schema.Response, generate.Minimal{})
	if err != nil {
		value = nil
	}
	return []*sample{d.sample(value)}
}

// allows reports whether the schema of the response allows a value. It is made of parts that
// both readers allow.
func (d *declared) allows(value any) bool { return d.content.Schema.Meets(schema.Response, value) }

// plain is a value that shares nothing with the one it is made from.
func plain(value any) any {
	return instance.Rewrite(value, nil, func(text string) any { return text })
}

// withMore is an answer whose objects have one more property each, if the document lets them.
func (d *declared) withMore(a fault.Answer) fault.Answer {
	if len(d.cases) == 0 {
		return a
	}
	more := d.made.get(making{how: "more than " + string(a.Body)}, func() *sample {
		value := decoded(string(a.Body))
		if value == nil {
			return nil
		}
		const name, most = "nobody-declares-this", 20
		all := slices.DeleteFunc(objectsIn(value), func(one objectAt) bool { // what a client calls as it likes has only what it sent
			of := d.shapeAt(one.path)
			return len(one.path) > 0 && (of == nil || len(of.Properties) == 0)
		})
		for _, one := range all {
			one.object[name] = true
		}
		if d.allows(value) {
			return d.sample(value)
		}
		for _, one := range all {
			delete(one.object, name)
		}
		for _, one := range all[:min(len(all), most)] {
			if one.object[name] = true; !d.allows(value) {
				delete(one.object, name)
			}
		}
		return d.sample(value)
	})
	if more == nil {
		return a
	}
	return a.WithBody(more.text)
}

// withStatus is an answer whose body has the status of the response, if it is a problem document: no schema says
// that it must.
func (d *declared) withStatus(a fault.Answer) fault.Answer {
	if d.content == nil || !d.content.TellsOtherStatus(decoded(string(a.Body)), a.Status) {
		return a
	}
	offset, told, _ := instance.Find(a.Body, []string{"status"})
	return a.WithBody(string(a.Body[:offset]) + strconv.Itoa(a.Status) + string(a.Body[int(offset)+len(told):]))
}

// shapeAt is the shape of the values of a response at a path with * for the items of lists; nil
// if nothing is said of them.
func (d *declared) shapeAt(path []string) *schema.Shape {
	of := d.content.Schema.Shape()
	for _, step := range path {
		switch p := of.Property(step); {
		case p != nil:
			of = p.Shape
		case of != nil:
			of = of.Each
		}
	}
	return of
}

// objectAt is an object in a value.
type objectAt struct {
	path   []string // with * for the items of lists
	object map[string]any
}

// objectsIn are the objects in a value, itself included. The path is that of the value.
func objectsIn(value any, path ...string) []objectAt {
	var list []objectAt
	switch v := value.(type) {
	case map[string]any:
		list = append(list, objectAt{path, v})
		for _, name := range sortedKeys(v) {
			list = append(list, objectsIn(v[name], instance.Below(path, name)...)...)
		}
	case []any:
		for _, one := range v {
			list = append(list, objectsIn(one, instance.Below(path, "*")...)...)
		}
	}
	return list
}

// answer is a response with that value as its body, or with some text if the body is
// not JSON.
func (d *declared) answer(shown *sample) fault.Answer {
	a := fault.Answer{Status: d.status, Header: d.header.Clone()}
	if d.content == nil {
		return a
	}
	a.Header.Set("Content-Type", d.mediaType)
	a.Body = []byte("text")
	switch {
	case shown != nil:
		a.Body = []byte(shown.text)
	case d.content.MayBeJSON():
		a.Body = []byte("null")
	}
	part := fmt.Sprintf("bytes 0-%d/%d", len(a.Body)-1, len(a.Body)) // all of it, and the suite counts
	if h := d.Header("Content-Range"); h != nil && h.Schema != nil && h.Schema.Meets(schema.Response, part) {
		a.Header.Set("Content-Range", part)
	}
	return a
}

// headerText writes a value in the style "simple".
func headerText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		var items []string
		for _, one := range v {
			items = append(items, headerText(one))
		}
		return strings.Join(items, ",")
	}
	return instance.Compact(value)
}
