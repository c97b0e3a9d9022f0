package compare

import (
	"fmt"
	"strings"
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
		return strings.TrimSpace(i.Name + " " + i.Version)
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

// key is the short name of a column: A to Z, then AA, AB and so on.
func key(i int) string {
	const letters = 26
	last := string(rune('A' + i%letters))
	if i < letters {
		return last
	}
	return key(i/letters-1) + last
}

// judges warns where not the same version judged them all, or returns "". Then
// fixtures of the same id may differ, and so may what is made of an answer.
func (c Comparison) judges() string {
	var versions []string
	differ := false
	for _, column := range c.Columns {
		versions = append(versions, column.Key+" "+short(column.Harness, nameWidth))
		differ = differ || column.Harness != c.Columns[0].Harness
	}
	if !differ {
		return ""
	}
	return "not judged by the same version: " + strings.Join(versions, ", ")
}
