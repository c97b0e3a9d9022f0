// Package judge decides what one exchange shows. It turns the exchange into findings. It
// reads no clock, opens no connection and keeps no state, so that every rule is one row of a
// table test.
//
// [Exchange] judges one exchange by the rules: no complete response, a request
// accepted that must be rejected, a request rejected that must be accepted, a
// response that the contract does not declare. What exceeds a limit of the
// harness is unjudged; the status and header before it are judged. [Tries] combines
// several tries of one fixture: the worst one decides.
//
// Package verdict looks at the outcomes of all exchanges together.
package judge
