package fleet

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay/curl"
	"github.com/plantstore/conformance/suites/report"
)

// footprint counts the requests of a run, and what they may leave behind.
type footprint struct {
	requests int
	effects  int // those of the requests that may create or change data
	marked   int // those of the effects that contain the marker
	created  int // requests that create something, in fixtures with steps
	changed  int // requests that change it
	deleted  int // requests that delete it
	explored int // additional random requests at most
}

// Requests returns how many requests a run sends to a service that responds as expected.
func Requests(plan suites.Plan) int {
	return lists.Sum(plan.Fixtures, func(f fixtures.Fixture) int { return plan.Tries(f) * f.ExpectedRequests() }) +
		lists.Sum(plan.Controls, fixtures.Fixture.ExpectedRequests)
}

// footprintOf computes the footprint before anything is sent. It counts a fixture that must be
// rejected as one without effect: a service on which it has one is broken.
func footprintOf(plan suites.Plan) footprint {
	p := footprint{requests: Requests(plan)}
	for _, f := range plan.Fixtures {
		p.add(f, plan.Tries(f))
	}
	for _, f := range plan.Controls {
		p.add(f, 1)
	}
	operations, each := plan.Explored()
	for _, op := range operations {
		p.explored += each
		if !op.IsSafe() {
			p.effects += each
		}
	}
	return p
}

// add counts a fixture with its number of tries.
func (p *footprint) add(f fixtures.Fixture, tries int) {
	methods := f.StepMethods()
	switch {
	case len(methods) > 0:
		if f.Expect != fixtures.Rejected {
			methods = append(methods, f.Operation.Method)
		}
		p.addChain(methods, tries)
	case f.Expect != fixtures.Rejected && !f.Operation.IsSafe():
		requests := tries * f.ExpectedRequests()
		p.effects += requests
		if f.IsMarked() {
			p.marked += requests
		}
	}
}

// addChain counts the requests of a fixture with steps.
func (p *footprint) addChain(methods []string, tries int) {
	for _, method := range methods {
		switch method {
		case http.MethodPost:
			p.created += tries
		case http.MethodPut, http.MethodPatch:
			p.changed += tries
		case http.MethodDelete:
			p.deleted += tries
		}
	}
}

// left describes what the requests may leave behind.
func (p *footprint) left() string {
	const found = ` a text starting with "conformance" for easy clean-up`
	text := fmt.Sprintf("up to %d may create or change data", p.effects)
	own := ""
	if p.created+p.changed+p.deleted > 0 {
		own = fmt.Sprintf("up to %d create, %d change and %d delete something that the run itself creates", p.created, p.changed, p.deleted)
		text = own + ", and " + text
	}
	switch {
	case own != "" && p.effects == 0:
		return own
	case p.effects == 0:
		return "none should create or change data"
	case p.marked == 0:
		return text
	case p.marked == p.effects:
		return text + "; each has" + found
	}
	return fmt.Sprintf("%s; %d have%s", text, p.marked, found)
}

// Announcement returns the text that is printed before the runs. run names one of them.
func Announcement(c suites.Config, plan suites.Plan, targets []string, run string, width int) string {
	p, toOne := footprintOf(plan), ""
	if len(targets) > 1 {
		toOne = "of those to one, "
	}
	return cli.Wrap(fmt.Sprintf("sending %s as %s; %s%s", requestsTo(targets, c, p), run, toOne, p.left()), 0, width)
}

func requestsTo(targets []string, c suites.Config, p footprint) string {
	to, inAll, toEach := report.Visible(targets[0]), "", ""
	if len(targets) > 1 {
		to, inAll, toEach = "each of "+judge.Number(len(targets), "target"), " in all", " to each"
	}
	pace, exploring := "", ""
	if c.Limits.Rate > 0 {
		pace = fmt.Sprintf(" and %g a second%s", c.Limits.Rate, toEach)
	}
	if p.explored > 0 {
		exploring = fmt.Sprintf(" and up to %s to explore,", judge.Number(p.explored, "random request"))
	}
	return fmt.Sprintf("%s to %s, %d at a time%s%s,%s", judge.Number(p.requests, "request"), to, c.Limits.Concurrency, inAll, pace, exploring)
}

// ExampleSeed is the seed for requests that are printed and not sent, so that they are always the
// same.
const ExampleSeed = 1

// PrintRequests prints the requests of a run as commands, and sends nothing. heading names one of
// several targets, or is empty.
func PrintRequests(s output.Streams, heading string, c suites.Config, selected suites.Plan) error {
	c.Target.Secret = slices.Concat(c.Target.Secret, c.Contract.SecretHeaders())
	c.Target.BaseURL = cmp.Or(c.Target.BaseURL, target.ExampleFor(c.Contract.ServerPaths))
	c.Seed = cmp.Or(c.Seed, ExampleSeed)
	var b strings.Builder
	if heading != "" {
		fmt.Fprintf(&b, "\n# %s\n", heading)
	}
	b.WriteString(dryRunHead(c, footprintOf(selected)))
	for _, f := range selected.Fixtures {
		repeated := ""
		if n := selected.Tries(f) * f.Times(); n != 1 {
			repeated = fmt.Sprintf(", sent %d times", n)
		}
		fmt.Fprintf(&b, "\n# %s (%s%s)\n# %s\n%s\n", f.ID, f.Expect, repeated, f.Title, curl.Script(c.Target, f.Message(c.MessageSeed(), 0)))
	}
	for _, f := range selected.Controls {
		fmt.Fprintf(&b, "\n# %s (control: rejections are compared with it)\n# %s\n%s\n", f.ID, f.Title, curl.Script(c.Target, f.Message(c.MessageSeed(), 0)))
	}
	return s.Print(b.String())
}

// dryRunHead returns the first lines of a dry run: a summary, and how to find what the requests
// leave behind.
func dryRunHead(c suites.Config, p footprint) string {
	left := p.left()
	head := fmt.Sprintf("# %s seed %d; nothing was sent\n# %s; fresh ids are drawn from the seed\n",
		requestsTo([]string{c.Target.BaseURL}, c, p), c.Seed, strings.ToUpper(left[:1])+left[1:])
	if _, set := fixtures.FindField(c.Target.Headers, "User-Agent"); !set {
		head += fmt.Sprintf("# In a log, find the run by its User-Agent: %s (run ID; …), where ID is the run.id of the report\n", c.Target.UserAgent)
	}
	return head
}
