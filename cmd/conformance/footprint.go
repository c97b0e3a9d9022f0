package main

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/report"
)

// marker is how names begin in what the suite creates, by the rule for its
// fixtures: by it an operator finds what a run left behind.
const marker = "conformance "

// footprint is what a run asks of a service, and may leave there.
type footprint struct {
	requests int
	effects  int // of these, those that may create or change something
	marked   int // of those, the ones that hold the marker
}

// footprintOf is known before anything is sent. A fixture that must be rejected
// counts among those without effect: a service on which it has one is broken.
func footprintOf(plan suites.Plan) footprint {
	var p footprint
	for _, f := range plan.Fixtures {
		p.add(f, plan.Tries(f))
	}
	for _, f := range plan.Controls {
		p.add(f, 1)
	}
	return p
}

// add counts a fixture that is tried so many times.
func (p *footprint) add(f fixtures.Fixture, tries int) {
	requests := tries * f.Requests()
	p.requests += requests
	if f.Expect == fixtures.Rejected || isSafe(f.Operation.Method) {
		return
	}
	p.effects += requests
	if bytes.Contains(f.Message(exampleSeed, 0).Body, []byte(marker)) {
		p.marked += requests
	}
}

// isSafe is for methods that are not to change anything (RFC 9110 §9.2.1).
func isSafe(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// left says what of the requests may stay behind.
func (p *footprint) left() string {
	const found = `a text "` + marker + `…" to find it by`
	text := fmt.Sprintf("up to %d may create or change something", p.effects)
	switch p.marked {
	case 0:
		if p.effects == 0 {
			return "none is meant to create or change anything"
		}
		return text
	case p.effects:
		return text + ", each with " + found
	}
	return fmt.Sprintf("%s, %d of these with %s", text, p.marked, found)
}

// announcement is what is said of a run before it begins.
func announcement(c suites.Config, p footprint, run string) string {
	return wrap(fmt.Sprintf("sending %s as run %s; %s", requestsTo(c.Target.BaseURL, c, p), run, p.left()), 0)
}

// announcementToAll is what is said of the runs against those targets.
func announcementToAll(c suites.Config, p footprint, targets []*target) string {
	const run = "as the run that its report names (run.id)"
	if len(targets) == 1 {
		return wrap(fmt.Sprintf("sending %s %s; %s", requestsTo(targets[0].name, c, p), run, p.left()), 0)
	}
	pace := ""
	if c.Limits.Rate > 0 {
		pace = fmt.Sprintf(" and %g a second to each", c.Limits.Rate)
	}
	return wrap(fmt.Sprintf("sending %s to each of %s, %d at a time in all%s, %s; of those to one, %s",
		number(p.requests, "request"), number(len(targets), "target"), c.Limits.Concurrency, pace, run, p.left()), 0)
}

func requestsTo(target string, c suites.Config, p footprint) string {
	pace := ""
	if c.Limits.Rate > 0 {
		pace = fmt.Sprintf(" and %g a second", c.Limits.Rate)
	}
	return fmt.Sprintf("%s to %s, %d at a time%s,", number(p.requests, "request"), report.Visible(target), c.Limits.Concurrency, pace)
}
