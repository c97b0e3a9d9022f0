package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// isTerminal says whether somebody may be looking at what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// useColor decides on colour by the flag, NO_COLOR (no-color.org), and by who
// reads.
func useColor(flag string, w io.Writer) (bool, error) {
	switch flag {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", nil
	}
	return false, usagef("--color is %q; it must be auto, always or never", flag)
}
