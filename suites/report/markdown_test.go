package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/markdown"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// longestComment is the maximum length of a GitHub comment, in characters.
const longestComment = 65536

var (
	markdownFence = regexp.MustCompile("^(```+)(sh)?$")
	markdownCode  = regexp.MustCompile("`[^`|\\\\]+`|<code>[^]<>@*_[`|~!\\\\]*</code>")
	markdownTags  = regexp.MustCompile(`^### |^- |<details><summary>|</summary>|</details>|^\|(---\||--:\|)+$`)
	markdownProse = regexp.MustCompile(`^[\pL\pN ,.;:'"()/%=?§·…✓✗⚠\x{fe0f}|-]*$`)
)

// checkMarkdown checks that blocks of code and details are closed, and that the rows of a table
// have the same number of columns. Except for code and a few tags, the rest must be plain prose.
func checkMarkdown(t testing.TB, text string) {
	t.Helper()
	reporttest.Harmless(t, "the text", text)
	if n := utf8.RuneCountInString(text); n > longestComment {
		t.Errorf("it has %d characters", n)
	}
	fence, details, columns := "", 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		opened := markdownFence.FindStringSubmatch(line)
		switch {
		case fence != "":
			if line == fence {
				fence = ""
			} else if strings.HasPrefix(strings.TrimLeft(line, " "), fence) {
				t.Errorf("it may end the block: %.200q", line)
			}
			continue
		case opened != nil:
			fence = opened[1]
			continue
		}
		line = markdownCode.ReplaceAllString(line, "C")
		details += strings.Count(line, "<details>") - strings.Count(line, "</details>")
		line = markdownTags.ReplaceAllString(line, "")
		if !markdownProse.MatchString(line) || strings.Contains(line, "://") || strings.Contains(line, "www.") {
			t.Errorf("this is more than prose: %.300q", line)
		}
		if bars := strings.Count(line, "|"); bars == 0 {
			columns = 0
		} else if columns == 0 {
			columns = bars
		} else if bars != columns || line[0] != '|' || line[len(line)-1] != '|' {
			t.Errorf("a row of %d columns has %d bars: %.300q", columns-1, bars, line)
		}
	}
	if fence != "" || details != 0 {
		t.Errorf("the fence is %q and %d details are open at the end", fence, details)
	}
}

// Text that could be markup, a mention, a reference or a link is written as code.
func TestMarkdownTexts(t *testing.T) {
	for reason, want := range map[string]string{
		"3 of 4 fixtures found a violation": "3 of 4 fixtures found a violation",
		"nothing listens on 127.0.0.1:8080": "nothing listens on 127.0.0.1:8080",
		"Grünlilie 観葉 (§4)":                 "Grünlilie 観葉 (§4)",
		"a *b* _c_":                         "`a *b* _c_`",
		"ask @everyone":                     "`ask @everyone`",
		"closes #1":                         "`closes #1`",
		"see GH-1":                          "`see GH-1`",
		"https://evil.example":              "`https://evil.example`",
		"WWW.evil.example":                  "`WWW.evil.example`",
		":tada:":                            "`:tada:`",
		"<b>":                               "`<b>`",
		"a`b":                               "<code>a&#96;b</code>",
		"a|b":                               "<code>a&#124;b</code>",
		`a\`:                                `<code>a&#92;</code>`,
		" a@b":                              "<code> a&#64;b</code>",
		"1. a":                              "`1. a`",
		"- a":                               "`- a`",
		"a\nb":                              `<code>a&#92;nb</code>`,
	} {
		r := reporttest.Conformant().Report()
		r.Reason = reason
		line, _, _ := strings.Cut(string(reporttest.Written(t, markdown.Write, r)), "\n")
		if line != "### ✓ conformant: "+want {
			t.Errorf("%q becomes %q", reason, line)
		}
	}
}

// A fence is longer than any fence in its text.
func TestMarkdownFences(t *testing.T) {
	for _, body := range []string{"`", "```", "a ```` b", "\n```\n</details>\n"} {
		s := reporttest.OneFailure()
		s.Results[0].Exchange.Request.Body = []byte(body)
		checkMarkdown(t, string(reporttest.Written(t, markdown.Write, s.Report())))
	}
}

// Even with many or long failures, the output fits into a GitHub comment. It says what it omits.
func TestMarkdownIsShort(t *testing.T) {
	for _, c := range []struct{ failures, request, shown int }{
		{10, 10, 10},
		{10, 1 << 20, 10}, // their commands are omitted
		{1000, 10, 60},
		{1000, 3000, 10},
	} {
		t.Run(fmt.Sprintf("%d failures with %d bytes each", c.failures, c.request), func(t *testing.T) {
			s := reporttest.Scene{Verdict: verdict.Nonconformant, Reason: "everything is broken"}
			for i := range c.failures {
				r := reporttest.Sending(reporttest.Judged(fmt.Sprintf("group-%d/case", i), "a plant", "request/body", fixtures.Rejected), "", strings.Repeat("x", c.request))
				s.Results = append(s.Results, reporttest.LetThrough(reporttest.Answered(r, 200, reporttest.JSONType, "{}"), judge.Violation))
			}
			text := string(reporttest.Written(t, markdown.Write, s.Report()))
			checkMarkdown(t, text)
			shown := strings.Count(text, "<details><summary>")
			if shown < c.shown {
				t.Errorf("%d failures in %d bytes", shown, len(text))
			}
			if note := fmt.Sprintf("\n%d failures omitted: ", c.failures-shown); shown < c.failures && !strings.Contains(text, note) {
				t.Errorf("%q is missing", note)
			}
			if c.request > 1<<16 != strings.Contains(text, "\nconformance explain createPlant/group-0/case #") {
				t.Error("a long command is shown, or a short one is not")
			}
		})
	}
}

// A table that is too long is also cut.
func TestMarkdownOfManyClauses(t *testing.T) {
	var r result.Report
	for i := range 2000 {
		id := fmt.Sprintf("operation/request/body/p%d", i)
		r.Clauses = append(r.Clauses, verdict.Clause{ID: spec.ClauseID(id), Level: "must"})
		r.Results = append(r.Results, result.Result{Outcome: judge.Outcome{Fixture: "a/b/c", Findings: []judge.Finding{{Clause: spec.ClauseID(id), Severity: "violation", Offset: -1}}}})
		r.Observations = append(r.Observations, verdict.Answers{Clause: spec.ClauseID(id), Answers: []verdict.Answer{{Answer: "200"}}})
	}
	text := string(reporttest.Written(t, markdown.Write, r))
	checkMarkdown(t, text)
	for _, what := range []string{"broken clauses", "failures", "questions"} {
		if !strings.Contains(text, what+" omitted") {
			t.Errorf("nothing is said of the %s that are omitted", what)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		text := string(reporttest.Written(t, markdown.Write, r))
		checkMarkdown(t, text)
		reporttest.CheckNoCommands(t, "Markdown", text)
	})
}
