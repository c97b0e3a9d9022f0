package report_test

import (
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/verdict"
)

// No text from a target becomes a command to a CI system. The format github consists of
// commands, so it is not checked here.
func TestTargetsGiveNoCommands(t *testing.T) {
	for _, text := range []string{
		"::error::a", "\n::error::a", "\r::error::a", " \t::set-output name=a::b", "\u2028::stop-commands::a", "\u0085::add-mask::a",
		"##[set-output name=a]b", "a ##[stop-commands]b", "###[add-mask]a", "##vso[task.setvariable variable=a]b", "##teamcity[buildStop]",
	} {
		r := reporttest.Sending(reporttest.Judged("valid/plain", "a plant", "accepts", fixtures.Accepted), "", "{}", reporttest.JSONHeader)
		r = reporttest.Finding(reporttest.Answered(r, 400, text, text), judge.Violation, judge.Finding{Clause: "200/body", Message: text, Expected: text, Actual: text, Pointer: text})
		r = reporttest.Finding(r, judge.Observation, judge.Finding{Clause: "silent/same-id", Actual: text, Offset: -1})
		all := reporttest.Scene{Results: []judge.Judged{r, reporttest.Unjudged(r, text)}, Verdict: verdict.Nonconformant, Reason: text}.Report()
		for _, detail := range []console.Detail{console.Quiet, console.Normal, console.Verbose} {
			reporttest.CheckNoCommands(t, "the console", string(reporttest.Written(t, console.Printer{Detail: detail}.Write, all)))
			reporttest.CheckNoCommands(t, "the console", string(reporttest.Written(t, console.Printer{Detail: detail, Color: true}.Write, all)))
		}
		for _, format := range report.Formats() {
			if format.Name != "github" {
				reporttest.CheckNoCommands(t, format.Name, string(reporttest.Written(t, format.Write, all)))
			}
		}
	}
}
