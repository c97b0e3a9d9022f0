// Package schema holds the schemas of one OpenAPI document and judges values by
// them.
//
// A [Set] reads each schema once, however many $refs lead to it, and gives it as
// a [Schema]: a [Shape], in which $ref, allOf, anyOf and oneOf are merged, to see
// what values may look like; and [Schema.Faults], which judges a value and says
// in words what is wrong, and where. Responses and requests are judged each by
// what OpenAPI says of their direction: no request must have a read-only property, and
// no response a write-only one.
//
// Judging is left to an implementation of JSON Schema 2020-12 with exact numbers,
// into which OpenAPI's schemas are translated one by one, when they are first
// needed. Its types appear in this package's interface only in [Schema.Compiled] and
// [Schema.Source], which package generate makes values by.
package schema
