package report_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/github"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

func checkGitHub(t *testing.T, text []byte) {
	reporttest.Harmless(t, "the text", string(text))
	runnerReads(t, string(text))
	if len(text) > 128<<10 {
		t.Errorf("it has %d bytes", len(text))
	}
}

// runnerCommand is a line as GitHub's runner parses it.
type runnerCommand struct {
	name, message string
	properties    map[string]string
}

var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::(.*)$`)

// runnerReads parses the output of a step as GitHub's runner does (actions/runner,
// ActionCommand.cs). Every line must be one annotation with known properties, and no kind may
// have more annotations than GitHub shows.
func runnerReads(t testing.TB, output string) []runnerCommand {
	t.Helper()
	var list []runnerCommand
	kinds := map[string]int{}
	for line := range strings.Lines(output) {
		parts := workflowCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if parts == nil {
			t.Fatalf("no annotation: %.300q", line)
		}
		c := runnerCommand{parts[1], unescape(parts[3]), map[string]string{}}
		for pair := range strings.SplitSeq(parts[2], ",") {
			name, value, ok := strings.Cut(pair, "=")
			if !ok || !slices.Contains([]string{"file", "line", "title"}, name) || c.properties[name] != "" {
				t.Errorf("a property %.300q", pair)
			}
			c.properties[name] = unescape(value)
		}
		if kinds[c.name]++; kinds[c.name] > 10 {
			t.Errorf("more than ten of %s", c.name)
		}
		list = append(list, c)
	}
	if found := reporttest.InLine.FindAllString(output, -1); len(found) > 0 {
		t.Errorf("commands of the old form: %.300q", found)
	}
	return list
}

func unescape(text string) string {
	for _, pair := range [][2]string{{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}} {
		text = strings.ReplaceAll(text, pair[0], pair[1])
	}
	return text
}

// The place and the title of each annotation of a run.
func TestGitHubAnnotations(t *testing.T) {
	const file = "fixtures/createPlant/missing-required/name.yaml:2"
	odd := reporttest.OneFailure().Results[0]
	odd.Source = "a b,c:d%2C=e.yaml:2"
	for name, c := range map[string]struct {
		verdict verdict.Verdict
		results []judge.Judged
		want    string
	}{
		"conformant":               {verdict.Conformant, reporttest.Conformant().Results, ""},
		"a violation":              {verdict.Nonconformant, reporttest.OneFailure().Results, "error " + file + " breaks createPlant/request/body/name (must, §2)"},
		"an odd file":              {verdict.Nonconformant, []judge.Judged{odd}, "error a b,c:d%2C=e.yaml:2 breaks createPlant/request/body/name (must, §2)"},
		"a warning":                {verdict.Conformant, reporttest.Warnings().Results[3:], "warning fixtures/createPlant/media-type/text-plain.yaml:2 departs from createPlant/request/media-type (should, §4)"},
		"red for another reason":   {verdict.Nonconformant, reporttest.Conformant().Results, "error : nonconformant"},
		"inconclusive":             {verdict.Inconclusive, reporttest.Conformant().Results, "error : inconclusive"},
		"inconclusive and a fault": {verdict.Inconclusive, reporttest.OneFailure().Results, "error : inconclusive; error " + file + " breaks createPlant/request/body/name (must, §2)"},
	} {
		t.Run(name, func(t *testing.T) {
			r := reporttest.Scene{Results: c.results, Verdict: c.verdict, Reason: "because"}.Report()
			var got []string
			for _, command := range runnerReads(t, string(reporttest.Written(t, github.Write, r))) {
				got = append(got, fmt.Sprintf("%s %s:%s %s", command.name, command.properties["file"], command.properties["line"], command.properties["title"]))
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}

// GitHub shows ten annotations. The tenth says how many more there are.
func TestGitHubShowsTen(t *testing.T) {
	for _, c := range []struct {
		causes int
		last   string
	}{
		{9, "breaks createPlant/request/body"},
		{10, "breaks createPlant/request/body"},
		{11, "2 more errors"},
		{100, "91 more errors"},
	} {
		var s reporttest.Scene
		for i := range c.causes {
			r := reporttest.Sending(reporttest.Judged(fmt.Sprintf("group-%d/case", i), "no plant", "request/body", fixtures.Rejected), "", "[]", reporttest.JSONHeader)
			s.Results = append(s.Results, reporttest.LetThrough(reporttest.Answered(r, 200, reporttest.JSONType, "{}"), judge.Violation))
		}
		s.Verdict = verdict.Nonconformant
		list := runnerReads(t, string(reporttest.Written(t, github.Write, s.Report())))
		if last := list[len(list)-1].properties["title"]; len(list) != min(c.causes, 10) || !strings.HasPrefix(last, c.last) {
			t.Errorf("%d causes: %d annotations, the last is %q", c.causes, len(list), last)
		}
	}
}

// The runner restores what was escaped, and only our own line breaks are line breaks.
func TestGitHubEscapes(t *testing.T) {
	r := reporttest.OneFailure().Report()
	r.Results[0].Title, r.Results[0].Findings[0].Expected = "50% %0A %25 ::error::a", "a\r\nb: c, d"
	r.Clauses = []verdict.Clause{{ID: r.Results[0].Findings[0].Clause, Level: "100%: a, b"}}
	c := runnerReads(t, string(reporttest.Written(t, github.Write, r)))[0]
	lines := strings.Split(c.message, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "sent: 50% ") || !strings.Contains(lines[0], " ::error::a: ") || lines[1] != `expected: a\r\nb: c, d` {
		t.Errorf("the message is %q", lines)
	}
	if want := "breaks createPlant/request/body/name (100%: a, b)"; c.properties["title"] != want {
		t.Errorf("the title is %q", c.properties["title"])
	}
}

func FuzzGitHub(f *testing.F) {
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) { runnerReads(t, string(reporttest.Written(t, github.Write, r))) })
}
