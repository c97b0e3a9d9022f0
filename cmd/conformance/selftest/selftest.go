// Package selftest tests the suite itself. It runs the whole suite against the reference, every
// variation of it and every deviation. A variation uses a freedom of the contract: the suite must
// find no violation. A deviation breaks clauses: the suite must find a violation or a warning for
// each of these, and for no other clause.
//
// The result is three numbers that anybody can check: deviations found, variations passed and
// clauses covered.
package selftest

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/proof"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Kind says what a trial shows.
type Kind string

// The kinds of trial.
const (
	Reference Kind = "reference" // the suite must pass it
	Variation Kind = "variation" // the suite must find no violation
	Deviation Kind = "deviation" // the suite must find it
)

// Trial is one service that the suite is tried on, and what it must find.
type Trial struct {
	Kind       Kind                `json:"kind"`
	Name       string              `json:"name"`
	Summary    string              `json:"summary"`
	Violates   []string            `json:"violates"` // ids of the clauses with a violation: exactly these
	Warns      []string            `json:"warns"`    // ids of the clauses with a warning: exactly these
	alteration reference.Deviation // of the reference; the zero value changes nothing
}

// hangTimeout limits an exchange with a service that leaves some requests unanswered. A late
// response would break the same clause.
const hangTimeout = 500 * time.Millisecond

// trialTimeout limits an exchange with any other service. Many trials share a machine, which may be
// busy.
const trialTimeout = time.Minute

// Trials returns all trials: the reference, its variations and its deviations.
func Trials() []Trial {
	trials := []Trial{{Kind: Reference, Name: "reference", Summary: "conforms to the contract", Violates: []string{}, Warns: []string{}}}
	add := func(kind Kind, all []reference.Deviation) {
		for _, a := range all { // so that JSON has empty arrays for the lists, not null
			trials = append(trials, Trial{kind, a.Name, a.Summary, append([]string{}, a.Clauses...), append([]string{}, a.Warns...), a})
		}
	}
	add(Variation, reference.Variations())
	add(Deviation, reference.Deviations())
	return trials
}

// atATime is the maximum number of concurrent trials. A trial mostly waits.
const atATime = 4

// Outcome is what the suite found in one trial.
type Outcome struct {
	Trial
	Fault string `json:"fault"` // why the trial failed, in one sentence; "" if it passed
}

// Run runs the trials with the contract and the fixtures of the configuration, or with the built-in
// ones. It returns their outcomes in the same order. The reference and wire alterations are tested
// over loopback, the others in process. An error says that the suite itself could not run.
func Run(ctx context.Context, c suites.Config, trials []Trial) ([]Outcome, error) {
	c, err := c.Load()
	if err != nil {
		return nil, fmt.Errorf("reading the contract and its fixtures: %w", err)
	}
	outcomes := make([]Outcome, len(trials))
	var running errgroup.Group
	running.SetLimit(atATime)
	for i, t := range trials {
		running.Go(func() error {
			fault, err := t.run(ctx, c)
			if err != nil {
				return fmt.Errorf("trying the %s %s: %w", t.Kind, t.Name, err)
			}
			outcomes[i] = Outcome{t, fault}
			return nil
		})
	}
	return outcomes, running.Wait()
}

func (t Trial) run(ctx context.Context, c suites.Config) (fault string, err error) {
	c.Target.Token = rand.Text()
	options := reference.Options{Tokens: []string{c.Target.Token}}
	if t.Kind == Variation {
		options.Variation = t.alteration
	} else {
		options.Deviation = t.alteration
	}
	service := reference.New(options)
	if t.alteration.Wire || t.Kind == Reference {
		server := httptest.NewUnstartedServer(service)
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		if protocols := t.alteration.TLS; len(protocols) > 0 {
			server.Config.Protocols = new(http.Protocols)
			server.Config.Protocols.SetHTTP1(slices.Contains(protocols, "http/1.1"))
			server.Config.Protocols.SetHTTP2(slices.Contains(protocols, "h2"))
			server.EnableHTTP2 = slices.Contains(protocols, "h2")
			server.TLS = &tls.Config{NextProtos: protocols, MinVersion: tls.VersionTLS12}
			server.StartTLS()
			roots := x509.NewCertPool()
			roots.AddCert(server.Certificate())
			c.Target.TLS = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
		} else {
			server.Start()
		}
		defer server.CloseClientConnections()
		defer func() { _ = server.Listener.Close() }()
		c.Target.BaseURL = server.URL
	} else {
		c.Target.BaseURL, c.Target.Handler = "http://reference.example", service
	}
	c.Target.BaseURL += t.alteration.Prefix
	c.Limits.Timeout = trialTimeout
	if t.alteration.Hangs {
		c.Limits.Timeout = hangTimeout
	}
	r, err := suites.Run(ctx, c)
	if err != nil {
		return "", err
	}
	return t.fault(r), nil
}

