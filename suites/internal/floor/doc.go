// Package floor is what benchmarks hold the harness against: a bare net/http client that
// sends the same messages, as many at a time, in the same process. What it takes cannot
// be saved by any harness, so a ratio to it says more than a time.
package floor
