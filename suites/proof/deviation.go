package proof

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// A deviation is one way in which one operation of the service breaks the contract.
type deviation struct {
	operation string
	name      string
	clause    spec.ClauseID   // the clause that it breaks; a finding on a value inside it counts as found
	unions    []spec.ClauseID // clauses on unions around the value, as the intended branch is unknown
	elsewhere bool            // the value is valid in another branch, or chooses it; other clauses of that branch may be blamed
	also      []spec.ClauseID // clauses that may be blamed as well

	// A deviation either ignores a flaw of requests or changes responses. The function
	// changes reports whether this request can show the deviation.
	ignores flaw
	changes func(s *service, r *fault.Request, a fault.Answer, refused bool) (fault.Answer, bool)
	wants   func(status int) bool // selects fixtures by the status of the faithful service; nil selects by clause
	state   string                // the name of the state clause

	unshowable string // why no request can show it, or ""
}

// deviations returns all deviations of an operation: one for each keyword of the requests,
// for each way in which a response can be wrong, and for each state clause. differ lists
// the values that only one of the two readers accepts.
func (m *model) deviations(op *operation) (list []deviation, differ []string) {
	parts := slices.ContainsFunc(op.responses(), func(d *declared) bool { return d.status == http.StatusMultiStatus })
	for _, f := range limits(op.route) {
		d := deviation{operation: op.ID, name: "ignores " + f.String(), clause: op.clauseAt(f.place), ignores: f}
		if parts && f.place != atCredential {
			d.unshowable = "a Multi-Status response may say that it rejects a part of the request"
		}
		list = append(list, d)
	}
	for _, d := range op.responses() {
		of, refused := m.wrongResponses(op, d)
		list = append(list, of...)
		differ = append(differ, refused...)
	}
	list = slices.Concat(list, op.requestDeviations(), op.echoDeviations())
	for _, c := range op.Clauses() {
		if name := c.ID.State(); name != "" {
			list = append(list, op.stateDeviation(name, c.ID))
			if name == spec.StateFiltered && slices.ContainsFunc(op.NextPages(), func(next spec.NextPage) bool { return next.Path != nil && !next.IsLink }) {
				list = append(list, op.lostFilters(c.ID))
			}
		}
	}
	return list, differ
}

// requestDeviations returns deviations that send wrong statuses for valid and invalid requests.
func (op *operation) requestDeviations() []deviation {
	ids := op.ClauseIDs()
	unknown := ""
	if op.Flaw != nil {
		unknown = "the contract has a flaw, so that it is unknown which requests are valid"
	}
	return []deviation{
		{
			operation: op.ID, name: "fails for valid requests", clause: ids.Answers(), wants: isSuccess,
			changes: func(s *service, _ *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
				return s.reply(op, http.StatusInternalServerError), isSuccess(a.Status)
			},
		},
		{
			// The controls succeed: if all requests fail, the service may need something else.
			operation: op.ID, name: "refuses valid requests that are unlike the controls", clause: ids.Accepts(), unshowable: unknown,
			changes: func(s *service, r *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
				if !isSuccess(a.Status) {
					return a, false
				}
				query := r.URL.Query() // without credentials
				for _, scheme := range s.contract.Schemes {
					if scheme.In == "query" {
						query.Del(scheme.Field)
					}
				}
				return s.reply(op, s.refusal(op, []flaw{{atBody, "type"}})), !s.controls[op.ID][shape(query, r.Text())]
			},
		},
		{
			operation: op.ID, name: "accepts with an undeclared status", clause: ids.Accepts(), wants: isSuccess,
			changes: func(_ *service, _ *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
				ok := isSuccess(a.Status) && op.response(undeclaredSuccess) == nil && op.NamesSuccess()
				a.Status = undeclaredSuccess
				return a, ok
			},
		},
		{
			operation: op.ID, name: "fails for invalid requests", clause: ids.Answers(), wants: func(status int) bool { return status/100 == 4 },
			changes: func(s *service, _ *fault.Request, _ fault.Answer, refused bool) (fault.Answer, bool) {
				return s.reply(op, http.StatusInternalServerError), refused
			},
		},
	}
}

