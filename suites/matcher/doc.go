// Package matcher holds single responses of your own tests against a contract,
// by the rules by which a run judges every response: status, media type, JSON
// text, schema, header fields. Whether the request should have been accepted
// is what your test knows, and no rule here asks.
//
// [MeetContract] is a matcher for Gomega, which this package does not import:
//
//	Expect(response).To(matcher.MeetContract(contract, "createThing"))
//
// Without Gomega, [Matcher.Findings] tells what is the matter:
//
//	findings, err := matcher.MeetContract(contract, "createThing").Findings(response)
//
// The contract comes from [spec.LoadFile] or, for the one that is built in,
// [spec.PlantStore]. Load it once: that takes far longer than a match.
package matcher
