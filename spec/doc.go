// Package spec holds the contract as data and judges one response against it.
//
// A contract is an OpenAPI document. [Load] reads it and its operations. A flaw
// that does not keep it from being read becomes a [Note], and what it touches is not
// judged. The clauses are the statements that a service can keep or break, each with a
// permanent id such as "createThing/400/body/message"; they are derived when they are
// first asked for. An overlay, clauses.yaml, gives clauses the wording and section
// numbers that people use and lists the questions the contract leaves open, its
// silences.
//
// [Operation.CheckResponse] holds one response against the contract. It is
// stricter than a validator made for gateways: exactly one JSON value in
// UTF-8, no duplicate keys, integers judged on their literal, no float
// anywhere, and every breach names its clause, its place in the body, what
// was expected and what was found.
//
// Package document reads the files, package notes finds their flaws, package instance
// reads the bodies, and package schema judges them by the schemas of the document.
// Package shown compares what a response shows of a thing with what was sent.
// Where else the document breaks the rules of OpenAPI, package advice says.
package spec
