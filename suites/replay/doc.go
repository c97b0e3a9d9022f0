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
//
// # Why net/http does not speak HTTP/1.1 here
//
// HTTP/2 goes through [http.ClientConn]. HTTP/1.1 could go through it too, but
// two things stand in the way:
//
//   - net/http reads on when a response ends. It writes bytes that no request
//     asked for to the log and drops them; here they are part of an exchange. To
//     prevent this, a wrapper around the connection must give net/http the header
//     one byte at a time, and nothing between a response and the next request.
//     Where a response ends, only the trace hook PutIdleConn tells. That it is
//     called before the next read is nowhere documented.
//   - net/http drops the response if it cannot write the whole request, even if
//     the target has already answered. So the wrapper must hide errors of Write.
//     It must hide Close as well, or what the target still sends is lost.
//
// We tried such a wrapper with Go 1.26.8. It was no shorter (239 lines for 234
// in http1.go), and a body of 900 KiB took 127 ms instead of 38 ms. All tests of
// this package passed, but not always: on a busy machine a second answer that
// came late was taken for the answer to the next request in 1 of 15 runs of the
// test, and with http1.go in 0 of 25. So http1.go stays.
package replay
