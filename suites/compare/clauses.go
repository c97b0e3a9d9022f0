package compare

import (
	"cmp"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// clausesOf are the rows of the matrix. A question that the contract leaves
// open is one only where somebody was held to it, as with --strict.
func clausesOf(sheets []sheet) []Clause {
	rows := []Clause{}
	left := blank(sheets)
	for _, id := range clauseIDs(sheets) {
		c := describe(sheets, id)
		row := Clause{ID: id, Level: c.Level, Section: c.Section, Text: c.Text, Same: true}
		var status judge.ClauseStatus // of the first that is not blank
		for i, s := range sheets {
			cell := s.cell(id)
			row.Cells = append(row.Cells, cell)
			if !left[i] {
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

// describe is a clause in the words of the first sheet that knows it.
func describe(sheets []sheet, id string) judge.Clause {
	for _, s := range sheets {
		if c, known := s.clauses[id]; known {
			return c
		}
	}
	return judge.Clause{ID: id}
}

func (s sheet) cell(clause string) Cell {
	found := map[string]bool{}
	for _, severity := range []judge.Severity{judge.Violation, judge.Warning} {
		for _, at := range places([]sheet{s}, clause, severity) {
			for fixture := range s.findings[at] {
				found[fixture] = true
			}
		}
	}
	return Cell{Status: s.status(clause), Fixtures: len(s.clauses[clause].Fixtures), Findings: len(found)}
}

// held says whether a report holds something against somebody in this row.
func (c Clause) held() bool {
	for _, cell := range c.Cells {
		if cell.Findings > 0 {
			return true
		}
	}
	return false
}
