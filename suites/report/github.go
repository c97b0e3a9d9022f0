package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// WriteGitHub writes workflow commands, which GitHub Actions shows as
// annotations of the fixture files where a step prints them: an error for each
// cause of a violation and a warning for each cause of a warning, in the
// contract's order. A qualified verdict is a warning, too.
func WriteGitHub(w io.Writer, r result.Report) error {
	errors := annotations(r, judge.Violation, "breaks")
	if r.Verdict == judge.Inconclusive || r.Verdict != judge.Conformant && len(errors) == 0 {
		errors = append([]annotation{{title: r.Headline, lines: []string{r.Reason}}}, errors...)
	}
	warnings := annotations(r, judge.Warning, "departs from")
	if r.Qualified {
		warnings = append([]annotation{{title: r.Headline, lines: []string{r.Reason}}}, warnings...)
	}
	text := commands("error", errors) + commands("warning", warnings)
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing the annotations for GitHub: %w", err)
	}
	return nil
}

// annotation is a note on a line of a file, or on the whole where there is no
// file.
type annotation struct {
	at    place
	title string
	lines []string
}

func annotations(r result.Report, severity judge.Severity, verb string) []annotation {
	var list []annotation
	for _, c := range causes(r, severity) {
		a := annotation{at: placeOf(c.result.Source), title: fmt.Sprintf("%s %s%s", verb, clauseOf(r, c.finding.Clause), places(c))}
		for _, e := range evidenceOf(c.result, c.finding) {
			if e.text != "" {
				a.lines = append(a.lines, e.name+": "+e.text)
			}
		}
		if severity == judge.Warning {
			a.lines = append(a.lines, whyWarning(r, c.result, c.finding))
		}
		if n := len(c.fixtures) - 1; n > 0 {
			a.lines = append(a.lines, fmt.Sprintf("likewise: %d more: %s", n, strings.Join(byFolder(c.fixtures[1:], few), ", ")))
		}
		list = append(list, a)
	}
	return list
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
		if a.at.file != "" {
			fmt.Fprintf(&b, "file=%s,", property(a.at.file))
		}
		if a.at.line > 0 {
			fmt.Fprintf(&b, "line=%d,", a.at.line)
		}
		for i, line := range a.lines {
			a.lines[i] = message(line)
		}
		fmt.Fprintf(&b, "title=%s::%s\n", property(a.title), strings.Join(a.lines, "%0A"))
	}
	return b.String()
}

// annotationWidth is how long each text of an annotation may be, in characters.
const annotationWidth = 512

// message escapes a text for the end of a command, property one for before
// that: see ActionCommand.cs in actions/runner.
func message(text string) string {
	return strings.ReplaceAll(cut(text, annotationWidth), "%", "%25")
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(text))
}
