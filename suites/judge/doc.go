// Package judge is the pure side: exchange to findings, findings to the status
// of clauses, results to a verdict. It reads no clock, opens no connection and
// keeps nothing, so every rule is one row of a table test.
//
// [Exchange] judges one exchange by the rules: no complete answer, accepted
// where it must be rejected, rejected where it must be accepted, a response
// that is not as the contract declares it. [Summarize] looks at all results
// together and gives the verdict, which is conformant only on evidence. [Waiver]
// is a known violation that its owner accepts: it fails no run, until it is
// stale.
package judge