// echoDeviations returns deviations that respond with other values than the request has.
func (op *operation) echoDeviations() (list []deviation) {
	for _, d := range op.responses() {
		if echo := op.ClauseIDs().Response(d.Status).Echo(); op.states(echo) {
			list = append(list, deviation{
				operation: op.ID, name: d.Status + " shows other values", clause: echo,
				wants: func(status int) bool { return op.response(status) == d },
				changes: func(_ *service, r *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
					sent := objectOf(r.Text())
					maps.DeleteFunc(sent, func(name string, value any) bool { return value == nil || !alike(requested(op.route), d.judged, name) })
					i := slices.IndexFunc(d.cases, func(one *sample) bool { return one.allowed && showsOther(sent, one.value) })
					if sent == nil || i < 0 || op.response(a.Status) != d {
						return a, false
					}
					other := d.answer(d.cases[i])
					other.Status = a.Status
					return other, true
				},
			})
		}
	}
	return list
}

func isSuccess(status int) bool { return status/100 == 2 }

// undeclaredSuccess is a status that documents declare at most with 2XX or default.
const undeclaredSuccess = 299

// showsOther reports whether shown contains a sent property with another value. An object inside with the id
// that was sent may have other values, because the id may name another resource.
func showsOther(sent, shown any) bool {
	want, isObject := sent.(map[string]any)
	got, areObjects := shown.(map[string]any)
	if !isObject {
		return isOther(sent, shown)
	}
	for name, value := range want {
		if other, there := got[name]; there && isOther(value, other) {
			return true
		}
	}
	return !areObjects
}

// isOther compares a value inside a request with the shown one.
func isOther(sent, shown any) bool {
	switch want := sent.(type) {
	case map[string]any:
		key := idIn(want, "id")
		got, _ := shown.(map[string]any)
		return !(isID(key, "id") && instance.Equal(want[key], got[key])) && showsOther(sent, shown)
	case []any:
		got, isList := shown.([]any)
		return !isList || !slices.EqualFunc(want, got, func(a, b any) bool { return !isOther(a, b) })
	}
	return !instance.Equal(sent, shown)
}

// shape is what a request consists of: its query parameters and the properties of its body.
func shape(query url.Values, body string) string {
	return fmt.Sprint(sortedKeys(query), sortedKeys(objectOf(body)))
}

// clauseAt is the clause on a place of a request, or the nearest one above it.
func (op *operation) clauseAt(place string) spec.ClauseID {
	ids := op.ClauseIDs()
	switch place {
	case atCredential:
		return ids.Credential()
	case atMediaType:
		return ids.RequestMediaType()
	}
	in, rest, _ := strings.Cut(place, "/")
	if in != atBody {
		name, _, _ := strings.Cut(rest, "/")
		return ids.Parameter(in, name)
	}
	if rest == "" {
		return ids.RequestBody()
	}
	return op.nearest(ids.RequestBody(), strings.Split(rest, "/"))
}

func (op *operation) states(clause spec.ClauseID) bool {
	return slices.ContainsFunc(op.Clauses(), func(c spec.Clause) bool { return c.ID == clause })
}

// nearest returns the clause on the value at a path below id, or on the nearest value
// around it.
func (op *operation) nearest(id spec.ClauseID, path []string) spec.ClauseID {
	found := id
	for _, step := range path {
		id = child(id, step)
		if op.states(id) {
			found = id
		}
	}
	return found
}

// child returns the id of the clause on a property of a value, or on its items if step is *.
func child(id spec.ClauseID, step string) spec.ClauseID {
	if step == "*" {
		return id.Items()
	}
	return id.Property(step)
}

