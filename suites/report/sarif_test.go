package report_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/html"
	"github.com/plantstore/conformance/suites/report/sarif"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

const sarifSchema = "testdata/schema/sarif-2.1.0-rtm.5.json"

func checkSARIF(t *testing.T, text []byte) {
	for _, result := range readSARIF(t, text).Results {
		reporttest.Harmless(t, "the message", result.Message.Text)
	}
}

type sarifLog struct {
	Tool struct {
		Driver struct {
			SemanticVersion string
			Rules           []struct {
				ID                   string
				DefaultConfiguration struct{ Level string }
			}
		}
	}
	Invocations []struct {
		ExecutionSuccessful        bool
		ToolExecutionNotifications []struct {
			Level   string
			Message struct{ Text string }
		}
	}
	Results []struct {
		RuleID              string
		RuleIndex           int
		Level               string
		Message             struct{ Text string }
		Locations           []location
		RelatedLocations    []location
		PartialFingerprints map[string]string
	}
}

type location struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine int }
	}
}

// String returns the location as editors write it.
func (l location) String() string {
	return fmt.Sprintf("%s:%d", l.PhysicalLocation.ArtifactLocation.URI, l.PhysicalLocation.Region.StartLine)
}

// readSARIF parses a report and checks that every result names its rule and a place.
func readSARIF(t *testing.T, text []byte) sarifLog {
	t.Helper()
	var log struct{ Runs []sarifLog }
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 || len(log.Runs[0].Invocations) != 1 {
		t.Fatalf("%d runs", len(log.Runs))
	}
	run := log.Runs[0]
	for _, result := range run.Results {
		if i := result.RuleIndex; i >= 0 && run.Tool.Driver.Rules[i].ID != result.RuleID {
			t.Errorf("%s refers to the rule %s", result.RuleID, run.Tool.Driver.Rules[i].ID)
		}
		for _, l := range append(result.Locations, result.RelatedLocations...) {
			if _, err := url.Parse(l.PhysicalLocation.ArtifactLocation.URI); err != nil {
				t.Error(err)
			}
		}
	}
	return run
}

