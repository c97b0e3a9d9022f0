package main

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/reference"
)

// TestExplore: exploration is announced. Each find is written as a fixture, which reproduces it.
func TestExplore(t *testing.T) {
	needsLong(t, "explores the reference")
	t.Chdir(t.TempDir())
	another := func() string { // a store without plants
		return serve(t, reference.New(reference.Options{Tokens: []string{testToken}, Deviation: deviationNamed(t, "missing-name-accepted")}).ServeHTTP).URL
	}
	url := another()
	args := []string{"run", "--only", "createPlant/valid/plain", "--explore", "300", "--seed", "7"}
	conformance(t, append(args, "--dry-run")...).wants(t, exitConformant, "# 2 requests to "+url+", 8 at a time, and up to 600 random requests to explore, seed 7; nothing was sent\n# Up to 602 may")

	found := conformance(t, args...)
	found.wants(t, exitNonconformant, "and up to 600", "{\"id\":", "more requests and found 1 further violation", "found by exploration: explored/createPlant/explore/request.body.name-")
	_, said, _ := strings.Cut(found.err, "found by exploration: ")
	kept := strings.TrimSpace(said)
	if text := string(readFile(t, kept)); !strings.Contains(text, "\n  body: {\"id\":\"$freshId\"}\n") {
		t.Errorf("the find is\n%s", text)
	}
	conformance(t, "run", "--fixtures", "explored", "--only", "createPlant/explore").wants(t, exitNonconformant, "1 fixture: 0 passed, 1 failed")

	another()
	write(t, kept, "mine")
	conformance(t, args...).wants(t, exitNonconformant, kept)
	if string(readFile(t, kept)) != "mine" {
		t.Error("a file that was there is overwritten")
	}
	another()
	write(t, "file", "")
	conformance(t, append(args, "--explore-out", "file")...).wants(t, exitNonconformant, "cannot be written to --explore-out")
}
