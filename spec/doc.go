// Package spec reads a contract: its operations, its clauses, and which requests break one.
//
// A contract is an OpenAPI document. [Load] reads it and its operations. A flaw that does
// not prevent this becomes a [Note], and the parts of the document that it affects are not
// judged. A clause is a statement that a service can keep or break. It has a permanent id
// such as "createThing/400/body/message". Clauses are derived on first use. An overlay,
// clauses.yaml, gives them wording and section numbers, and lists the questions that the
// contract leaves open, its silences.
//
// [Operation.CheckRequest] tells which clauses a request breaks. Methods such as
// [Operation.Filters] and [Operation.Unique] read what the document promises in words.
//
// Package check judges responses by the clauses. Package document reads the files, package
// notes finds their flaws, package mediatype reads and writes the bodies of a media type,
// package instance those in JSON, and package schema judges them by the schemas of the
// document. Package advice reports other violations of the OpenAPI rules in the document.
package spec
