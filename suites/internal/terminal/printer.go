package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/lists"
)

// Printer writes lines for a terminal. Every text that is printed goes through
// it, and nothing that a terminal or a CI system would obey gets past it but its
// own colours.
type Printer struct {
	strings.Builder
	Color bool
}

// Span is a text in one colour.
type Span struct {
	Color Color
	Text  string
}

// Color is an SGR parameter (ECMA-48 §8.3.117).
type Color string

// The colours, and what is no colour.
const (
	Plain  Color = ""
	Bold   Color = "1"
	Faint  Color = "2"
	Red    Color = "31"
	Green  Color = "32"
	Yellow Color = "33"
)

// Of is a text in that colour.
func (c Color) Of(text string) Span { return Span{c, text} }

// Says is a text in no colour of its own.
func Says(format string, args ...any) Span { return Plain.Of(fmt.Sprintf(format, args...)) }

// Line writes the spans as one line, without blanks at its end: they show
// nothing.
func (p *Printer) Line(spans ...Span) {
	for len(spans) > 0 {
		last := spans[len(spans)-1]
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			spans = append(slices.Clone(spans[:len(spans)-1]), last)
			break
		}
		spans = spans[:len(spans)-1]
	}
	var plain, colored strings.Builder
	for _, s := range spans {
		text := Visible(s.Text)
		plain.WriteString(text)
		if s.Color != Plain && text != "" {
			text = "\x1b[" + string(s.Color) + "m" + text + "\x1b[0m"
		}
		colored.WriteString(text)
	}
	line := inert(Visible(plain.String()))
	if p.Color && line == plain.String() { // spans may be a command only together
		line = colored.String()
	}
	p.WriteString(line + "\n")
}

// Section begins a part.
func (p *Printer) Section(title string) {
	p.Line()
	p.Line(Bold.Of(title))
}

// Wrapped breaks a text into lines behind that many blanks.
func (p *Printer) Wrapped(text string, indent int) {
	margin := strings.Repeat(" ", indent)
	for _, line := range Filled(text, indent) {
		p.Line(Plain.Of(margin + line))
	}
}

// Marked writes lines behind a mark of two characters.
func (p *Printer) Marked(mark Span, lines []string) {
	for _, line := range lines {
		p.Line(mark, Plain.Of(line))
		mark = Plain.Of("  ")
	}
}

// Filled is the text in lines of which so many columns are taken.
func Filled(text string, taken int) []string { return fill(strings.Fields(text), taken) }

// Broken is Filled with the spaces of the text as they are: they may be evidence.
func Broken(text string, taken int) []string { return fill(strings.Split(text, " "), taken) }

// Columns is how wide a terminal is at least. Texts are broken there; what may
// have to be copied, or found by a program, stays on one line.
const Columns = 80

// Folded are the items, separated by commas, in as many lines as they take when
// so many columns of each are taken.
func Folded(items []string, taken int) []string {
	words := slices.Clone(items)
	for i := range len(words) - 1 {
		words[i] += ","
	}
	return fill(words, taken)
}

// fill puts words into lines of which so many columns are taken.
func fill(words []string, taken int) []string {
	var lines []string
	line := ""
	for _, word := range words {
		switch {
		case line == "":
			line = word
		case taken+utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= Columns:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// WriteJSON writes content as JSON, in one piece. What a CI system would obey
// in the output of a step is escaped; readers of JSON do not see the escapes.
// An error says that it is about what, as in "the SARIF report".
func WriteJSON(w io.Writer, what, indent string, content any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a report shows what was sent, not \u003c for it
	encoder.SetIndent("", indent)
	err := encoder.Encode(content)
	if err == nil {
		_, err = w.Write(defuse(text.Bytes(), `\u005b`))
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}

// WriteText writes a text in one piece. An error says that it is about what.
func WriteText(w io.Writer, what, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}

// Visible makes a text that came from a target harmless to look at: what does
// not show as a character of its own becomes an escape, as in \n, \x1b or
// \u202e. That holds for control characters, those that turn the direction of
// writing, odd spaces, and bytes that are no UTF-8. The bracket of a command to
// a CI system becomes \x5b.
func Visible(text string) string {
	if utf8.ValidString(text) && !strings.Contains(text, "##") && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
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
	return lists.Map(strings.Split(text, "\n"), func(line string) string { return inert(Visible(line)) })
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
