package main

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// --version needs no token. .ci/release checks that a release names its commit, with a program that
// has one.
func TestVersionIsSaidWithoutServing(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"reference", "--version"}, strings.NewReader(""), &out, &errs)
	if code != exitOK || errs.Len() > 0 {
		t.Errorf("exit code %d, standard error %q", code, errs.String())
	}
	if said := out.String(); !strings.HasPrefix(said, "reference ") || !strings.Contains(said, "(commit ") || !strings.Contains(said, runtime.Version()) {
		t.Errorf("it says %q", said)
	}
}
