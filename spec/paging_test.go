package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestIsPaged checks the names of parameters that select a part of a list.
func TestIsPaged(t *testing.T) {
	for name, want := range map[string]bool{
		"page": true, "page_size": true, "pageSize": true, "pagesize": true, "per_page": true, "perPage": true, "perpage": true, "limit": true, "$top": true, "$skip": true,
		"starting_after": true, "startIndex": true, "nextToken": true, "page[number]": true, "maxResults": true, "cursor": true,
		"person_id": false, "discount": false, "topic": false, "frommage": false, "sort": false, "performer": false,
	} {
		op := spectest.Load(t, spectest.Head("3.0.3")+`paths:
  /a:
    get:
      operationId: x
      parameters: [{name: '`+name+`', in: query, schema: {type: string}}, {name: created_after, in: query, schema: {type: string, format: date}}]
      responses: {'200': {description: d}}
`).Operations[0]
		if got := op.IsPaged(); got != want {
			t.Errorf("%s: %t", name, got)
		}
		op = spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {get: {operationId: x, parameters: [{name: of, in: query, schema: {type: object, properties: {'"+name+"': {type: string}}}}], responses: {'200': {description: d}}}}}\n").Operations[0]
		if got := op.IsPaged(); got != want {
			t.Errorf("%s in an object: %t", name, got)
		}
	}
}

// TestPageSize checks which parameters limit the number of entries, and which may mean something
// else.
func TestPageSize(t *testing.T) {
	for parameters, want := range map[string]string{
		"{name: limit, in: query, schema: {type: integer}}": "limit", "{name: 'page[size]', in: query, schema: {type: integer}}": "page[size]",
		"{name: 'page[limit]', in: query, schema: {type: integer}}": "page[limit]", "{name: $top, in: query, schema: {type: integer}}": "$top",
		"{name: take, in: query, schema: {type: integer}}": "take", "{name: rows, in: query, schema: {type: integer}}": "rows", "{name: count, in: query, schema: {type: integer}}": "count",
		"{name: count, in: query, schema: {type: integer}}, {name: limit, in: query, schema: {type: integer}}":                                     "limit",
		"{name: first, in: query, schema: {type: integer}}, {name: after, in: query, schema: {type: string}}":                                      "first",
		"{name: first, in: query, schema: {type: integer}}, {name: max, in: query, schema: {type: integer}}":                                       "", // where a page begins
		"{name: limit, in: query, schema: {type: number}}":                                                                                         "limit",
		"{name: $count, in: query, schema: {type: boolean}}":                                                                                       "",
		"{name: top, in: query, schema: {type: integer}}":                                                                                          "", // a property of the entries
		"{name: take, in: query, schema: {type: integer}, description: Take at least so many.}":                                                    "",
		"{name: topic, in: query, schema: {type: integer}}":                                                                                        "",
		"{name: max, in: query, schema: {type: integer, minimum: 1, maximum: 200, default: 100}}":                                                  "max",
		"{name: size, in: query, schema: {type: integer, minimum: 1, maximum: 25, default: 10}}":                                                   "size",
		"{name: first, in: query, schema: {type: integer, minimum: 1, maximum: 20, default: 20}, description: At most so many.}":                   "first",
		"{name: take, in: query, schema: {type: integer, minimum: 1, maximum: 20, default: 20}, description: At most so many.}":                    "take",
		"{name: n, in: query, schema: {type: integer, minimum: 0, maximum: 50}, description: The maximum number of results.}":                      "n",
		"{name: amount, in: query, schema: {type: integer, minimum: 1, maximum: 50}, description: Return at most so many items.}":                  "amount",
		"{name: n, in: query, schema: {type: integer, minimum: 0, maximum: 50}}":                                                                   "",
		"{name: amount, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 10}}":                                                 "",
		"{name: first, in: query, schema: {type: integer, minimum: 0, maximum: 1000, default: 0}}":                                                 "", // where a page begins
		"{name: max, in: query, schema: {type: integer, minimum: 0, maximum: 9000, default: 9000}}":                                                "", // a price
		"{name: max, in: query, schema: {type: integer, minimum: 0, maximum: 900, default: 900}, description: The highest price.}":                 "",
		"{name: max, in: query, schema: {type: integer, minimum: 0, maximum: 90}, description: Only orders of at most so many items.}":             "",
		"{name: min, in: query, schema: {type: integer}}, {name: max, in: query, schema: {type: integer, minimum: 0, maximum: 900, default: 900}}": "", // a range
		"{name: size, in: query, schema: {type: integer, minimum: 1, maximum: 20, default: 2}}":                                                    "", // of a table
		"{name: offset, in: query, schema: {type: integer, minimum: 0, maximum: 900}, description: Skips up to so many items.}":                    "",
		"{name: page, in: query, schema: {type: integer, minimum: 1, maximum: 90}, description: The number of a page.}":                            "",
		"{name: size, in: query, schema: {type: integer, minimum: 1, maximum: 20}, description: Number of people.}":                                "",
	} {
		op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {get: {operationId: x, parameters: ["+parameters+"], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {top: {type: integer}}}}}}}}}}}\n").Operations[0]
		if got, _ := op.PageSize(); got.Name != want {
			t.Errorf("%s: %q, want %q", parameters, got.Name, want)
		}
	}
}

