// Package reference is the plant store itself: a small HTTP service that keeps
// the whole of the interface document and settles, on the strict side,
// whatever that document leaves open. Section signs (§) in this package are
// sections of the interface document.
//
// A request comes in at the handler made by [New] and takes four steps:
//
//	request    what was sent; the body is read at most once, and only on demand
//	decision   request → answer, with no ResponseWriter in sight
//	answer     status, header and body, written in one place
//	access log one record an answer, without anything secret
//
// The decision on a new plant looks at the credential first, then at the body
// as bytes, at what the body is declared to be, at its content, and at last
// asks the [Store] to keep the plant. The first objection ends it: the answer
// is a 400 Error (§7) whose message begins with the part of the request at
// fault ("id must be an integer, …").
//
// What the document does not settle is settled here as follows:
//
//   - a missing or unknown token is a 400 Error (§5 shows no other status)
//   - a second plant with the same id is a 400 Error (§8 and §3 are silent)
//   - a number is judged by its value, so 1.0 and 1e3 are integers; it is never
//     passed through a float
//   - properties that NewPlant does not list are ignored, but null for tag is
//     a tag that is no string
//   - the body is one I-JSON object (RFC 7493): UTF-8 without byte order mark,
//     no lone surrogates, no duplicate names at any depth; at most 1 MiB
//   - the media type is application/json in any case and with any parameters
//     (RFC 8259 §11 gives charset no effect), not encoded
//   - the error field repeats the HTTP status
//   - another path is a 404, another method on the path a 405 with Allow, both
//     with an Error as body
//
// On request the service breaks the contract in one way, or settles something
// in another: [Deviations] and [Variations] list how, and [Options] takes one
// of each. They are there to prove the conformance suite, which must find every
// deviation and find no fault with a variation. Each is a row of a table: a
// name, the clauses that it is about, and a change, which wraps the decision. A
// change sees the request and the answer that is due, and edits the answer; or
// it has the decision read another request than was sent, which is how a check
// is passed over. The decision itself knows of none.
//
// Two stores stand behind one interface: [NewMemoryStore] forgets with the
// process, [OpenFileStore] has a plant on disk before it is acknowledged.
// [NewServer] and [Serve] put the handler on a listener with limits against
// slow clients and an orderly end.
//
// The package reads the document on its own and imports nothing else of this
// module: it and the conformance suite are two independent readings that check
// each other.
package reference
