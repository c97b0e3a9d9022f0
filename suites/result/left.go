package result

import (
	"net/http"
	"slices"
	"strings"
)

// Left are the clean-ups that did not remove what the run created.
func (r Report) Left() []Step { return r.Recording().Left() }

// Left are the clean-ups that did not remove what the run created, or that a run which
// was killed did not come to.
func (r Recording) Left() []Step {
	removed := map[string]bool{}
	var failed []Step
	for _, one := range slices.Concat(r.Controls, r.Results) {
		for _, step := range append(slices.Clone(one.Steps), Step{Exchange: one.Exchange}) {
			status := 0
			if step.Exchange.Response != nil {
				status = step.Exchange.Response.Status
			}
			switch {
			case step.Left:
				failed = append(failed, step)
			case step.Cleanup, step.Exchange.Request.Method == http.MethodDelete && status >= 200 && status < 400:
				removed[address(step)] = true
			}
		}
	}
	var left []Step
	for _, step := range append(failed, r.created...) {
		if !removed[address(step)] {
			removed[address(step)] = true // each once
			left = append(left, step)
		}
	}
	return left
}

// address is what a request is sent to, without its query.
func address(s Step) string {
	url, _, _ := strings.Cut(s.Exchange.Request.URL, "?")
	return s.Exchange.Request.Method + " " + url
}
