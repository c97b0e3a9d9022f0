// Package verdict decides what the outcomes of a run show together. It turns them into the
// status of clauses and a verdict. It reads no clock, opens no connection and keeps no state.
//
// [Settle] compares a rejection with its control, the same request without the
// fault. The rejection is evidence only if the service accepted the control.
// Otherwise the fixture is unjudged. If the contract permits the service to
// refuse the control, the fixture is excused: it is reported and does not change
// the verdict.
//
// [Summarize] looks at all results together. It returns the verdict, which is conformant only on
// evidence, and a headline that says what the verdict covers. A [Waiver] is a known violation that
// its owner accepts. It does not fail the run until it is stale.
package verdict
