package suites_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
)

const entryDocument = `openapi: 3.1.0
info: {title: Entries, version: '1'}
paths:
  /entries:
    post:
      operationId: addEntry
      requestBody: {required: true, content: {application/json: {schema: SCHEMA}}}
      responses: {'201': {description: d}, '400': {description: d}}
`

// TestLenientReaders: a service that misreads a part of the document is found. A service that
// refuses only what the document leaves open is not.
func TestLenientReaders(t *testing.T) {
	const (
		moves   = `{type: object, required: [why, change], properties: {why: {enum: [sale, return]}, change: {type: integer, minimum: -1000, maximum: 1000, not: {const: 0}}}, if: {properties: {why: {const: sale}}}, then: {properties: {change: {maximum: -1}}}, else: {properties: {change: {minimum: 1}}}}`
		volumes = `{type: object, required: [volume], properties: {volume: {type: integer, maximum: 99}}, anyOf: [{required: [liquid], properties: {liquid: {const: true}, volume: {maximum: 50}}}, {required: [solid], properties: {solid: {const: true}}}]}`
		digests = `{type: object, required: [digest], properties: {digest: {type: string, format: byte, minLength: 24, maxLength: 24}}}`
		files   = `{type: object, required: [data], properties: {data: {type: string, contentEncoding: base64, minLength: 4, maxLength: 400}}}`
		names   = `{type: object, required: [name], properties: {name: {type: string, maxLength: 60, pattern: '^\p{L}[\p{L} ''-]*$'}, note: {type: string}}}`
		prices  = `{type: object, required: [kind, currency], properties: {kind: {enum: [card, bank]}, currency: {enum: [EUR, USD, GBP]}, code: {type: string, pattern: '^[A-Z]{2}[0-9]{4}$'}}, if: {properties: {kind: {const: bank}}}, then: {properties: {currency: {const: EUR}, code: {pattern: '^DE'}}}}`
		papers  = `{type: object, properties: {kind: {enum: [book, map]}, size: {enum: [A3, A4, A5]}}, oneOf: [{required: [kind, size], properties: {kind: {const: book}, size: {enum: [A4, A5]}}}, {required: [kind, folds], properties: {kind: {const: map}, folds: {type: integer}, size: {enum: [A3, A4]}}}]}`
		words   = `{type: object, required: [name], properties: {name: {type: string, maxLength: 60, pattern: '^[^<>]+$'}, note: {type: string}}}`
	)
	notASCII := func(text string) bool { return strings.Contains(text, "ü") }
	undecodable := func(text string) bool {
		var sent struct{ Data string }
		_ = json.Unmarshal([]byte(text), &sent)
		_, err := base64.StdEncoding.DecodeString(sent.Data)
		return err != nil
	}
	for name, row := range map[string]struct {
		schema    string
		old, read string                 // the service reads old in the schema as read
		refuses   func(text string) bool // texts that it rejects
		want      []string               // violated clauses
	}{
		"moves":                                 {schema: moves},
		"moves without the bound of then":       {schema: moves, old: "maximum: -1}", read: "}", want: []string{"addEntry/request/body/why", "addEntry/request/body/change"}},
		"moves without the bound of else":       {schema: moves, old: "minimum: 1}", read: "}", want: []string{"addEntry/request/body/change"}},
		"moves without outer bounds":            {schema: moves, old: "minimum: -1000, maximum: 1000", read: "minimum: -9999, maximum: 9999", want: []string{"addEntry/request/body/change"}},
		"volumes":                               {schema: volumes},
		"volumes without the bound of a branch": {schema: volumes, old: ", volume: {maximum: 50}", want: []string{"addEntry/request/body/volume"}},
		"prices":                                {schema: prices},
		"prices without the constant of then":   {schema: prices, old: "currency: {const: EUR}, ", want: []string{"addEntry/request/body/currency"}},
		"prices without the pattern of then":    {schema: prices, old: ", code: {pattern: '^DE'}", want: []string{"addEntry/request/body/kind", "addEntry/request/body/code"}},
		"papers":                                {schema: papers},
		"papers without the list of the first":  {schema: papers, old: ", size: {enum: [A4, A5]}", want: []string{"addEntry/request/body/size"}},
		"papers without the list of the second": {schema: papers, old: ", size: {enum: [A3, A4]}", want: []string{"addEntry/request/body/size"}},
		"digests":                               {schema: digests},
		"digests of any length":                 {schema: digests, old: ", minLength: 24, maxLength: 24", want: []string{"addEntry/request/body/digest"}},
		"digests that may be longer":            {schema: digests, old: "maxLength: 24", read: "maxLength: 99", want: []string{"addEntry/request/body/digest"}},
		"names":                                 {schema: names},
		"names of A-Z only":                     {schema: names, refuses: notASCII, want: []string{"addEntry/accepts"}},
		"words of A-Z only":                     {schema: words, refuses: notASCII},
		"files":                                 {schema: files, refuses: undecodable},
		"files of no bytes":                     {schema: files, old: "minLength: 4", read: "minLength: 0", refuses: undecodable, want: []string{"addEntry/request/body/data"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := strings.Replace(entryDocument, "SCHEMA", row.schema, 1)
			read := specOf(t, strings.Replace(document, row.old, row.read, 1))
			op, _ := read.Operation("addEntry")
			c := contractOf(t, document)
			c.Target.BaseURL, c.Target.Handler = "http://service.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				text, _ := io.ReadAll(r.Body)
				status := http.StatusCreated
				broken, _ := op.CheckRequest(spec.Request{Header: r.Header, Body: text, HasBody: len(text) > 0}) //nolint:contextcheck // what the run sends is small
				if len(broken) > 0 || !json.Valid(text) || row.refuses != nil && row.refuses(string(text)) {
					status = http.StatusBadRequest
				}
				w.WriteHeader(status)
			})
			r := run(t, c)
			if broken := brokenBy(r, false); !slices.Equal(broken, row.want) {
				t.Errorf("broken are %v, want %v%s", broken, row.want, firstOf(r))
			}
		})
	}
}
