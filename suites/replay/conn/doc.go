// Package conn makes connections to one target and keeps them from one exchange
// to the next.
//
// A [Pool] dials (TCP, TLS, a proxy, or a handler that is called instead) and
// speaks HTTP/1.1 or HTTP/2 on a connection, one exchange at a time. It learns
// whether the target keeps connections, and uses none again if not.
//
// A target may send bytes that no request asked for, at any time. An exchange
// is therefore handed over only when its connection is used again or has ended,
// and the bytes that came until then are part of it: see [Handover]. At its end a
// connection is closed on one side first, and read until the target has closed
// the other side.
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
// package replay passed, but not always: on a busy machine a second answer that
// came late was taken for the answer to the next request in 1 of 15 runs of the
// test, and with http1.go in 0 of 25. So http1.go stays.
package conn
