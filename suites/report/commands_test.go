package report_test

import (
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// Whatever a target answers, no format tells a CI system to do anything but
// the one that is made of such commands.
func TestTargetsGiveNoCommands(t *testing.T) {
	for _, text := range []string{
		"::error::a", "\n::error::a", "\r::error::a", " \t::set-output name=a::b", "\u2028::stop-commands::a", "\u0085::add-mask::a",
		"##[set-output name=a]b", "a ##[stop-commands]b", "###[add-mask]a", "##vso[task.setvariable variable=a]b", "##teamcity[buildStop]",
	} {
		r := sending(result("valid/plain", "a plant", "accepts", fixtures.Accepted), "", "{}", jsonHeader)
		r = finding(answered(r, 400, text, text), judge.Violation, judge.Finding{Clause: "200/body", Message: text, Expected: text, Actual: text, Pointer: text})
		r = finding(r, judge.Observation, judge.Finding{Clause: "silent/same-id", Actual: text, Offset: -1})
		all := scene{results: []judge.Judged{r, unjudged(r, text)}, verdict: judge.Nonconformant, reason: text}.report()
		for _, detail := range []report.Detail{report.Quiet, report.Normal, report.Verbose} {
			checkNoCommands(t, "the console", console(t, report.Console{Detail: detail}, all))
			checkNoCommands(t, "the console", console(t, report.Console{Detail: detail, Color: true}, all))
		}
		for _, format := range report.Formats() {
			if text := string(written(t, format.Write, all)); format.Name == "github" {
				runnerReads(t, text)
			} else {
				checkNoCommands(t, format.Name, text)
			}
		}
	}
}
