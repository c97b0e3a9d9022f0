package proof

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec/instance"
)

// matching returns the resources of a collection that match the filters of a request.
func (s *service) matching(op *operation, path string, r *fault.Request) map[string]map[string]any {
	filters, query := asksFor(op, r), r.URL.Query()
	all := maps.Clone(s.resources)
	maps.DeleteFunc(all, func(where string, resource map[string]any) bool {
		return !isEntry(where, path) || !has(resource, filters, query)
	})
	return all
}

// counting sets the number of matching entries, if the document says that a number beside a list, or in a header field,
// counts them.
func (s *service) counting(op *operation, a fault.Answer, matching int) fault.Answer {
	a.Header = a.Header.Clone()
	number := strconv.Itoa(matching)
	for name := range a.Header {
		if op.CountsMatches(name) {
			a.Header.Set(name, number)
		}
	}
	value, isChanged := decoded(string(a.Body)), false
	for _, one := range objectsIn(value) {
		for name, was := range one.object {
			if _, isNumber := was.(json.Number); isNumber && len(one.path) < 2 && op.CountsMatches(name) {
				one.object[name], isChanged = json.Number(number), true
			}
		}
	}
	if d := s.success(op); isChanged && d.allows(value) {
		return a.WithBody(instance.Compact(value))
	}
	return a
}
