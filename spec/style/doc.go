// Package style writes the value of a parameter or a form field into a request (OpenAPI 3.0.3,
// Style Values), and returns the values that a service may read from such a text.
//
// OpenAPI defines how a value is written, see [Style.Write]. It does not define how a text is read:
// 7 may be a number, a string or a list with one item, and "yes" may be a boolean. So
// [Style.Readings] returns every value that the text may mean. A request breaks its contract only
// if no reading meets the schema.
package style
