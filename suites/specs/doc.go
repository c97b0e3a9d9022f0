// Package specs runs the fixtures as specs of Ginkgo, one It per fixture.
// [Register] adds them to your own suite.
//
// The package also is a suite. Against the bundled reference:
//
//	ginkgo ./suites/specs
//
// and against any service that implements the built-in contract:
//
//	CONFORMANCE_BASE_URL=https://staging.example.com/api CONFORMANCE_TOKEN=… ginkgo ./suites/specs
//
// go test ./suites/specs does the same.
//
// # Labels
//
// Every spec has three labels, so that Ginkgo's own flags select specs:
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
// A label cannot hold &|!,()/ and has a dash for each of them.
//
// # What a passed suite says
//
// Ginkgo passes a suite of which no spec is selected; --fail-on-empty makes it fail.
//
// If all specs run in one process, they are one run, and the requests go ahead of
// the specs. The last spec fails if this run is inconclusive, for example because
// the service refused the credential every time.
//
// If specs are focused, filtered or spread over processes, each spec is a run by
// itself, with its own control, and fails if this run is inconclusive. The last
// spec is skipped then. This takes longer: a spec sends up to five requests and
// waits 20 ms for a response that nobody asked for.
package specs