// A violation is an error and a warning is a warning, on the line of the document that states
// the clause. Observations are not results.
func TestSARIFResults(t *testing.T) {
	plain := reporttest.Posted("valid/plain", "a plant", "accepts", fixtures.Accepted, "{}")
	plain = reporttest.Answered(plain, 200, reporttest.JSONType, "{}")
	note := judge.Finding{Clause: "silent/same-id", Message: "is left open", Actual: "200", Offset: -1}
	for name, c := range map[string]struct {
		result judge.Judged
		source string
		want   string // level, rule, locations
	}{
		"a violation":             {reporttest.LetThrough(plain, judge.Violation), "spec/openapi.yaml", "error createPlant/accepts [spec/openapi.yaml:23] [fixtures/createPlant/valid/plain.yaml:2]"},
		"a warning":               {reporttest.LetThrough(plain, judge.Warning), "spec/openapi.yaml", "warning createPlant/accepts [spec/openapi.yaml:23] [fixtures/createPlant/valid/plain.yaml:2]"},
		"an observation":          {reporttest.Finding(plain, judge.Observation, note), "spec/openapi.yaml", ""},
		"a silence, with strict":  {reporttest.Finding(plain, judge.Violation, note), "spec/openapi.yaml", "error createPlant/silent/same-id [spec/openapi.yaml:0] [fixtures/createPlant/valid/plain.yaml:2]"},
		"an unknown document":     {reporttest.LetThrough(plain, judge.Violation), "", "error createPlant/accepts [fixtures/createPlant/valid/plain.yaml:2] []"},
		"an odd path":             {reporttest.LetThrough(plain, judge.Violation), "a b/c:d#%.yaml", "error createPlant/accepts [a%20b/c:d%23%25.yaml:23] [fixtures/createPlant/valid/plain.yaml:2]"},
		"a path from the root":    {reporttest.LetThrough(plain, judge.Violation), "/srv/openapi.yaml", "error createPlant/accepts [file:///srv/openapi.yaml:23] [fixtures/createPlant/valid/plain.yaml:2]"},
		"nothing to be said here": {plain, "spec/openapi.yaml", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := result.Conclude(result.Recording{
				Head: result.Head{Contract: result.Contract{Source: c.source}}, Clauses: verdict.Clauses(reporttest.Contract(), c.source),
				Results: []result.Result{result.NewResult(c.result, 0, reporttest.Curl(c.result))},
			})
			var got []string
			for _, result := range readSARIF(t, reporttest.Written(t, sarif.Write, r)).Results {
				got = append(got, fmt.Sprintf("%s %s %v %v", result.Level, result.RuleID, result.Locations, result.RelatedLocations))
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// A fault has the same fingerprint in every run, even if its line changes. No other fault has
// it.
func TestSARIFFingerprints(t *testing.T) {
	prints := func(r result.Report) []string {
		var list []string
		for _, result := range readSARIF(t, reporttest.Written(t, sarif.Write, r)).Results {
			list = append(list, result.PartialFingerprints["cause/v2"])
		}
		return list
	}
	r := reporttest.Everything().Report()
	first := prints(r)
	r.Run.ID, r.Run.Seed = "ANOTHER", 8
	for i := range r.Clauses {
		r.Clauses[i].Source = "spec/openapi.yaml:999"
	}
	seen := map[string]bool{}
	for i, mark := range prints(r) {
		if mark != first[i] {
			t.Errorf("result %d: %s became %s", i, first[i], mark)
		}
		if seen[mark] || len(mark) != 64 {
			t.Errorf("result %d: the fingerprint %q is none, or another's", i, mark)
		}
		seen[mark] = true
	}
}

// An unjudged fixture is a notification of the invocation.
func TestSARIFInvocation(t *testing.T) {
	lost := reporttest.UnjudgedSome().Results[1]
	for _, c := range []struct {
		verdict    verdict.Verdict
		results    []judge.Judged
		successful bool
		told       string // levels of the notifications
	}{
		{verdict.Conformant, reporttest.Conformant().Results, true, ""},
		{verdict.Nonconformant, append(reporttest.OneFailure().Results, lost), true, "warning"},
		{verdict.Inconclusive, []judge.Judged{lost}, false, "error, warning, note, note"},
		{verdict.Inconclusive, nil, false, "error, note, note"},
	} {
		run := readSARIF(t, reporttest.Written(t, sarif.Write, reporttest.Scene{Results: c.results, Verdict: c.verdict, Reason: "because"}.Report()))
		got := run.Invocations[0]
		var told []string
		for _, n := range got.ToolExecutionNotifications {
			told = append(told, n.Level)
		}
		if got.ExecutionSuccessful != c.successful || strings.Join(told, ", ") != c.told {
			t.Errorf("%s: successful %t, told %v; want %t and %s", c.verdict, got.ExecutionSuccessful, told, c.successful, c.told)
		}
	}
}

// A message is plain text: links and placeholders are escaped.
func TestSARIFMessagesAreText(t *testing.T) {
	plain := reporttest.Answered(reporttest.Sending(reporttest.Judged("valid/plain", "a plant", "accepts", fixtures.Accepted), "", `{"id":[7]}`, reporttest.JSONHeader), 200, reporttest.JSONType, "")
	r := reporttest.Finding(plain, judge.Violation, judge.Finding{Clause: "200/body", Message: "is [a](https://evil.example) {0} \\", Offset: -1})
	got := readSARIF(t, reporttest.Written(t, sarif.Write, reporttest.Scene{Results: []judge.Judged{r}}.Report())).Results[0].Message.Text
	for _, want := range []string{`is \[a\](https://evil.example) {{0}} \\`, `{{"id":\[7\]}}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

// One cause is one result, which names the fixtures that found it.
func TestSARIFHasAResultForEachCause(t *testing.T) {
	run := readSARIF(t, reporttest.Written(t, sarif.Write, reporttest.OneCause().Report()))
	if len(run.Results) != 5 {
		t.Errorf("%d results, want 5", len(run.Results))
	}
	if text := run.Results[len(run.Results)-1].Message.Text; !strings.Contains(text, "likewise: 12 more: ") {
		t.Errorf("the message does not name the other fixtures:\n%s", text)
	}
}

// The version is a semantic version for every build.
func TestSARIFVersion(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct{ version, commit, want string }{
		{"v1.2.3", hash, "1.2.3"},
		{"v0.0.0-20261122002001-0123456789ab+dirty", hash, "0.0.0-20261122002001-0123456789ab+dirty"},
		{"devel", hash, "0.0.0-dev+0123456789ab"},
		{"devel", "unknown", "0.0.0-dev"},
		{"", "", "0.0.0-dev"},
	} {
		r := reporttest.Conformant().Report()
		r.Harness = result.Harness{Version: c.version, Commit: c.commit}
		if got := readSARIF(t, reporttest.Written(t, sarif.Write, r)).Tool.Driver.SemanticVersion; got != c.want {
			t.Errorf("%s %s: version %q, want %q", c.version, c.commit, got, c.want)
		}
	}
}

// A built-in file is in the public repository, not on the disk of the user. The scheme is
// omitted, because GitHub refuses it.
func TestSARIFPlacesOfWhatIsBuiltIn(t *testing.T) {
	built := reporttest.PlantStore(t)
	for name, c := range map[string]struct {
		sum, fixture string
		want         []string
	}{
		"built in":         {built.SHA256, "fixtures/createPlant/valid/plain.yaml:2", []string{"github.com/plantstore/conformance/blob/v1.2.3/spec/openapi.yaml:23", "github.com/plantstore/conformance/blob/v1.2.3/fixtures/createPlant/valid/plain.yaml:2"}},
		"a fixture of one": {built.SHA256, "mine/createPlant/valid/plain.yaml:2", []string{"github.com/plantstore/conformance/blob/v1.2.3/spec/openapi.yaml:23", "mine/createPlant/valid/plain.yaml:2"}},
		"another document": {strings.Repeat("0", 64), "fixtures/createPlant/valid/plain.yaml:2", []string{"spec/openapi.yaml:23", "fixtures/createPlant/valid/plain.yaml:2"}},
	} {
		r := reporttest.WrongBaseURL().Report()
		r.Contract.SHA256 = c.sum
		for i := range r.Results {
			r.Results[i].Source = c.fixture
		}
		found := readSARIF(t, reporttest.Written(t, sarif.Write, r)).Results[0]
		if got := []string{found.Locations[0].String(), found.RelatedLocations[0].String()}; !slices.Equal(got, c.want) {
			t.Errorf("%s: at %v, want %v", name, got, c.want)
		}
		links := strings.Count(string(reporttest.Written(t, html.Write, r)), `href="https://github.com/plantstore/conformance/blob/v1.2.3/spec/openapi.yaml#L23"`)
		if (links > 0) != (c.sum == built.SHA256) {
			t.Errorf("%s: %d links to the document", name, links)
		}
	}
}

func FuzzSARIF(f *testing.F) {
	schema := reporttest.CompileFile(sarifSchema)(f)
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		text := reporttest.Written(t, sarif.Write, r)
		reporttest.Meets(t, schema, text)
		reporttest.CheckNoCommands(t, "SARIF", string(text))
	})
}
