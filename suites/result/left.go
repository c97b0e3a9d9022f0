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
			switch {
			case step.Left:
				failed = append(failed, step)
			case step.removes():
				removed[address(step)] = true
			}
		}
	}
	for _, step := range r.removed {
		removed[address(step)] = true
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

// Removals are the requests of a result that removed what the run created.
func (r Result) Removals() []Step {
	all := append(slices.Clone(r.Steps), Step{Exchange: r.Exchange, Curl: r.Curl})
	return slices.DeleteFunc(all, func(s Step) bool { return s.Left || !s.removes() })
}

func (s Step) removes() bool {
	status := 0
	if s.Exchange.Response != nil {
		status = s.Exchange.Response.Status
	}
	return s.Cleanup || s.Exchange.Request.Method == http.MethodDelete && status >= 200 && status < 400
}

// address is what a request is sent to, without its query.
func address(s Step) string {
	url, _, _ := strings.Cut(s.Exchange.Request.URL, "?")
	return s.Exchange.Request.Method + " " + url
}
