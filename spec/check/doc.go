// Package check judges single responses by the clauses of a contract.
//
// [Response.Check] judges one response by everything that the contract says about responses of the
// operation. It is stricter than the validators of gateways: the body must be exactly one JSON value
// in UTF-8 without duplicate keys, and numbers are never converted to floats. Each [Breach] names
// its clause, its place in the body, what was expected and what was found.
//
// [Response.CheckEcho] and [Response.CheckShown] compare a response with what was sent before.
// Package shown does the comparing.
//
// The package judges messages, not services: it does not know which requests a service should have
// accepted. Package judge does.
package check
