package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// printer writes lines for a terminal. Every text that is printed goes through
// it, and nothing that a terminal or a CI system would obey gets past it but its
// own colours.
type printer struct {
	strings.Builder
	color bool
}

// span is a text in one colour.
type span struct {
	color color
	text  string
}

// color is an SGR parameter (ECMA-48 §8.3.117).
type color string

const (
	plain  color = ""
	bold   color = "1"
	faint  color = "2"
	red    color = "31"
	green  color = "32"
	yellow color = "33"
)

func (c color) of(text string) span { return span{c, text} }

// says is a text in no colour of its own.
func says(format string, args ...any) span { return plain.of(fmt.Sprintf(format, args...)) }

func (p *printer) line(spans ...span) {
	for i, s := range spans {
		text := Visible(s.text)
		if i == 0 {
			text = inert(text)
		}
		if p.color && s.color != plain && text != "" {
			text = "\x1b[" + string(s.color) + "m" + text + "\x1b[0m"
		}
		p.WriteString(text)
	}
	p.WriteByte('\n')
}

// section begins a part of the report.
func (p *printer) section(title string) {
	p.line()
	p.line(bold.of(title))
}

// columns is how wide a terminal is at least. Lists are folded there; what may
// have to be copied, or found by a program, stays on one line.
const columns = 80

// folded are the items, separated by commas, in as many lines as they take when
// so many columns of each are taken.
func folded(items []string, taken int) []string {
	var lines []string
	line := ""
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		switch {
		case line == "":
			line = item
		case taken+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(item) <= columns:
			line += " " + item
		default:
			lines, line = append(lines, line), item
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// row is one line of evidence, under its name, if there is any.
func (p *printer) row(name, text string) {
	if text != "" {
		p.line(faint.of(fmt.Sprintf("    %-9s ", name)), plain.of(text))
	}
}
