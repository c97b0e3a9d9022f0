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

// Columns is how wide help and lists are, unless the terminal is narrower.
const Columns = 80

// Width is how many characters a line that is written to w may have.
func Width(w io.Writer) int {
	const least = 20 // or no word would fit
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return max(least, min(width, Columns))
		}
	}
	return Columns
}

// helpKey is where the help of a command lies among what urfave/cli calls its
// metadata, and helpTemplate has it print that. It cannot wrap to the width of a
// terminal itself.
const (
	helpKey      = "help"
	helpTemplate = `{{call (index .Metadata "` + helpKey + `")}}`
)

// help is the help of a command: what it is, its commands and its flags, which
// are in their own order.
func help(c *urfave.Command, flags Flags, width int) string {
	const margin, indent = 3, 7
	var b strings.Builder
	fmt.Fprintf(&b, "NAME:\n%s\n\nUSAGE:\n%s\n", Wrap(c.FullName()+" - "+c.Usage, margin, width), Wrap(cmp.Or(c.UsageText, c.FullName()), margin, width))
	if c.Description != "" {
		fmt.Fprintf(&b, "\nDESCRIPTION:\n%s\n", reflow(strings.TrimSpace(c.Description), margin, width))
	}
	// VisibleCommands would leave out the one named help.
	if commands := slices.DeleteFunc(slices.Clone(c.Commands), func(sub *urfave.Command) bool { return sub.Hidden }); len(commands) > 0 {
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

// reflow indents a description, and wraps its paragraphs again for a terminal
// that is narrower than they were written for. Blocks that are indented, or begin
// with a comment, stay as they are.
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

// suggestion names what was probably meant, for the middle of an error.
func suggestion(wrong string, known []string) string {
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
