// Package spec reads a contract and checks a response against it.
//
// A contract is an OpenAPI document. [Load] reads it and its operations. A flaw
// that does not keep it from being read becomes a [Note], and what it touches is not
// judged. The clauses are the statements that a service can keep or break, each with a
// permanent id such as "createThing/400/body/message"; they are derived when they are
// first asked for. An overlay, clauses.yaml, gives clauses the wording and section
// numbers that people use and lists the questions the contract leaves open, its
// silences.
//
// [Operation.CheckResponse] checks one response. It is stricter than a validator for
// gateways: the body must be exactly one JSON value in UTF-8, without duplicate keys,
// and numbers are judged exactly, never as floats. Every breach names its clause, its
// place in the body, what was expected and what was found.
//
// Package document reads the files, package notes finds their flaws, package instance
// reads the bodies, and package schema judges them by the schemas of the document.
// Package shown compares what a response shows of a thing with what was sent.
// Package advice finds where else the document breaks the rules of OpenAPI.
package spec
