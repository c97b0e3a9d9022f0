// Package instance reads the JSON texts that are judged. In JSON Schema, an instance is the value
// that is validated by a schema.
//
// [Read] is stricter than encoding/json and reports more: every flaw has a place, numbers keep
// their literals, duplicate keys and halves of surrogate pairs are recorded. [Limits] limits the
// cost of a hostile text. [Find] returns the bytes of a value as they were written.
package instance