func (op *operation) stateDeviation(state string, clause spec.ClauseID) deviation {
	ids := op.ClauseIDs()
	d := deviation{operation: op.ID, name: "breaks " + state, clause: clause, state: state}
	switch {
	case state == spec.StateCreated:
		d.also = []spec.ClauseID{ids.Accepts()}
	case state == spec.StateApart:
		d.also = []spec.ClauseID{ids.Accepts(), ids.State(spec.StateCreated), ids.State(spec.StateReplaced), ids.State(spec.StateChanged)}
	case state == spec.StateListed && op.IsPaged():
		d.unshowable = "the list has pages, and what is missing may be on another one"
	case state == spec.StateListed && slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool { return p.In == "query" && p.Required }):
		d.unshowable = "the query must choose entries, and what is missing may be another one"
	}
	d.changes = func(s *service, r *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
		changed, shows := s.breaking(state, op, r, a)
		return changed, shows && isSuccess(a.Status) != (state == spec.StateWithin || state == spec.StateDeleted)
	}
	return d
}

// lostFilters returns a deviation that ignores the filters of a request for the page after the first one.
func (op *operation) lostFilters(clause spec.ClauseID) deviation {
	return deviation{
		operation: op.ID, name: "ignores filters on the next page", clause: clause,
		changes: func(s *service, r *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
			filters, query := asksFor(op, r), r.URL.Query()
			if !isSuccess(a.Status) || len(filters) == 0 || !isNext(op, r) {
				return a, false
			}
			for _, f := range filters {
				query.Del(f.Key)
			}
			other := &http.Request{URL: &url.URL{RawQuery: query.Encode()}}
			page, _ := s.page(op, op.where(r.Request), &fault.Request{Request: other})
			isWrong := slices.ContainsFunc(slices.Collect(maps.Values(page)), func(resource map[string]any) bool { return !has(resource, filters, r.URL.Query()) })
			changed, ok := s.list(s.success(op), op.where(r.Request), page)
			return changed, ok && isWrong
		},
	}
}

// breaking returns a response that breaks a state clause, instead of the faithful response a. shows
// reports whether the two differ in that clause. This assumes that a is a success, but for
// StateWithin and StateDeleted that a is a failure.
func (s *service) breaking(state string, op *operation, r *fault.Request, a fault.Answer) (changed fault.Answer, shows bool) {
	path, escaped := op.where(r.Request), r.URL.EscapedPath()
	switch state {
	case spec.StateCreated:
		return s.reply(op, http.StatusNotFound), true
	case spec.StateListed:
		changed, ok := s.list(s.success(op), path, nil)
		return changed, ok && !bytes.Equal(changed.Body, a.Body)
	case spec.StateUnlisted:
		all := maps.Clone(s.resources)
		maps.Copy(all, s.deleted)
		changed, ok := s.list(s.success(op), path, all)
		named := slices.ContainsFunc(sortedKeys(s.deleted), func(where string) bool { // or no client can tell
			id := []byte(where[strings.LastIndex(where, "/")+1:])
			return bytes.Contains(changed.Body, id) && !bytes.Contains(a.Body, id)
		})
		return changed, ok && named
	case spec.StateFiltered:
		filters := asksFor(op, r)
		others := slices.ContainsFunc(sortedKeys(s.resources), func(where string) bool {
			return isEntry(where, path) && len(filters) > 0 && !has(s.resources[where], filters, r.URL.Query())
		})
		changed, ok := s.list(s.success(op), path, s.resources)
		return changed, ok && others
	case spec.StateSorted:
		orders, back := sorting(op, r), sorting(op, r)
		for i := range back {
			back[i].Sign = -cmp.Or(back[i].Sign, 1)
		}
		right, _ := s.list(s.success(op), path, s.resources, orders...)
		other, _ := s.list(s.success(op), path, s.resources, back...)
		changed, ok := s.list(s.success(op), path, s.resources)
		return changed, ok && !bytes.Equal(changed.Body, right.Body) && !bytes.Equal(changed.Body, other.Body)
	case spec.StateApart:
		list := path[:strings.LastIndex(path, "/")]
		beside := slices.ContainsFunc(sortedKeys(s.touched), func(where string) bool { return where != path && isEntry(where, list) })
		return s.reply(op, http.StatusNotFound), beside
	case spec.StateWithin:
		for _, where := range sortedKeys(s.resources) {
			if where != path && where[strings.LastIndex(where, "/"):] == path[strings.LastIndex(path, "/"):] {
				return s.showing(op, s.success(op), s.resources[where]), true
			}
		}
	case spec.StateDeleted: // also if the resource above it was deleted
		changed := s.showing(op, s.success(op), s.deleted[path])
		return changed, s.deleted[path] != nil && len(changed.Body) > 0
	case spec.StateListedWithin:
		all := s.ofAllParents(path)
		changed, ok := s.list(s.success(op), path, all)
		return changed, ok && len(all) > len(s.resources) && r.URL.RawQuery == ""
	case spec.StateCurrent:
		return s.reply(op, http.StatusPreconditionFailed), r.Header.Get("If-Match") != ""
	case spec.StateVersioned:
		before, read := s.read[escaped]
		s.read[escaped] = string(a.Body)
		a.Header.Set("ETag", s.success(op).header.Get("ETag")) // never changes, so only the first one is right
		return a, read && before != string(a.Body)
	case spec.StateIdempotent:
		s.puts[escaped]++
		return s.reply(op, http.StatusConflict), op.Method == http.MethodPut && s.puts[escaped] > 1
	}
	return a, false
}

