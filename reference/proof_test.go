package reference_test

import (
	"crypto/tls"
	"crypto/x509"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// long tests every variation, as the gate does. Without it, a sample is tested.
var long = os.Getenv("LONG_TESTS") != ""

// TestVariations: the suite finds no violation in any variation, though each changes answers,
// except for those of beneath. TestVariationsShow and the selftest test those with a probe.
func TestVariations(t *testing.T) {
	contract := plantStore(t)
	plain := answers(run(t, serve(t, contract, reference.Options{})))
	for i, v := range reference.Variations() {
		if len(v.Probes) > 0 || !long && i > 0 {
			continue
		}
		c := serve(t, contract, reference.Options{Variation: v})
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			r := run(t, c)
			checkVerdict(t, r, verdict.Conformant)
			checkFindings(t, r, judge.Violation, nil)
			checkFindings(t, r, judge.Warning, v.Warns)
			if shows := !maps.EqualFunc(answers(r), plain, equal); shows == slices.Contains(beneath(), v.Name) {
				t.Errorf("it shows in the answers: %v", shows)
			}
		})
	}
}

// beneath returns the variations that no answer to a fixture shows. TestBeneath tests them.
func beneath() []string {
	return []string{
		"rate-limit-429", "overload-503", "slow", "other-methods-404", "other-methods-200",
		"version-in-path", "tls", "http-2", "http-2-alone", "early-hints", "still-processing",
		"no-reason-phrase", "connection-close", "connection-closed",
	}
}

// answers returns the answers to the fixtures, without the date, and without the order of two
// concurrent requests.
func answers(r result.Report) map[string]result.Response {
	all := map[string]result.Response{}
	for _, result := range r.Results {
		if response := result.Exchange.Response; response != nil && !strings.HasSuffix(result.Fixture, "-at-once") {
			delete(response.Headers, "Date")
			all[result.Fixture] = *response
		}
	}
	return all
}

func equal(a, b result.Response) bool {
	return a.Status == b.Status && a.Body == b.Body && maps.EqualFunc(a.Headers, b.Headers, slices.Equal)
}

const token = "a-token-of-the-proof"

// serve starts the service and returns the configuration of a run against it. The service ends with
// t, the parent of the current test: some of its connections linger, and tests need not wait for
// them.
func serve(t *testing.T, contract *spec.Contract, o reference.Options) suites.Config {
	t.Helper()
	o.Tokens = []string{token}
	server := httptest.NewUnstartedServer(reference.New(o))
	t.Cleanup(server.Close)
	c := suites.NewConfig()
	if protocols := o.Variation.TLS; len(protocols) > 0 {
		server.TLS = &tls.Config{NextProtos: protocols}
		server.EnableHTTP2 = slices.Contains(protocols, "h2")
		server.StartTLS()
		c.Target.TLS = &tls.Config{RootCAs: x509.NewCertPool()}
		c.Target.TLS.RootCAs.AddCert(server.Certificate())
	} else {
		server.Start()
	}
	c.Contract, c.Fixtures = contract, []fixtures.Set{fixtures.Bundled()}
	c.Target.BaseURL, c.Target.Token = server.URL+o.Variation.Prefix, token
	c.Seed = 1 // the same answers from the same service
	if o.Variation.Clause != "createPlant/silent/size-limits" {
		// This test does not need it, and it would take as long as all others.
		c.Skip = []string{"createPlant/boundary/body-1-mib"}
	}
	return c
}

func plantStore(t *testing.T) *spec.Contract {
	t.Helper()
	c, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, c suites.Config) result.Report {
	t.Helper()
	r, err := suites.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func checkVerdict(t *testing.T, r result.Report, want verdict.Verdict) {
	t.Helper()
	if r.Verdict != want {
		t.Errorf("it is %s (%s), want %s", r.Verdict, r.Reason, want)
	}
}

// checkFindings checks that exactly these clauses have findings of that severity.
func checkFindings(t *testing.T, r result.Report, severity judge.Severity, clauses []string) {
	t.Helper()
	const few = 3 // of findings on an unexpected clause
	found := map[string]int{}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Severity != severity {
				continue
			}
			if found[string(f.Clause)]++; found[string(f.Clause)] <= few && !slices.Contains(clauses, string(f.Clause)) {
				t.Errorf("%s: a %s of %s: %s %s; expected %s, got %s", result.Fixture, severity, f.Clause, f.Pointer, f.Message, f.Expected, f.Actual)
			}
		}
	}
	for _, clause := range clauses {
		if found[clause] == 0 {
			t.Errorf("there is no %s of %s", severity, clause)
		}
	}
}
