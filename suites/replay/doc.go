// Package replay sends messages to a target over HTTP and records the responses.
//
// A target is untrusted. Every wait has an end, every read has a limit, and
// redirects are not followed. The credential is redacted where an exchange is
// recorded (package redact), so no later package can leak it. Only the response
// for the judge still contains it, until the judge is done. A response that exceeds
// a size limit is not a fault of the service. A response that exceeds the time limit is.
//
// Connections are kept from one exchange to the next (package conn). A target may
// close a kept connection at any time without breaking its contract. If it does so
// before the first byte of a response, the request is retried once, with fresh values
// and on a new connection, and that result decides. A target may also ask the client
// to try again later: 429, or 503 with Retry-After. A clean-up request is retried once after
// a 5xx. Nothing else is retried, because a request may create something and because a retry
// hides a flaky service.
//
// If the contract permits a stream, such as text/event-stream, the client reads it for one second
// and treats the response as complete. The body is not judged, as it is only the beginning.
//
// The client gives a target up after ten consecutive exchanges without a complete response.
//
// [Client.All] sends many messages concurrently. A gate delays them while the target asks
// for a pause. send sends one message and the messages that belong to it. request and read
// convert to and from net/http. Every failure of an exchange is a [Failure]. Its kind tells
// whether the failure is a fault of the service. Package curl writes a message as a command.
package replay
