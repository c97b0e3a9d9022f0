package report_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/ctrf"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

const ctrfSchema = "testdata/schema/ctrf-0.0.json"

func checkCTRF(t *testing.T, text []byte) {
	for _, test := range readCTRF(t, text).Tests {
		reporttest.Harmless(t, "the message", test.Message)
		reporttest.Harmless(t, "the trace", test.Trace)
	}
}

type results struct {
	Summary struct{ Tests, Passed, Failed, Skipped, Pending, Other, Suites int }
	Tests   []struct {
		Name, TestID, Status, RawStatus, Message, Trace, FilePath string
		Line                                                      int
		Suite                                                     []string
	}
}

// readCTRF checks that the numbers add up.
func readCTRF(t *testing.T, text []byte) results {
	t.Helper()
	var file struct{ Results results }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, test := range file.Results.Tests {
		counts[test.Status]++
	}
	s := file.Results.Summary
	if s.Tests != len(file.Results.Tests) || s.Passed != counts["passed"] || s.Failed != counts["failed"] || s.Other != counts["other"] || s.Skipped != counts["skipped"] || s.Passed+s.Failed+s.Skipped+s.Other != s.Tests {
		t.Errorf("the summary %+v is not of %v", s, counts)
	}
	return file.Results
}

// How each outcome of a fixture appears in CTRF.
func TestCTRFOutcomes(t *testing.T) {
	plain := reporttest.Posted("valid/plain", "a plant", "accepts", fixtures.Accepted, "{}")
	plain = reporttest.Answered(plain, 200, reporttest.JSONType, "{}")
	note := judge.Finding{Clause: "silent/same-id", Message: "the contract leaves this open", Actual: "200 application/json", Offset: -1}
	for name, c := range map[string]struct {
		result          judge.Judged
		status, message string
	}{
		"passed":              {plain, "passed", ""},
		"observed":            {reporttest.Finding(plain, judge.Observation, note), "passed", ""},
		"warned":              {reporttest.LetThrough(plain, judge.Warning), "passed", "createPlant/accepts: the service accepts"},
		"failed":              {reporttest.LetThrough(plain, judge.Violation), "failed", "createPlant/accepts: the service accepts"},
		"warned, then failed": {reporttest.Finding(reporttest.InBody(plain, judge.Warning, "200/echo", "/id", "{}", "differs", "7"), judge.Violation, note), "failed", "createPlant/silent/same-id: the contract"},
		"unjudged":            {reporttest.Unjudged(plain, "nothing listens there"), "other", "unjudged: nothing listens there"},
	} {
		t.Run(name, func(t *testing.T) {
			text := reporttest.Written(t, ctrf.Write, reporttest.Scene{Results: []judge.Judged{c.result}, Verdict: verdict.Conformant}.Report())
			test := readCTRF(t, text).Tests[0]
			if test.Status != c.status || !strings.HasPrefix(test.Message, c.message) || (test.Message == "") != (c.message == "") {
				t.Errorf("is %s with the message %q, want %s with %q", test.Status, test.Message, c.status, c.message)
			}
			if test.RawStatus != string(c.result.Status) {
				t.Errorf("the raw status is %q", test.RawStatus)
			}
			if test.TestID != "createPlant/valid/plain" || test.Name != test.TestID || !slices.Equal(test.Suite, []string{"createPlant", "valid"}) {
				t.Errorf("it is %q, named %q, in %q", test.TestID, test.Name, test.Suite)
			}
			if test.FilePath != "fixtures/createPlant/valid/plain.yaml" || test.Line != 2 {
				t.Errorf("it stands at %s:%d", test.FilePath, test.Line)
			}
			if !strings.HasPrefix(test.Trace, "a plant\n") {
				t.Errorf("the title is not in the trace %q", test.Trace)
			}
			if strings.Contains(test.Trace, "curl ") != (c.status == "failed") {
				t.Errorf("the trace is %q", test.Trace)
			}
		})
	}
}

// A run that is not conformant is never green, even if all fixtures pass.
func TestCTRFIsRedWithTheRun(t *testing.T) {
	for _, c := range []struct {
		verdict verdict.Verdict
		results []judge.Judged
		failed  int
	}{
		{verdict.Conformant, reporttest.Conformant().Results, 0},
		{verdict.Nonconformant, reporttest.OneFailure().Results, 1},
		{verdict.Nonconformant, reporttest.Conformant().Results, 1},
		{verdict.Inconclusive, reporttest.Conformant().Results, 1},
		{verdict.Inconclusive, nil, 1},
	} {
		t.Run(fmt.Sprintf("%s with %d results", c.verdict, len(c.results)), func(t *testing.T) {
			r := reporttest.Scene{Results: c.results, Verdict: c.verdict, Reason: "because"}.Report()
			if got := readCTRF(t, reporttest.Written(t, ctrf.Write, r)); got.Summary.Failed != c.failed {
				t.Errorf("%d failed, want %d", got.Summary.Failed, c.failed)
			}
		})
	}
}

// CTRF has only whole milliseconds.
func TestCTRFRounds(t *testing.T) {
	r := reporttest.Conformant().Report()
	r.Results[0].Exchange.DurationMs, r.Run.DurationMs = 1.5, 2.49
	var file struct {
		Results struct {
			Summary struct{ Start, Stop, Duration int64 }
			Tests   []struct{ Duration int64 }
		}
	}
	if err := json.Unmarshal(reporttest.Written(t, ctrf.Write, r), &file); err != nil {
		t.Fatal(err)
	}
	s := file.Results.Summary
	if file.Results.Tests[0].Duration != 2 || s.Duration != 2 || s.Stop != s.Start+2 || s.Start != r.Run.Started.UnixMilli() {
		t.Errorf("times are %+v", file)
	}
}

func FuzzCTRF(f *testing.F) {
	schema := reporttest.CompileFile(ctrfSchema)(f)
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		text := reporttest.Written(t, ctrf.Write, r)
		reporttest.Meets(t, schema, text)
		reporttest.CheckNoCommands(t, "CTRF", string(text))
	})
}
