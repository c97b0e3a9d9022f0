package suites

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/setting"
	"github.com/plantstore/conformance/suites/verdict"
)

// ErrConfig is in the chain of every error that keeps a run from beginning: an invalid
// contract or fixture, a filter that matches nothing, an invalid base URL. Nothing was
// sent.
var ErrConfig = errors.New("configuration")

// Config has all settings of a run. [NewConfig] returns the defaults.
type Config struct {
	Contract *spec.Contract // nil means the built-in contract
	Fixtures []fixtures.Set // without any, the built-in contract has its built-in fixtures

	// Derive adds fixtures for the clauses that Fixtures do not test. They are derived from
	// the contract. A contract without any fixtures always gets them.
	Derive bool

	// Loaded, if not nil, replaces Fixtures. It is the result of [fixtures.Load] for
	// Contract, which must be set. Many runs can share it.
	Loaded []fixtures.Fixture

	gaps map[string]string // by operation, why nothing could be derived

	Only  []string // send only fixtures whose id or clause matches one of these globs; empty means all
	Skip  []string // exclude fixtures whose id or clause matches one of these globs
	Shard Shard    // the part of the selected fixtures to send; the zero value means all

	// Target.BaseURL is tested or, if that is empty, Handler. A loopback server serves
	// the handler during the run and calls it concurrently. If it panics, the connection
	// is closed; [Test] and package specs log the reason. If the handler expects a path
	// prefix that the contract does not have, start your own server and set the base URL.
	Target  replay.Target
	Handler http.Handler

	Limits   replay.Limits
	JSON     instance.Limits // limits for JSON bodies; a body that exceeds one is unjudged
	Deadline time.Duration   // time limit for the whole run, after Wait; 0 means none
	Wait     time.Duration   // how long to wait for a first response before the run; see [replay.Client.WaitReady]

	Strict bool // warnings and undeclared statuses are violations

	// StrictSpec makes flaws of the contract errors. Without it, the parts of the contract
	// that they affect are not judged.
	StrictSpec bool

	Seed uint64 // ids and other values that must not repeat depend on it; 0 means a new random seed

	// MinCoverage is a percentage of the must-clauses, from 0 to 100. A run that tests
	// fewer is inconclusive. It does not apply to a single Shard, but to the merged report
	// of all shards.
	MinCoverage float64

	Quick bool // send only the plainest fixtures

	// ReadOnly sends only safe requests (RFC 9110 §9.2.1). Unsafe also sends derived
	// requests that may change or remove resources that the run did not create.
	ReadOnly, Unsafe bool

	// Explore is the number of random requests that [Run] sends to each operation after the
	// fixtures. If one finds a new violation, Run looks for the simplest request that shows
	// it. This takes up to Explore more requests, or up to 200 if that is more. Run calls
	// Found, if it is not nil, with this request as the text of a fixture.
	Explore int
	Found   func(fixtures.Text)

	// Answered, if not nil, is called for each complete response in a [Run], from several
	// goroutines. Many responses come before the first result.
	Answered func()

	// Exploring, if not nil, is called with the number of requests that exploration has sent.
	Exploring func(requests int)

	// Tries is how often a run sends each request that must be rejected, if its level is
	// must. 0 means [DefaultTries], and 1 for derived fixtures. Fixtures that Quick excludes
	// are sent once. Requests that must be accepted are sent at most twice.
	Tries int

	// Waivers are known violations that do not fail the run. A waiver that waives nothing
	// or has expired fails it.
	Waivers []verdict.Waiver

	Harness        result.Harness
	Implementation result.Implementation

	// Observe, if not nil, receives the events of the run, one call at a time: the start,
	// each result as soon as it is judged, and the end.
	Observe func(result.Event)

	// Waiting, if not nil, is called during Wait with the reason why the target is not
	// ready, each time that the reason changes, and with "" at the end. The text may quote
	// the target: see Visible in suites/report.
	Waiting func(reason string)
}

// NewConfig returns the defaults. Add the base URL of the target or a handler, and the
// token if one is needed. A run adds its id, which the report contains, to
// [replay.Target.UserAgent], so that operators can find its traffic.
func NewConfig() Config {
	harness := Version()
	return Config{
		Limits:   replay.DefaultLimits(),
		JSON:     instance.DefaultLimits(),
		Target:   replay.Target{UserAgent: "conformance/" + harness.Version},
		Deadline: 5 * time.Minute,
		Harness:  harness,
	}
}

// DefaultTries is the default of [Config.Tries]. Behind a load balancer, one of several
// instances may accept a request that the others reject.
const DefaultTries = 3

// homepage is part of the User-Agent. It tells operators what sends these requests.
const homepage = "https://" + modulePath

// MessageSeed returns the seed for the ids in requests. It depends on Seed and differs between
// shards: they send the same controls, and a service may reject an id that another shard has sent.
func (c Config) MessageSeed() uint64 {
	const above = 40                             // a random seed uses only lower bits
	return c.Seed ^ uint64(c.Shard.Index)<<above //nolint:gosec // a part counts from 1
}

