package check_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestTextsShown checks that a plain text is judged by its schema, if it can be read.
func TestTextsShown(t *testing.T) {
	const doc = "  /a:\n    get: {operationId: x, responses: {'200': {description: d, content: {text/plain: {schema: {type: string, maxLength: 5, pattern: '^[A-Zé]'}}}}, " +
		"'201': {description: d, content: {text/plain: {schema: {type: string}}}}, '202': {description: d, content: {text/plain: {schema: {type: integer}}}}, " +
		"'203': {description: d, content: {text/plain: {schema: {type: string, enum: [up]}}, application/json: {schema: {type: string}}}}}}\n"
	op := spectest.Load(t, spectest.Paths(doc)).Operations[0]
	for _, row := range []struct {
		name, mediaType, body string
		status                int
		broken                string
	}{
		{"as it is stated", "text/plain", "Abcde", 200, ""},
		{"with a line break at its end", "text/plain; charset=utf-8", "Abcde\r\n", 200, ""},
		{"characters, not bytes", "text/plain; charset=UTF-8", "éèàâê", 200, ""},
		{"too long", "text/plain", "Abcdef", 200, "/200/body is too long"},
		{"two line breaks", "text/plain", "Abcde\n\n", 200, "/200/body is too long"},
		{"not of the pattern", "text/plain;charset=us-ascii", "abc", 200, "/200/body does not match the pattern"},
		{"empty", "text/plain", "", 200, "/200/body does not match the pattern"},
		{"in another character set", "text/plain; charset=utf-16", "A\x00b\x00c\x00", 200, ""},
		{"in a character set that is not named", "text/plain", "\xe9t\xe9 \xe0 la mer", 200, ""},
		{"of another media type", "text/html", "abcdefgh", 200, "/200/media-type comes with a media type that is not declared"},
		{"any text", "text/plain", "abcdefgh", 201, ""},
		{"a text of which the type is not that of a text", "text/plain", "seven", 202, ""},
		{"one of several media types", "text/plain", "down", 203, "/203/body is not one of the allowed values"},
	} {
		t.Run(row.name, func(t *testing.T) {
			result, err := spectest.Labelled(row.status, row.body, row.mediaType).Check(t.Context(), op, instance.Limits{})
			got := ""
			for _, b := range result.Breaches {
				got += strings.TrimPrefix(string(b.Clause), "x") + " " + b.Message
			}
			if err != nil || !strings.HasPrefix(got, row.broken) || got != "" && row.broken == "" {
				t.Errorf("%q, want %q; %v", got, row.broken, err)
			}
		})
	}
}
