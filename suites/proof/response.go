package proof

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/schema"
)

func (m *model) wrongResponses(op *operation, d *declared) (list []deviation, differ []string) {
	ids := op.ClauseIDs().Response(d.Status)
	waits := ""
	if d.status == http.StatusTooManyRequests || d.status == http.StatusServiceUnavailable && d.Header("Retry-After") != nil {
		waits = "after such a response the suite waits and asks again"
	}
	add := func(name string, clause spec.ClauseID, unions []spec.ClauseID, edit fault.Edit) *deviation {
		also := []spec.ClauseID{op.ClauseIDs().Accepts()}               // the status may be another success or a failure
		if d.status/100 == 5 || d.status == http.StatusPartialContent { // Content-Range states the length of the body
			also = append(also, op.ClauseIDs().Answers())
		}
		list = append(list, deviation{
			operation: op.ID, name: d.Status + " " + name, clause: clause, also: also, unions: unions, unshowable: waits,
			wants: func(status int) bool { return op.instead(status, d) != 0 },
			changes: func(s *service, r *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
				status := op.instead(a.Status, d)
				if status == 0 {
					return a, false
				}
				if status != a.Status {
					a = d.answer(s.value(d))
					a.Status = status
				}
				return edit(r, a), true
			},
		})
		return &list[len(list)-1]
	}
	for _, h := range d.Headers {
		if h.Clause == "" || h.Name == "Content-Length" {
			continue
		}
		if h.Required {
			add("without the header "+h.Name, h.Clause, nil, fault.Header(http.CanonicalHeaderKey(h.Name)))
		}
		if text, found := m.reader.wrongText(op, d, h); found {
			add("with the header "+h.Name+": "+text, h.Clause, nil, fault.Header(http.CanonicalHeaderKey(h.Name), text))
		}
	}
	if d.content == nil {
		return list, nil
	}
	other := add("as another media type", ids.MediaType(), nil, fault.MediaType("x-conformance/other"))
	if slices.ContainsFunc(d.Content, func(c mediatype.Content) bool { return c.MediaType == "*/*" }) {
		other.unshowable = "the document declares no media type, or any"
	}
	if d.content.MayBeJSON() && len(d.cases) > 0 && op.Method != http.MethodHead {
		differ = m.wrongBodies(op, d, add)
	}
	return list, differ
}

// wrongBodies adds the deviations of the JSON body of a declared response. Each of them edits
// the response so that it breaks one clause.
func (m *model) wrongBodies(op *operation, d *declared, add func(name string, clause spec.ClauseID, unions []spec.ClauseID, edit fault.Edit) *deviation) (differ []string) {
	ids := op.ClauseIDs().Response(d.Status)
	broken := map[spec.ClauseID]bool{}
	if op.states(ids.Body()) {
		add("without a body", ids.Body(), nil, fault.Body(fault.Nothing))
		add("with malformed JSON", ids.Body(), nil, fault.Body(fault.Suffixed("}")))
	}
	// Responses with the same schema share their wrong values, because deriving these is slow.
	for _, c := range m.wrong.get(d.content.Schema, func() []wrongValue { return m.reader.wrongValues(d) }) {
		clause := op.nearest(ids.Body(), c.path)
		if c.accepted {
			differ = append(differ, string(clause)+": the suite refuses in a response what kin-openapi accepts: "+c.says)
			continue
		}
		unions := lists.Map(c.unions, func(n int) spec.ClauseID {
			return op.nearest(ids.Body(), c.path[:min(n, len(c.path))])
		})
		add(c.name, clause, unions, fault.Body(fault.Constant(c.text))).elsewhere = c.elsewhere
		broken[clause] = true
	}
	whole := plain(d.full.content())
	for _, one := range objectsIn(whole) {
		id, path := ids.Body(), stars(d.content.Schema.Shape(), one.path, whole)
		for _, step := range path {
			id = child(id, step)
		}
		if clause := id.Undeclared(); op.states(clause) && !broken[clause] {
			broken[clause] = true
			one.object["conformanceUndeclared"] = true
			text := instance.Compact(whole)
			delete(one.object, "conformanceUndeclared")
			around, _ := unionsOn(d.judged, one.path)
			unions := lists.Map(around, func(n int) spec.ClauseID { return op.nearest(ids.Body(), path[:min(n, len(path))]) })
			add("body"+instance.Pointer(path)+": undeclared", clause, unions, fault.Body(fault.Constant(text)))
		}
	}
	return differ
}

