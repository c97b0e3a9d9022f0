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

// A Printer writes lines for a terminal. All printed texts go through it. It escapes
// everything that a terminal or a CI system would interpret as a command, except its
// own color codes.
type Printer struct {
	strings.Builder
	Color bool
}

// A Span is a text in one color.
type Span struct {
	Color Color
	Text  string
}

// A Color is an SGR parameter (ECMA-48 §8.3.117).
type Color string

// The colors. Plain means no color.
const (
	Plain  Color = ""
	Bold   Color = "1"
	Faint  Color = "2"
	Red    Color = "31"
	Green  Color = "32"
	Yellow Color = "33"
)

// Of returns a text in this color.
func (c Color) Of(text string) Span { return Span{c, text} }

// Says returns a formatted text without color.
func Says(format string, args ...any) Span { return Plain.Of(fmt.Sprintf(format, args...)) }

// Line writes the spans as one line, without spaces at its end.
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
	if p.Color && line == plain.String() { // several spans together may form a command
		line = colored.String()
	}
	p.WriteString(line + "\n")
}

// Section writes an empty line and a title.
func (p *Printer) Section(title string) {
	p.Line()
	p.Line(Bold.Of(title))
}

// Wrapped breaks a text into lines and writes them with this indent.
func (p *Printer) Wrapped(text string, indent int) {
	margin := strings.Repeat(" ", indent)
	for _, line := range Filled(text, indent) {
		p.Line(Plain.Of(margin + line))
	}
}

// Marked writes lines, with a mark of two characters before the first one.
func (p *Printer) Marked(mark Span, lines []string) {
	for _, line := range lines {
		p.Line(mark, Plain.Of(line))
		mark = Plain.Of("  ")
	}
}

// Filled breaks a text into lines. taken is the number of columns that are used in each line.
func Filled(text string, taken int) []string { return fill(strings.Fields(text), taken) }

// Broken is like Filled, but keeps all spaces of the text, because they may be evidence.
func Broken(text string, taken int) []string { return fill(strings.Split(text, " "), taken) }

// Columns is the assumed width of a terminal. Texts are broken at this width, except those
// that people copy or programs search for.
const Columns = 80

// Folded returns the items in lines, separated by commas. taken is the number of columns
// that are used in each line.
func Folded(items []string, taken int) []string {
	words := slices.Clone(items)
	for i := range len(words) - 1 {
		words[i] += ","
	}
	return fill(words, taken)
}

// fill puts words into lines. taken is the number of columns that are used in each line.
func fill(words []string, taken int) []string {
	var lines []string
	line, room := "", max(Columns-taken, 0)
	for _, word := range words {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= room:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
		for utf8.RuneCountInString(line) > room { // JSON and queries have no spaces
			end := 1 + strings.LastIndexAny(line[:room], ",&")
			if end == 0 {
				break
			}
			lines, line = append(lines, line[:end]), line[end:]
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// WriteJSON writes content as JSON with one call of w.Write. It escapes commands for CI
// systems. A JSON parser removes these escapes. what is the name of the content in errors,
// such as "the SARIF report".
func WriteJSON(w io.Writer, what, indent string, content any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a report shows the sent text, not \u003c instead
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

// WriteText writes a text in one call. what is the name of the text in errors.
func WriteText(w io.Writer, what, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}

// Visible makes a text from a target safe to display. It replaces each character that
// is not visible with an escape such as \n, \x1b or \u202e. These are control
// characters, characters that change the text direction, unusual spaces, and bytes that
// are not UTF-8. The bracket of a command for a CI system becomes \x5b.
func Visible(text string) string {
	if utf8.ValidString(text) && !strings.Contains(text, "##") && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return text // the usual case
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

// command matches what CI systems execute anywhere in a line of a step's output:
// ##[set-output name=a]b on GitHub, ##vso[…] on Azure Pipelines, ##teamcity[…] on
// TeamCity.
var command = regexp.MustCompile(`(##[A-Za-z]*)\[`)

// defuse replaces the bracket of each command.
func defuse(text []byte, bracket string) []byte {
	return command.ReplaceAll(text, []byte("${1}"+bracket))
}

// VisibleLines is like Visible, for a text whose line breaks must stay. It returns the
// lines.
func VisibleLines(text string) []string {
	return lists.Map(strings.Split(text, "\n"), func(line string) string { return inert(Visible(line)) })
}

// VisibleText returns the result of VisibleLines as one text.
func VisibleText(text string) string { return strings.Join(VisibleLines(text), "\n") }

// inert escapes the first colon of a visible line that GitHub would execute because it
// begins with two colons.
func inert(line string) string {
	rest := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(rest, "::") {
		return line
	}
	return line[:len(line)-len(rest)] + `\x3a` + rest[1:]
}
