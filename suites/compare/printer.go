package compare

import (
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
)

// mark is the shape of a clause's status, in its colour. The shape alone tells
// it, too.
func mark(status judge.ClauseStatus) terminal.Span {
	switch status {
	case judge.ClausePassed:
		return terminal.Green.Of("✓")
	case judge.ClauseFailed:
		return terminal.Red.Of("✗")
	case judge.ClauseWarned:
		return terminal.Yellow.Of("!")
	case judge.ClauseWaived:
		return terminal.Yellow.Of("w")
	case judge.ClauseVacuous:
		return terminal.Yellow.Of("?")
	}
	return terminal.Faint.Of("·")
}
