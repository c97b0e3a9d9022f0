package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Wrap breaks the text into lines of at most width characters, each behind that
// many spaces.
func Wrap(text string, indent, width int) string {
	margin := strings.Repeat(" ", indent)
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
			b.WriteString(margin)
			column = indent
		case column+1+n > width:
			b.WriteString("\n" + margin)
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// Shorten cuts a text that has more characters than that.
func Shorten(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// Enumerate writes a list out: "a, b or c".
func Enumerate(list []string, conjunction string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// Suggestion names what was probably meant, for the middle of an error.
func Suggestion(wrong string, known []string) string {
	if meant := closest(wrong, known); meant != "" {
		return fmt.Sprintf("; did you mean %s?", meant)
	}
	return ""
}

// closest is what was probably meant: the most similar, or the only one that
// begins with the text. It is empty if there is none.
func closest(wrong string, known []string) string {
	best, distance := "", max(2, len(wrong)/3)+1
	var longer []string
	for _, k := range known {
		if d := editDistance(wrong, k, distance-1); d < distance {
			best, distance = k, d
		}
		if strings.HasPrefix(k, wrong) {
			longer = append(longer, k)
		}
	}
	if best == "" && len(longer) == 1 {
		best = longer[0]
	}
	return best
}

// editDistance is Levenshtein's, with two letters in the wrong order as one mistake, or
// something above the limit if that is exceeded: most texts differ from each other at
// once, and every environment variable is compared to every known one.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			switch {
			case a[i] == b[j]:
				next[j+1] = row[j]
			case i > 0 && j > 0 && a[i-1] == b[j] && a[i] == b[j-1]:
				next[j+1] = 1 + min(before[j-1], row[j], row[j+1], next[j])
			default:
				next[j+1] = 1 + min(row[j], row[j+1], next[j])
			}
		}
		if least := min(slices.Min(row), slices.Min(next)); least > limit {
			return least
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
