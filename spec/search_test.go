package spec_test

import (
	"testing"

	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestSearches checks which words say that a property of each entry contains the text of a parameter. Most searches may
// find other entries, too.
func TestSearches(t *testing.T) {
	for says, want := range map[string]string{
		"Only books whose title contains this text.":                                   "title",
		"Lists the books whose `title` contains the text (case-insensitive).":          "title",
		"Returns books with this text in the title.":                                   "title",
		"Only books whose short name contains the given value":                         "shortName",
		"Substring of the title to search for":                                         "title",
		"Filter books where title contains the filter. Defaults to null.":              "title",
		"A text. The title contains the search text, ignoring case.":                   "title",
		"Only books whose title contains this text. Case does not matter.":             "title",
		"A text that the title of the book contains, in upper or lower case.":          "title",
		"A text that the title or the note contains.":                                  "",
		"A text that the title of the shelf contains.":                                 "",
		"Only books whose title or note contains this text.":                           "",
		"Only books whose title contains this text, or a similar one.":                 "",
		"Full-text search. Books whose title contains the text.":                       "",
		"Only books whose title contains the words of this text.":                      "",
		"Only books whose title matches this text.":                                    "",
		"Searches the titles.":                                                         "",
		"Search by title.":                                                             "",
		"Only books whose author contains this text.":                                  "",
		"Only books whose title does not contain this text.":                           "",
		"Only books whose title contains a number.":                                    "",
		"Only books with a chapter whose title contains this text. See the other page": "",
		"Only books whose kind contains this text.":                                    "",
		"Fuzzy search: the title contains this text.":                                  "",
		"May contain the title.":                                                       "",
	} {
		op := spectest.Load(t, spectest.Head("3.0.3")+"paths: {/books: {get: {operationId: x, parameters: [{name: q, in: query, description: "+quoted(says)+", schema: {type: string}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {title: {type: string}, note: {type: string}, shortName: {type: string}, kind: {type: string, enum: [a]}}}}}}}}}}}\n").Operations[0]
		got := ""
		for _, f := range op.Filters() {
			got += f.Property
		}
		if got != want {
			t.Errorf("%s: %q, want %q", says, got, want)
		}
	}
}
