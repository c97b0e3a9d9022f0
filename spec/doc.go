// Package spec reads a contract and judges single responses against it.
//
// A contract is an OpenAPI document. [Load] reads it and its operations. A flaw that does
// not prevent this becomes a [Note], and the parts of the document that it affects are not
// judged. A clause is a statement that a service can keep or break. It has a permanent id
// such as "createThing/400/body/message". Clauses are derived on first use. An overlay,
// clauses.yaml, gives them wording and section numbers, and lists the questions that the
// contract leaves open, its silences.
//
// [Operation.CheckResponse] judges one response. It is stricter than the validators of
// gateways: the body must be exactly one JSON value in UTF-8 without duplicate keys, and
// numbers are never converted to floats. Each breach names its clause, its place in the
// body, what was expected and what was found.
//
// Package document reads the files, package notes finds their flaws, package instance reads
// the bodies, and package schema judges them by the schemas of the document. Package shown
// compares a response with what was sent before. Package advice reports other violations of
// the OpenAPI rules in the document.
package spec
