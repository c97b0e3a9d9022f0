// Package replay sends messages to a target over HTTP and records the responses.
//
// A target is untrusted. Every wait has an end, every read a limit, redirects
// are not followed, and the credential is redacted where an exchange is
// recorded, so that nothing behind this package can leak it. Only the response
// for the judge still holds it, until the judge is done. A response that
// exceeds a limit says nothing about the service; the time limit is the
// exception.
//
// Connections are kept from one exchange to the next. A target may close a
// kept connection at any time without breaking its contract. So a request that
// got not one byte of an answer on a kept connection is sent once more, with
// fresh values and on a new connection, and that decides. A target may also ask
// to be asked later: 429, or 503 with Retry-After. Nothing else is sent twice,
// because a request may create something and because a retry hides a flake.
//
// A target may send bytes that no request asked for, at any time. An exchange
// is therefore handed over only when its connection is used again or has
// ended, and what came until then is part of it. At its end a connection is
// closed on one side first, and read until the target has closed the other.
//
// A target that gives no complete response in ten exchanges that follow each
// other is given up.
package replay
