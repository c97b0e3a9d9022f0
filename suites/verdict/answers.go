package verdict

import (
	"maps"
	"slices"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// Answers are what a target gave to one question that the contract leaves
// open.
type Answers struct {
	Clause  spec.ClauseID `json:"clause"`
	Answers []Answer      `json:"answers"` // sorted by text
}

// Answer is one answer, and the fixtures that got it.
type Answer struct {
	Answer   string   `json:"answer"`
	Fixtures []string `json:"fixtures"` // ids
}

// observations gather the answers by clause, in the order of first sight.
func observations(outcomes []judge.Outcome) []Answers {
	list := []Answers{}
	got := map[spec.ClauseID]map[string][]string{} // by clause and answer
	for _, outcome := range outcomes {
		for _, f := range outcome.Findings {
			if f.Severity != judge.Observation {
				continue
			}
			if got[f.Clause] == nil {
				got[f.Clause] = map[string][]string{}
				list = append(list, Answers{Clause: f.Clause})
			}
			got[f.Clause][f.Actual] = append(got[f.Clause][f.Actual], outcome.Fixture)
		}
	}
	for i, one := range list {
		for _, answer := range slices.Sorted(maps.Keys(got[one.Clause])) {
			list[i].Answers = append(list[i].Answers, Answer{answer, got[one.Clause][answer]})
		}
	}
	return list
}

// asked reports whether a fixture of those selected asks the question, although
// none aims at it.
func asked(question Clause, selected map[string]bool) bool {
	id := question.ID
	if question.Level != spec.Silent || !selected[id.Operation()] {
		return false
	}
	switch name := id.Question(); name {
	case spec.CredentialMissing:
		return selected[string(spec.ClauseIDs(id.Operation()).Credential())]
	case spec.OtherStatuses, spec.RejectionConditions:
		return true
	default:
		return spec.IsValueQuestion(name)
	}
}
