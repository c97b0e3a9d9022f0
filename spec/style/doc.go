// Package style knows how the value of a parameter or a form field stands in a
// request (OpenAPI 3.0.3, Style Values), and what a service may take such a text
// for.
//
// OpenAPI settles how a value is written, [Style.Write]. It does not settle how
// a text is read back: 7 may be a number, a string or a list of one, and nobody
// reports whether "yes" is a boolean. So [Style.Readings] gives every value that the
// text may be. A request breaks its contract only if no reading meets the schema.
package style
