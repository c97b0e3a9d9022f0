package compare

import (
	"cmp"
	"maps"
	"slices"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// clausesOf returns the rows of the matrix. An open question is a row only if a report has a
// violation or a warning of it, as with --strict.
func clausesOf(reports []indexedReport) []Clause {
	rows := []Clause{}
	for _, id := range clauseIDs(reports) {
		c := describe(reports, id)
		row := Clause{ID: id, Level: c.Level, Section: c.Section, Source: c.Source, Text: c.Text, Same: true}
		var status verdict.ClauseStatus // of the first report that is not blank
		for _, r := range reports {
			cell := r.cell(id)
			row.Cells = append(row.Cells, cell)
			if !r.blank {
				status = cmp.Or(status, cell.Status)
				row.Same = row.Same && cell.Status == status
			}
		}
		if c.Level != spec.Silent || row.held() {
			rows = append(rows, row)
		}
	}
	return rows
}

// describe returns a clause from the first report that contains it.
func describe(reports []indexedReport, id spec.ClauseID) verdict.Clause {
	for _, r := range reports {
		if c, known := r.clauses[id]; known {
			return c
		}
	}
	return verdict.Clause{ID: id}
}

func (r indexedReport) cell(clause spec.ClauseID) Cell {
	found := map[string]judge.Finding{} // by fixture
	for at, findings := range r.findings {
		if at.clause == clause {
			maps.Copy(found, findings)
		}
	}
	return Cell{Status: r.status(clause), Fixtures: len(r.clauses[clause].Fixtures), Findings: len(found)}
}

// held reports whether a report has a violation or a warning of the clause.
func (c Clause) held() bool {
	return slices.ContainsFunc(c.Cells, func(cell Cell) bool { return cell.Findings > 0 })
}

// silencesOf returns the questions that the contract leaves open, with the answers in each
// report. A fixture belongs to a question if one of the reports notes an answer. Another report
// may note none, because its target chose a status that the contract declares. This status is
// also an answer. The status that a fixture got is shown once, at the first question.
func silencesOf(reports []indexedReport, common []string) []Silence {
	list := []Silence{}
	shown := map[string]bool{}
	for _, id := range clauseIDs(reports) {
		c := describe(reports, id)
		if c.Level != spec.Silent {
			continue
		}
		s := Silence{Clause: id, Section: c.Section, Source: c.Source, Text: c.Text, Answers: []Answer{}, Differences: []Difference{}}
		for _, fixture := range common {
			switch noted, inBody, values := answersNoted(reports, id, fixture); {
			case inBody:
				s.add(fixture, values)
			case noted && !shown[fixture]:
				shown[fixture] = true
				s.add(fixture, lists.Map(reports, func(r indexedReport) string { return r.answer(fixture) }))
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

// answersNoted reports whether a report notes an answer of the fixture to the question, and
// whether one is a value in the body. values contains the answer that each report notes.
func answersNoted(reports []indexedReport, clause spec.ClauseID, fixture string) (noted, inBody bool, values []string) {
	values = make([]string, len(reports))
	for i, r := range reports {
		for _, f := range r.observed[observation{clause, fixture}] {
			noted, inBody = true, inBody || f.Pointer != ""
			values[i] = f.Actual
		}
	}
	return noted, inBody, values
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
