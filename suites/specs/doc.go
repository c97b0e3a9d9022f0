// Package specs runs the fixtures as Ginkgo specs, one It per fixture. [Register] adds
// them to your own suite.
//
// The package is also a complete suite. To test the bundled reference:
//
//	ginkgo ./suites/specs
//
// To test another service with the built-in contract:
//
//	CONFORMANCE_BASE_URL=https://staging.example.com/api CONFORMANCE_TOKEN=… ginkgo ./suites/specs
//
// go test ./suites/specs does the same.
//
// # Labels
//
// Each spec has three labels, which the flags of Ginkgo can select:
//
//   - operation:<operationId>
//   - group:missing-required, the folder of the fixture
//   - level:must, should or silent, the level of the clause that it tests
//
// For example:
//
//	ginkgo --label-filter='level:must && !group:valid' ./suites/specs
//	ginkgo -p --focus=missing-required --junit-report=junit.xml ./suites/specs
//
// In a label, a dash replaces each of the characters &|!,()/.
//
// # What a passed suite means
//
// A suite passes in Ginkgo even if no spec is selected. With --fail-on-empty it fails.
//
// If all specs run in one process, they are one run, and requests are sent before their
// specs begin. The last spec fails if the run is inconclusive, for example because
// the service refused the credential every time.
//
// If specs are focused, filtered or spread over processes, each spec is a separate run
// with its own control, and fails if this run is inconclusive. The last spec is then
// skipped. This takes longer: each spec sends several requests and then waits at least
// 20 ms for bytes that no request asked for.
package specs
