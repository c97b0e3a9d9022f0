package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/report/ctrf"
	"github.com/plantstore/conformance/suites/report/github"
	"github.com/plantstore/conformance/suites/report/html"
	"github.com/plantstore/conformance/suites/report/junit"
	"github.com/plantstore/conformance/suites/report/sarif"
	"github.com/plantstore/conformance/suites/verdict"
)

// Every format shows a waived violation as waived, and none shows it as a failure.
func TestWaivedIsShownAndNotRed(t *testing.T) {
	r := reporttest.Waived()
	if r.Verdict != verdict.Conformant || r.Counts.Waived != 1 || r.Counts.Failed != 0 {
		t.Fatalf("%s: %s; %+v", r.Verdict, r.Reason, r.Counts)
	}
	for _, row := range []struct {
		format  string
		shows   []string
		without []string
	}{
		{"json", []string{`"waived": "the parser is being replaced (us)"`, `"status": "waived"`, `"verdict": "conformant"`, `"headline": "conformant but for 1 waived clause"`, `"qualified": true`, `(1 clause waived`}, []string{`"status": "failed"`}},
		{"ndjson", []string{`"waivers":[{"match":"createPlant/missing-required/*"`, `"headline":"conformant but for 1 waived clause","qualified":true`}, nil},
		{"junit", []string{`<skipped message="waived: the parser is being replaced (us)"`, `skipped="1"`, `<property name="verdict" value="conformant but for 1 waived clause: `}, []string{"<failure"}},
		{"ctrf", []string{`"status": "skipped"`, "waived: the parser is being replaced", `"headline": "conformant but for 1 waived clause"`}, []string{`"status": "failed"`}},
		{"sarif", []string{`"suppressions"`, `"justification": "the parser is being replaced (us)"`}, nil},
		{"markdown", []string{"### ⚠️ conformant but for 1 waived clause: ", "- waived: `createPlant/request/body/name`: the parser is being replaced (us)"}, []string{"breaks"}},
		{"github", []string{"::warning title=conformant but for 1 waived clause::"}, []string{"::error"}},
		{"html", []string{`<div class="verdict" data-is="inconclusive">`, "<h1>conformant but for 1 waived clause<", "waived: the parser is being replaced", `data-status="waived"`}, []string{`data-status="failed"`}},
		{"badge", []string{"conformant but for 1 waived clause"}, []string{"nonconformant"}},
	} {
		t.Run(row.format, func(t *testing.T) {
			format, err := report.FormatNamed(row.format, report.Formats())
			if err != nil {
				t.Fatal(err)
			}
			text := string(reporttest.Written(t, format.Write, r))
			if row.format == "html" { // statuses in the style sheet are not results
				_, text, _ = strings.Cut(text, "<body>")
			}
			for _, part := range row.shows {
				if !strings.Contains(text, part) {
					t.Errorf("does not show %s:\n%s", part, text)
				}
			}
			for _, part := range row.without {
				if strings.Contains(text, part) {
					t.Errorf("shows %s:\n%s", part, text)
				}
			}
		})
	}
	page := string(reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, r))
	for _, part := range []string{"waived\n~ createPlant/request/body/name (must, §2)\n    createPlant/missing-required/name: the parser is being replaced", "1 waived"} {
		if !strings.Contains(page, part) {
			t.Errorf("the console does not show %q:\n%s", part, page)
		}
	}
	if strings.Contains(page, "✗") {
		t.Errorf("the console shows a failure:\n%s", page)
	}
}

// An excused fixture is not a failure or an error in any format.
func TestExcusedFixturesAreSkipped(t *testing.T) {
	r := reporttest.Excused().Report()
	if text := string(reporttest.Written(t, junit.Write, r)); strings.Contains(text, "<failure") || strings.Contains(text, "<error") || strings.Count(text, "<skipped") != 2 {
		t.Errorf("JUnit:\n%s", text)
	}
	var out bytes.Buffer
	if err := ctrf.Write(&out, r); err != nil || !strings.Contains(out.String(), `"skipped": 2,`) || !strings.Contains(out.String(), `"other": 0,`) {
		t.Errorf("CTRF: %v\n%s", err, out.String())
	}
	out.Reset()
	if err := github.Write(&out, r); err != nil || out.Len() > 0 {
		t.Errorf("GitHub: %v\n%s", err, out.String())
	}
	out.Reset()
	if err := sarif.Write(&out, r); err != nil || strings.Contains(out.String(), "unjudged") {
		t.Errorf("SARIF: %v\n%s", err, out.String())
	}
	out.Reset()
	if err := html.Write(&out, r); err != nil || strings.Contains(out.String(), `data-is="unjudged"`) || !strings.Contains(out.String(), `data-is="skipped">2 skipped`) {
		t.Errorf("HTML: %v\n%s", err, out.String())
	}
}
