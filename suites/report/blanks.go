package report

import (
	"strconv"
	"strings"
)

// manyBlanks is from how many on nobody counts them by eye.
const manyBlanks = 64

// longBlanks are the stretches of a text that are many spaces, tabs or line
// breaks in a row.
func longBlanks(text string) []stretch {
	var list []stretch
	for i := 0; i < len(text); {
		end := i + 1
		if c := text[i]; c == ' ' || c == '\t' || c == '\n' {
			for end < len(text) && text[end] == c {
				end++
			}
			if end-i >= manyBlanks {
				list = append(list, stretch{i, end})
			}
		}
		i = end
	}
	return list
}

// counted replaces long white space with its length: "[1,048,524 spaces]".
func counted(text string) string {
	var b strings.Builder
	at := 0
	for _, blank := range longBlanks(text) {
		b.WriteString(text[at:blank.from] + nameOf(text[blank.from], blank.to-blank.from))
		at = blank.to
	}
	return b.String() + text[at:]
}

func nameOf(blank byte, count int) string {
	return "[" + grouped(count) + map[byte]string{' ': " spaces", '\t': " tabs", '\n': " line breaks"}[blank] + "]"
}

// grouped is a number with a comma before each three digits.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
