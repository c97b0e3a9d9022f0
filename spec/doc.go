// Package spec holds the contract as data and judges one response against it.
//
// A contract is an OpenAPI document. [Load] validates it, reads its
// operations and derives its clauses: the statements that a service can keep
// or break, each with a permanent id such as "createThing/400/body/message".
// An overlay, clauses.yaml, gives clauses the wording and section numbers that
// people use and lists the questions the contract leaves open, its silences.
//
// [Operation.CheckResponse] holds one response against the contract. It is
// stricter than a validator made for gateways: exactly one JSON value in
// UTF-8, no duplicate keys, integers judged on their literal, no float
// anywhere, and every breach names its clause, its place in the body, what
// was expected and what was found.
//
// Validation of instances is left to a JSON Schema implementation with exact
// numbers; validation of the document itself to kin-openapi. Neither type
// appears in this package's interface.
package spec
