// Package instance reads JSON texts that are to be judged, in the sense of JSON
// Schema: an instance is the value that a schema is held against.
//
// [Read] is stricter than encoding/json and tells more: every flaw has a place,
// numbers keep their literals, duplicate keys and halves of surrogate pairs are
// noted. [Limits] bound what a hostile text may cost. [Find] gives the bytes of a
// value as they were written, for those who have to show them.
package instance
