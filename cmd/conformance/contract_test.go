package main

import (
	"strings"
	"testing"
)

// All faulty fixtures are reported at once, each with its place and an excerpt.
func TestFaultyFixturesAreShown(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, untouched(t))
	const fixture = "title: a plant\nclause: createPlant/accepts\nexpect: accepted\n"
	write(t, "mine/createPlant/extra/unknown-key.yaml", fixture+"priority: high\n")
	write(t, "mine/createPlant/extra/unknown-clause.yaml", strings.Replace(fixture, "accepts", "acepts", 1))
	write(t, "mine/createPlant/extra/good.yaml", fixture+"request: {body: {id: $freshId, name: fern}}\n")
	for _, line := range [][]string{
		{"run", "--fixtures", "mine", "--report", "json=report.json"},
		{"run", "--fixtures", "mine", "--dry-run"},
		{"list", "fixtures", "--fixtures", "mine"},
		{"explain", "createPlant/accepts", "--fixtures", "mine"},
	} {
		result := conformance(t, line...)
		result.wants(t, exitUsage,
			"conformance: mine/createPlant/extra/unknown-clause.yaml:2:", "    2 | clause: createPlant/acepts",
			"mine/createPlant/extra/unknown-key.yaml:4:1: unknown key \"priority\"", "    4 | priority: high")
		if result.out != "" || strings.Contains(result.err, "good.yaml") {
			t.Errorf("%v: it says too much", line)
		}
	}
	if left := filesIn(t, "."); len(left) > 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Fixtures of the user are sent in addition to the built-in ones.
func TestFixturesOfOnesOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, plantStore())
	write(t, "mine/createPlant/extra/plant.yaml",
		"title: a plant of mine\nclause: createPlant/accepts\nexpect: accepted\nrequest: {body: {id: $freshId, name: conformance fern}}\n")

	result := conformance(t, "run", "--fixtures", "mine", "--only", "createPlant/extra", "--only", "createPlant/valid/plain", "--quick", "--verbose")
	result.wants(t, exitConformant, "createPlant/extra/plant", "createPlant/valid/plain", "2 fixtures: 2 passed")
}

// Another contract has other fixtures. No built-in fixture is used.
func TestContractOfOnesOwn(t *testing.T) {
	layOutFiles(t)
	write(t, "pings/ping/plain/ping.yaml", "title: a ping\nclause: ping/accepts\nexpect: accepted\n")

	t.Run("it needs a target", func(t *testing.T) {
		result := conformance(t, "run", "--spec", "openapi.yaml", "--fixtures", "pings")
		result.wants(t, exitUsage, "--spec needs --base-url")
		checkOneLine(t, result)
	})
	t.Run("it is listed", func(t *testing.T) {
		result := conformance(t, "list", "fixtures", "--spec", "openapi.yaml", "--fixtures", "pings")
		result.wants(t, exitConformant)
		if want := "ping/plain/ping (accepted)\n    a ping\n"; result.out != want {
			t.Errorf("the list is %q, want %q", result.out, want)
		}
	})
	t.Run("it is explained", func(t *testing.T) {
		conformance(t, "explain", "ping/204/body", "--spec", "openapi.yaml", "--fixtures", "pings").wants(t, exitConformant, "ping/204/body")
	})
	t.Run("it is shown as requests", func(t *testing.T) {
		conformance(t, "run", "--dry-run", "--spec", "openapi.yaml", "--fixtures", "pings").wants(t, exitConformant, "curl", "/ping'")
	})
	t.Run("it is run", func(t *testing.T) {
		serve(t, plantStore())
		conformance(t, "run", "--spec", "openapi.yaml", "--fixtures", "pings").wants(t, exitNonconformant, "Tiny 1", "ping/plain/ping")
	})
}
