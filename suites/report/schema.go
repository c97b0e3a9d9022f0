package report

import _ "embed"

//go:embed report.schema.json
var schema string

//go:embed event.schema.json
var eventSchema string

// Schema is the JSON Schema of what [WriteJSON] writes: report.schema.json.
func Schema() []byte { return []byte(schema) }

// EventSchema is the JSON Schema of one line of what [WriteNDJSON] writes:
// event.schema.json, which refers to report.schema.json beside it.
func EventSchema() []byte { return []byte(eventSchema) }
