package selftest

import (
	"slices"
	"testing"
)

// A finding that may occur is never a fault. A missing required finding is one, and so is a
// forbidden one.
func TestDifference(t *testing.T) {
	got := map[string]string{"must": "x", "may": "x", "may not": "x"}
	want := []string{"no warning of missing was found", "an unexpected warning of may not was found (x)"}
	if faults := difference("warning", got, []string{"must", "missing"}, []string{"may", "may as well"}); !slices.Equal(faults, want) {
		t.Errorf("got %q, want %q", faults, want)
	}
}
