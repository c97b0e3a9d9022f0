package compare

import (
	"errors"
	"fmt"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// ErrInput is returned, wrapped, for reports that cannot be compared.
var ErrInput = errors.New("cannot be compared")

// Source is a report and the file that it is from.
type Source struct {
	File   string
	Report result.Report
}

// New compares reports, in the order in which they are given. Two of the same
// implementation are a change: the first is before, the second after. They are
// of the same implementation when they give it the same name, or none of them
// gives one and the base URL is the same.
//
// It is an error, [ErrInput], when there are fewer than two, and when they are
// not of the same contract, not judged in the same way, or the same run.
func New(sources []Source) (Comparison, error) {
	if err := check(sources); err != nil {
		return Comparison{}, err
	}
	first := sources[0].Report
	c := Comparison{
		Schema: SchemaID, Kind: kindOf(sources), Outcome: Compared,
		Contract: first.Contract, Strict: first.Run.Strict, Columns: columnsOf(sources),
	}
	var reports []indexedReport
	for _, s := range sources {
		reports = append(reports, indexReport(s.Report))
	}
	for i, isBlank := range blank(reports) {
		c.Columns[i].Blank = isBlank
	}
	common, gaps := commonFixtures(reports)
	c.Compared, c.NotCompared = len(common), gaps
	c.Clauses = clausesOf(reports)
	c.Silences = silencesOf(reports, common)
	c.Reason = fmt.Sprintf("%s side by side, %s", judge.Number(len(reports), "implementation"), judge.Number(len(common), "fixture"))
	if c.Kind == Since {
		c.Change = changeOf(reports, common)
		c.Outcome, c.Reason = c.Change.outcome(reports[0], reports[1], c.Silences, common)
	}
	if len(common) == 0 {
		c.Outcome, c.Reason = Inconclusive, "no fixture was judged in at least two of the reports"
	}
	return c, nil
}

func check(sources []Source) error {
	if len(sources) < 2 {
		return fmt.Errorf("%w: give at least two reports", ErrInput)
	}
	first := sources[0]
	runs := map[string]string{}
	for _, s := range sources {
		a, b := first.Report, s.Report
		switch other, twice := runs[b.Run.ID]; {
		case a.Contract.SHA256 != b.Contract.SHA256:
			return fmt.Errorf("%w: %s was judged by %s and %s by %s; compare reports by the same contract",
				ErrInput, first.File, contractOf(a), s.File, contractOf(b))
		case a.Run.Strict != b.Run.Strict:
			return fmt.Errorf("%w: one of %s and %s was judged with --strict and the other was not; judge both in the same way", ErrInput, first.File, s.File)
		case twice && b.Run.ID != "":
			return fmt.Errorf("%w: %s and %s are the same run", ErrInput, other, s.File)
		}
		runs[s.Report.Run.ID] = s.File
	}
	return nil
}

// contractOf names a contract so that another of the same title and version is
// told from it.
func contractOf(r result.Report) string {
	const enough = 12 // hexadecimal digits
	hash := r.Contract.SHA256
	name := r.Contract.String()
	return fmt.Sprintf("%s (sha256 %s)", name, hash[:min(enough, len(hash))])
}

func kindOf(sources []Source) Kind {
	if len(sources) != 2 {
		return Implementations
	}
	a, b := sources[0].Report, sources[1].Report
	if a.Implementation.Name == b.Implementation.Name && (a.Implementation.Name != "" || a.Target.BaseURL == b.Target.BaseURL) {
		return Since
	}
	return Implementations
}
