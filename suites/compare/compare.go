package compare

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// ErrInput is wrapped by the error for reports that cannot be compared.
var ErrInput = errors.New("the reports cannot be compared")

// Source is a report and its file.
type Source struct {
	File   string
	Report result.Report
}

// New compares reports in the given order. Two reports of the same implementation are a change:
// the first is before, the second after. The implementation is the same if both reports name the
// same one, or if neither names one and the base URLs are equal.
//
// The error wraps [ErrInput] if there are fewer than two reports, if their contracts or their
// use of --strict differ, or if two reports are the same run.
func New(sources []Source) (Comparison, error) {
	if err := check(sources); err != nil {
		return Comparison{}, err
	}
	first := sources[0].Report
	c := Comparison{
		Schema: SchemaID, Kind: kindOf(sources), Outcome: Compared,
		Contract: first.Contract, Strict: first.Run.Strict, Columns: columnsOf(sources),
	}
	reports := lists.Map(sources, func(s Source) indexedReport { return indexReport(s.Report) })
	markBlank(reports)
	for i, r := range reports {
		c.Columns[i].Blank = r.blank
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

// contractOf names a contract. The hash distinguishes contracts with the same title and version.
func contractOf(r result.Report) string {
	const enough = 12 // hexadecimal digits
	hash := r.Contract.SHA256
	return fmt.Sprintf("%s (sha256 %s)", r.Contract, hash[:min(enough, len(hash))])
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

// columnsOf returns a column for each report. Its name is the implementation with its version,
// or else the base URL, or else the file. If names are equal, the file and then the key are
// added.
func columnsOf(sources []Source) []Column {
	names := lists.Map(sources, nameOf)
	extend := func(by func(i int) string) {
		counts := lists.Tally(names, func(name string) string { return name })
		for i, name := range names {
			if counts[name] > 1 {
				names[i] += by(i)
			}
		}
	}
	extend(func(i int) string {
		if names[i] == sources[i].File {
			return ""
		}
		return ", " + sources[i].File
	})
	extend(func(i int) string { return fmt.Sprintf(" (%s)", key(i)) })
	var columns []Column
	for i, s := range sources {
		r := s.Report
		columns = append(columns, Column{
			Key: key(i), Name: names[i], File: s.File, Implementation: r.Implementation, BaseURL: r.Target.BaseURL,
			Harness: r.Harness.Version, Run: r.Run.ID, Started: r.Run.Started,
			Complete: r.Run.Complete, Partial: r.Run.Partial || r.Run.Shard != nil,
			Verdict: r.Verdict, Reason: r.Reason, Counts: r.Counts,
		})
	}
	return columns
}

func nameOf(s Source) string {
	if i := s.Report.Implementation; i.Name != "" {
		return i.String()
	}
	return cmp.Or(s.Report.Target.BaseURL, s.File)
}

// key returns the short name of a column, counted from 0: A to Z, then AA, AB and so on.
func key(i int) string {
	const letters = 26
	last := string(rune('A' + i%letters))
	if i < letters {
		return last
	}
	return key(i/letters-1) + last
}

// keys lists columns, with ranges: A-C, F.
func keys(columns []int) string {
	var parts []string
	for i := 0; i < len(columns); {
		end := i
		for end+1 < len(columns) && columns[end+1] == columns[end]+1 {
			end++
		}
		const few = 2 // two columns are not a range
		if end-i < few {
			end = i
			parts = append(parts, key(columns[i]))
		} else {
			parts = append(parts, key(columns[i])+"-"+key(columns[end]))
		}
		i = end + 1
	}
	return strings.Join(parts, ", ")
}

// blanks says in which columns nothing was judged, or returns "".
func (c Comparison) blanks() string {
	var columns []int
	for i, column := range c.Columns {
		if column.Blank {
			columns = append(columns, i)
		}
	}
	if columns == nil {
		return ""
	}
	return "nothing was judged in " + keys(columns)
}

// harnesses warns if different versions of the harness judged the reports, or returns "".
// Between versions, a fixture with the same id may differ, and so may the findings for the same
// answer.
func (c Comparison) harnesses() string {
	versions := lists.Map(c.Columns, func(column Column) string { return words.Cut(column.Harness, nameWidth) })
	split := splitBy(versions)
	if len(split) < 2 {
		return ""
	}
	parts := lists.Map(split, func(g lists.Group[string, int]) string { return g.Key + " " + keys(g.Items) })
	return "not judged by the same version: " + strings.Join(parts, "; ")
}

// splitBy groups the columns by their texts.
func splitBy(texts []string) []lists.Group[string, int] {
	columns := make([]int, len(texts))
	for i := range columns {
		columns[i] = i
	}
	return lists.Groups(columns, func(column int) string { return texts[column] })
}
