package terminal

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes a text that came from a target harmless to look at: what does
// not show as a character of its own becomes an escape, as in \n, \x1b or
// \u202e. That holds for control characters, those that turn the direction of
// writing, odd spaces, and bytes that are no UTF-8. The bracket of a command to
// a CI system becomes \x5b.
func Visible(text string) string {
	if utf8.ValidString(text) && !strings.Contains(text, "##") && strings.IndexFunc(text, isOdd) < 0 {
		return text // as nearly all of them
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return string(defuse([]byte(b.String()), `\x5b`))
}

func isOdd(r rune) bool { return !unicode.IsPrint(r) }

// command is what CI systems obey wherever it stands in a line of a step's
// output: ##[set-output name=a]b on GitHub, ##vso[…] on Azure Pipelines,
// ##teamcity[…] on TeamCity.
var command = regexp.MustCompile(`(##[A-Za-z]*)\[`)

// defuse writes the bracket of each command in another way.
func defuse(text []byte, bracket string) []byte {
	return command.ReplaceAll(text, []byte("${1}"+bracket))
}

// VisibleLines does what Visible does to a text whose line breaks mean
// something.
func VisibleLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = inert(Visible(line))
	}
	return lines
}

// VisibleText is VisibleLines as one text.
func VisibleText(text string) string { return strings.Join(VisibleLines(text), "\n") }

// inert keeps a visible line from being a command to GitHub, which begins with
// two colons.
func inert(line string) string {
	rest := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(rest, "::") {
		return line
	}
	return line[:len(line)-len(rest)] + `\x3a` + rest[1:]
}
