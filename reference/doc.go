// Package reference is the plant store: a small HTTP service that conforms to the
// whole interface document, and is strict where that document leaves something
// open. Section signs (§) in this package are sections of the interface document.
//
// A request comes in at the handler made by [New] and takes four steps:
//
//	request    what was sent; the body is read at most once, and only on demand
//	decision   request → answer, without a ResponseWriter
//	answer     status, header and body, written in one place
//	access log one record per answer, without secrets
//
// The decision on a new plant looks at the credential first, then at the body
// as bytes, at the headers that describe it, and at its content. Then it asks the
// [Store] to keep the plant. The first objection ends the decision: the answer is a
// 400 Error (§7) whose message begins with the part of the request at fault ("id
// must be an integer, …").
//
// Where the document leaves something open, the reference decides:
//
//   - a missing or unknown token is a 400 Error (§5 shows no other status)
//   - a second plant with the same id is a 400 Error (§8 and §3 are silent)
//   - a number is judged by its value, so 1.0 and 1e3 are integers; it is never
//     passed through a float
//   - properties that NewPlant does not list are ignored, but null for tag is
//     a tag that is not a string
//   - the body is one I-JSON object (RFC 7493): UTF-8 without byte order mark,
//     no lone surrogates, no duplicate names at any depth; at most 1 MiB
//   - the media type is application/json in any case and with any parameters
//     (RFC 8259 §11 gives charset no effect), not encoded
//   - the error field repeats the HTTP status
//   - another path is a 404, another method on the path a 405 with Allow, both
//     with an Error as body
//
// On request the service breaks the contract in one way, or uses a freedom in
// another way. [Deviations] and [Variations] list them, and [Options] takes one of
// each. They test the conformance suite, which must find every deviation and no
// violation in a variation. Package alteration has their tables, and package fault
// the parts that they are made of. The decision itself does not know about them.
//
// There are two stores: [NewMemoryStore] keeps plants in memory, [OpenFileStore]
// writes a plant to disk before it acknowledges it. [NewServer] and [Serve] serve
// the handler with limits against slow clients and a graceful shutdown.
//
// The package and those below it import nothing else of this module: they and the
// conformance suite are two independent readings of the document that check each
// other.
package reference
