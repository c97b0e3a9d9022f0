package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// columns is how wide help and lists are.
const columns = 80

// wrap breaks the text into lines, each behind that many spaces.
func wrap(text string, indent int) string {
	margin := strings.Repeat(" ", indent)
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case width == 0:
			b.WriteString(margin)
			width = indent
		case width+1+n > columns:
			b.WriteString("\n" + margin)
			width = indent
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String()
}

// shorten cuts a text that has more characters than that.
func shorten(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// enumerate writes a list out: "a, b or c".
func enumerate(list []string, conjunction string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// suggestion names what was probably meant, for the middle of an error.
func suggestion(wrong string, known []string) string {
	if meant := closest(wrong, known); meant != "" {
		return fmt.Sprintf(" (did you mean %s?)", meant)
	}
	return ""
}

// closest is what was probably meant: the most similar, or the only one that
// begins so. It is empty if there is none.
func closest(wrong string, known []string) string {
	best, distance := "", max(2, len(wrong)/3)+1
	var longer []string
	for _, k := range known {
		if d := editDistance(wrong, k); d < distance {
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

// editDistance is Levenshtein's.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		previous := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := previous
			if a[i] != b[j] {
				cost = 1 + min(previous, row[j], row[j+1])
			}
			previous, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// number writes a number of things: "1 target", "3 targets".
func number(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
