package waivers

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// Write writes waivers for the violations of a report that are not waived yet,
// one for each fixture, so that another fixture that finds the same is not
// covered. Whoever adopts them gives each its reason; until then it tells when
// the violation was first written down.
func Write(w io.Writer, r report.Report) error {
	type entry struct {
		Match  string `yaml:"match"`
		Reason string `yaml:"reason"`
		Owner  string `yaml:"owner"`
	}
	entries := []entry{}
	for _, result := range r.Results {
		if clauses := broken(result); len(clauses) > 0 {
			entries = append(entries, entry{
				Match:  result.Fixture,
				Reason: fmt.Sprintf("known since %s: breaks %s", r.Run.Started.UTC().Format("2006-01-02"), strings.Join(clauses, ", ")),
				Owner:  "nobody yet",
			})
		}
	}
	data, err := yaml.Marshal(entries)
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		return fmt.Errorf("writing waivers: %w", err)
	}
	return nil
}

// broken are the clauses that a result breaks, each once.
func broken(r report.Result) []string {
	var clauses []string
	for _, f := range r.Findings {
		if f.Severity == string(judge.Violation) && f.Waived == "" && !slices.Contains(clauses, f.Clause) {
			clauses = append(clauses, f.Clause)
		}
	}
	return clauses
}
