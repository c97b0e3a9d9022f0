package words

import (
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Mark is the shape of a status, in its color. The shape alone tells it, too.
func Mark[S ~string](status S) terminal.Span {
	switch string(status) {
	case string(judge.Passed):
		return terminal.Green.Of("✓")
	case string(judge.Failed):
		return terminal.Red.Of("✗")
	case string(judge.Warned):
		return terminal.Yellow.Of("!")
	case string(judge.Waived):
		return terminal.Yellow.Of("~")
	case string(judge.Unjudged), string(judge.ClauseVacuous):
		return terminal.Yellow.Of("?")
	case string(result.Skipped):
		return terminal.Faint.Of("-")
	}
	return terminal.Faint.Of("·")
}

// Shade is the verdict whose color the headline has. A conformant one that is
// qualified is amber, as an inconclusive one is.
func Shade(r result.Report) judge.Verdict {
	if r.Qualified {
		return judge.Inconclusive
	}
	return r.Verdict
}

// ColorOf is the color of a verdict.
func ColorOf(verdict judge.Verdict) terminal.Color {
	switch verdict {
	case judge.Conformant:
		return terminal.Green
	case judge.Nonconformant:
		return terminal.Red
	}
	return terminal.Yellow
}
