package proof

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
)

// acted is an action that was executed on a resource.
type acted struct {
	operation *spec.Operation
	isVisible bool // the resource shows another state since then
}

// inState executes a valid request, unless it is an action that the state of the resource excludes.
func (s *service) inState(op *operation, path string, r *fault.Request) fault.Answer {
	if s.exists(op, path) && s.conflicts(op, path) {
		return s.reply(op, http.StatusConflict)
	}
	if entry := s.entryOf(op, path, r); s.resources[entry] != nil {
		success, resource := s.change(op, entry, r)
		return s.showing(op, success, resource)
	}
	a := s.carryOut(op, path, r)
	s.act(op, path, a)
	return a
}

// act records an action with that response if it was accepted, and changes the state of its resource as the name of the action says.
func (s *service) act(op *operation, path string, a fault.Answer) {
	if !isSuccess(a.Status) || !slices.Contains(op.Beside(), op.Operation) {
		return
	}
	item := path[:strings.LastIndex(path, "/")]
	one := acted{operation: op.Operation}
	if read, resource := op.Item(), s.resources[item]; read != nil && resource != nil {
		shown := func() map[string]any {
			of := s.operations[read.ID]
			return objectOf(string(s.reading(of, s.success(of), resource).Body))
		}
		before := shown()
		name, state := reachedBy(op.Operation)
		was, isKnown := resource[name]
		if name != "" {
			resource[name] = state
		}
		if one.isVisible = showsOther(before, shown()); s.deviations[op.ID].state == spec.StateReached {
			to, _ := op.Reached() // if no sentence says so, another property in the response may mean that the service does it
			s.shown[op.ID] = s.shown[op.ID] || one.isVisible && (to.IsSaid || len(objectOf(string(a.Body))) <= len(before))
			if resource[name] = was; !isKnown {
				delete(resource, name)
			}
		}
	}
	s.acted[item] = append(s.acted[item], one)
}

// reachedBy returns the property of the resource that an action changes, and the state to which it leads; "" if the
// contract lists no such state.
func reachedBy(by *spec.Operation) (property string, state any) {
	if to, ok := by.Reached(); ok {
		return to.Path[len(to.Path)-1], to.Value
	}
	for _, of := range by.Item().SuccessShapes() {
		_, resource := of.Inside()
		for _, p := range resource.Properties {
			texts := lists.Map(p.Shape.Listed(), func(value any) string { text, _ := value.(string); return text })
			if i := slices.IndexFunc(texts, func(text string) bool { return slices.Contains(by.States(), strings.ToLower(text)) }); i >= 0 {
				return p.Name, texts[i]
			}
			if len(texts) == 0 && slices.Equal(p.Shape.Types, []string{"string"}) && spec.IsState(p.Name) {
				return p.Name, by.States()[0]
			}
		}
	}
	return "", ""
}

// conflicts reports whether the document says that an operation is rejected after the actions that were executed before.
func (s *service) conflicts(op *operation, path string) bool {
	before := s.acted[path]
	if !strings.HasSuffix(op.stem(), "}") {
		before = s.acted[path[:max(0, strings.LastIndex(path, "/"))]]
	}
	if len(before) == 0 || !op.states(op.ClauseIDs().State(spec.StateConflict)) {
		return false
	}
	last := before[len(before)-1]
	isAny := slices.ContainsFunc(before, func(one acted) bool { return slices.Contains(op.RefusedAfter(), one.operation) })
	if d := s.deviations[op.ID]; isAny && d.state == spec.StateConflict {
		s.shown[op.ID] = s.shown[op.ID] || last.isVisible && slices.Contains(op.RefusedAfter(), last.operation)
		return false
	}
	return isAny
}

// begin gives a new resource the state that the document names, or another one if the operation has that deviation.
func (s *service) begin(op *operation, d *declared, resource map[string]any) {
	to, ok := op.Initial()
	if !ok || resource == nil {
		return
	}
	name := to.Path[len(to.Path)-1]
	resource[name] = cmp.Or(resource[name], to.Value)
	other := slices.IndexFunc(to.Listed, func(value any) bool { return !instance.Equal(value, to.Value) })
	if other >= 0 && s.deviations[op.ID].state == spec.StateInitial {
		resource[name] = to.Listed[other]
		s.shown[op.ID] = s.shown[op.ID] || s.shows(d, resource, name)
	}
}
