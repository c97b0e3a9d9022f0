package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/suites/internal/words"
)

// columnsOf names the reports: by the implementation and its version, or else
// by the base URL, or else by the file, and by the file too where that is not
// enough to tell them apart.
func columnsOf(sources []Source) []Column {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = nameOf(s)
	}
	for i, repeated := range repetitions(names) {
		if repeated && names[i] != sources[i].File {
			names[i] += ", " + sources[i].File
		}
	}
	for i, repeated := range repetitions(names) {
		if repeated {
			names[i] += fmt.Sprintf(" (%s)", key(i))
		}
	}
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
	i := s.Report.Implementation
	switch {
	case i.Name != "":
		return i.String()
	case s.Report.Target.BaseURL != "":
		return s.Report.Target.BaseURL
	}
	return s.File
}

// repetitions says of each name whether another is the same.
func repetitions(names []string) []bool {
	counts := map[string]int{}
	for _, name := range names {
		counts[name]++
	}
	repeated := make([]bool, len(names))
	for i, name := range names {
		repeated[i] = counts[name] > 1
	}
	return repeated
}

// key is the short name of a column, counted from 0: A to Z, then AA, AB and so
// on.
func key(i int) string {
	const letters = 26
	last := string(rune('A' + i%letters))
	if i < letters {
		return last
	}
	return key(i/letters-1) + last
}

// keys names columns: A-C, F.
func keys(columns []int) string {
	var parts []string
	for i := 0; i < len(columns); {
		end := i
		for end+1 < len(columns) && columns[end+1] == columns[end]+1 {
			end++
		}
		const few = 2 // of which no range is made
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

// blanks names the columns that have judged nothing and are left out, or is "".
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

// harnesses warns where not the same version judged them all, or returns "".
// Then fixtures of the same id may differ, and so may what is made of an answer.
func (c Comparison) harnesses() string {
	var versions []string
	for _, column := range c.Columns {
		versions = append(versions, words.Cut(column.Harness, nameWidth))
	}
	split := splitBy(versions)
	if len(split) < 2 {
		return ""
	}
	var parts []string
	for _, g := range split {
		parts = append(parts, g.text+" "+keys(g.columns))
	}
	return "not judged by the same version: " + strings.Join(parts, "; ")
}

// agreeing are the columns that have the same text.
type agreeing struct {
	text    string
	columns []int
}

// splitBy gathers the columns by their texts, in the order of first sight.
func splitBy(texts []string) []agreeing {
	var list []agreeing
	for column, text := range texts {
		i := slices.IndexFunc(list, func(a agreeing) bool { return a.text == text })
		if i < 0 {
			i = len(list)
			list = append(list, agreeing{text: text})
		}
		list[i].columns = append(list[i].columns, column)
	}
	return list
}
