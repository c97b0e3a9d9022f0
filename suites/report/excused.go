package report

import (
	"fmt"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// controls names what was sent beside the fixtures.
func (p *page) controls() {
	var list []string
	for _, c := range p.Controls {
		list = append(list, c.Fixture)
	}
	if len(list) > 0 {
		p.Wrapped("sent as controls, not counted: "+some(list), 0)
	}
}

// excused sums up the excused results in one sentence, which is empty where
// there are none. Their controls are named with the status that they got.
func excused(r result.Report) (text string, fixtures []string) {
	answers := map[string]string{}
	for _, list := range [][]result.Result{r.Controls, r.Results} {
		for _, result := range list {
			if response := result.Exchange.Response; response != nil {
				answers[result.Fixture] = fmt.Sprintf("%s got %d", result.Fixture, response.Status)
			}
		}
	}
	var controls []string
	named := map[string]bool{}
	for _, result := range r.Results {
		if !result.Excused {
			continue
		}
		fixtures = append(fixtures, result.Fixture)
		if answer := answers[result.Control]; answer != "" && !named[answer] {
			named[answer] = true
			controls = append(controls, answer)
		}
	}
	if len(fixtures) == 0 {
		return "", nil
	}
	text = fmt.Sprintf("%s skipped: the service also rejects the valid request, which the contract permits", judge.Number(len(fixtures), "fixture"))
	if len(controls) > 0 {
		text += " (" + some(controls) + ")"
	}
	return text, fixtures
}
