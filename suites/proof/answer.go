package proof

import (
	"cmp"
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
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
)

// mostCases is the maximum number of values of one response that are returned in turn.
const mostCases = 40

// declared is a response that the document declares, with the values that the service returns.
type declared struct {
	*spec.Declared
	status    int                // the status that the service sends
	content   *mediatype.Content // nil if there is no body
	mediaType string
	judged    *openapi3.Schema // the schema of the second reader; nil if there is none
	header    http.Header
	full      *sample   // the value with all properties; nil if the body is not JSON
	cases     []*sample // all values, the full one first

	made memo[making, *sample] // trials request the same samples repeatedly
}

// A sample is the value of a response body, and its JSON text. It is immutable.
type sample struct {
	value   any
	text    string
	allowed bool // the schema of the response allows it
}

// content returns the value of the sample, or nil if the sample is nil.
func (s *sample) content() any {
	if s == nil {
		return nil
	}
	return s.value
}

func (d *declared) sample(value any) *sample {
	return &sample{value, instance.Compact(value), d.allows(value)}
}

// A memo computes the value for a key once and then keeps it.
type memo[K comparable, V any] struct{ known sync.Map }

func (m *memo[K, V]) get(key K, do func() V) V {
	made, ok := m.known.Load(key)
	if !ok {
		made, _ = m.known.LoadOrStore(key, sync.OnceValue(do))
	}
	return made.(func() V)() //nolint:forcetypeassert,errcheck // nothing else is kept
}

// making is the key of a sample: the sample that it is made from, and how.
type making struct {
	from *sample
	how  string
}

// declare prepares a response. A range such as 4XX gets the status 400, and default gets
// 400, or 200 if the operation declares no other success.
func (r *reader) declare(d *spec.Declared, op *operation) *declared {
	one := &declared{Declared: d, status: http.StatusBadRequest, header: http.Header{}}
	if d.Status == "default" && len(op.Successes()) == 0 {
		one.status = http.StatusOK
	}
	if n, err := strconv.Atoi(strings.NewReplacer("X", "0", "x", "0").Replace(d.Status)); err == nil {
		one.status = n
	}
	// The suite waits for the time in Retry-After. It creates fewer entries than these totals.
	numbers := map[string]string{"Retry-After": "0", "X-Total-Count": "1000", "X-Total": "1000"}
	for _, h := range d.Headers {
		if v, err := generate.Draw(h.Schema, schema.Response, generate.Minimal{}); err == nil {
			if pairs, err := h.Write(v); err == nil {
				one.header.Set(h.Name, cmp.Or(numbers[http.CanonicalHeaderKey(h.Name)], pairs[0].Value))
			}
		}
	}
	one.header.Del("Content-Length") // the server writes it
	i := slices.IndexFunc(d.Content, func(c mediatype.Content) bool { return c.MayBeJSON() && !c.IsRange() })
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

// cases returns values of a response that both readers accept, or else one value that the
// first reader accepts.
func (r *reader) cases(d *declared) []*sample {
	var list []*sample
	for c := range generate.Valid(d.content.Schema, schema.Response) {
		switch {
		case c.Kind == "undeclared", !r.accepts(d.judged, c.Value): // a service should not return undeclared properties
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
	value, _ := generate.Draw(d.content.Schema, schema.Response, generate.Minimal{}) // nil if there is none
	return []*sample{d.sample(value)}
}

// allows reports whether the schema of the response allows a value. It asks only the first
// reader, because both readers allow the parts of the value.
func (d *declared) allows(value any) bool { return d.content.Schema.Meets(schema.Response, value) }

// plain returns a deep copy of a value.
func plain(value any) any {
	return instance.Rewrite(value, nil, func(text string) any { return text })
}

// withMore adds an undeclared property to objects in a response body, if the document allows it.
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
		all := slices.DeleteFunc(objectsIn(value), func(one objectAt) bool { // a map has only the names that were sent
			return len(one.path) > 0 && len(d.content.Schema.Shape().At(one.path, value).Properties) == 0
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
			tried(one.object, name, func() { one.object[name] = true }, func() bool { return d.allows(value) })
		}
		return d.sample(value)
	})
	if more == nil {
		return a
	}
	return a.WithBody(more.text)
}

// withStatus sets the status in a problem document to the status of the response. No schema requires that
// the two are equal.
func (d *declared) withStatus(a fault.Answer) fault.Answer {
	if d.content == nil || !d.content.TellsOtherStatus(decoded(string(a.Body)), a.Status) {
		return a
	}
	offset, told, _ := instance.Find(a.Body, []string{"status"})
	return a.WithBody(string(a.Body[:offset]) + strconv.Itoa(a.Status) + string(a.Body[int(offset)+len(told):]))
}

type objectAt struct {
	path   []string
	object map[string]any
}

// objectsIn returns the objects in a value, including the value itself. path is the path of
// the value.
func objectsIn(value any, path ...string) []objectAt {
	var list []objectAt
	switch v := value.(type) {
	case map[string]any:
		list = append(list, objectAt{path, v})
		for _, name := range sortedKeys(v) {
			list = append(list, objectsIn(v[name], instance.Below(path, name)...)...)
		}
	case []any:
		for i, one := range v {
			list = append(list, objectsIn(one, instance.Below(path, strconv.Itoa(i))...)...)
		}
	}
	return list
}

// answer returns a response with the sample as its body, or with some text if the body is
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
	part := fmt.Sprintf("bytes 0-%d/%d", len(a.Body)-1, len(a.Body)) // the whole body; the suite checks the numbers
	if h := d.Header("Content-Range"); h != nil && h.Schema.Meets(schema.Response, part) {
		a.Header.Set("Content-Range", part)
	}
	return a
}
