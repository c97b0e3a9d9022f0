// Package github writes what GitHub Actions reads from a step: annotations, and
// outputs for the steps after it.
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

// Write writes workflow commands, which GitHub Actions shows as
// annotations of the fixture files where a step prints them: an error for each
// cause of a violation and a warning for each cause of a warning, in the
// contract's order. A qualified verdict is a warning, too. A notice says which
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

// annotation is a note on a line of a file, or on the whole where there is no
// file.
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

// commands are the annotations as workflow commands of that name. GitHub shows
// ten of a kind for a step, so the tenth tells how many more there are.
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

// annotationWidth is how long each text of an annotation may be, in characters.
const annotationWidth = 512

// message escapes a text for the end of a command, property one for before
// that: see ActionCommand.cs in actions/runner.
func message(text string) string {
	return strings.ReplaceAll(words.Cut(text, annotationWidth), "%", "%25")
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(text))
}

// WriteOutput writes what later steps of a workflow may ask a step for,
// as lines of $GITHUB_OUTPUT: verdict, headline, reason and the counts fixtures, passed,
// failed, warned, waived and unjudged. Each is one line, whatever the reason
// holds, so that nothing of a target becomes an output of its own.
func WriteOutput(w io.Writer, r result.Report) error {
	return terminal.WriteText(w, "the outputs for GitHub", fmt.Sprintf("verdict=%s\nheadline=%s\nreason=%s\nfixtures=%d\npassed=%d\nfailed=%d\nwarned=%d\nwaived=%d\nunjudged=%d\n",
		words.Cut(r.Verdict, annotationWidth), words.Cut(r.Headline, annotationWidth), words.Cut(r.Reason, annotationWidth),
		r.Counts.Fixtures, r.Counts.Passed, r.Counts.Failed, r.Counts.Warned, r.Counts.Waived, r.Counts.Unjudged))
}
