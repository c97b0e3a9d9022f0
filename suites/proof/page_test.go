package proof_test

import (
	"strings"
	"testing"
)

// TestNextPage: a list that ignores its filter on the page to which the first one leads is found, and so is one that
// ignores a search. The total counts the matches, as the document says.
func TestNextPage(t *testing.T) {
	needsLong(t)
	p := prove(t, []byte(`openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /notes:
    post: {operationId: add, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '400': {description: d}}}
    get:
      operationId: list
      parameters: [{name: color, in: query, schema: {type: string, enum: [red, blue]}}, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 9}}, {name: cursor, in: query, schema: {type: string}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {notes: {type: array, items: {$ref: '#/components/schemas/Note'}}, nextCursor: {type: string}}}}}}, '400': {description: d}}
  /words:
    post: {operationId: addWord, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Word'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Word'}}}}, '400': {description: d}}}
    get:
      operationId: listWords
      parameters: [{name: q, in: query, description: Only words whose name contains this text., schema: {type: string}}, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 99, default: 99}}]
      responses: {'200': {description: d, content: {application/json: {schema: {type: object, required: [words, total], properties: {words: {type: array, items: {$ref: '#/components/schemas/Word'}}, total: {type: integer, description: Number of words that match the text., example: 7}}}}}}}
components: {schemas: {Note: {type: object, required: [color], properties: {id: {type: string, readOnly: true}, color: {type: string, enum: [red, blue]}}}, Word: {type: object, required: [name], properties: {id: {type: string, readOnly: true}, name: {type: string}}}}}
`))
	for _, one := range p.Unshown {
		if strings.Contains(one.Deviation, "next page") || strings.Contains(one.Deviation, "filtered") {
			t.Errorf("%s %s: %s", one.Operation, one.Deviation, one.Reason)
		}
	}
	if !p.Whole() || len(p.Differences) > 0 {
		t.Error(p.Text(true))
	}
}
