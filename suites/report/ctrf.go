package report

import (
	"cmp"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// WriteCTRF writes the Common Test Report Format, specification version 0.0: a
// test for each fixture. What could not be judged is "other", what is waived
// or excused was skipped, and a warned fixture has passed; rawStatus tells.
func WriteCTRF(w io.Writer, r result.Report) error {
	return terminal.WriteJSON(w, "the CTRF report", "  ", newCTRF(r))
}

type ctrf struct {
	ReportFormat string      `json:"reportFormat"`
	SpecVersion  string      `json:"specVersion"`
	RunID        string      `json:"runId,omitempty"`
	Timestamp    time.Time   `json:"timestamp"`
	GeneratedBy  string      `json:"generatedBy"`
	Results      ctrfResults `json:"results"`
}

type ctrfResults struct {
	Tool        ctrfTool        `json:"tool"`
	Summary     ctrfSummary     `json:"summary"`
	Tests       []ctrfTest      `json:"tests"`
	Environment ctrfEnvironment `json:"environment"`
}

type ctrfTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ctrfSummary has times in milliseconds since 1970, and durations in
// milliseconds.
type ctrfSummary struct {
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

type ctrfTest struct {
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

type ctrfEnvironment struct {
	ReportName string            `json:"reportName"`
	AppName    string            `json:"appName"`
	AppVersion string            `json:"appVersion"`
	Healthy    bool              `json:"healthy"`
	Extra      map[string]string `json:"extra"`
}

// The statuses of CTRF that this harness has a use for.
const (
	ctrfPassed  = "passed"
	ctrfFailed  = "failed"
	ctrfSkipped = "skipped"
	ctrfOther   = "other"
)

func newCTRF(r result.Report) ctrf {
	start, duration := r.Run.Started.UnixMilli(), wholeMilliseconds(r.Run.DurationMs)
	out := ctrf{
		ReportFormat: "CTRF", SpecVersion: "0.0.0", RunID: Visible(r.Run.ID), GeneratedBy: "conformance",
		Timestamp: time.UnixMilli(start + duration).UTC(),
		Results: ctrfResults{
			Tool:    ctrfTool{"conformance", Visible(r.Harness.Version)},
			Summary: ctrfSummary{Start: start, Stop: start + duration, Duration: duration},
			Tests:   []ctrfTest{},
			Environment: ctrfEnvironment{
				ReportName: Visible(strings.TrimSpace(r.Contract.Title + " " + r.Contract.Version)),
				AppName:    Visible(r.Implementation.Name), AppVersion: Visible(r.Implementation.Version),
				Healthy: r.Verdict == judge.Conformant,
				Extra:   map[string]string{"verdict": Visible(r.Verdict), "headline": Visible(r.Headline), "reason": Visible(r.Reason), "baseURL": Visible(r.Target.BaseURL)},
			},
		},
	}
	for _, result := range r.Results {
		out.add(newCTRFTest(r, result))
	}
	// As in JUnit: whatever keeps a run from being conformant turns it red.
	if r.Verdict == judge.Inconclusive || r.Verdict != judge.Conformant && out.Results.Summary.Failed == 0 {
		out.add(ctrfTest{Name: "verdict", Suite: []string{"verdict"}, Status: ctrfFailed, RawStatus: Visible(r.Verdict), Message: Visible(r.Headline + ": " + r.Reason)})
	}
	out.Results.Summary.Suites = countSuites(out.Results.Tests)
	return out
}

func (c *ctrf) add(t ctrfTest) {
	s := &c.Results.Summary
	c.Results.Tests = append(c.Results.Tests, t)
	s.Tests++
	switch t.Status {
	case ctrfPassed:
		s.Passed++
	case ctrfFailed:
		s.Failed++
	case ctrfSkipped:
		s.Skipped++
	default:
		s.Other++
	}
}

func countSuites(tests []ctrfTest) int {
	known := map[string]bool{}
	for _, t := range tests {
		if t.Suite != nil {
			known[strings.Join(t.Suite, "/")] = true
		}
	}
	return len(known)
}

func newCTRFTest(whole result.Report, r result.Result) ctrfTest {
	at := placeOf(r.Source)
	t := ctrfTest{
		TestID: Visible(r.Fixture), Name: cmp.Or(Visible(r.Fixture), "fixture"), Status: ctrfPassed, RawStatus: Visible(r.Status),
		Duration: wholeMilliseconds(r.Exchange.DurationMs), Suite: strings.Split(Visible(path.Dir(r.Fixture)), "/"),
		FilePath: Visible(at.file), Line: at.line,
		Labels: map[string]string{"clause": Visible(r.Clause), "level": Visible(r.Level), "expect": Visible(r.Expect), "operation": Visible(r.Operation), "group": Visible(path.Base(path.Dir(r.Fixture)))},
	}
	told := []string{Visible(r.Title) + "\n"}
	for _, f := range mostSevereFirst(r.Findings) {
		if f.Severity == judge.Observation && f.Clause != r.Clause {
			continue // as in JUnit
		}
		if t.Message == "" && f.Severity != judge.Observation {
			t.Message = Visible(f.Clause + ": " + sentence(f))
		}
		told = append(told, junitFinding(whole, r, f))
	}
	switch {
	case r.Status == judge.Failed:
		t.Status = ctrfFailed
		told = append(told, strings.Join(terminal.VisibleLines(r.Curl), "\n"))
	case r.Status == judge.Waived:
		t.Status, t.Message = ctrfSkipped, Visible("waived: "+waivedBecause(r))
	case r.Excused:
		t.Status, t.Message = ctrfSkipped, Visible("unjudged: "+r.Reason)
	case r.Status == judge.Unjudged:
		t.Status, t.Message = ctrfOther, Visible("unjudged: "+r.Reason)
	}
	t.Trace = strings.Join(told, "\n")
	return t
}

// mostSevereFirst puts violations before warnings before observations.
func mostSevereFirst(findings []judge.Finding) []judge.Finding {
	severities := []judge.Severity{judge.Violation, judge.Warning, judge.Observation}
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b judge.Finding) int {
		return slices.Index(severities, a.Severity) - slices.Index(severities, b.Severity)
	})
	return sorted
}

// wholeMilliseconds is for formats that know no part of one.
func wholeMilliseconds(ms float64) int64 { return int64(math.Round(ms)) }
