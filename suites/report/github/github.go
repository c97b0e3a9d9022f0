// Package github writes annotations for GitHub Actions, and the outputs of a step for later
// steps.
package github

import (
	"fmt"
	"io"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Write writes workflow commands. If a step prints them, GitHub Actions shows them as
// annotations of the fixture files: an error for each fault that is a violation, and a warning
// for each fault that is a warning. Faults of most operations come first. A run that is not
// conformant has at least one error. A qualified verdict is also a warning. A notice says which
// operations were not reached.
func Write(w io.Writer, r result.Report) error {
	errors := annotations(r, judge.Violation, "breaks")
	if r.Verdict == verdict.Inconclusive || r.Verdict != verdict.Conformant && len(errors) == 0 {
		errors = append([]annotation{{title: r.Headline, lines: []string{r.Reason}}}, errors...)
	}
	warnings := annotations(r, judge.Warning, "departs from")
	if r.Qualified {
		warnings = append([]annotation{{title: r.Headline, lines: []string{r.Reason}}}, warnings...)
	}
	var notices []annotation
	if unreached := words.Unreached(r, false); unreached != nil {
		notices = []annotation{{title: "reached a part of the contract", lines: unreached}}
	}
	return terminal.WriteText(w, "the annotations for GitHub", commands("error", errors)+commands("warning", warnings)+commands("notice", notices))
}

// annotation is a message about a line of a file, or about the run if it has no file.
type annotation struct {
	at    words.Place
	title string
	lines []string
}

func annotations(r result.Report, severity judge.Severity, verb string) []annotation {
	return lists.Map(words.Faults(r, severity), func(c *words.Cause) annotation {
		return annotation{words.PlaceOf(c.Result.Source), verb + " " + c.Clause(r) + c.Places(), c.Lines()}
	})
}

// commands returns the annotations as workflow commands with that name. GitHub shows ten of each
// name per step, so the tenth says how many more there are.
func commands(name string, list []annotation) string {
	const most = 10
	if n := len(list) - (most - 1); n > 1 {
		list = append(list[:most-1:most-1], annotation{title: judge.Number(n, "more "+name), lines: []string{"GitHub shows no more annotations; the other reports contain all of them"}})
	}
	var b strings.Builder
	for _, a := range list {
		fmt.Fprintf(&b, "::%s ", name)
		if a.at.File != "" {
			fmt.Fprintf(&b, "file=%s,", property(a.at.File))
		}
		if a.at.Line > 0 {
			fmt.Fprintf(&b, "line=%d,", a.at.Line)
		}
		fmt.Fprintf(&b, "title=%s::%s\n", property(a.title), strings.Join(lists.Map(a.lines, message), "%0A"))
	}
	return b.String()
}

// annotationWidth is the maximum length of each text of an annotation, in characters.
const annotationWidth = 512

// message escapes a text at the end of a command, and property escapes a text before it. See
// ActionCommand.cs in actions/runner.
func message(text string) string {
	return strings.ReplaceAll(words.Cut(text, annotationWidth), "%", "%25")
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(text))
}

// WriteOutput writes the outputs of a step, as lines of $GITHUB_OUTPUT: verdict, headline,
// reason, and the counts fixtures, passed, failed, warned, waived and unjudged. Each value is
// one line, so that text from a target cannot add an output.
func WriteOutput(w io.Writer, r result.Report) error {
	return terminal.WriteText(w, "the outputs for GitHub", fmt.Sprintf("verdict=%s\nheadline=%s\nreason=%s\nfixtures=%d\npassed=%d\nfailed=%d\nwarned=%d\nwaived=%d\nunjudged=%d\n",
		words.Cut(r.Verdict, annotationWidth), words.Cut(r.Headline, annotationWidth), words.Cut(r.Reason, annotationWidth),
		r.Counts.Fixtures, r.Counts.Passed, r.Counts.Failed, r.Counts.Warned, r.Counts.Waived, r.Counts.Unjudged))
}