// ofAllParents returns the resources, and adds the entries of other parents' lists to this list.
func (s *service) ofAllParents(list string) map[string]map[string]any {
	all := maps.Clone(s.resources)
	for where, one := range s.resources {
		if at := strings.LastIndex(where, "/"); where[:at] != list && strings.HasSuffix(where[:at], list[strings.LastIndex(list, "/"):]) {
			all[list+where[at:]] = one
		}
	}
	return all
}

// ignoresChange reports whether the change or removal of a resource has no effect, because
// the operation that reads the resource has this deviation. It marks the deviation as shown
// if the response would reveal the difference.
func (s *service) ignoresChange(op *operation, before, sent map[string]any) bool {
	states := map[string]string{http.MethodPut: spec.StateReplaced, http.MethodPatch: spec.StateChanged, http.MethodDelete: spec.StateDeleted}
	for id, d := range s.deviations {
		reads := s.operations[id]
		if d.state != states[s.method(op)] || reads.Path != op.Path && reads.Replacer() != op.Operation {
			continue
		}
		shown := s.success(reads)
		after := map[string]any{}
		maps.Copy(after, before)
		for name, value := range sent {
			if alike(requested(op.route), shown.judged, name) {
				after[name] = value
			}
		}
		isDeletion := op.Method == http.MethodDelete
		if isDeletion && shown.content != nil && s.success(op).status != http.StatusAccepted || !isDeletion && !instance.Equal(shown.overlay(shown.full, before).content(), shown.overlay(shown.full, after).content()) {
			s.shown[id] = true
		}
		return true
	}
	return false
}

// requested returns the schema of the JSON body of requests, or nil.
func requested(route *routers.Route) *openapi3.Schema {
	if ref := route.Operation.RequestBody; ref != nil && ref.Value != nil {
		for _, mediaType := range sortedKeys(ref.Value.Content) {
			if m := ref.Value.Content[mediaType]; isJSON(mediaType) && m.Schema != nil {
				return m.Schema.Value
			}
		}
	}
	return nil
}

// alike reports whether two schemas describe a property in the same way, so that a value
// has the same meaning in both.
func alike(one, other *openapi3.Schema, property string) bool {
	a, _ := below(parts(one), property)
	b, _ := below(parts(other), property)
	return len(a) > 0 && len(b) > 0 && a[0].Type.Permits("null") == b[0].Type.Permits("null") && a[0].Nullable == b[0].Nullable &&
		slices.Equal(a[0].Type.Slice(), b[0].Type.Slice()) && a[0].Format == b[0].Format && len(a[0].Enum) == len(b[0].Enum)
}
