package compare

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
)

//go:embed compare.schema.json
var schema string

// Schema is the JSON Schema of what [WriteJSON] writes: compare.schema.json.
func Schema() []byte { return []byte(schema) }

// WriteJSON writes the stable format, as compare.schema.json describes it.
func WriteJSON(w io.Writer, c Comparison) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(c); err != nil {
		return fmt.Errorf("writing the comparison as JSON: %w", err)
	}
	return nil
}
