package report

import _ "embed"

//go:embed report.schema.json
var schema string

// Schema is the JSON Schema of what [WriteJSON] writes: report.schema.json.
func Schema() []byte { return []byte(schema) }
