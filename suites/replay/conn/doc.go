// Package conn makes connections to one target and keeps them from one exchange
// to the next.
//
// A [Pool] dials (TCP, TLS, a proxy, or a handler that is called instead) and
// speaks HTTP/1.1 or HTTP/2 on a connection, one exchange at a time. It learns
// whether the target keeps connections. If not, it never reuses a connection.
//
// A target may send bytes that no request asked for, at any time. An exchange
// is therefore handed over only when its connection is used again or closed.
// The bytes that arrive until then are part of the exchange: see [Handover]. To end
// a connection, the client first closes its own side, and then reads until the
// target closes the other side.
//
// # Why net/http does not speak HTTP/1.1 here
//
// HTTP/2 uses [http.ClientConn]. HTTP/1.1 could use it too, but there are two
// obstacles:
//
//   - net/http keeps reading after a response ends. It logs and drops bytes that no
//     request asked for, but here they are part of an exchange. To prevent this, a
//     wrapper around the connection must give net/http the header one byte at a
//     time, and nothing between a response and the next request. Only the trace
//     hook PutIdleConn tells where a response ends. No documentation says that it
//     is called before the next read.
//   - net/http drops the response if it cannot write the whole request, even if
//     the target has already answered. So the wrapper must hide errors of Write.
//     It must hide Close as well, or the remaining bytes from the target are lost.
//
// We tried such a wrapper with Go 1.26.8. It was not shorter (239 lines instead of the
// 234 of type http1), and a body of 900 KiB took 127 ms instead of 38 ms. The tests of
// package replay did not always pass: on a busy machine a late second response was taken
// for the response to the next request in 1 of 15 runs of the test. With type http1 this
// happened in 0 of 25 runs. So http1 stays.
package conn
