package report

import (
	"fmt"
	"strings"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// observations tells how the target answers where the contract is silent.
func (p *page) observations() {
	if len(p.Observations) == 0 {
		return
	}
	width := 0
	for _, o := range p.Observations {
		width = max(width, len(o.Clause))
	}
	p.Section("where the contract is silent")
	for _, o := range p.Observations {
		clause, taken := fmt.Sprintf("· %-*s  ", width, o.Clause), width+4 // with the dot and the spaces
		for _, line := range terminal.Folded(p.answers(o), taken) {
			p.Line(terminal.Says("%-*s%s", taken, clause, line))
			clause = ""
		}
	}
}

// answers are the answers to one question, or a few of them, with the number
// of fixtures that got them.
func (p *page) answers(o judge.Answers) []string {
	const few = 4
	var list []string
	for i, a := range o.Answers {
		if i == few && !p.all {
			return append(list, fmt.Sprintf("and %d more", len(o.Answers)-few))
		}
		list = append(list, fmt.Sprintf("%s (%d)", cut(a.Answer, literalWidth), len(a.Fixtures)))
	}
	return list
}

// warnings tells of every cause of a warning: what was sent, what came back and
// why it is only a warning; or as much as of a failure where all is wanted.
func (p *page) warnings() {
	list := causes(p.Report, judge.Warning)
	if len(list) == 0 {
		return
	}
	if p.all {
		for _, c := range list {
			p.cause(terminal.Yellow.Of("! "), "departs from", c)
		}
		return
	}
	p.Section("warnings")
	for _, c := range list {
		p.Line(terminal.Yellow.Of("! "), terminal.Says("%s%s", clauseOf(p.Report, c.finding.Clause), places(c)), terminal.Faint.Of(howMany(c.fixtures)))
		p.row("fixture", c.result.Fixture)
		for _, e := range evidenceOf(c.result, c.finding) {
			if e.name != "expected" {
				p.row(e.name, e.text)
			}
		}
		p.row("why", whyWarning(p.Report, c.result, c.finding))
	}
}

// waived tells what is known and accepted, each cause in two lines.
func (p *page) waived() {
	list := causes(p.Report, judge.WaivedViolation)
	if len(list) == 0 {
		return
	}
	p.Section("waived")
	for _, c := range list {
		p.Line(terminal.Yellow.Of("~ "), terminal.Says("%s%s", clauseOf(p.Report, c.finding.Clause), places(c)), terminal.Faint.Of(howMany(c.fixtures)))
		p.Line(terminal.Says("    %s: %s", c.result.Fixture, cut(c.finding.Waived, evidenceWidth)))
	}
}

func howMany(fixtures []string) string {
	if len(fixtures) == 1 {
		return ""
	}
	return fmt.Sprintf("  in %d fixtures", len(fixtures))
}

// unjudged tells what could not be judged and why, each reason once.
func (p *page) unjudged() {
	reasons, fixtures := unjudged(p.Report)
	if len(reasons) == 0 {
		return
	}
	p.Section("unjudged")
	for _, reason := range reasons {
		counted := ""
		if n := len(fixtures[reason]); n > 1 {
			counted = fmt.Sprintf(" (%d fixtures)", n)
		}
		p.marked(terminal.Yellow.Of("? "), reason+counted)
		p.ids(fixtures[reason])
	}
}

// unjudged are the reasons why fixtures could not be judged, and which those
// are. Excused fixtures are not among them, see [excused].
func unjudged(r result.Report) (reasons []string, fixtures map[string][]string) {
	fixtures = map[string][]string{}
	for _, result := range r.Results {
		if result.Shown() != judge.Unjudged {
			continue
		}
		reason := result.Reason
		if general, _, named := strings.Cut(reason, ": "+result.Control+" got "); named && result.Control != "" {
			reason = general // whatever the control
		}
		if fixtures[reason] == nil {
			reasons = append(reasons, reason)
		}
		fixtures[reason] = append(fixtures[reason], result.Fixture)
	}
	return reasons, fixtures
}

// excused sums up what says nothing and need not worry anybody.
func (p *page) excused() {
	text, fixtures := excused(p.Report)
	if text == "" {
		return
	}
	p.Wrapped(text, 0)
	if p.all {
		p.ids(fixtures)
	}
}

// ids names some, or all where all are wanted.
func (p *page) ids(list []string) {
	lines := []string{some(list)}
	if p.all {
		lines = byFolder(list, len(list))
	}
	for _, line := range lines {
		p.Wrapped(line, 4)
	}
}

// marked writes a text behind a mark, in lines that fit.
func (p *page) marked(mark terminal.Span, text string) {
	for _, line := range terminal.Filled(text, 2) {
		p.Line(mark, terminal.Plain.Of(line))
		mark = terminal.Plain.Of("  ")
	}
}
