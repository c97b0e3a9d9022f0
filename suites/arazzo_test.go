package suites_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/arazzo"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/verdict"
)

// The chains that are written as Arazzo succeed in Redocly Respect. ARAZZO_RUNNER names the program.
func TestArazzoRunner(t *testing.T) {
	runner := os.Getenv("ARAZZO_RUNNER")
	if runner == "" {
		t.Skip("ARAZZO_RUNNER names no runner; `.ci/run arazzo` sets it")
	}
	const token = "token-of-the-runner"
	plants := reference.New(reference.Options{Tokens: []string{token}})
	for _, row := range []struct {
		name, contract string
		service        http.Handler
		inputs         map[string]string
		edit           string // matches what is left out of the contract
		least          int    // minimum number of workflows
		outcome        string // of all workflows
	}{
		{"plants", "../spec/openapi.yaml", plants, map[string]string{"bearerAuth": token}, `^$`, 1, "passed"},
		// The runner divides binary fractions, so for it 9.95 is not a multiple of 0.01.
		{"books", "internal/services/books/openapi.yaml", books.New(services.Options{}), books.Service().Credentials, `, multipleOf: 0.01`, 13, "passed"},
		{"books without operationId", "internal/services/books/openapi.yaml", books.New(services.Options{}), books.Service().Credentials, `, multipleOf: 0.01|operationId: .*`, 13, "passed"},
		{"an unknown token", "../spec/openapi.yaml", plants, map[string]string{"bearerAuth": "another"}, `^$`, 1, "failed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(row.service)
			defer server.Close()
			document, err := os.ReadFile(row.contract)
			if err != nil {
				t.Fatal(err)
			}
			document = regexp.MustCompile(row.edit).ReplaceAll(document, nil)
			contract, err := spec.Load(t.Context(), spec.Source{Name: "openapi.yaml", Data: document}, nil)
			if err != nil {
				t.Fatal(err)
			}
			texts, _ := derive.Chains(contract)
			// The runner joins several values of a parameter with commas in every style.
			texts = slices.DeleteFunc(texts, func(one fixtures.Text) bool { return strings.Contains(one.ID, "filtered.tag.both") })
			flows, _, err := arazzo.Write(contract, texts, "openapi.yaml")
			if err != nil {
				t.Fatal(err)
			}
			if flows, err = arazzo.YAML(flows); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "flows.arazzo.yaml")
			if err := errors.Join(os.WriteFile(file, flows, 0o600), os.WriteFile(filepath.Join(dir, "openapi.yaml"), document, 0o600)); err != nil {
				t.Fatal(err)
			}
			inputs, err := json.Marshal(row.inputs)
			if err != nil {
				t.Fatal(err)
			}
			all := bytes.Count(flows, []byte("workflowId: "))
			if all < row.least {
				t.Errorf("%d workflows, want %d or more", all, row.least)
			}
			want := fmt.Sprintf("Workflows: %d %s, %[1]d total", all, row.outcome)
			command := exec.CommandContext(t.Context(), runner, "respect", file, "--server", "contract="+server.URL, "--input", string(inputs))
			command.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true", "NO_COLOR=1")
			out, err := command.CombinedOutput()
			if (err != nil) != (row.outcome == "failed") || !strings.Contains(string(out), want) {
				t.Errorf("%v, and not %q:\n%s", err, want, out)
			}
		})
	}
}

// Fixtures that were written as Arazzo and read again give a verdict on a service.
func TestArazzoWorkflowsAreJudged(t *testing.T) {
	books := books.Service()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "openapi.yaml", Data: books.Document}, nil)
	if err != nil {
		t.Fatal(err)
	}
	texts, _ := derive.Chains(contract)
	flows, left, err := arazzo.Write(contract, texts, "openapi.yaml")
	if err != nil || len(left) != 2 || !strings.HasSuffix(left[0].ID, "/paged.by.next") || !strings.HasSuffix(left[1].ID, "-at-location") {
		t.Fatalf("%v; left out: %v", err, left) // Arazzo cannot take an id or a query from an address
	}
	set, err := arazzo.Set("flows.arazzo.json", flows)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		deviation string
		want      verdict.Verdict
	}{{"", verdict.Conformant}, {"get-id-missing", verdict.Nonconformant}} {
		var o services.Options
		if i := slices.IndexFunc(books.Deviations, func(d services.Deviation) bool { return d.Name == row.deviation }); i >= 0 {
			o.Deviation = books.Deviations[i]
		}
		c := suites.NewConfig()
		c.Contract, c.Fixtures, c.Handler, c.Target.Credentials = contract, []fixtures.Set{set}, books.New(o), books.Credentials
		r, err := suites.Run(t.Context(), c)
		if err != nil || r.Verdict != row.want || len(r.Results) != len(texts)-len(left) {
			t.Errorf("%q: %v, %s with %d results: %s", row.deviation, err, r.Verdict, len(r.Results), r.Reason)
		}
	}
}
