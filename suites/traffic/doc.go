// Package traffic judges what others have recorded: requests and responses in
// an HTTP Archive (HAR 1.2), as browsers and proxies save it.
//
// [Verify] finds the operation of each entry by its method and path, and holds
// the response against the contract as for a fixture that expects either:
// nobody knows whether the request was right, so only what holds for every
// answer is judged. What comes out is a report like that of a run, and what
// belongs to no operation is listed beside it.
//
// An archive holds credentials, its bodies may be of any size, and tools
// differ in what they leave out. So it is read twice, entry by entry: first
// for the credentials, which then are masked wherever they appear, then for
// the judgement. An answer of which not all was recorded is unjudged, and the
// reason says what is missing.
package traffic
