package compare

import (
	"strings"
)

// commonFixtures are those that two reports at least have judged, in the order
// of the first report, and those that not every report has judged with the
// reason. Of a report that has judged nothing that need not be said of each.
func commonFixtures(sheets []sheet) (common []string, gaps []Gap) {
	gaps = []Gap{}
	known := map[string]int{} // reason: its place in gaps
	left := blank(sheets)
	for _, fixture := range union(sheets, func(s sheet) []string {
		var ids []string
		for _, result := range s.Results {
			ids = append(ids, result.Fixture)
		}
		return ids
	}) {
		if judges(sheets, fixture) > 1 {
			common = append(common, fixture)
		}
		reason := whyNot(sheets, left, fixture)
		if reason == "" {
			continue
		}
		i, ok := known[reason]
		if !ok {
			i = len(gaps)
			known[reason] = i
			gaps = append(gaps, Gap{Reason: reason})
		}
		gaps[i].Fixtures = append(gaps[i].Fixtures, fixture)
	}
	return common, gaps
}

// blank says which reports have judged nothing, as of a target that was down. A
// comparison does without them, as long as two are left.
func blank(sheets []sheet) []bool {
	list := make([]bool, len(sheets))
	left := len(sheets)
	for i, s := range sheets {
		if s.Counts.Unjudged == s.Counts.Fixtures {
			list[i] = true
			left--
		}
	}
	if left < 2 {
		return make([]bool, len(sheets))
	}
	return list
}

// judges is how many reports have judged a fixture.
func judges(sheets []sheet, fixture string) int {
	n := 0
	for _, s := range sheets {
		if s.judged(fixture) {
			n++
		}
	}
	return n
}

// whyNot says why not all can be compared by a fixture, or "".
func whyNot(sheets []sheet, blank []bool, fixture string) string {
	var absent, skipped, unjudged []int
	for i, s := range sheets {
		switch result, known := s.results[fixture]; {
		case blank[i]:
		case !known:
			absent = append(absent, i)
		case result.Excused:
			skipped = append(skipped, i)
		case !s.judged(fixture):
			unjudged = append(unjudged, i)
		}
	}
	var reasons []string
	if len(absent) > 0 {
		reasons = append(reasons, "not in "+keys(absent))
	}
	if len(skipped) > 0 {
		reasons = append(reasons, "skipped in "+keys(skipped))
	}
	if len(unjudged) > 0 {
		reasons = append(reasons, "unjudged in "+keys(unjudged))
	}
	return strings.Join(reasons, "; ")
}

// union are the ids of all sheets: those of the first in its order, then what
// the others have beside them.
func union(sheets []sheet, ids func(sheet) []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, s := range sheets {
		for _, id := range ids(s) {
			if !seen[id] {
				seen[id] = true
				list = append(list, id)
			}
		}
	}
	return list
}

// clauseIDs are those of all sheets, in the contract's order.
func clauseIDs(sheets []sheet) []string {
	return union(sheets, func(s sheet) []string {
		var ids []string
		for _, c := range s.Clauses {
			ids = append(ids, c.ID)
		}
		return ids
	})
}
