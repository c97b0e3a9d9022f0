package compare

import (
	"cmp"
	"slices"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// silencesOf are the questions that the contract leaves open, and how each
// report has them answered. A fixture belongs to a question when one of the
// reports has noted an answer there: where another target chose a status that
// the contract declares, that one has noted nothing, and its answer is one all
// the same.
func silencesOf(sheets []sheet, common []string) []Silence {
	list := []Silence{}
	for _, id := range clauseIDs(sheets) {
		c := describe(sheets, id)
		if c.Level != string(spec.Silent) {
			continue
		}
		s := Silence{Clause: id, Section: c.Section, Text: c.Text, Answers: []Answer{}, Differences: []Difference{}}
		for _, fixture := range common {
			if noted(sheets, id, fixture) {
				s.add(fixture, answersTo(sheets, fixture))
			}
		}
		slices.SortFunc(s.Answers, func(a, b Answer) int { return cmp.Compare(a.Answer, b.Answer) })
		s.Same = len(s.Differences) == 0
		if s.Fixtures > 0 {
			list = append(list, s)
		}
	}
	return list
}

func noted(sheets []sheet, clause, fixture string) bool {
	return slices.ContainsFunc(sheets, func(s sheet) bool {
		_, ok := s.findings[place{clause, judge.Observation}][fixture]
		return ok
	})
}

func answersTo(sheets []sheet, fixture string) []string {
	var answers []string
	for _, s := range sheets {
		answer := ""
		if s.judged(fixture) {
			answer = s.answer(fixture)
		}
		answers = append(answers, answer)
	}
	return answers
}

func (s *Silence) add(fixture string, answers []string) {
	s.Fixtures++
	given := map[string]bool{}
	for column, answer := range answers {
		if answer == "" {
			continue
		}
		given[answer] = true
		i := slices.IndexFunc(s.Answers, func(a Answer) bool { return a.Answer == answer })
		if i < 0 {
			i = len(s.Answers)
			s.Answers = append(s.Answers, Answer{answer, make([]int, len(answers))})
		}
		s.Answers[i].Fixtures[column]++
	}
	if len(given) > 1 {
		s.Differences = append(s.Differences, Difference{fixture, answers})
	}
}
