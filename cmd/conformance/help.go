package main

import (
	"cmp"
	"fmt"
	"strings"
)

// helpTemplate is urfave/cli's for a command, up to its flags.
const helpTemplate = `NAME:
   {{template "helpNameTemplate" .}}

USAGE:
   {{template "usageTemplate" .}}{{if .Description}}

DESCRIPTION:
   {{template "descriptionTemplate" .}}{{end}}
`

// help is the template of a command's help: the flags in their own order and
// within the columns of a terminal, which urfave/cli cannot do.
func (list flags) help() string {
	const margin, indent = 3, 7
	var b strings.Builder
	b.WriteString(helpTemplate)
	category := ""
	for _, f := range append(list, flag{category: "Help", name: "help, -h", usage: "show this help"}) {
		if f.category != category {
			category = f.category
			fmt.Fprintf(&b, "\n%s:\n", strings.ToUpper(category))
		}
		fmt.Fprintf(&b, "%s\n%s\n", wrap(f.synopsis(), margin), wrap(f.explanation(), indent))
	}
	return b.String()
}

// explanation is what the flag does, and what is done without it.
func (f flag) explanation() string {
	if without := cmp.Or(f.fallback, f.otherwise); without != "" {
		return f.usage + " (default: " + without + ")"
	}
	return f.usage
}

// synopsis is how the flag is given.
func (f flag) synopsis() string {
	text := "--" + f.name
	if f.value != "" {
		text += " " + f.value
	}
	if f.repeatable {
		text += " (repeatable)"
	}
	if f.variable != "" {
		text += " [$" + f.variable + "]"
	}
	return text
}