// checkTested returns an error unless there are limits and exactly one target.
func (c Config) checkTested() error {
	switch {
	case c.Handler == nil && c.Target.BaseURL == "":
		return fmt.Errorf("%w: there is nothing to test: both Target.BaseURL and Handler are empty", ErrConfig)
	case c.Handler != nil && c.Target.BaseURL != "":
		return fmt.Errorf("%w: Target.BaseURL and Handler are both given; a run tests one of them", ErrConfig)
	case c.Limits == replay.Limits{}:
		return fmt.Errorf("%w: Limits has no values; begin with NewConfig, which sets them", ErrConfig)
	}
	return nil
}

// checkTarget returns an error if a setting does not permit sending the plan to its target.
func (p Plan) checkTarget() error {
	c := p.config
	client, err := replay.NewClient(c.Target, c.Limits)
	if err != nil {
		return configError(err)
	}
	client.Close()
	if err := c.JSON.Validate(); err != nil {
		return configError(err)
	}
	switch {
	case c.Deadline < 0:
		return configError(setting.Errorf("deadline", "is %s; it must be 0s (none) or more", c.Deadline))
	case c.Wait < 0:
		return configError(setting.Errorf("wait", "is %s; it must be 0s or more", c.Wait))
	case !(c.MinCoverage >= 0 && c.MinCoverage <= 100): // a comparison with NaN is false
		return configError(setting.Errorf("min-coverage", "is %g; it must be a percentage from 0 to 100", c.MinCoverage))
	case c.Explore < 0:
		return configError(setting.Errorf("explore", "is %d; it must be 0 (none) or more", c.Explore))
	case c.Tries < 0:
		return configError(setting.Errorf("tries", "is %d; it must be 0 (the default of %d) or more", c.Tries, DefaultTries))
	}
	if err := CheckSchemes(p.Contract, slices.Sorted(maps.Keys(c.Target.Credentials))...); err != nil {
		return configError(err)
	}
	for _, s := range p.Contract.Schemes { // users may copy the whole value of a header field
		const scheme = "Bearer "
		if text := cmp.Or(c.Target.Credentials[s.Name], c.Target.Token); s.Kind == spec.Bearer && len(text) > len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return configError(fmt.Errorf("the credential for %s begins with %q, which the requests add to it; give it without", s.Name, scheme))
		}
	}
	return p.checkCredentials(c.Target)
}

// CheckSchemes returns an error if one of the names is not a security scheme of the
// contract for which a credential can be given.
func CheckSchemes(contract *spec.Contract, names ...string) error {
	known := lists.Map(contract.Schemes, func(s spec.Scheme) string { return s.Name })
	for _, name := range names {
		problem := ""
		switch i := slices.Index(known, name); {
		case len(known) == 0:
			problem = "is not a security scheme of the contract, which has none"
		case i < 0:
			problem = "is not a security scheme of the contract, which has " + strings.Join(known, ", ")
		case !contract.Schemes[i].IsCarried():
			problem = "is of a kind that requests cannot carry; use a client certificate or a secret header"
		}
		if problem != "" {
			return &setting.Error{Name: "credential", Problem: name + " " + problem}
		}
	}
	return nil
}

// checkCredentials returns an error if every operation lacks a credential. If some operations can
// be tested, the fixtures of the others are unjudged.
func (p Plan) checkCredentials(target replay.Target) error {
	complete, first := map[string]bool{}, map[string]*fixtures.Fixture{} // by operation
	for _, list := range [][]fixtures.Fixture{p.Fixtures, p.Controls} {
		for i := range list {
			f := &list[i]
			op := f.Operation.ID
			switch {
			case f.Sendable(target.Has):
				complete[op] = complete[op] || first[op] == nil
			case first[op] == nil || !first[op].NeedsToken():
				complete[op], first[op] = false, f
			}
		}
	}
	for _, op := range p.Contract.Operations {
		if complete[op.ID] {
			return nil
		}
	}
	for _, op := range p.Contract.Operations {
		sends := first[op.ID]
		if sends == nil {
			continue
		}
		reason := "the target has none"
		if target.Token != "" || len(target.Credentials) > 0 {
			reason = sends.Message(1, 0).Lacks(target.Has)
		}
		hint := setting.GiveToken
		if _, carried := sends.Operation.Security.Carried(); !carried {
			hint = "" // a token would not be sent
		}
		return configError(&setting.Error{Problem: fmt.Sprintf("the contract requires a credential, but %s (%s needs it)", reason, sends.ID), Hint: hint})
	}
	return nil
}

func configError(err error) error { return fmt.Errorf("%w: %w", ErrConfig, err) }

const modulePath = "github.com/plantstore/conformance"

// Version returns the version and the commit of this module, as far as the build recorded
// them.
func Version() result.Harness {
	h := result.Harness{Version: "devel", Commit: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return h
	}
	modules := append([]*debug.Module{&info.Main}, info.Deps...)
	for _, m := range modules {
		if m.Path == modulePath && m.Version != "" && m.Version != "(devel)" {
			h.Version = m.Version
		}
	}
	if info.Main.Path != modulePath {
		return h
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			h.Commit = setting.Value
		}
	}
	return h
}
