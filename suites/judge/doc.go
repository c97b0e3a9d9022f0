// Package judge decides. It turns an exchange into findings, findings into the
// status of clauses, and results into a verdict. It reads no clock, opens no
// connection and keeps no state, so that every rule is one row of a table test.
//
// [Exchange] judges one exchange by the rules: no complete response, a request
// accepted that must be rejected, a request rejected that must be accepted, a
// response that the contract does not declare. What exceeds a limit of the
// harness is unjudged; the status and header before it are judged. [Tries] combines
// several tries of one fixture: the worst one decides.
//
// [Settle] compares a rejection with its control, the same request without the
// fault. The rejection is evidence only if the service accepted the control.
// Otherwise the fixture is unjudged. If the contract permits the service to
// refuse the control, the fixture is excused: it is reported and does not change
// the verdict.
//
// [Summarize] looks at all results together and gives the verdict, which is
// conformant only on evidence, and a headline that says what the verdict covers.
// A [Waiver] is a known violation that its owner accepts. It does not fail the
// run until it is stale.
package judge
