// Package proof tests the suite itself on any contract.
//
// It makes a service from the OpenAPI document: it refuses what the document rules out,
// keeps what is created, and answers with values that the document allows. Then it runs
// the derived fixtures against this service three times over:
//
//   - as it is: nothing may be found;
//   - with each variation that documents permit ([Run] names them in its alarms): nothing
//     may be found;
//   - with each deviation. There is one for each keyword by which a request can be wrong,
//     for each way in which a declared response can be wrong, and for each clause on what
//     the service keeps. The suite must find it, blame its clause and no other.
//
// # Two readers
//
// The service reads requests with kin-openapi, and not with what fixtures are derived and
// responses are judged by. If the two read the document differently, that is listed, and is
// no fault of either: kin-openapi compares large numbers as floating point, for example.
//
// The service does not ask the chain inference of the suite, either. It puts an id where a
// client may look for it: into the body and into Location.
//
// # What does not come to bear
//
// A deviation that no derived request can show is counted apart, with the reason: an
// operation that is not reached, a keyword that another one implies, a list that has pages.
//
// # How it stays quick
//
// Deviations of different operations share a run, if no fixture of one uses the other. Each
// is tried by the fixtures that test its clause, or by a few that get such a response. The
// service is called without a connection, and reads each request once in all trials.
package proof
