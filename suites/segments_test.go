package suites_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

const segments = `openapi: 3.0.3
info: {title: Segments, version: '1'}
paths:
  /tiles/{layer}{zoom}:
    parameters: [{name: layer, in: path, required: true, schema: {type: string}}, {name: zoom, in: path, required: true, style: matrix, schema: {type: integer, minimum: 0, maximum: 18}}]
    get: {operationId: getTile, responses: {'200': {description: d}, '404': {description: d}}}
  /files/{name}.{ext}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}, {name: ext, in: path, required: true, schema: {type: string, enum: [png, jpg]}}]
    get: {operationId: getFile, responses: {'200': {description: d}, '404': {description: d}}}
  /diff/{from}-{to}:
    parameters: [&n {name: from, in: path, required: true, schema: &s {type: integer, minimum: 1, maximum: 9}}, {<<: *n, name: to}]
    get: {operationId: getDiff, responses: {'200': {description: d}, '404': {description: d}}}
  /dates/{era}-{year}:
    parameters: [{name: era, in: path, required: true, schema: {type: string}}, {name: year, in: path, required: true, schema: {type: integer, minimum: 0}}]
    get: {operationId: getDate, responses: {'200': {description: d}, '404': {description: d}}}
  /notes/{name}:
    parameters: [&name {name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: getNote, responses: {'200': {description: d}}}
  /notes/{name}.{ext}:
    parameters: [*name, {name: ext, in: path, required: true, schema: {type: string, enum: [md]}}]
    get: {operationId: getNoteAs, responses: {'200': {description: d}}}
`

// TestSharedSegments: each of several parameters in one segment has its limits. A service may split
// a segment at any place that the document permits.
func TestSharedSegments(t *testing.T) {
	digit := regexp.MustCompile(`^[1-9]$`)
	for name, row := range map[string]struct {
		lax  string // what the service does not check
		last bool   // it splits at the last separator
		want string // violated clauses
	}{
		"right": {}, "splits at the last one": {last: true},
		"any zoom": {lax: "zoom", want: "getTile/request/path/zoom"}, "any type of file": {lax: "ext", want: "getFile/request/path/ext"},
		"from anywhere": {lax: "from", want: "getDiff/request/path/from"}, "to anywhere": {lax: "to", want: "getDiff/request/path/to"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cut := func(text, at string) (string, string) {
				if i := strings.LastIndex(text, at); row.last && i >= 0 {
					return text[:i], text[i+len(at):]
				}
				before, after, _ := strings.Cut(text, at)
				return before, after
			}
			c := contractOf(t, segments)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				kind, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
				ok := kind == "notes" // notes/a.txt is the note a.txt
				switch kind {
				case "tiles":
					_, text := cut(rest, ";zoom=")
					zoom, err := strconv.Atoi(text)
					ok = row.lax == "zoom" || err == nil && zoom >= 0 && zoom <= 18
				case "files":
					_, ext := cut(rest, ".")
					ok = row.lax == "ext" || ext == "png" || ext == "jpg"
				case "diff":
					from, to := cut(rest, "-")
					ok = (row.lax == "from" || digit.MatchString(from)) && (row.lax == "to" || digit.MatchString(to))
				case "dates":
					_, text := cut(rest, "-")
					year, err := strconv.Atoi(text)
					ok = err == nil && year >= 0
				}
				if !ok {
					w.WriteHeader(http.StatusNotFound)
				}
			})
			r := run(t, c)
			broken := map[string]bool{}
			for _, one := range r.Results {
				for _, f := range one.Findings {
					if f.Severity == judge.Violation {
						broken[string(f.Clause)] = true
					}
				}
			}
			if (len(broken) > 0) != (row.want != "") || row.want != "" && (len(broken) != 1 || !broken[row.want]) {
				t.Errorf("broken are %v, want %q%s", broken, row.want, firstOf(r))
			}
		})
	}
}