// fault compares the findings with those that the trial must have.
func (t Trial) fault(r result.Report) string {
	want := verdict.Conformant
	if len(t.Violates) > 0 {
		want = verdict.Nonconformant
	}
	var faults []string
	if r.Verdict != want {
		faults = append(faults, fmt.Sprintf("the verdict is %s (%s), not %s", r.Verdict, r.Reason, want))
	}
	faults = append(faults, difference("violation", found(r, judge.Violation), t.Violates, nil)...)
	faults = append(faults, difference("warning", found(r, judge.Warning), t.Warns, t.alteration.Maybe)...)
	return strings.Join(faults, "; ")
}

// found returns the clauses with a finding of that severity, each with the first fixture that found
// it and the message.
func found(r result.Report, severity judge.Severity) map[string]string {
	clauses := map[string]string{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if _, known := clauses[string(f.Clause)]; !known && f.Severity == severity {
				clauses[string(f.Clause)] = fmt.Sprintf("%s: %s, got %s", result.Fixture, f.Message, f.Actual)
			}
		}
	}
	return clauses
}

// difference returns the wanted clauses that were not found, and the found clauses that are neither
// wanted nor allowed.
func difference(what string, got map[string]string, want, may []string) []string {
	var faults []string
	for _, clause := range want {
		if _, ok := got[clause]; !ok {
			faults = append(faults, fmt.Sprintf("no %s of %s was found", what, clause))
		}
	}
	for _, clause := range slices.Sorted(maps.Keys(got)) {
		if !slices.Contains(want, clause) && !slices.Contains(may, clause) {
			faults = append(faults, fmt.Sprintf("an unexpected %s of %s was found (%s)", what, clause, got[clause]))
		}
	}
	return faults
}

// Proof summarizes the outcomes of all trials.
type Proof struct {
	Conformant bool         `json:"conformant"` // the reference passed
	Deviations proof.Figure `json:"deviations"` // found, with findings for their own clauses only
	Variations proof.Figure `json:"variations"` // passed
	Clauses    proof.Figure `json:"clauses"`    // must and should clauses that a found deviation breaks
}

// Prove counts the outcomes, and the covered clauses of the built-in contract.
func Prove(outcomes []Outcome) (*Proof, error) {
	contract, err := spec.PlantStore()
	if err != nil {
		return nil, fmt.Errorf("reading the built-in contract: %w", err)
	}
	p := &Proof{}
	covered := map[string]bool{}
	for _, o := range outcomes {
		held := o.Fault == ""
		switch o.Kind {
		case Reference:
			p.Conformant = held
		case Variation:
			p.Variations.Count(held)
		case Deviation:
			p.Deviations.Count(held)
			for _, clause := range append(o.Violates, o.Warns...) {
				covered[clause] = covered[clause] || held
			}
		}
	}
	for _, c := range contract.Clauses() {
		if c.Level != spec.Silent {
			p.Clauses.Count(covered[string(c.ID)])
		}
	}
	return p, nil
}

// Whole reports whether the reference passed and every figure is complete.
func (p *Proof) Whole() bool {
	return p.Conformant && p.Deviations.Whole() && p.Variations.Whole() && p.Clauses.Whole()
}

// String returns the proof on one line.
func (p *Proof) String() string {
	return fmt.Sprintf("deviations found %d of %d · variations passed %d of %d · clauses covered %d of %d",
		p.Deviations.Held, p.Deviations.All, p.Variations.Held, p.Variations.All, p.Clauses.Held, p.Clauses.All)
}
