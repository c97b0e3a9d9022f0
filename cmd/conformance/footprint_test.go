package main

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/target"
)

// Before a run against a service of the user, it prints how many requests it sends, to where, and
// what may remain.
func TestARunIsAnnounced(t *testing.T) {
	server := serve(t, plantStore())
	for _, row := range []struct {
		what string
		args string
		want string // part of the line; RUN is the id of the run
	}{
		{"what must be accepted", "--only createPlant/valid/plain", `sending 2 requests to URL, 8 at a time, as run RUN; up to 2 may create or change data; each has a text starting with "conformance" for easy clean-up`},
		{"what is sent twice", "--only createPlant/open/same-id", `sending 2 requests to URL, 8 at a time, as run RUN; up to 2 may create or change data; each has a text starting with "conformance" for easy clean-up`},
		{"what must be rejected", "--only createPlant/missing-required/* --concurrency 2 --rate 100 --quick --tries 1", `sending 11 requests to URL, 2 at a time and 100 a second, as run RUN; up to 1 may create or change data; each has a text starting with "conformance" for easy clean-up`},
		{"what has no name to find it by", "--only createPlant/boundary/name-empty", `sending 1 request to URL, 8 at a time, as run RUN; up to 1 may create or change data`},
		{"some of each", "--only createPlant/boundary/name-empty --only createPlant/valid/plain --only createPlant/missing-required/name", `sending 6 requests to URL, 8 at a time, as run RUN; up to 3 may create or change data; 2 have a text starting with "conformance" for easy clean-up`},
	} {
		t.Run(row.what, func(t *testing.T) {
			result := conformance(t, append([]string{"run", "--report", "json=-"}, strings.Fields(row.args)...)...)
			result.wants(t, exitConformant)
			want := strings.NewReplacer("URL", server.URL, "RUN", readReport(t, []byte(result.out)).Run.ID).Replace(row.want)
			checkAnnouncement(t, result.err, want)
		})
	}
}

// checkAnnouncement checks that the announcement comes first, in lines that fit.
func checkAnnouncement(t *testing.T, got, want string) {
	t.Helper()
	said, below, _ := strings.Cut(got, "\nPlant Store")
	if said = strings.Join(strings.Fields(said), " "); said != want {
		t.Errorf("it says %q, want %q", said, want)
	}
	checkWidth(t, strings.TrimSuffix(got, "Plant Store"+below))
}

// Nothing is announced for the bundled reference, or with --quiet.
func TestARunIsNotAnnounced(t *testing.T) {
	if result := conformance(t, "run", "--only", "createPlant/valid"); result.err != "" {
		t.Errorf("the bundled reference: %s", result.err)
	}
	serve(t, plantStore())
	if result := conformance(t, "run", "--only", "createPlant/valid", "--quiet"); result.err != "" {
		t.Errorf("--quiet: %s", result.err)
	}
	serve(t, untouched(t))
	t.Setenv(target.TokenVariable, "")
	if result := conformance(t, "run"); strings.Contains(result.err, "sending") {
		t.Errorf("a mistake: %s", result.err)
	}
}

// The text follows from the methods and the fixtures of the contract.
func TestDryRunOfAnotherContract(t *testing.T) {
	args := []string{"run", "--dry-run", "--spec", "../../suites/testdata/second/openapi.yaml", "--fixtures", "../../suites/testdata/second/fixtures"}
	for _, row := range []struct {
		args []string
		want string
	}{
		{nil, "# 23 requests to http://127.0.0.1:8080, 8 at a time, seed 1; nothing was sent\n# Up to 2 may create or change data; fresh ids"},
		{[]string{"--only", "listNotes"}, "# None should create or change data; fresh ids"},
		{[]string{"--header", "User-Agent: acme"}, "the seed\n\n# "},
	} {
		conformance(t, append(args, row.args...)...).wants(t, exitConformant, row.want)
	}
	if result := conformance(t, append(args, "--header", "User-Agent: acme")...); strings.Contains(result.out, "by its User-Agent") {
		t.Errorf("it tells of a User-Agent that is not sent: %s", result.out)
	}
}
