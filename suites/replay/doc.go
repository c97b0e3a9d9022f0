// Package replay is the HTTP side: it sends messages to a target and records
// what came back.
//
// A target is untrusted. Every wait has an end, every read a limit, redirects
// are not followed, and the credential is taken out where an exchange is
// recorded, so that nothing behind this package can leak it. The one thing a
// recorded exchange still holds in the raw is the response for the judge, and
// it is let go as soon as the judge has spoken.
//
// Nothing is sent twice, because a request may create something and because a
// retry hides a flake. The exception is a target that asks for it: 429, or
// 503 with Retry-After. Connections are kept from one exchange to the next
// nevertheless, and so that a target may end one without breaking its
// contract; see connections.
package replay
