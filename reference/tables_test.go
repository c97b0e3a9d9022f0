package reference_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
)

// few is the minimum number of deviations for a must-clause.
const few = 3

func TestDeviationsBreakEveryClause(t *testing.T) {
	violated, warned := map[string]int{}, map[string]int{}
	for _, d := range reference.Deviations() {
		if len(d.Clauses)+len(d.Warns) == 0 {
			t.Errorf("%s breaks nothing", d.Name)
		}
		for _, clause := range d.Clauses {
			violated[clause]++
		}
		for _, clause := range d.Warns {
			warned[clause]++
		}
	}
	contract := plantStore(t)
	for _, clause := range contract.Clauses() {
		switch {
		case clause.Level == spec.Must && violated[string(clause.ID)] < few:
			t.Errorf("%s is violated by %d deviations, want %d", clause.ID, violated[string(clause.ID)], few)
		case clause.Level == spec.Should && warned[string(clause.ID)] == 0:
			t.Errorf("no deviation is worth a warning on %s", clause.ID)
		}
		delete(violated, string(clause.ID))
		delete(warned, string(clause.ID))
	}
	if len(violated)+len(warned) > 0 {
		t.Errorf("these clauses do not exist: %v, %v", violated, warned)
	}
}

func TestVariationsAnswerEveryQuestion(t *testing.T) {
	contract := plantStore(t)
	used := map[string]bool{}
	for _, v := range reference.Variations() {
		if _, ok := contract.Clause(spec.ClauseID(v.Clause)); !ok {
			t.Errorf("%s is about %s, which does not exist", v.Name, v.Clause)
		}
		used[v.Clause] = true
	}
	for _, clause := range contract.Clauses() {
		if clause.Level == spec.Silent && !used[string(clause.ID)] {
			t.Errorf("no variation answers %s", clause.ID)
		}
	}
}

func TestNamesAndSummaries(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	var names, summaries []string
	for _, d := range reference.Deviations() {
		names, summaries = append(names, d.Name), append(summaries, d.Summary)
	}
	for _, v := range reference.Variations() {
		names, summaries = append(names, v.Name), append(summaries, v.Summary)
	}
	for i, name := range names {
		if !kebab.MatchString(name) || slices.Contains(names[:i], name) {
			t.Errorf("the name %s is not in kebab case, or is there twice", name)
		}
		s := summaries[i]
		if s == "" || len(s) > 100 || strings.ContainsAny(s, "\n\t") || strings.HasSuffix(s, ".") || slices.Contains(summaries[:i], s) {
			t.Errorf("the summary of %s is not a short line of its own: %q", name, s)
		}
	}
}

// A caller may change the returned tables.
func TestTablesAreFresh(t *testing.T) {
	reference.Deviations()[0].Clauses[0] = "changed"
	if reference.Deviations()[0].Clauses[0] == "changed" {
		t.Error("a change of the list stays")
	}
}

func TestUnknownNamesAreMistakes(t *testing.T) {
	for what, o := range map[string]reference.Options{
		"deviation": {Deviation: reference.Deviation{Name: "made-up"}},
		"variation": {Variation: reference.Variation{Name: "made-up"}},
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("New takes it")
				}
			}()
			reference.New(o)
		})
	}
}
