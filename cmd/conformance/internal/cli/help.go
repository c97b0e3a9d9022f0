package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v3"
	"golang.org/x/term"

	"github.com/plantstore/conformance/spec/lists"
)

// Columns is the maximum width of help and lists. A narrower terminal reduces it.
const Columns = 80

// Width returns the maximum number of characters in a line written to w.
func Width(w io.Writer) int {
	const least = 20 // for the longest words
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return max(least, min(width, Columns))
		}
	}
	return Columns
}

// helpKey is the key of a command's help in the metadata of urfave/cli, and helpTemplate prints it.
// urfave/cli cannot wrap its help to the width of a terminal.
const (
	helpKey      = "help"
	helpTemplate = `{{call (index .Metadata "` + helpKey + `")}}`
)

// help returns the help of a command: what it does, its commands, and its flags in the order given.
func help(c *urfave.Command, flags Flags, width int) string {
	const margin, indent = 3, 7
	var b strings.Builder
	fmt.Fprintf(&b, "NAME:\n%s\n\nUSAGE:\n%s\n", Wrap(c.FullName()+" - "+c.Usage, margin, width), Wrap(cmp.Or(c.UsageText, c.FullName()), margin, width))
	if c.Description != "" {
		fmt.Fprintf(&b, "\nDESCRIPTION:\n%s\n", reflow(strings.TrimSpace(c.Description), margin, width))
	}
	// VisibleCommands would leave out the one named help.
	if commands := lists.Filter(c.Commands, func(sub *urfave.Command) bool { return !sub.Hidden }); len(commands) > 0 {
		b.WriteString("\nCOMMANDS:\n")
		column := margin + 2 + lists.Max(commands, func(sub *urfave.Command) int { return len(sub.Name) })
		for _, sub := range commands {
			usage := strings.TrimLeft(Wrap(sub.Usage, column, width), " ")
			fmt.Fprintf(&b, "%*s%-*s%s\n", margin, "", column-margin, sub.Name, usage)
		}
	}
	category := ""
	for _, f := range append(flags, Flag{Category: "Help", Name: "help, -h", Usage: "show this help"}) {
		if f.Category != category {
			category = f.Category
			fmt.Fprintf(&b, "\n%s:\n", strings.ToUpper(category))
		}
		fmt.Fprintf(&b, "%s\n%s\n", Wrap(f.Synopsis(), margin, width), Wrap(f.Explanation(), indent, width))
	}
	return b.String()
}

// reflow indents a description. If the terminal is narrow, it wraps the paragraphs again.
// Paragraphs that begin with a space or # stay as they are.
func reflow(description string, margin, width int) string {
	paragraphs := strings.Split(description, "\n\n")
	for i, p := range paragraphs {
		if width < Columns && !strings.HasPrefix(p, " ") && !strings.HasPrefix(p, "#") {
			paragraphs[i] = Wrap(p, margin, width)
			continue
		}
		indented := strings.Repeat(" ", margin)
		paragraphs[i] = indented + strings.ReplaceAll(p, "\n", "\n"+indented)
	}
	return strings.Join(paragraphs, "\n\n")
}

// Wrap breaks a text into lines of at most width characters, including indent spaces at the start
// of each.
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

// Shorten cuts a text that has more than width characters.
func Shorten(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// Enumerate joins a list with commas and a conjunction: "a, b or c".
func Enumerate(list []string, conjunction string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " " + conjunction + " " + list[last]
}

// suggestion returns "; did you mean …?" for a similar name, or "".
func suggestion(wrong string, known []string) string {
	if meant := closest(wrong, known); meant != "" {
		return fmt.Sprintf("; did you mean %s?", meant)
	}
	return ""
}

// closest returns the name that was probably meant: the most similar, or the only one that begins
// with the text. It returns "" if there is none.
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

// editDistance is the Levenshtein distance, but counts two swapped letters as one mistake. If the
// distance exceeds limit, it stops early and returns a larger number: it is called for each pair of
// an environment variable and a known one.
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
