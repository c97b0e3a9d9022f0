package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
)

func TestListFixtures(t *testing.T) {
	result := conformance(t, "list", "fixtures", "--only", "createPlant/valid/plain", "--only", "createPlant/request/credential", "--skip", "createPlant/no-token/[a-z]*", "--skip", "createPlant/no-token/basic*")
	if result.code == exitConformant {
		t.Error("a bracket is no wildcard, and so this one matches nothing")
	}

	result = conformance(t, "list", "fixtures", "--only", "createPlant/valid/plain", "--only", "createPlant/request/credential", "--skip", "createPlant/no-token/basic*")
	result.wants(t, exitConformant, "createPlant/valid/plain (accepted)\n    a plant with a name and an id\n", "createPlant/no-token/no-header (rejected)")
	if strings.Contains(result.out, "/basic") || strings.Contains(result.out, "/tag") {
		t.Errorf("the filters do not filter:\n%s", result.out)
	}
}

func TestListFixturesAsJSON(t *testing.T) {
	result := conformance(t, "list", "fixtures", "--json", "--only", "createPlant/valid/plain")
	result.wants(t, exitConformant)
	want := `[
  {
    "id": "createPlant/valid/plain",
    "title": "a plant with a name and an id",
    "clause": "createPlant/accepts",
    "expect": "accepted",
    "level": "must",
    "source": "fixtures/createPlant/valid/plain.yaml:`
	if !strings.HasPrefix(result.out, want) {
		t.Errorf("the list is\n%s\nwant\n%s", result.out, want)
	}
}

func TestListClauses(t *testing.T) {
	result := conformance(t, "list", "clauses")
	result.wants(t, exitConformant, "createPlant/accepts (must, §4 r2)\n    a valid request is accepted with 200\n", "createPlant/silent/version (silent, §9)")
}

func TestListClausesAsJSON(t *testing.T) {
	result := conformance(t, "list", "clauses", "--json")
	result.wants(t, exitConformant)
	var clauses []clauseRow
	if err := json.Unmarshal([]byte(result.out), &clauses); err != nil {
		t.Fatal(err)
	}
	found := map[string]clauseRow{}
	for _, c := range clauses {
		found[string(c.ID)] = c
	}
	if c := found["createPlant/silent/same-id"]; c.Level != "silent" || c.Section != "§3" || c.Text == "" || !slices.Contains(c.Fixtures, "createPlant/open/same-id-at-once") {
		t.Errorf("the clause is %+v", c)
	}
	if !strings.Contains(result.out, `"fixtures": []`) {
		t.Error("no list of fixtures is empty; null would be harder to read")
	}
}

// A contract without fixtures has its clauses, and derived fixtures.
func TestListsOfAContractAlone(t *testing.T) {
	layOutFiles(t)
	conformance(t, "list", "clauses", "--spec", "openapi.yaml").wants(t, exitConformant, "ping/accepts (must, openapi.yaml:6)")
	if got := conformance(t, "list", "clauses", "--spec", "openapi.yaml", "--json"); strings.Contains(got.out, "fixtures") {
		t.Errorf("fixtures that are not derived are counted: %s", got.out)
	}
	conformance(t, "list", "clauses", "--spec", "openapi.yaml", "--json", "--derive").wants(t, exitConformant, `"ping/valid/minimal"`)
	conformance(t, "explain", "ping/accepts", "--spec", "openapi.yaml").wants(t, exitConformant, "defined in\n    openapi.yaml:6\n", "tested by\n", "    ping/valid/minimal\n")
	conformance(t, "list", "fixtures", "--spec", "openapi.yaml").wants(t, exitConformant, "ping/valid/minimal (accepted)\n")
	write(t, "below.yaml", strings.Replace(string(readFile(t, "openapi.yaml")), "paths:", "servers: [{url: 'https://ping.example/v1/'}, {url: /v2}]\npaths:", 1))
	for _, line := range []string{"explain ping/valid/minimal", "run --dry-run"} {
		conformance(t, append(strings.Fields(line), "--spec", "below.yaml")...).wants(t, exitConformant, " 'http://127.0.0.1:8080/v1/ping'")
	}
}

func TestListsFitTheTerminal(t *testing.T) {
	for _, line := range [][]string{{"list", "fixtures"}, {"list", "clauses"}} {
		checkWidth(t, conformance(t, line...).out)
	}
}

// checkWidth checks that each line fits the terminal.
func checkWidth(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > cli.Columns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestListChains(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "api.yaml", thingsContract)
	conformance(t, "list", "chains", "--spec", "api.yaml").wants(t, 0,
		"add (POST /things)\n    remove removes what it creates\n",
		"one (GET /things/{id})\n    id: $response.body#/id of add (POST on the path of the list)\n")
	conformance(t, "list", "chains", "--spec", "api.yaml", "--json").wants(t, 0, `"from": "add"`)
	conformance(t, "explain", "one/state/created", "--spec", "api.yaml").wants(t, 0, "what add created can be read", "chain\n    id: $response.body#/id of add")
	conformance(t, "explain", "one/kept/created", "--spec", "api.yaml").wants(t, 0, "chain\n    id: $response.body#/id of add", `jq -er '.["id"]'`)
	if got := conformance(t, "list", "chains"); got.code != 0 || got.out != "" || got.err != "the contract has no chains\n" {
		t.Errorf("the built-in contract has the chains %s%s", got.out, got.err)
	}
}
