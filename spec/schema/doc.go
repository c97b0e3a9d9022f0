// Package schema holds the schemas of one OpenAPI document and validates values against them.
//
// A [Set] reads each schema once, even if several $refs lead to it, and returns it as a [Schema].
// [Schema.Shape] merges $ref, allOf, anyOf and oneOf, and says what values may look like.
// [Schema.Faults] validates a value and says in words what is wrong, and where. The direction
// matters: a request need not have a read-only property, and a response need not have a write-only
// property.
//
// An implementation of JSON Schema 2020-12 with exact numbers validates the values. Each OpenAPI
// schema is translated for it when it is first needed. Only [Schema.Compiled] and [Schema.Source]
// expose types of that library. Package generate makes values from them.
package schema
