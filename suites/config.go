package suites

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/setting"
)

// ErrConfig is returned, wrapped, when a run cannot begin: a contract or a
// fixture with a flaw, a filter that matches nothing, a target that cannot be
// addressed. Nothing was sent.
var ErrConfig = errors.New("configuration")

// Config is all that a run depends on. [NewConfig] gives the defaults.
type Config struct {
	Contract *spec.Contract // nil is the contract that is built in
	Fixtures []fixtures.Set // nil are the fixtures that are built in, for the contract that is

	// Derive adds fixtures that are derived from the contract, for the clauses that
	// Fixtures do not test. A contract without any fixtures always gets them.
	Derive bool

	// Loaded, if not nil, takes the place of Fixtures: what [fixtures.Load] gave
	// for Contract, which must be set. Many runs can share them.
	Loaded []fixtures.Fixture

	gaps map[string]string // by operation, why nothing could be derived

	Only  []string // globs of fixture or clause ids; empty is all
	Skip  []string // globs of fixture or clause ids
	Shard Shard    // of what these select; the zero value is all of it

	// What is tested is Target.BaseURL, or where that is empty Handler, which is
	// served on a loopback port for the time of the run. It is called many times
	// at once; where it panics the connection is cut, and Test and package specs
	// note why. One whose paths begin with more than the contract's needs a server of
	// your own and the base URL.
	Target  replay.Target
	Handler http.Handler

	Limits   replay.Limits
	JSON     instance.Limits // of what is read of a JSON body; a body that exceeds one is unjudged
	Deadline time.Duration   // of the whole run, from when the target answers; 0 is none
	Wait     time.Duration   // for the target to answer, before anything is sent; see [replay.Client.WaitReady]

	Strict bool // warnings and undeclared statuses are violations

	// StrictSpec makes flaws of the contract errors. Without it, what they touch is not
	// judged.
	StrictSpec bool

	Seed uint64 // of all that must not repeat; 0 draws one

	// MinCoverage is the least percentage of must-clauses that a conformant run
	// has tested, from 0 (none) to 100. A run that tests fewer is inconclusive. It
	// does not apply to one Shard, but to the merged report of all.
	MinCoverage float64

	Quick bool // send only the plainest fixtures

	// ReadOnly sends only requests that read (RFC 9110 §9.2.1). Unsafe sends also
	// derived requests that may change or remove what the run did not create.
	ReadOnly, Unsafe bool

	// Explore is how many random requests [Run] sends to each operation after all others.
	// If one finds a violation that no fixture finds, Run sends up to as many again, and
	// at least 200, to find the simplest request that shows it. Found is told of this one,
	// as the text of a fixture; it may be nil.
	Explore int
	Found   func(fixtures.Text)

	// Answered is told of each complete response in a [Run], many of which come before the
	// first result. It may be nil, and is called from several goroutines.
	Answered func()

	// Exploring is told how many requests exploration has sent. It may be nil.
	Exploring func(requests int)

	// Tries is how often a run tries each fixture that must be rejected, by a clause
	// of the level must; 0 is [DefaultTries], for derived ones 1. Those that Quick leaves out
	// are tried once. What must be accepted is tried twice at most, the second time at the end.
	Tries int

	// Waivers are known violations that do not fail the run. One that waives
	// nothing, or has expired, does.
	Waivers []judge.Waiver

	Harness        result.Harness
	Implementation result.Implementation

	// Observe is told of the run as it goes on, one call at a time: that it
	// begins, every result as it is judged by itself, and what it came to. It
	// may be nil.
	Observe func(result.Event)

	// Waiting is told, while the target is waited for, why it is not ready, each
	// time that this changes, and "" when the waiting is over. The text may hold
	// what the target said: see Visible in suites/report. It may be nil.
	Waiting func(reason string)
}

// NewConfig is a Config with every default filled in but what is tested, the
// target's base URL or a handler, and the token. A run adds its own id, which
// is that of the report, to [replay.Target.UserAgent], so that operators can
// find its traffic.
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

// DefaultTries is how often each request that must be rejected is sent over a
// run: behind a load balancer, one instance in several may accept it.
const DefaultTries = 3

// homepage is where an operator learns what sends these requests.
const homepage = "https://" + modulePath

// MessageSeed is what the ids of the requests are drawn from. It is the Seed,
// and for a shard another one for each: shards send the same controls, and a
// service may refuse an id that another shard has sent.
func (c Config) MessageSeed() uint64 {
	const above = 40                             // the bits of a seed that was drawn
	return c.Seed ^ uint64(c.Shard.Index)<<above //nolint:gosec // a part counts from 1
}

// checkTested reports whether there is one service to test, within limits.
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

// checkTarget says what keeps the plan from being replayed against its target.
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
	case !(c.MinCoverage >= 0 && c.MinCoverage <= 100): // NaN is neither
		return configError(setting.Errorf("min-coverage", "is %g; it must be a percentage from 0 to 100", c.MinCoverage))
	case c.Explore < 0:
		return configError(setting.Errorf("explore", "is %d; it must be 0 (none) or more", c.Explore))
	case c.Tries < 0:
		return configError(setting.Errorf("tries", "is %d; it must be 0 (the default of %d) or more", c.Tries, DefaultTries))
	}
	if err := CheckSchemes(p.Contract, slices.Sorted(maps.Keys(c.Target.Credentials))...); err != nil {
		return configError(err)
	}
	for _, s := range p.Contract.Schemes { // as it stands in a header that was copied
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
	var known []string
	for _, s := range contract.Schemes {
		known = append(known, s.Name)
	}
	for _, name := range names {
		problem := ""
		switch i := slices.Index(known, name); {
		case len(known) == 0:
			problem = "is not a security scheme of the contract, which has none"
		case i < 0:
			problem = "is not a security scheme of the contract; it has " + strings.Join(known, ", ")
		case !contract.Schemes[i].IsCarried():
			problem = "is of a kind that requests cannot carry; use a client certificate or a secret header"
		}
		if problem != "" {
			return &setting.Error{Name: "credential", Problem: name + " " + problem}
		}
	}
	return nil
}

// checkCredentials refuses a run in which each operation lacks a credential. If some
// operations can be tested, the fixtures of the others are unjudged.
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
		return configError(&setting.Error{Problem: fmt.Sprintf("the contract requires a credential, but %s (%s sends it)", reason, sends.ID), Hint: hint})
	}
	return nil
}

func configError(err error) error { return fmt.Errorf("%w: %w", ErrConfig, err) }
