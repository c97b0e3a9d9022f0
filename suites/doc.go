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
// All three take a [Config], which [NewConfig] fills with the defaults:
//
//	func TestService(t *testing.T) {
//		server := httptest.NewServer(handler)
//		defer server.Close()
//		config := suites.NewConfig()
//		config.Target.BaseURL = server.URL
//		config.Target.Token = "a token that the handler accepts"
//		suites.Test(t, config)
//	}
//
// [Config.Observe] is told of a run as it goes on, [Config.Waivers] are known
// violations, and [Config.Shard] cuts a run into parts.
//
// go test caches what passed. A service elsewhere can change without the cache
// knowing it: run with -count=1 there.
package suites
