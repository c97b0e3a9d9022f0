package suites_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/instance"
)

const mergeDocument = `openapi: 3.0.3
info: {title: Things, version: '1'}
paths:
  /things:
    post:
      operationId: addThing
      requestBody: {required: true, content: {application/json: {schema: &sent {type: object, required: [name], properties: {name: {type: string}, color: {type: string, enum: [red, blue]}}}}}}
      responses: {'201': &thing {description: d, content: {application/json: {schema: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}, color: {type: string, enum: [red, blue]}}}}}}, '400': {description: d}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getThing, responses: {'200': *thing, '404': {description: d}}}
    patch:
      operationId: patchThing
      requestBody: {required: true, content: {application/merge-patch+json: {schema: {type: object, properties: {name: {type: string}, color: {type: string, enum: [red, blue]}}}}}}
      responses: {'200': *thing, '400': {description: d}, '404': {description: d}}
`

// merging stores things that merge patches change. null is what it does with a null in a patch:
// "removes", "is refused", "is kept".
func merging(null string, colors ...string) func(*keeper) {
	return func(s *keeper) {
		s.lax = true
		s.store = func(method string, _, _, after kept) kept {
			for name, value := range after {
				if value == nil && method == http.MethodPatch && null == "removes" {
					delete(after, name)
				}
			}
			_, named := after["name"].(string)
			color, has := after["color"]
			text, isText := color.(string)
			if named && (!has || isText && (colors == nil || slices.Contains(colors, text)) || color == nil && null == "is kept") {
				return after
			}
			return nil
		}
	}
}

var anyColor = []string{"addThing/201/body/color", "addThing/request/body/color", "patchThing/200/body/color", "patchThing/request/body/color"}

// TestNullInMergePatches: null removes a property (RFC 7396 §2), but a service may refuse it
// because of the schema.
func TestNullInMergePatches(t *testing.T) {
	keepers{
		"removes":    {how: merging("removes", "red", "blue")},
		"is refused": {how: merging("is refused", "red", "blue")},
		"is kept":    {merging("is kept", "red", "blue"), anyColor[:3]},
		"any color":  {merging("removes"), anyColor},
	}.test(t, mergeDocument)
}

// TestAnyMediaType: an object in any media type is sent as JSON.
func TestAnyMediaType(t *testing.T) {
	keepers{
		"faithful":  {how: merging("removes", "red", "blue")},
		"any color": {merging("removes"), anyColor},
	}.test(t, strings.Replace(mergeDocument, "{application/json: {schema: &sent", "{'*/*': {schema: &sent", 1))
}

// TestNotInMergePatches: a service may ignore properties that the schema of a merge patch does not declare.
func TestNotInMergePatches(t *testing.T) {
	ignoring := func(s *keeper) {
		s.store = func(method string, before, sent, after kept) kept {
			if name, named := sent["name"]; named && method == http.MethodPatch {
				after = maps.Clone(before)
				after["name"] = name
			} else if method == http.MethodPatch {
				return before
			}
			return after
		}
	}
	const more = ", note: {type: string}, sign: {type: object, properties: {text: {type: string}}}"
	noted := strings.ReplaceAll(mergeDocument, ", color: {type: string, enum: [red, blue]}", more)
	keepers{"ignores": {how: ignoring}}.test(t, strings.Replace(noted, more+"}}}}}\n      responses: {'200'", "}}}}}\n      responses: {'200'", 1))
}

// TestMergedWithin: a merge patch changes the values of inner objects that it names, and no others
// (RFC 7396 §2).
func TestMergedWithin(t *testing.T) {
	labeling := func(change func(before, sent any) any) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, before, sent, after kept) kept {
				if method != http.MethodPatch {
					return after
				}
				after, _ = instance.Merged(before, sent).(kept)
				was, _ := instance.At(before, []string{"sign", "labels"})
				if labels, named := instance.At(sent, []string{"sign", "labels"}); named {
					after["sign"].(kept)["labels"] = change(was, labels)
				}
				return after
			}
		}
	}
	keepers{
		"faithful":     {how: labeling(instance.Merged)},
		"replaces all": {labeling(func(_, sent any) any { return sent }), []string{"getThing/state/changed"}},
		"removes none": {labeling(func(before, sent any) any {
			merged := instance.Merged(before, sent).(kept)
			for name, value := range sent.(kept) {
				if was, _ := before.(kept); value == nil && was[name] != nil {
					merged[name] = was[name]
				}
			}
			return merged
		}), []string{"getThing/state/changed"}},
	}.test(t, strings.ReplaceAll(mergeDocument, "color: {type: string, enum: [red, blue]}", "sign: {type: object, properties: {text: {type: string}, labels: {type: object, additionalProperties: {type: string, nullable: true}}}}"), "getThing/state/changed")
}
