package compare

import (
	_ "embed"
	"io"

	"github.com/plantstore/conformance/suites/internal/terminal"
)

//go:embed compare.schema.json
var schema string

// Schema is the JSON Schema of what [WriteJSON] writes: compare.schema.json.
func Schema() []byte { return []byte(schema) }

// WriteJSON writes the stable format, as compare.schema.json describes it.
func WriteJSON(w io.Writer, c Comparison) error {
	return terminal.WriteJSON(w, "the comparison as JSON", "  ", c)
}
