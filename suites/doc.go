// Package suites tests whether a service conforms to its contract. It plans which
// fixtures to replay, sends them through one pool, judges every exchange and
// returns a report.
//
// There are three ways to run it:
//
//   - [Run] returns a report. The binary uses it.
//   - [Test] runs one plain subtest per fixture in go test, selectable with
//     -run.
//   - Package specs adds one spec per fixture to your own Ginkgo suite.
//
// All take a [Config], which [NewConfig] fills with the defaults. The target is
// your own handler, which is served during the run:
//
//	func TestConformance(t *testing.T) {
//		config := suites.NewConfig()
//		config.Handler = handler
//		config.Target.Token = "a token that the handler accepts"
//		suites.Test(t, config)
//	}
//
// or a service that runs elsewhere, with Target.BaseURL instead of Handler. The
// package matcher judges single responses in your own tests.
//
// # Controls, order and tries
//
// A rejection counts only if the service accepts its control, the same request
// without the fault. A control that a filter, a shard or -run leaves out is sent
// all the same; it is reported apart and not counted.
//
// A run begins with the plainest valid request of each operation, to know whether the
// service accepts the credential. Requests that must be rejected are sent before
// anything else is accepted, and again afterwards: a service may check a connection
// or a known id less than others. [Config.Tries] says how often, and the third try
// has a new connection. Further representatives of the same fault, which
// [Config.Quick] leaves out, are tried once. What may change the service for
// all other requests, such as a setting, a login or a thing of somebody, comes last.
//
// # Another contract
//
// The default is the built-in contract. For another one set [Config.Contract] and
// [Config.Fixtures] together:
//
//	config.Contract, err = spec.LoadFile(ctx, "openapi.yaml")
//	config.Fixtures = []fixtures.Set{{Name: "fixtures", FS: os.DirFS("fixtures")}}
//
// # Things that a run creates
//
// If the path of an operation names something, derived fixtures create it first and
// remove it afterwards. They change and remove nothing else, unless [Config.Unsafe] is
// set; with [Config.ReadOnly] they only read. [result.Report.Left] is what could not be
// removed.
//
// # Side by side
//
// Runs share nothing, so that one process can test any number of contracts and
// targets at once, in parallel subtests or goroutines.
//
// # The cache of go test
//
// go test repeats a passed result without running the test, as long as nothing
// that it knows of has changed. That is right for a handler, which is part of the
// test's program. A service elsewhere can change unseen. So results for a base
// URL are never cached; -count=1 is not needed.
//
// # More
//
// [Config.Observe] receives the events of a run, [Config.Waivers] are known
// violations, [Config.MinCoverage] makes a run inconclusive that tests too
// little, and [Config.Shard] selects a part of a run.
package suites
