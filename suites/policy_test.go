package suites_test

import (
	"strings"
	"testing"
)

// TestListInPart: what a thing has one of is replaced as a whole, even if it has a list. What has no
// value of that name keeps none, and a list of its own is no part.
func TestListInPart(t *testing.T) {
	document := strings.Replace(mapDocument, "&map {type: object, additionalProperties: {type: string}}", "&map {type: object, required: [names], properties: {mode: {type: string, enum: [all, some]}, names: {type: array, items: {type: string, maxLength: 40}}}}", 1)
	storing := func(change func(before, after kept)) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, before, _, after kept) kept { change(before, after); return after }
		}
	}
	keepers{
		"faithful": {},
		"has a mode where none was sent": {how: storing(func(_, after kept) {
			if after["names"] != nil && after["mode"] == nil {
				after["mode"] = "all"
			}
		})},
		"keeps the names that it had": {storing(func(before, after kept) {
			old, _ := before["names"].([]any)
			if names, has := after["names"].([]any); has {
				after["names"] = append(append([]any{}, old...), names...)
			}
		}), []string{"getLabels/state/replaced"}},
	}.test(t, document, "getLabels/state/replaced")
}
