package suites_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

const paintDocument = `openapi: 3.0.3
info: {title: Paints, version: '1'}
paths:
  /paints:
    post: {operationId: addPaint, requestBody: {required: true, content: {application/json: {schema: &sent {type: object, required: [data], properties: {data: {type: object, required: [attributes], properties: {attributes: &of {type: object, properties: {color: {type: string}, maker: {type: string}, year: {type: integer}}}}}}}}}}, responses: {'201': &paint {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, data: {type: object, properties: {attributes: *of}}}}}}}, '400': {description: d}}}
  /paints/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getPaint, responses: {'200': *paint, '404': {description: d}}}
    patch: {operationId: patchPaint, description: Attributes that are left out stay as they are., requestBody: {required: true, content: {application/json: {schema: *sent}}}, responses: {'200': *paint, '400': {description: d}, '404': {description: d}}}
`

// TestAttributes: a change of some attributes does not change the others, if the document says so.
func TestAttributes(t *testing.T) {
	inner := func(thing kept) map[string]any {
		data, _ := thing["data"].(map[string]any)
		attributes, _ := data["attributes"].(map[string]any)
		return attributes
	}
	wipes := func(s *keeper) {
		s.store = func(_ string, _, _, after kept) kept { return after }
	}
	keeps := func(s *keeper) {
		s.store = func(method string, before, _, after kept) kept {
			if all := maps.Clone(inner(before)); method == http.MethodPatch && all != nil {
				maps.Copy(all, inner(after))
				after["data"] = map[string]any{"attributes": all}
			}
			return after
		}
	}
	wipesColor := func(s *keeper) {
		s.store = func(method string, before, _, after kept) kept {
			if all := maps.Clone(inner(before)); method == http.MethodPatch && all != nil {
				delete(all, "color")
				maps.Copy(all, inner(after))
				after["data"] = map[string]any{"attributes": all}
			}
			return after
		}
	}
	changed := []string{"getPaint/state/changed"}
	keepers{"keeps the others": {how: keeps}, "wipes the others": {wipes, changed}, "wipes the color": {wipesColor, changed}}.test(t, paintDocument)
	keepers{"keeps the others": {how: keeps}, "wipes the others": {how: wipes}}.test(t, strings.Replace(paintDocument, "description: Attributes that are left out stay as they are., ", "", 1))
}

const colorDocument = `openapi: 3.0.3
info: {title: Colors, version: '1'}
paths:
  /colors:
    post: {operationId: addColor, requestBody: {required: true, content: {application/json: {schema: &sent {type: object, properties: {maker: {type: string}, name: {type: string}}}}}}, responses: {'201': &color {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, maker: {type: string}, name: {type: string}}}}}}, '400': {description: d}}}
  /colors/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getColor, responses: {'200': *color, '404': {description: d}}}
    patch: {operationId: patchColor, requestBody: {required: true, content: {application/json: {schema: *sent}}}, responses: {'200': *color, '400': {description: d}, '404': {description: d}}}
`

// TestLeftOut: a change keeps each property that it leaves out, the first and the last.
func TestLeftOut(t *testing.T) {
	wipes := func(name string) func(*keeper) {
		return func(s *keeper) {
			s.store = func(method string, _, sent, after kept) kept {
				if _, has := sent[name]; method == http.MethodPatch && !has {
					delete(after, name)
				}
				return after
			}
		}
	}
	changed := []string{"getColor/state/changed"}
	keepers{"keeps both": {how: func(*keeper) {}}, "wipes the maker": {wipes("maker"), changed}, "wipes the name": {wipes("name"), changed}}.test(t, colorDocument)
}
