// Package fault changes the answers of an HTTP service, so that a test can check whether its
// clients notice. It knows HTTP and JSON, but no contract.
//
// A service is a [Decision]: it turns a [Request] into an [Answer]. A [Change] makes
// another decision out of one. Changes are built from these parts:
//
//   - a [Condition] selects answers, by the request or by the answer
//   - an [Edit] changes an answer: its status, its header, its body, or how it goes
//     over the wire (a [Delivery])
//   - a [TextEdit] changes a text: a body, a header field, or the JSON of one value;
//     other formats than JSON, and JSON that is not quite JSON, are edits too
//   - [Reading] and similar functions change the request before the service reads it,
//     for example to skip a check
//
// [When] puts a condition and edits together:
//
//	fault.When(fault.Accepted, fault.Status(201))
//	fault.When(fault.SentMalformed, fault.Delivered(fault.HangUp))
//
// Some changes remember requests, so that an answer depends on earlier ones. Each decision that a
// change makes has separate counts and memory.
package fault
