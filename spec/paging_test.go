package spec_test

import "testing"

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
