package console

import (
	"fmt"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
)

// observations tells how the target answers where the contract is silent: of many
// operations together, unless all is wanted.
func (p *page) observations() {
	list := p.Observations
	if !p.all {
		list = words.Gathered(list)
	}
	if len(list) == 0 {
		return
	}
	width := 0
	for _, o := range list {
		width = max(width, len(o.Clause))
	}
	p.Section("where the contract is silent")
	for _, o := range list {
		clause, taken := fmt.Sprintf("· %-*s  ", width, o.Clause), width+4 // with the dot and the spaces
		for _, line := range terminal.Folded(words.Answers(o, p.all), taken) {
			p.Line(terminal.Says("%-*s%s", taken, clause, line))
			clause = ""
		}
	}
}

// unjudged tells what could not be judged and why, each reason once.
func (p *page) unjudged() {
	for i, why := range words.Unjudged(p.Report) {
		if i == 0 {
			p.Section("unjudged")
		}
		p.Marked(terminal.Yellow.Of("? "), terminal.Filled(why.Text+words.Several(why.Fixtures), 2))
		p.ids(why.Fixtures)
	}
}

// excused sums up what says nothing and need not worry anybody.
func (p *page) excused() {
	why := words.Excused(p.Report)
	if why.Text == "" {
		return
	}
	p.Wrapped(why.Text, 0)
	if p.all {
		p.ids(why.Fixtures)
	}
}

// ids names some, or all where all are wanted.
func (p *page) ids(list []string) {
	lines := []string{words.Some(list)}
	if p.all {
		lines = words.ByFolder(list, len(list))
	}
	for _, line := range lines {
		p.Wrapped(line, 4)
	}
}

// controls tells of the requests that were sent in addition to the fixtures.
func (p *page) controls() {
	var list []string
	for _, c := range p.Controls {
		list = append(list, c.Fixture)
	}
	if len(list) > 0 {
		p.Wrapped("sent as controls, not counted: "+words.Some(list), 0)
	}
	if text := words.Explored(p.Report); text != "" {
		p.Wrapped(text, 0)
	}
}
