// Package matcher tests in your own tests whether a response conforms to a contract. The
// rules are those of a run: status, media type, JSON text, schema and header fields.
// Whether the service should accept the request is for your test to check.
//
// [MeetContract] is a matcher for Gomega, which this package does not import:
//
//	Expect(response).To(matcher.MeetContract(contract, "createThing"))
//
// Without Gomega, use [Matcher.Findings]:
//
//	findings, err := matcher.MeetContract(contract, "createThing").Findings(response)
//
// [spec.LoadFile] loads a contract, and [spec.PlantStore] returns the built-in one. Load a
// contract once, because this takes far longer than a match.
package matcher
