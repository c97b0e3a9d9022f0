// Package ctrf writes a report in the Common Test Report Format, for tools that
// show the tests of a CI system.
package ctrf

import (
	"cmp"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Write writes the Common Test Report Format, specification version 0.0, with a test for each
// fixture. A waived or excused fixture is "skipped", any other unjudged one is "other", and a
// warned one is "passed". rawStatus is the status in the report.
func Write(w io.Writer, r result.Report) error {
	return terminal.WriteJSON(w, "the CTRF report", "  ", newDocument(r))
}

type document struct {
	ReportFormat string    `json:"reportFormat"`
	SpecVersion  string    `json:"specVersion"`
	RunID        string    `json:"runId,omitempty"`
	Timestamp    time.Time `json:"timestamp"`
	GeneratedBy  string    `json:"generatedBy"`
	Results      results   `json:"results"`
}

type results struct {
	Tool        map[string]string `json:"tool"`
	Summary     summary           `json:"summary"`
	Tests       []test            `json:"tests"`
	Environment environment       `json:"environment"`
}

// summary contains times in milliseconds since 1970, and durations in milliseconds.
type summary struct {
	Tests    int   `json:"tests"`
	Passed   int   `json:"passed"`
	Failed   int   `json:"failed"`
	Skipped  int   `json:"skipped"`
	Pending  int   `json:"pending"`
	Other    int   `json:"other"`
	Suites   int   `json:"suites"`
	Start    int64 `json:"start"`
	Stop     int64 `json:"stop"`
	Duration int64 `json:"duration"`
}

type test struct {
	TestID    string            `json:"testId,omitempty"`
	Name      string            `json:"name"`
	Status    string            `json:"status"`
	RawStatus string            `json:"rawStatus"`
	Duration  int64             `json:"duration"`
	Suite     []string          `json:"suite,omitempty"`
	Message   string            `json:"message,omitempty"`
	Trace     string            `json:"trace,omitempty"`
	FilePath  string            `json:"filePath,omitempty"`
	Line      int               `json:"line,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

type environment struct {
	ReportName string            `json:"reportName"`
	AppName    string            `json:"appName"`
	AppVersion string            `json:"appVersion"`
	Healthy    bool              `json:"healthy"`
	Extra      map[string]string `json:"extra"`
}

// The CTRF statuses that this package uses.
const (
	passed  = "passed"
	failed  = "failed"
	skipped = "skipped"
	other   = "other"
)

func newDocument(r result.Report) document {
	start, duration := r.Run.Started.UnixMilli(), wholeMilliseconds(r.Run.DurationMs)
	out := document{
		ReportFormat: "CTRF", SpecVersion: "0.0.0", RunID: words.Visible(r.Run.ID), GeneratedBy: "conformance",
		Timestamp: time.UnixMilli(start + duration).UTC(),
		Results: results{
			Tool:  map[string]string{"name": "conformance", "version": words.Visible(r.Harness.Version)},
			Tests: []test{},
			Environment: environment{
				ReportName: words.Visible(r.Contract.String()),
				AppName:    words.Visible(r.Implementation.Name), AppVersion: words.Visible(r.Implementation.Version),
				Healthy: r.Verdict == verdict.Conformant,
				Extra:   map[string]string{"verdict": words.Visible(r.Verdict), "headline": words.Visible(r.Headline), "reason": words.Visible(r.Reason), "reached": words.Visible(words.Reached(r)), "baseURL": words.Visible(r.Target.BaseURL)},
			},
		},
	}
	tests, count := &out.Results.Tests, map[string]int{}
	for _, result := range r.Results {
		t := newTest(r, result)
		*tests = append(*tests, t)
		count[t.Status]++
	}
	// As in JUnit, a run that is not conformant must turn the build red.
	if r.Verdict == verdict.Inconclusive || r.Verdict != verdict.Conformant && count[failed] == 0 {
		*tests = append(*tests, test{Name: "verdict", Suite: []string{"verdict"}, Status: failed, RawStatus: words.Visible(r.Verdict), Message: words.Visible(r.Headline + ": " + r.Reason)})
		count[failed]++
	}
	out.Results.Summary = summary{
		Tests: len(*tests), Passed: count[passed], Failed: count[failed], Skipped: count[skipped], Other: count[other],
		Suites: len(lists.Groups(*tests, func(t test) string { return strings.Join(t.Suite, "/") })),
		Start:  start, Stop: start + duration, Duration: duration,
	}
	return out
}

func newTest(whole result.Report, r result.Result) test {
	at := words.PlaceOf(r.Source)
	t := test{
		TestID: words.Visible(r.Fixture), Name: cmp.Or(words.Visible(r.Fixture), "fixture"), Status: passed, RawStatus: words.Visible(r.Status),
		Duration: wholeMilliseconds(r.Exchange.DurationMs), Suite: strings.Split(words.Visible(path.Dir(r.Fixture)), "/"),
		FilePath: words.Visible(at.File), Line: at.Line,
		Labels: map[string]string{"clause": words.Visible(r.Clause), "level": words.Visible(r.Level), "expect": words.Visible(r.Expect), "operation": words.Visible(r.Operation), "group": words.Visible(path.Base(path.Dir(r.Fixture)))},
	}
	told := []string{words.Visible(r.Title) + "\n"}
	for _, f := range mostSevereFirst(r.Findings) {
		if f.Severity == judge.Observation && f.Clause != r.Clause {
			continue // as in JUnit
		}
		if t.Message == "" && f.Severity != judge.Observation {
			t.Message = words.Visible(words.Stated(f))
		}
		told = append(told, words.Tell(whole, r, f))
	}
	switch {
	case r.Status == judge.Failed:
		t.Status = failed
		told = append(told, terminal.VisibleText(r.Curl))
	case r.Status == judge.Waived:
		t.Status, t.Message = skipped, words.Visible("waived: "+words.WaivedBecause(r))
	case r.Excused:
		t.Status, t.Message = skipped, words.Visible("unjudged: "+r.Reason)
	case r.Status == judge.Unjudged:
		t.Status, t.Message = other, words.Visible("unjudged: "+r.Reason)
	}
	t.Trace = strings.Join(told, "\n")
	return t
}

// mostSevereFirst sorts violations before warnings, and warnings before observations.
func mostSevereFirst(findings []judge.Finding) []judge.Finding {
	severities := []judge.Severity{judge.Violation, judge.Warning, judge.Observation}
	return slices.SortedStableFunc(slices.Values(findings), func(a, b judge.Finding) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
}

// wholeMilliseconds rounds a time, because CTRF has no fractions of a millisecond.
func wholeMilliseconds(ms float64) int64 { return int64(math.Round(ms)) }