// TestFilters checks which parameters select entries by one of their properties, even if it may be
// null.
func TestFilters(t *testing.T) {
	op := spectest.Load(t, spectest.Head("3.1.0")+`paths:
  /a:
    get:
      operationId: x
      parameters:
        - {name: done, in: query, schema: {type: boolean}}
        - {name: late, in: query, schema: {anyOf: [{type: boolean}, {type: 'null'}]}}
        - {name: kind, in: query, schema: {anyOf: [{type: 'null'}, {type: string, enum: [a, b]}]}}
        - {name: color, in: query, schema: {type: string, enum: [red, blue]}, description: Only those of this color. The total is not affected by it.}
        - {name: size, in: query, schema: {type: string, enum: [small]}, description: Include those of this size.}
        - {name: stars, in: query, schema: {type: integer, enum: [1, 2]}}
        - {name: name, in: query, schema: {type: string}}
        - {name: language, in: query, schema: {type: string}}
        - {name: hidden, in: query, schema: {type: boolean}}
        - {name: ids, in: query, schema: {type: array, items: {type: integer}}}
        - {name: tag, in: query, schema: {type: string, enum: [x, y]}}
        - {name: owner, in: query, schema: {type: string, format: email}}
        - {name: due, in: query, schema: {type: string, format: date}, description: Only what is due at most on that day.}
        - {name: count, in: query, schema: {type: integer}}
        - {name: fields, in: query, schema: {type: array, items: {type: string, enum: [id, tags]}}}
        - {name: IsPublic, in: query, schema: {type: boolean}}
        - {name: mood, in: query, schema: {type: string, enum: [good, bad, all]}}
        - {name: weight, in: query, schema: {type: integer}}
        - {name: query, in: query, schema: {type: object, properties: {level: {type: string, enum: [high, low]}, size: {type: integer}}}}
        - {name: packed, in: query, explode: false, schema: {type: object, properties: {level: {type: string, enum: [high, low]}}}}
        - {name: open, in: query, schema: {type: boolean}, description: 'Only what is open, or only those that are not.'}
        - {name: fresh, in: query, schema: {type: boolean}, description: Only what is fresh (true) or not (false).}
        - {name: gone, in: query, schema: {type: boolean}, description: What is not gone.}
        - {name: archived, in: query, schema: {type: boolean}, description: Archived ones are only listed when this is true.}
        - {name: past, in: query, schema: {type: boolean, default: false}}
        - {name: 'filter[shade]', in: query, schema: {type: string, enum: [dark]}}
        - {name: 'filter[mood]', in: query, schema: {type: string, enum: [good, bad]}}
        - {name: 'filter[weight]', in: query, schema: {type: integer}}
        - {name: name_starts_with, in: query, schema: {type: string}}
        - {name: by, in: query, style: deepObject, schema: {type: object, properties: {rank: {type: integer}, name: {type: string}}}}
      responses:
        '200':
          description: d
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  properties: {language: {type: string}, open: {type: boolean}, fresh: {type: boolean}, gone: {type: boolean}, archived: {type: boolean}, past: {type: boolean}, done: {type: boolean}, late: {type: boolean}, kind: {type: string, enum: [a, b]}, color: {type: [string, 'null'], enum: [red, blue, null]}, size: {type: string, enum: [small]}, stars: {type: integer, enum: [1, 2]}, name: {type: string}, id: {type: integer, format: int64}, tags: {type: array, items: {type: string, enum: [x, y]}}, owner: {type: string, format: email}, due: {type: string, format: date}, count: {type: integer}, rank: {type: integer}, is_public: {type: boolean}, level: {oneOf: [{enum: [high]}, {enum: [low]}]}, mood: {type: string, enum: [good, bad]}, parent: {type: object, properties: {weight: {type: integer}}}, attributes: {type: object, properties: {mood: {type: string, enum: [good, bad]}, shade: {type: string, enum: [dark]}}}}
`).Operations[0]
	var names, paths []string
	for _, p := range op.Filters() {
		names, paths = append(names, p.Key), append(paths, strings.Join(p.Path, "."))
	}
	if want := []string{"done", "late", "kind", "color", "stars", "name", "ids", "tag", "owner", "IsPublic", "mood", "level", "open", "fresh", "past", "filter[shade]", "filter[mood]", "name_starts_with", "by[rank]", "by[name]"}; !slices.Equal(names, want) {
		t.Errorf("the filters are %v, want %v", names, want)
	}
	if want := []string{"attributes.shade", "mood", "name", "rank", "name"}; !slices.Equal(paths[len(paths)-5:], want) {
		t.Errorf("the last filters are by %v, want %v", paths, want)
	}
	done, mood := op.Filters()[0], op.Filters()[10]
	for text, want := range map[string]bool{"good": true, "all": false, "other": false} { // an entry cannot have all values
		if mood.Chooses(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
	if past := op.Filters()[14]; past.Chooses("true") || !past.Chooses("false") {
		t.Error("past=true may add what is past, and past=false has none")
	}
	for text, want := range map[string]bool{"true": true, "false": true, "1": false, "yes": false, "": false} {
		if done.Chooses(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}

// TestBounds checks which parameters are a bound for a property of the entries.
func TestBounds(t *testing.T) {
	const number, time = "schema: {type: number}", "schema: {type: string, format: date-time}"
	for parameter, want := range map[string]string{
		"name: minPrice, " + number:                                  "price from, included",
		"name: price_max, " + number:                                 "price to, included",
		"name: 'price[$gte]', " + number:                             "price from, included",
		"name: 'filter[price][lt]', " + number:                       "price to, excluded",
		"name: price__gt, description: Above this price., " + number: "price from, excluded",
		"name: maximum-price, description: 'At most this price, or equal (inclusive).', " + number:    "price to, included",
		"name: price, style: deepObject, schema: {type: object, properties: {le: {type: number}}}":    "price to, included",
		"name: created_after, description: At or after that time., " + time:                           "createdAt from, included",
		"name: created_since, description: Since that time (inclusive)., " + time:                     "createdAt from, included",
		"name: created_until, description: On or before that day., " + time:                           "createdAt to, included",
		"name: created_until, description: Before that time., " + time:                                "createdAt to, excluded",
		"name: created_from, description: No earlier than that., " + time:                             "createdAt from, included",
		"name: price_to, description: 'The price, equal to or lower than this.', " + number:           "price to, included",
		"name: price_from, description: A price greater than this one., " + number:                    "price from, excluded",
		"name: price_from, description: A price >= this one., " + number:                              "price from, included",
		"name: min_price, description: The minimum price (exclusive)., " + number:                     "price from, excluded",
		"name: price_to, description: The maximum price., " + number:                                  "price to, included",
		"name: createdAtUntil, " + time:                                                               "createdAt to",
		"name: min_price, description: Only this price or a higher one., " + number:                   "price from, included",
		"name: created_before, " + time:                                                               "createdAt to",
		"name: created_after, description: Created after that time., " + time:                         "createdAt from",
		"name: created_since, description: Since then; before today., " + time:                        "createdAt from",
		"name: from, description: The first 'createdAt'., " + time:                                    "createdAt from",
		"name: min_price, description: Items above this price., " + number:                            "price from",
		"name: price_gt, description: The minimum price., " + number:                                  "price from",
		"name: price_from, description: At least one of this and of price_to is given., " + number:    "price from",
		"name: price_from, description: Must be lower than price_to and greater than 0., " + number:   "price from",
		"name: price_from, description: Non-inclusive., " + number:                                    "price from",
		"name: price_to, description: 'Strictly below, or equal to a limit if inclusive.', " + number: "price to",
		"name: created_until, description: Mutually exclusive with created_at., " + time:              "createdAt to",

		"name: madeFrom, description: \"Whose `createdAt` is on or after this time.\", " + time:              "createdAt from, included",
		"name: madeTo, description: \"`createdAt` is at or before this time.\", " + time:                     "createdAt to, included",
		"name: from, description: Only those that end at this time or later., " + time:                       "endsAt from, included",
		"name: to, description: 'Created before this time, but not deleted.', " + time:                       "",
		"name: to, description: Entries created before this time., " + time:                                  "createdAt to, excluded",
		"name: from, description: Entries ending on or after this time., " + time:                            "endsAt from, included",
		"name: to, description: Those that start before this time., " + time:                                 "",
		"name: to, description: Those that end before this time and end after from., " + time:                "",
		"name: costsTo, description: \"`price` may not be higher.\", " + number:                              "",
		"name: madeFrom, description: \"Ignored if `createdAt` is not known.\", " + time:                     "",
		"name: madeFrom, description: \"`createdAt` is after this time, or `endsAt` is after it.\", " + time: "",
		"name: from, description: What was created from then on., " + time:                                   "",
		"name: to, description: \"`createdAt` or `endsAt` until then.\", " + time:                            "",
		"name: created_since, description: Created or changed since then., " + time:                          "",
		"name: created_since, schema: {type: string, format: date}":                                          "",
		"name: validFrom, " + time: "", // it may be the same value
		"name: created_before, description: Also those that are pinned., " + time:                      "",
		"name: max_price, description: Excludes none., " + number:                                      "",
		"name: minPrice, schema: {type: string}":                                                       "",
		"name: min_rank, schema: {type: integer}":                                                      "", // languages sort texts differently
		"name: limit, schema: {type: integer}":                                                         "",
		"name: size_max, description: Of a page., schema: {type: integer}":                             "",
		"name: max_price, schema: {type: number}}, {in: query, name: currency, schema: {type: string}": "",
		"name: after, " + time: "",
	} {
		op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {get: {operationId: x, parameters: [{in: query, "+parameter+"}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: "+
			"{price: {type: number}, createdAt: {type: string, format: date-time}, endsAt: {type: string, format: date-time}, validFrom: {type: string, format: date-time}, valid: {type: string, format: date-time}, rank: {type: string}, size: {type: integer}, limits: {type: integer}, at: {type: string, format: date-time}}}}}}}}}}}\n").Operations[0]
		got := ""
		for _, f := range op.Filters() {
			got += f.Property + map[spec.Comparison]string{spec.AtLeast: " from", spec.AtMost: " to"}[f.By] + map[spec.Edge]string{spec.EdgeIncluded: ", included", spec.EdgeExcluded: ", excluded"}[f.Edge]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", parameter, got, want)
		}
	}
	by := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/a: {get: {operationId: x, parameters: [{in: query, name: max_price, "+number+"}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {price: {type: number}}}}}}}}}}}\n").Operations[0].Filters()[0]
	for text, want := range map[string]bool{"1.5": true, "0": false, "-1": false, "all": false, "1e999": false, "": false} { // some values mean that there is no bound
		if by.Chooses(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}
