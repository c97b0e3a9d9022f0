package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/settings"
	"github.com/plantstore/conformance/suites/report"
)

// view is what comes out of a command that ends in a report: files, and what
// is said on the console.
type view struct {
	outputs  outputs
	color    string
	detail   report.Detail
	detailBy given // the flag that asked for it
}

func newView() view {
	return view{outputs: outputs{formats: report.Formats()}, color: colorAuto, detail: report.Normal}
}

func (v *view) reportFlag() flag {
	names := v.outputs.formatNames()
	usage := "write a report as " + enumerate(names, "or") + "; the path - is standard output"
	if slices.Contains(names, githubFormat) {
		usage += "; " + githubFormat + " alone writes annotations, Markdown to $" + summaryVariable + ", and verdict and counts to $" + outputVariable
	}
	f := repeated("report", "FORMAT=PATH", usage, v.outputs.take)
	f.locate = locateReport
	return f
}

// locateReport is of the texts of a flag that have a path behind a format.
func locateReport(folder, text string) string {
	name, path, ok := strings.Cut(text, "=")
	if !ok {
		return text // github, or a mistake
	}
	return name + "=" + settings.Beside(folder, path)
}

// consoleFlags say how much is printed, and how.
func (v *view) consoleFlags() flags {
	return flags{
		toggle("quiet", "print only the verdict", v.takeDetail(report.Quiet)),
		toggle("verbose", "print every fixture", v.takeDetail(report.Verbose)),
		v.colorFlag(),
	}
}

func (v *view) colorFlag() flag {
	return valued("color", "WHEN", "auto (respects NO_COLOR), always or never", takeChoice(&v.color, colorAuto, colorAlways, colorNever)).defaultsTo(colorAuto)
}

// takeDetail is for the flags that say how much to print.
func (v *view) takeDetail(detail report.Detail) func(given) error {
	return func(g given) error {
		var on bool
		if err := takeSwitch(&on)(g); err != nil || !on {
			return err
		}
		switch {
		case v.detailBy == given{} || g.from < v.detailBy.from:
			v.detail, v.detailBy = detail, g
		case g.from == v.detailBy.from:
			return usagef("%s and %s exclude each other; give one of them", v.detailBy.name, g.name)
		}
		return nil
	}
}

// publish writes the reports and tells the verdict: on standard output, unless
// a report has that to itself. What cannot be written keeps a run from being
// green, and no more than that.
func (v *view) publish(r report.Report, s streams) error {
	console := s.out
	if v.outputs.toStdout() {
		console = s.err
	}
	lost := errors.Join(
		v.outputs.write(r, s.out),
		report.Console{Out: console, Color: useColor(v.color, console), Detail: v.detail}.Write(r))
	return s.conclude(verdictOf(r), lost)
}
