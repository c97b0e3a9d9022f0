// Package traffic judges recorded requests and responses in an HTTP Archive (HAR 1.2), as
// browsers and proxies save it.
//
// [Verify] finds the operation of each entry by its method and path. It judges the response as
// for a fixture that expects either: because the request may be invalid, only clauses for every
// response are judged. The result is a report like that of a run, and a list of the requests
// that match no operation.
//
// An archive contains credentials, its bodies may have any size, and tools leave out different
// parts. It is therefore read twice, entry by entry. The first pass collects the credentials,
// which are then masked wherever they appear. The second pass judges. A response that was not
// completely recorded is unjudged, and the reason says what is missing.
package traffic
