package proof

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec"
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

// overcounts returns a deviation that counts entries that do not match the filters of a request.
func (op *operation) overcounts(clause spec.ClauseID) deviation {
	return deviation{
		operation: op.ID, name: "counts entries that do not match the filters", clause: clause,
		changes: func(s *service, r *fault.Request, a fault.Answer, _ bool) (fault.Answer, bool) {
			const others = 1000
			matching, query := s.matching(op, op.where(r.Request), r), r.URL.Query()
			changed := s.counting(op, a, len(matching)+others)
			for _, f := range op.Filters() {
				query.Del(f.Key)
			}
			isWhole := len(query) == 0 && (len(matching) == 0 || len(matching) < mostOf(op, query))
			isOther := !bytes.Equal(changed.Body, a.Body) || changed.Header.Get("X-Total-Count") != a.Header.Get("X-Total-Count")
			return changed, isSuccess(a.Status) && isWhole && isOther && len(asksFor(op, r)) > 0
		},
	}
}
