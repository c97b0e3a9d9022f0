// Package suites holds a service against its contract: it plans which fixtures
// are replayed, sends them through one pool, judges every exchange and collects
// a report.
//
// There are three doors to the one engine:
//
//   - [Run] gives a report and is what the binary does. It runs the Ginkgo
//     suite, one spec per fixture, outside go test; [Check] does so without
//     Ginkgo, many at a time.
//   - [Test] runs one plain subtest per fixture in go test, selectable with
//     -run.
//   - [Register] adds the specs to a Ginkgo suite of your own.
//
// All take a [Config], which [NewConfig] fills with the defaults. What is
// tested is a handler of your own, which is served for the time of the run:
//
//	func TestConformance(t *testing.T) {
//		config := suites.NewConfig()
//		config.Handler = handler
//		config.Target.Token = "a token that the handler accepts"
//		suites.Test(t, config)
//	}
//
// or, with Target.BaseURL in the place of Handler, a service that runs
// elsewhere. For single responses in tests of your own there is the package
// matcher.
//
// # Another contract
//
// Without more, the contract is the one that is built in. For another one
// [Config.Contract] and [Config.Fixtures] are given together:
//
//	config.Contract, err = spec.LoadFile("openapi.yaml")
//	config.Fixtures = []fixtures.Set{{Name: "fixtures", FS: os.DirFS("fixtures")}}
//
// # Side by side
//
// Nothing is shared between two runs: contracts, targets and configurations of
// any number go on in one process, in parallel subtests or goroutines. Only
// [Run] outside go test takes one after the other, because Ginkgo does.
//
// # The cache of go test
//
// go test gives a result that passed again without running the test, as long as
// nothing has changed that it knows of. That is right for a handler, which is
// part of the test's program. A service elsewhere can change unseen, so where a
// base URL is tested the package sees to it that the result of the whole test
// binary is not cached; -count=1 is not needed.
//
// # What else there is
//
// [Config.Observe] is told of a run as it goes on, [Config.Waivers] are known
// violations, and [Config.Shard] cuts a run into parts.
package suites
