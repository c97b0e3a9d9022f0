package output

import (
	"io"
	"os"

	"golang.org/x/term"
)

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// IsTerminal reports whether what is written to w appears on a screen that
// understands control sequences.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// UsesColor decides on colour by --color, NO_COLOR (no-color.org) and who reads.
func (v *View) UsesColor(w io.Writer) bool {
	switch v.Color {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return IsTerminal(w) && os.Getenv("NO_COLOR") == ""
}
