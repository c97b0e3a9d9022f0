// Package replay sends messages to a target over HTTP and records the responses.
//
// A target is untrusted. Every wait has an end, every read has a limit, and
// redirects are not followed. The credential is redacted where an exchange is
// recorded (package redact), so no later package can leak it. Only the response
// for the judge still contains it, until the judge is done. The part of a response
// that exceeds a limit says nothing about the service. The time limit is the
// exception.
//
// Connections are kept from one exchange to the next (package conn). A target may
// close a kept connection at any time without breaking its contract. So if not
// one byte of an answer comes on a kept connection, the request is sent once
// more, with fresh values and on a new connection, and that result decides. A
// target may also ask the client to try again later: 429, or 503 with
// Retry-After. Nothing else is sent twice, because a request may create something
// and because a retry hides a flaky service.
//
// A response that is a stream, such as text/event-stream, where the contract permits one,
// is listened to for a second. It need not end, so it is complete then; of its body, which
// is the beginning of what there may be, nothing is judged.
//
// A target that gives no complete response in ten consecutive exchanges is given
// up.
//
// The way of a message: [Client.All] sends many at a time. gate holds them back
// while the target asks for a pause. send sends one message, and those that
// belong to it. request and response translate to and from net/http. Every
// failure of an exchange is a [Failure], and its kind reports whether it says
// anything about the service. Package curl writes a message as a command.
package replay
