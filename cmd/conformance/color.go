package main

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

// isTerminal says whether what is written to w appears on a screen that
// understands control sequences.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// useColor decides on colour by --color, NO_COLOR (no-color.org) and who reads.
func useColor(when string, w io.Writer) bool {
	switch when {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return isTerminal(w) && os.Getenv("NO_COLOR") == ""
}
