package spec_test

import (
	"slices"
	"testing"
)

// TestIsPaged: by the names of its parameters, a list may be shown in parts.
func TestIsPaged(t *testing.T) {
	for name, want := range map[string]bool{
		"page": true, "page_size": true, "pageSize": true, "pagesize": true, "per_page": true, "perPage": true, "perpage": true, "limit": true, "$top": true, "$skip": true,
		"starting_after": true, "startIndex": true, "nextToken": true, "page[number]": true, "maxResults": true, "cursor": true,
		"person_id": false, "discount": false, "topic": false, "frommage": false, "sort": false, "performer": false,
	} {
		op := load(t, head("3.0.3")+`paths:
  /a:
    get:
      operationId: x
      parameters: [{name: '`+name+`', in: query, schema: {type: string}}, {name: created_after, in: query, schema: {type: string, format: date}}]
      responses: {'200': {description: d}}
`).Operations[0]
		if got := op.IsPaged(); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestFilters: a choice of entries is one by a property of theirs, whether or not it may be null.
func TestFilters(t *testing.T) {
	op := load(t, head("3.1.0")+`paths:
  /a:
    get:
      operationId: x
      parameters:
        - {name: done, in: query, schema: {type: boolean}}
        - {name: late, in: query, schema: {anyOf: [{type: boolean}, {type: 'null'}]}}
        - {name: kind, in: query, schema: {anyOf: [{type: 'null'}, {type: string, enum: [a, b]}]}}
        - {name: color, in: query, schema: {type: string, enum: [red, blue]}}
        - {name: size, in: query, schema: {type: string, enum: [small]}, description: Include those of this size.}
        - {name: stars, in: query, schema: {type: integer, enum: [1, 2]}}
        - {name: name, in: query, schema: {type: string}}
        - {name: hidden, in: query, schema: {type: boolean}}
      responses:
        '200':
          description: d
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  properties: {done: {type: boolean}, late: {type: boolean}, kind: {type: string, enum: [a, b]}, color: {type: [string, 'null'], enum: [red, blue, null]}, size: {type: string, enum: [small]}, stars: {type: integer, enum: [1, 2]}, name: {type: string}}
`).Operations[0]
	var names []string
	for _, p := range op.Filters() {
		names = append(names, p.Name)
	}
	if want := []string{"done", "late", "kind", "color", "stars"}; !slices.Equal(names, want) {
		t.Errorf("the filters are %v, want %v", names, want)
	}
}
