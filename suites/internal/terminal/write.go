package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes content as JSON, in one piece. What a CI system would obey
// in the output of a step is escaped; readers of JSON do not see the escapes.
// An error says that it is about what, as in "the SARIF report".
func WriteJSON(w io.Writer, what, indent string, content any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a report shows what was sent, not \u003c for it
	encoder.SetIndent("", indent)
	err := encoder.Encode(content)
	if err == nil {
		_, err = w.Write(defuse(text.Bytes(), `\u005b`))
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}

// WriteText writes a text in one piece. An error says that it is about what.
func WriteText(w io.Writer, what, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}
