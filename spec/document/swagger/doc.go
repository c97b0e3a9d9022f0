// Package swagger translates a Swagger 2.0 document into OpenAPI 3.0. It keeps the position of each
// value, so that errors about the result name the place in the original document.
//
// Schemas stay where they are, so that references to them stay valid. Path items, parameters and
// responses are copied to the places that use them.
package swagger
