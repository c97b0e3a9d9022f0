// Package swagger translates a Swagger 2.0 document into the form of OpenAPI 3.0, on
// the located tree: what is said of the result names the place in the document as it
// was written.
//
// Schemas stay where they are, so that references to them hold. Path items,
// parameters and responses are put where they are used.
package swagger
