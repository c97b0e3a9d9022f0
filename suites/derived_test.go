package suites_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/internal/services"
	"github.com/plantstore/conformance/suites/internal/services/books"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// derivedRun is the report of a run with nothing but the service's document.
func derivedRun(t *testing.T, c suites.Config, s services.Service, o services.Options) result.Report {
	t.Helper()
	c.Handler = s.New(o)
	c.Target.Credentials = s.Credentials
	r, err := suites.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func brokenBy(r result.Report, warned bool) []string {
	var ids []string
	for _, clause := range r.Clauses {
		if clause.Status == judge.ClauseFailed || warned && clause.Status == judge.ClauseWarned {
			ids = append(ids, clause.ID)
		}
	}
	return ids
}

// TestDerivedFixtures: fixtures that are derived from a document find what a service
// does against it, and nothing else.
func TestDerivedFixtures(t *testing.T) {
	for _, s := range []services.Service{books.Service()} {
		contract, err := spec.Load(spec.Source{Name: s.File, Data: s.Document}, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := suites.NewConfig()
		c.Contract, c.Seed = contract, 1
		if c, err = c.Load(); err != nil {
			t.Fatal(err)
		}
		t.Run(s.Name, func(t *testing.T) {
			for _, v := range append([]services.Variation{{Name: "faithful"}}, s.Variations...) {
				t.Run(v.Name, func(t *testing.T) {
					t.Parallel()
					r := derivedRun(t, c, s, services.Options{Variation: v})
					if ids := brokenBy(r, false); len(ids) > 0 {
						t.Errorf("alarm: %s breaks %v%s", v.Says, ids, first(r))
					}
					t.Log(r.Verdict, r.Reason)
				})
			}
			for _, d := range s.Deviations {
				t.Run(d.Name, func(t *testing.T) {
					t.Parallel()
					r := derivedRun(t, c, s, services.Options{Deviation: d})
					ids, all := brokenBy(r, false), brokenBy(r, true)
					switch others := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == d.Clause || slices.Contains(d.Also, id) }); {
					case !slices.Contains(all, d.Clause) && d.NeedsChain:
						t.Skip("needs a chain")
					case !slices.Contains(all, d.Clause):
						t.Errorf("missed: %s breaks %s; found %v%s", d.Says, d.Clause, ids, first(r))
					case len(others) > 0:
						t.Errorf("blamed as well: %v for %s, which breaks %s%s", others, d.Says, d.Clause, first(r))
					}
				})
			}
		})
	}
}

// first are the first findings of a report.
func first(r result.Report) string {
	var b strings.Builder
	for _, one := range r.Results {
		for _, f := range one.Findings {
			if f.Severity == judge.Violation && b.Len() < 1500 {
				fmt.Fprintf(&b, "\n%s (%s): %s: %s %s, expected %s, got %s", one.Fixture, one.Title, f.Clause, f.Pointer, f.Message, f.Expected, f.Actual)
			}
		}
	}
	return b.String()
}
