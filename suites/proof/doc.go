// Package proof tests the suite itself on any contract.
//
// It makes a service from the OpenAPI document. The service rejects invalid requests,
// stores created resources, and responds with valid values. Then the package runs the
// derived fixtures against this service in three ways:
//
//   - without changes: the suite must find nothing.
//   - with each variation that documents permit ([Run] names them in its alarms): the
//     suite must find nothing.
//   - with each deviation. There is one for each keyword that a request can violate, for
//     each way in which a declared response can be wrong, and for each state clause (a
//     clause on stored resources). The suite must blame the clause of the deviation only.
//
// # Two readers
//
// The service reads requests with kin-openapi. The suite uses its own reader to derive
// fixtures and to judge responses. If the two read the document differently, the proof
// lists the difference, but not as a fault. For example, kin-openapi compares large numbers
// as floating point.
//
// The service does not use the chain inference of the suite either. It puts an id where a
// client may look for it: into the body and into Location.
//
// # Deviations that no request shows
//
// A deviation that no derived request can show is counted separately, with the reason: an
// operation that is not reached, a keyword that another one implies, or a paged list.
//
// # Speed
//
// Deviations of different operations share a run, if no fixture of one uses the other. A run
// sends only fixtures that can show a deviation. Each request is read once for all runs.
package proof
