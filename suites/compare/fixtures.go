package compare

import (
	"strings"
)

// commonFixtures are those that every report has judged, in the order of the
// first report, and the others with the reason why they are not compared.
func commonFixtures(sheets []sheet) (common []string, gaps []Gap) {
	gaps = []Gap{}
	known := map[string]int{} // reason: its place in gaps
	for _, fixture := range union(sheets, func(s sheet) []string {
		var ids []string
		for _, result := range s.Results {
			ids = append(ids, result.Fixture)
		}
		return ids
	}) {
		reason := whyNot(sheets, fixture)
		if reason == "" {
			common = append(common, fixture)
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

// whyNot says why a fixture cannot be compared, or "".
func whyNot(sheets []sheet, fixture string) string {
	var absent, unjudged []string
	for i, s := range sheets {
		switch _, known := s.results[fixture]; {
		case !known:
			absent = append(absent, key(i))
		case !s.judged(fixture):
			unjudged = append(unjudged, key(i))
		}
	}
	var reasons []string
	if len(absent) > 0 {
		reasons = append(reasons, "not in "+strings.Join(absent, ", "))
	}
	if len(unjudged) > 0 {
		reasons = append(reasons, "unjudged in "+strings.Join(unjudged, ", "))
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
