package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"
	"golang.org/x/term"
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
		column := margin + 2
		for _, sub := range commands {
			column = max(column, margin+len(sub.Name)+2)
		}
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
