package compare

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
)

// printer writes lines for a terminal. Nothing that a terminal would obey gets
// past it but its own colours.
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

func says(format string, args ...any) span { return plain.of(fmt.Sprintf(format, args...)) }

func (p *printer) line(spans ...span) {
	for len(spans) > 0 { // blanks at the end of a line show nothing
		last := &spans[len(spans)-1]
		if last.text = strings.TrimRight(last.text, " "); last.text != "" {
			break
		}
		spans = spans[:len(spans)-1]
	}
	for _, s := range spans {
		text := report.Visible(s.text)
		if p.color && s.color != plain && text != "" {
			text = "\x1b[" + string(s.color) + "m" + text + "\x1b[0m"
		}
		p.WriteString(text)
	}
	p.WriteByte('\n')
}

// section begins a part.
func (p *printer) section(title string) {
	p.line()
	p.line(bold.of(title))
}

// wrapped breaks a text into lines behind that many blanks.
func (p *printer) wrapped(text string, indent int) {
	margin := strings.Repeat(" ", indent)
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && indent+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > lineWidth {
			p.line(plain.of(margin + line))
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	if line != "" {
		p.line(plain.of(margin + line))
	}
}

// lineWidth is how wide the console is taken to be, in characters.
const lineWidth = 80

// mark is the shape of a clause's status, in its colour. The shape alone tells
// it, too.
func mark(status string) span {
	switch judge.ClauseStatus(status) {
	case judge.ClausePassed:
		return green.of("✓")
	case judge.ClauseFailed:
		return red.of("✗")
	case judge.ClauseWarned:
		return yellow.of("!")
	case judge.ClauseWaived:
		return yellow.of("w")
	case judge.ClauseVacuous:
		return yellow.of("?")
	}
	return faint.of("·")
}
