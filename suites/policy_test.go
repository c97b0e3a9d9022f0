package suites_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestListInPart: a part that a thing has once is replaced as a whole, even if it has a list. A
// thing without that value keeps none, and a separate list is not a part.
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

// TestPartThatIsMade: a new thing may not have a cover, so the run creates one before it reads it.
func TestPartThatIsMade(t *testing.T) {
	document := strings.Replace(strings.Replace(strings.Replace(mapDocument, ", '404': {description: d}}}\n    put:", "}}\n    put:", 1),
		"    put: {operationId: putLabels", "    post: {operationId: postLabels", 1), "&map {type: object, additionalProperties: {type: string}}", "&map {type: object, required: [text], properties: {text: {type: string, maxLength: 40}}}", 1)
	shown := func(isThere bool) func(*keeper) {
		return func(s *keeper) {
			s.update = func(path string, sent kept) kept {
				if strings.HasSuffix(path, "/labels") {
					return sent
				}
				return nil
			}
			s.answer = func(method, path string, status int, body any) (int, any) {
				if list, isList := body.([]any); method == http.MethodGet && strings.HasSuffix(path, "/labels") && (isList && len(list) == 0 || !isThere) {
					return http.StatusNotFound, nil
				}
				return status, body
			}
		}
	}
	keepers{
		"faithful":             {how: shown(true)},
		"is never to be found": {shown(false), []string{"getLabels/accepts"}},
	}.test(t, document, "getLabels/accepts", "getLabels/200/body/text")
}
