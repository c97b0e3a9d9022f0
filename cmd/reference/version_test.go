package main

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// Without --token-file: who asks for the version has no tokens yet. That a
// release names its commit is held by .ci/release, on a program that is stamped.
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
