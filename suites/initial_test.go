package suites_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

// TestInitialState: a new resource has the state that the document names, unless the request may lead to another one, or
// the state ends by itself.
func TestInitialState(t *testing.T) {
	const document = `openapi: 3.0.3
info: {title: Campaigns, version: '1'}
paths:
  /campaigns:
    post: {operationId: add, description: A new campaign is a draft., requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, maxLength: 90}, startsAt: {type: string, format: date-time}}}}}}, responses: {'201': &one {description: d, content: {application/json: {schema: {type: object, required: [id, title], properties: {id: {type: string}, title: {type: string}, startsAt: {type: string}, status: {type: string, enum: [draft, queued, planned, sent], readOnly: true}}}}}}, '400': {description: d}}}
  /campaigns/{id}: {get: {operationId: get, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': *one, '404': {description: d}}}}
`
	// states tells a state in the response to a creation, none if it is "", and shows another one later.
	states := func(told, shown, dated string) func(*keeper) {
		return func(s *keeper) {
			s.store = func(_ string, _, sent, after kept) kept {
				after["status"] = shown
				if sent["startsAt"] != nil {
					after["status"] = dated
				}
				return after
			}
			s.answer = func(method, _ string, status int, body any) (int, any) {
				one, _ := body.(kept)
				if one = maps.Clone(one); method == http.MethodPost && one["status"] == shown {
					if one["status"] = told; told == "" {
						delete(one, "status")
					}
				}
				if one == nil {
					return status, body
				}
				return status, one
			}
		}
	}
	another := []string{"add/state/initial"}
	keepers{
		"faithful":               {how: states("draft", "draft", "draft")},
		"plans one with a date":  {how: states("draft", "draft", "planned")},
		"tells no state":         {how: states("", "draft", "draft")},
		"creates what is queued": {states("queued", "queued", "queued"), another},
		"tells another state":    {states("sent", "draft", "draft"), another},
		"stores another state":   {states("draft", "sent", "sent"), another},
		"shows another state":    {states("", "sent", "sent"), another},
	}.test(t, document, "add/state/initial")
	keepers{
		"faithful":          {how: states("queued", "queued", "queued")},
		"sends it at once":  {how: states("queued", "sent", "sent")},
		"tells that it did": {states("sent", "sent", "sent"), another},
	}.test(t, strings.Replace(document, "A new campaign is a draft.", "The campaign starts as `queued`.", 1))
	keepers{
		"faithful":             {how: states("draft", "draft", "draft")},
		"stores another state": {states("sent", "sent", "sent"), another},
	}.test(t, strings.NewReplacer("A new campaign is a draft.", "d", "readOnly: true", "readOnly: true, default: draft").Replace(document))
	keepers{
		"says nothing": {how: states("sent", "sent", "sent")},
	}.test(t, strings.Replace(document, "A new campaign is a draft.", "A new campaign may be a draft.", 1))
}
