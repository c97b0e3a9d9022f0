package main

import (
	"strings"
	"testing"
)

func TestExplainFixture(t *testing.T) {
	result := conformance(t, "explain", "createPlant/missing-required/name")
	result.wants(t, exitConformant,
		"createPlant/missing-required/name\n",
		"tests\n    createPlant/request/body/name (must, §2)\n    a request with a missing or non-string name must be rejected\n",
		"expects\n    rejected: any 4xx; acceptance is a violation\n",
		"defined in\n    fixtures/createPlant/missing-required/name.yaml:",
		"request\ncurl ", " -X POST 'http://127.0.0.1:8080/plants'", `-H "Authorization: Bearer $CONFORMANCE_TOKEN"`)
}

func TestExplainExpectations(t *testing.T) {
	for id, want := range map[string]string{
		"createPlant/valid/plain":           "accepted: a declared 2xx status",
		"createPlant/media-type/text-plain": "rejected: any 4xx; acceptance is a warning",
		"createPlant/open/same-id":          "either: the contract leaves it open",
	} {
		conformance(t, "explain", id).wants(t, exitConformant, want)
	}
}

func TestExplainClause(t *testing.T) {
	for id, want := range map[string][]string{
		"createPlant/request/body/name":  {"a request with a missing or non-string name", "defined in\n    §2, from line ", "level\n    must: ", "tested by\n    createPlant/missing-required/", "createPlant/wrong-type/name-null\n"},
		"createPlant/400/body/error":     {"in a 400 response, error is present and is an int32", "tested by\n    every fixture of createPlant that gets a 400 response\n"},
		"createPlant/200/echo":           {"level\n    should: ", "tested by\n    every fixture of createPlant that gets a 200 response\n"},
		"createPlant/answers":            {"tested by\n    every fixture of createPlant\n"},
		"createPlant/silent/rate-limits": {"defined in\n    §8\n", "level\n    silent: "},
	} {
		conformance(t, "explain", id).wants(t, exitConformant, append(want, id+"\n")...)
	}
}

// Everything fits the terminal except for the command, which can be copied.
func TestExplanationsFitTheTerminal(t *testing.T) {
	for _, id := range []string{"createPlant/answers", "createPlant/valid/plain", "createPlant/request/body"} {
		text, _, _ := strings.Cut(conformance(t, "explain", id).out, "\nrequest\n")
		checkWidth(t, text)
	}
}
