package instance_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/instance"
)

// TestDifference checks the first difference of two texts, with code points for characters that are
// hard to read.
func TestDifference(t *testing.T) {
	for _, row := range []struct{ sent, got, want string }{
		{"fern", "Fern", "at character 1, sent “f”, got “F”"},
		{"é", "e", "at character 1, sent “é” (U+00E9), got “e”"},
		{"a ", "a", "at character 2, sent U+0020, got nothing"},
		{"a\u200bb", "ab", "at character 2, sent U+200B, got nothing"},
		{"ab", "ab", "at character 3, sent nothing, got nothing"},
		{"x", "xy!", "at character 2, sent nothing, got “y!”"},
		{"x" + strings.Repeat("y", 20), "x", "at character 2, sent “y” and 19 more, got nothing"},
	} {
		if got := instance.Difference(row.sent, row.got); got != row.want {
			t.Errorf("%q and %q: %s, want %s", row.sent, row.got, got, row.want)
		}
	}
}
