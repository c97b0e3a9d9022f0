// Package pattern reads the regular expressions of a document, and makes texts that match them.
//
// A pattern is in the dialect of ECMA-262 (OpenAPI 3.0.3, Schema Object). [Compile] makes a matcher
// from it, in the syntax of package regexp. Lookaheads at the beginning and lookbehinds at the end
// become separate patterns. A [Sampler] makes texts that match. [Unasserted] makes texts that match
// except for one of these assertions.
package pattern

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/instance"
)

// pattern is a regular expression and its assertions.
type pattern struct {
	*regexp.Regexp
	asserted []assertion
	text     string // as the document writes it
}

func (p *pattern) String() string { return p.text }

func (p *pattern) MatchString(text string) bool {
	return holdAll(p.asserted, text) && p.Regexp.MatchString(text)
}

// Compile reads a pattern as the document writes it. The error says which part of it is not
// supported.
func Compile(text string) (jsonschema.Regexp, error) { return compile(text) }

func compile(text string) (p *pattern, err error) {
	rest, asserted := assertions(text)
	p = &pattern{asserted: asserted, text: text}
	p.Regexp, err = regexp.Compile(rest)
	for i := range asserted {
		if err == nil {
			asserted[i].Regexp, err = regexp.Compile(asserted[i].text)
		}
	}
	return p, err
}

// White space and ends of lines (ECMA-262 §22.2.2.9 and §12.3) and all other characters, as ranges
// of a class, and any character within a line.
const (
	whiteSpace = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	noSpace    = `\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
	anyInLine = `[^\n\r\x{2028}\x{2029}]`
)

// goSyntax converts a pattern of a document to the syntax of package regexp. Unsupported syntax
// stays as it is, so that package regexp rejects it.
func goSyntax(text string) string {
	var b strings.Builder
	inClass := false
	class := func(ranges string) string {
		if inClass {
			return ranges
		}
		return "[" + ranges + "]"
	}
	for text != "" {
		size := 1
		switch c := text[0]; {
		case c == '\\' && len(text) > 1:
			var written string
			if written, size = escapeFromECMA(text, class); size == 0 {
				written, size = text[:2], 2
			}
			b.WriteString(written)
		case c == '.' && !inClass:
			b.WriteString(anyInLine)
		case c == '[' && inClass: // otherwise Go reads [:alpha:] as a named class
			b.WriteString(`\[`)
		case strings.HasPrefix(text, "[]") && !inClass: // no character (ECMA-262 §22.2.1)
			b.WriteString(`[^\x00-\x{10ffff}]`)
			size = len("[]")
		case strings.HasPrefix(text, "[^]") && !inClass: // any character
			b.WriteString(`[\x00-\x{10ffff}]`)
			size = len("[^]")
		default:
			if c == '[' || c == ']' {
				inClass = c == '['
			}
			b.WriteByte(c)
		}
		text = text[size:]
	}
	return repeated(b.String())
}

const (
	// maxRepeat is the largest count that package regexp accepts. maxCopies limits the copies for
	// larger counts, because they make matching slower.
	maxRepeat = 1000
	maxCopies = 5000
)

var repeat = regexp.MustCompile(`^\{(\d{1,6})(,(\d{0,6}))?\}`)

// repeated writes a{0,2500} as a{0,1000}a{0,1000}a{0,500}, which package regexp accepts. Beyond
// maxCopies it stays as it is, so that package regexp rejects it.
func repeated(text string) string {
	var b strings.Builder
	var groups []int // the offsets of the open groups
	atom, copies := 0, 0
	for i := 0; i < len(text); {
		size := 1
		switch c := text[i]; c {
		case '\\':
			size = escapeLength(text[i:])
			atom = b.Len()
		case '[':
			size = classLength(text[i:])
			atom = b.Len()
		case '(':
			groups = append(groups, b.Len())
		case ')':
			if len(groups) > 0 {
				atom, groups = groups[len(groups)-1], groups[:len(groups)-1]
			}
		case '{':
			if found := repeat.FindStringSubmatch(text[i:]); found != nil {
				size = len(found[0])
				least, _ := strconv.Atoi(found[1])
				most, err := strconv.Atoi(found[3])
				copies += max(least, most)
				if max(least, most) > maxRepeat && copies <= maxCopies {
					unit := b.String()[atom:]
					writeRepeats(&b, unit, least, most, found[2] != "" && err != nil)
					i += size
					continue
				}
			}
		case '*', '+', '?', '|', '^', '$':
		default:
			atom = b.Len()
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		b.WriteString(text[i : i+size])
		i += size
	}
	return b.String()
}

// writeRepeats replaces the unit at the end of b by from least to most units, or by least or more
// if endless is true.
func writeRepeats(b *strings.Builder, unit string, least, most int, endless bool) {
	before := strings.TrimSuffix(b.String(), unit)
	b.Reset()
	b.WriteString(before + "(?:")
	for left := least; left > 0; left -= maxRepeat {
		fmt.Fprintf(b, "%s{%d}", unit, min(left, maxRepeat))
	}
	if endless {
		b.WriteString(unit + "*")
	}
	for left := most - least; left > 0; left -= maxRepeat {
		fmt.Fprintf(b, "%s{0,%d}", unit, min(left, maxRepeat))
	}
	b.WriteString(")")
}

// escapeLength returns the length of the escape at the front of a text.
func escapeLength(text string) int {
	if end := strings.IndexByte(text, '}'); len(text) > 2 && strings.IndexByte("xpP", text[1]) >= 0 && text[2] == '{' && end > 0 {
		return end + 1
	}
	return min(2, len(text))
}

// classLength returns the length of the class at the front of a text.
func classLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ']':
			if i > 1 && text[:i] != "[^" {
				return i + 1
			}
		}
	}
	return len(text)
}

// escapeFromECMA converts the escape at the front of a text and returns its length, or 0 if package
// regexp writes it alike.
func escapeFromECMA(text string, class func(string) string) (written string, size int) {
	switch c := text[1]; {
	case c == 's':
		return class(whiteSpace), 2
	case c == 'S':
		return class(noSpace), 2
	case c == 'c' && len(text) > 2 && ('a' <= text[2]|0x20 && text[2]|0x20 <= 'z'):
		return fmt.Sprintf(`\x{%x}`, text[2]&0x1f), 3
	case c == 'u':
		unit, ok := instance.CodeUnit(text)
		if !ok {
			return "", 0
		}
		if low, ok := instance.CodeUnit(text[6:]); ok && utf16.IsSurrogate(unit) {
			if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
				return fmt.Sprintf(`\x{%x}`, r), 12
			}
		}
		return fmt.Sprintf(`\x{%x}`, unit), 6
	case c >= utf8.RuneSelf: // the character stands for itself
		_, size := utf8.DecodeRuneInString(text[1:])
		return text[1 : 1+size], 1 + size
	}
	return "", 0
}

// Lazy compiles a pattern of Go when it is first used. A run needs few of the patterns that read
// documents, and compiling all of them would delay its first request.
func Lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
