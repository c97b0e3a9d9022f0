package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

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

// helpTemplate is urfave/cli's for a command, up to its flags.
const helpTemplate = `NAME:
   {{template "helpNameTemplate" .}}

USAGE:
   {{template "usageTemplate" .}}{{if .Description}}

DESCRIPTION:
   {{template "descriptionTemplate" .}}{{end}}
`

// help is the template of a command's help. The flags are in their own order and
// wrapped to the width, which urfave/cli cannot do.
func (list Flags) help(width int) string {
	const margin, indent = 3, 7
	var b strings.Builder
	b.WriteString(helpTemplate)
	category := ""
	for _, f := range append(list, Flag{Category: "Help", Name: "help, -h", Usage: "show this help"}) {
		if f.Category != category {
			category = f.Category
			fmt.Fprintf(&b, "\n%s:\n", strings.ToUpper(category))
		}
		fmt.Fprintf(&b, "%s\n%s\n", Wrap(f.Synopsis(), margin, width), Wrap(f.Explanation(), indent, width))
	}
	return b.String()
}
