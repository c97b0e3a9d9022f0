// Package suites tests whether a service conforms to its contract. It selects the
// fixtures, sends their requests, judges each response and returns a report.
//
// There are three ways to run it:
//
//   - [Run] returns a report. The binary uses it.
//   - [Test] runs one plain subtest per fixture in go test, selectable with
//     -run.
//   - Package specs adds one spec per fixture to your own Ginkgo suite.
//
// All take a [Config]; [NewConfig] returns one with the defaults. The target is your own
// handler, which a loopback server serves during the run:
//
//	func TestConformance(t *testing.T) {
//		config := suites.NewConfig()
//		config.Handler = handler
//		config.Target.Token = "a token that the handler accepts"
//		suites.Test(t, config)
//	}
//
// or a service that runs elsewhere: set Target.BaseURL instead of Handler. Package matcher
// judges single responses in your own tests.
//
// # Controls, order and tries
//
// A rejection counts only if the service accepts its control, the same request
// without the fault. A control that a filter, a shard or -run excludes is sent
// nevertheless. The report lists it separately and does not count it.
//
// A run begins with the plainest valid request of each operation, to find out whether the
// service accepts the credential. Requests that must be rejected are sent before other
// valid requests, and again after them: a service may check less on a connection or for
// an id that it knows. [Config.Tries] says how often; the third try uses a new
// connection. Fixtures that [Config.Quick] excludes are sent once. Requests that may
// affect all others come last, for example those that change a setting or log in.
//
// # Another contract
//
// The default is the built-in contract. For another one, set [Config.Contract]. Fixtures
// are derived from it, unless [Config.Fixtures] has your own:
//
//	config.Contract, err = spec.LoadFile(ctx, "openapi.yaml")
//	config.Fixtures = []fixtures.Set{{Name: "fixtures", FS: os.DirFS("fixtures")}}
//
// # Resources that a run creates
//
// If the path of an operation contains an id, derived fixtures first create the resource and
// later remove it. They change and remove nothing else, unless [Config.Unsafe] is set. With
// [Config.ReadOnly] they only read. [result.Report.Left] lists what could not be removed.
//
// # Side by side
//
// Runs share no state. One process can test several contracts and targets at the same
// time, in parallel subtests or goroutines.
//
// # The cache of go test
//
// go test does not run a passed test again until its code or inputs change. This is right
// for a handler, which is part of the test program. A service elsewhere can change without
// go test noticing. So results for a base URL are never cached; -count=1 is not needed.
//
// # More
//
// [Config.Observe] receives the events of a run, and [Config.Waivers] lists known
// violations. With [Config.MinCoverage], a run that tests too little is inconclusive.
// [Config.Shard] selects a part of a run.
package suites
