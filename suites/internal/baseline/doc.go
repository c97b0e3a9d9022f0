// Package baseline provides the baseline for benchmarks of the harness: a bare net/http client
// that sends the same messages with the same concurrency in the same process. No harness can be
// faster, so a ratio to this client tells more than a time.
package baseline
