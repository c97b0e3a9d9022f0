package report

import (
	"strconv"
	"strings"
)

// place is a line of a file; line is 0 where only the file is known, and both
// are zero where nothing is.
type place struct {
	file string
	line int
}

// placeOf reads what the model calls a source, as in "path/name.yaml:2".
func placeOf(source string) place {
	if i := strings.LastIndexByte(source, ':'); i >= 0 {
		if line, err := strconv.Atoi(source[i+1:]); err == nil && line > 0 {
			return place{source[:i], line}
		}
	}
	return place{file: source}
}
