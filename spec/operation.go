package spec

import (
	"cmp"

	"github.com/plantstore/conformance/spec/schema"
)

// Operation is one method on one path of the contract, with all that a
// request to it needs and all that its responses are held against.
type Operation struct {
	ID          string // operationId; method and path where the document gives none
	Method      string // in capitals
	Path        string // template, as "/things/{id}"
	Parameters  []Parameter
	RequestBody *RequestBody // nil where the operation takes none
	Security    Security
	responses   []*response
	clauses     []Clause
	ids         map[string]bool
}

// ClauseIDs makes the ids of the operation's clauses.
func (op *Operation) ClauseIDs() ClauseIDs { return ClauseIDs(op.ID) }

// Parameter is one parameter of an operation.
type Parameter struct {
	Name     string
	In       string // path, query, header or cookie
	Required bool
	Style    string         // how a list or an object is written (OpenAPI 3.0.3, Style Values); "" where MediaType says how
	Explode  bool           // each item or property by itself
	Reserved bool           // allowReserved: characters such as / and ? stand for themselves
	Schema   *schema.Schema // of the value
	Content  string         // the media type in which the value is written, where the document gives one
}

// RequestBody is what an operation takes as its body.
type RequestBody struct {
	Required bool
	Content  []Content // in the document's order
}

// Content is what a body of one media type, or range of them, holds.
type Content struct {
	MediaType string // as the document writes it
	Schema    *schema.Schema

	parsed  mediaType
	clauses bodyClauses // of a response whose bodies are JSON texts
}

// MediaType is the one that a fixture sends unless it says otherwise:
// application/json where it is declared, or else the first of JSON texts, or
// of a range that includes them; without any, the first.
func (b *RequestBody) MediaType() string {
	var suffixed, ranged string
	for _, c := range b.Content {
		switch m := c.parsed; {
		case m.subtype == "json":
			return c.MediaType
		case m.isJSON() && !m.isRange():
			suffixed = cmp.Or(suffixed, c.MediaType)
		case m.covers(mediaType{kind: "application", subtype: "json"}), m.isJSON():
			ranged = "application/json"
		}
	}
	if len(b.Content) == 0 {
		return ""
	}
	return cmp.Or(suffixed, ranged, b.Content[0].MediaType)
}

// JSON is the schema by which a JSON body is judged, or nil where the document
// gives none.
func (b *RequestBody) JSON() *schema.Schema {
	sent, err := parseMediaType(b.MediaType())
	if err != nil || !sent.isJSON() {
		return nil
	}
	if best := mostSpecific(b.Content, sent); best != nil && best.Schema.Place.Node != nil {
		return best.Schema
	}
	return nil
}

// mostSpecific is the content that covers a media type best, or nil.
func mostSpecific(content []Content, named mediaType) *Content {
	var best *Content
	for i, c := range content {
		if c.parsed.covers(named) && (best == nil || c.parsed.precision() > best.parsed.precision()) {
			best = &content[i]
		}
	}
	return best
}

// mediaTypes are those that the contents are declared for.
func mediaTypes(content []Content) []string {
	names := make([]string, len(content))
	for i, c := range content {
		names[i] = c.MediaType
	}
	return names
}

// Declares says whether the contract declares that status for the operation,
// as itself, by its class (4XX) or by default.
func (op *Operation) Declares(status int) bool { return op.response(status) != nil }

func (op *Operation) add(c Clause) {
	if op.ids[c.ID] {
		return // the same property in two branches of a schema is one clause
	}
	c.Operation = op.ID
	op.ids[c.ID] = true
	op.clauses = append(op.clauses, c)
}
