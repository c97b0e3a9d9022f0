package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestOrders checks which queries sort by a property with numbers, times or plain texts.
func TestOrders(t *testing.T) {
	for parameters, want := range map[string]string{
		"{name: sort, in: query, schema: {type: string, enum: [size, name, made]}}":                                                                                                  "sort=size 0, sort=name 0, sort=made 0",
		"{name: sort, in: query, schema: {type: string, enum: [size, -size, name, -name]}}":                                                                                          "sort=size 1, sort=-size -1, sort=name 1, sort=-name -1",
		"{name: sort, in: query, explode: false, schema: {type: array, items: {type: string, enum: [-made]}}}":                                                                       "sort=-made -1",
		"{name: orderBy, in: query, schema: {type: string, enum: ['size:asc', size_desc, MADE]}}":                                                                                    "orderBy=size%3Aasc 1, orderBy=size_desc -1, orderBy=MADE 0",
		"{name: order_by, in: query, description: Ascending., schema: {type: string, enum: [size]}}":                                                                                 "order_by=size 1",
		"{name: sort, in: query, schema: {type: string, enum: [size]}}, {name: order, in: query, schema: {type: string, enum: [asc, DESC, any]}}":                                    "sort=size 0, order=asc&sort=size 1, order=DESC&sort=size -1",
		"{name: order, in: query, schema: {type: string, enum: [size]}}":                                                                                                             "order=size 0",
		"{name: sort, in: query, schema: {type: string, enum: [made, born]}}":                                                                                                        "sort=made 0, sort=born 0",
		"{name: sort, in: query, description: Pinned ones come first., schema: {type: string, enum: [size]}}":                                                                        "",
		"{name: sort, in: query, description: The newest ones come first by default., schema: {type: string, enum: [-made]}}":                                                        "sort=-made -1",
		"{name: sort, in: query, schema: {type: string, enum: [rank, name, id, best]}}":                                                                                              "sort=name 0",
		"{name: sort, in: query, schema: {type: string, pattern: '^-?(made|size)$'}}":                                                                                                "sort=-made -1, sort=made 1, sort=-size -1, sort=size 1",
		"{name: sort, in: query, schema: {type: string, pattern: '^(made|size|[a-z]+)$'}}":                                                                                           "",
		"{name: sort, in: query, schema: {anyOf: [{type: string, pattern: '^(size)$'}, {type: 'null'}]}}, {name: order, in: query, schema: {type: string, pattern: '^(asc|desc)$'}}": "sort=size 0, order=asc&sort=size 1, order=desc&sort=size -1",
		"{name: sort, in: query, example: -made, schema: {type: string, default: size}}":                                                                                             "sort=-made -1, sort=size 0",
		"{name: sort, in: query, description: 'One of `size` and `-size`, or `best`.', schema: {type: string}}":                                                                      "sort=size 1, sort=-size -1",
		"{name: sort, in: query, description: 'Such as `size`, as `field:direction`.', schema: {type: string}}":                                                                      "",
		"{name: sort, in: query, description: 'Starts after the first `offset` entries.', schema: {type: string, enum: [-made]}}":                                                    "sort=-made -1",
		"{name: sort, in: query, description: 'Shows `pinned` ones first.', schema: {type: string, enum: [-made]}}":                                                                  "",
		"{name: sorts, in: query, schema: {type: string, enum: [size]}}":                                                                                                             "",
	} {
		got := ordersOf(t, "parameters: ["+parameters+"]", func(by spec.Order) string { return by.Query.Encode() })
		if got != want {
			t.Errorf("%s: %q, want %q", parameters, got, want)
		}
	}
}

// TestUsualOrders checks which descriptions of a list name the order that it always has.
func TestUsualOrders(t *testing.T) {
	for said, want := range map[string]string{
		"Users, sorted by name.":                         "name 0",
		"Users, ordered alphabetically by their `name`.": "name 0",
		"Users, sorted by size in descending order":      "size -1",
		"Users, in the order of `made`, oldest first":    "made 1",
		"Users, in order of relevance":                   "",
		"Users, sorted by size (ascending), then name":   "size 1",
		"Users, sorted by `made`, newest first":          "made -1",
		"Users, the oldest first":                        "createdAt 1",
		"Sorted by creation date, newest first":          "createdAt -1",
		"Users can be sorted by name":                    "",
		"Sorted by name of the team":                     "",
		"Sorted by name in each team":                    "",
		"Sorted by id":                                   "",
		"Sorted by relevance":                            "",
	} {
		got := ordersOf(t, "summary: '"+said+"'", func(by spec.Order) string { return strings.Join(by.Path, ".") })
		if got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

// ordersOf returns the orders of a list with these fields, each as what is named and its direction.
func ordersOf(t *testing.T, fields string, named func(spec.Order) string) string {
	t.Helper()
	entry := "{type: object, properties: {id: {type: string}, size: {type: integer}, name: {type: string}, rank: {type: string, enum: [low, high]}, made: {type: string, format: date-time}, createdAt: {type: string, format: date-time}, bornAt: {type: string, format: date}}}"
	op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {get: {operationId: x, "+fields+", responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: "+entry+"}}}}}}}}\n").Operations[0]
	var got []string
	for _, by := range op.Orders() {
		got = append(got, fmt.Sprint(named(by), " ", by.Sign))
	}
	return strings.Join(got, ", ")
}