// instead returns the status that a service may send instead of another one to show a declared
// response, or 0.
func (op *operation) instead(status int, d *declared) int {
	if op.response(status) == d {
		return status
	}
	shown := d.status
	if op.response(shown) != d || d.Status == "default" {
		shown = http.StatusTeapot // documents declare it at most with 4XX or default
	}
	accepted := isSuccess(status)
	refused := status/100 == 4 && status != http.StatusUnauthorized && status != http.StatusForbidden && status != http.StatusNotFound
	switch {
	case op.response(shown) != d, shown < http.StatusOK, shown == http.StatusUnauthorized:
	case shown/100 == 4 && refused, shown/100 != 4 && accepted:
		return shown
	}
	return 0
}

// wrongText returns a text that both readers reject as the value of a header field.
func (r *reader) wrongText(op *operation, d *declared, h *spec.DeclaredHeader) (text string, found bool) {
	ref := op.route.Operation.Responses.Value(d.Status)
	if ref == nil || ref.Value == nil || h.Kind == "" {
		return "", false
	}
	header := ref.Value.Headers[h.Name]
	if header == nil || header.Value == nil || header.Value.Schema == nil {
		return "", false
	}
	of := header.Value.Schema.Value
	if of.Type.Permits("array") || of.Type.Permits("object") {
		return "", false
	}
	isUnfit := func(c rune) bool { return c < ' ' || c > '~' }
	for c := range generate.Invalid(h.Schema, schema.Response) {
		text, isText := c.Value.(string)
		if !isText {
			text = instance.Compact(c.Value)
		}
		var read any
		asWritten := json.Unmarshal([]byte(text), &read) == nil && r.accepts(of, read)
		if text != "" && strings.TrimSpace(text) == text && !strings.ContainsFunc(text, isUnfit) && !asWritten && !r.accepts(of, text) {
			return text, true
		}
	}
	return "", false
}

type wrongValue struct {
	name, says, text string
	path             []string // of the invalid value, with stars
	unions           []int    // after how many steps of the path there are unions
	elsewhere        bool     // the value at the path is valid in another branch, or chooses the branch
	accepted         bool     // the second reader accepts the body
}

// wrongValues returns invalid bodies of a response, one for each place and keyword.
func (r *reader) wrongValues(d *declared) []wrongValue {
	var list []wrongValue
	seen := map[string]bool{}
	for c := range generate.Invalid(d.content.Schema, schema.Response) {
		path := stars(d.content.Schema.Shape(), c.Path, c.Twin)
		name := "body" + instance.Pointer(path) + ": " + c.Kind
		if seen[name] {
			continue
		}
		seen[name] = true
		unions, there := unionsOn(d.judged, c.Path)
		inner, _ := instance.At(c.Value, c.Path)
		list = append(list, wrongValue{
			name: name, says: c.Says, text: instance.Compact(c.Value), path: path, unions: unions,
			elsewhere: len(unions) > 0 && (c.Kind == "enum" || c.Kind == "const" || slices.ContainsFunc(there, func(s *openapi3.Schema) bool { return r.accepts(s, inner) })), accepted: r.accepts(d.judged, c.Value),
		})
	}
	return list
}

// stars returns a path with * for the items of lists and the values of maps.
func stars(s *schema.Shape, path []string, value any) []string {
	var list []string
	for _, step := range path {
		p, next, inner := s.Down(step, value)
		if p == nil && next != nil {
			step = "*"
		}
		list = append(list, step)
		s, value = next, inner
		if s == nil {
			break
		}
	}
	return list
}
