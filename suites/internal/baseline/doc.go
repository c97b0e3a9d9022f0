// Package baseline is what benchmarks compare the harness with: a bare net/http client that
// sends the same messages, as many at a time, in the same process. No harness can take less
// than that, so a ratio to it says more than a time.
package baseline
