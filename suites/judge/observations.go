package judge

import (
	"cmp"
	"slices"
)

// Answers are what a target gave to one question that the contract leaves
// open.
type Answers struct {
	Clause  string
	Answers []Answer // sorted by text
}

// Answer is one answer, and the fixtures that got it.
type Answer struct {
	Answer   string
	Fixtures []string
}

// observations gather the answers by clause, in the order of first sight.
func observations(outcomes []Outcome) []Answers {
	var list []Answers
	place := map[string]int{}
	for _, outcome := range outcomes {
		for _, f := range outcome.Findings {
			if f.Severity != Observation {
				continue
			}
			i, ok := place[f.Clause]
			if !ok {
				i = len(list)
				place[f.Clause] = i
				list = append(list, Answers{Clause: f.Clause})
			}
			list[i].add(f.Actual, outcome.ID)
		}
	}
	for _, o := range list {
		slices.SortFunc(o.Answers, func(a, b Answer) int { return cmp.Compare(a.Answer, b.Answer) })
	}
	return list
}

func (o *Answers) add(answer, fixture string) {
	for i := range o.Answers {
		if o.Answers[i].Answer == answer {
			o.Answers[i].Fixtures = append(o.Answers[i].Fixtures, fixture)
			return
		}
	}
	o.Answers = append(o.Answers, Answer{answer, []string{fixture}})
}
