// Package importertest uses the suites as another project would: its tests
// replay the fixtures as subtests of go test and as specs of a Ginkgo suite of
// its own, through the public doors alone.
package importertest
