package curl

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
)

// longRun is the minimum number of equal bytes that are written as a count.
const longRun = 256

// longestArgument is the maximum length in bytes of a body that is an argument of the
// command. The strictest systems limit all arguments together to 32 KiB.
const longestArgument = 16 << 10

func isArgument(body []byte) bool {
	if len(body) > longestArgument || !utf8.Valid(body) || bytes.ContainsFunc(body, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }) {
		return false
	}
	_, run := firstRun(body)
	return run == 0
}

// firstRun returns the start and length of the first long run of one byte. Without a long
// run it returns the end of the body and 0.
func firstRun(body []byte) (at, length int) {
	for at+longRun <= len(body) {
		end := at + longRun
		first := end - 1 // of the run that ends there
		for first > at && body[first-1] == body[end-1] {
			first--
		}
		if first == at {
			for end < len(body) && body[end] == body[at] {
				end++
			}
			return at, end - at
		}
		at = first
	}
	return len(body), 0
}

func printf(body []byte) string {
	var commands []string
	for len(body) > 0 {
		at, length := firstRun(body)
		if at > 0 {
			commands = append(commands, "printf '"+format(body[:at])+"'")
		}
		if length > 0 {
			commands = append(commands, fmt.Sprintf(`head -c %d /dev/zero | tr '\0' '\%03o'`, length, body[at]))
		}
		body = body[at+length:]
	}
	if len(commands) == 1 {
		return commands[0]
	}
	return "{ " + strings.Join(commands, "; ") + "; }"
}

// format returns the format for printf(1) that prints this text. It escapes a hyphen at
// the start, which would begin an option.
func format(text []byte) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == '%':
			b.WriteString("%%")
		case r == '\'', r == '-' && i == 0, r == utf8.RuneError, !unicode.IsPrint(r):
			for _, c := range text[i : i+size] {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// quote returns the text as one shell word without expansions.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// quoteValue quotes a text that may contain placeholders of credentials. The shell replaces
// them with the variables of their schemes.
func quoteValue(text string, variable func(scheme string) string) string {
	if !strings.Contains(text, fixtures.TokenPlaceholder) {
		return quote(text)
	}
	var b strings.Builder
	for rest := text; rest != ""; {
		if placeholder, scheme, after, ok := fixtures.CutToken(rest); ok {
			b.WriteString(value(placeholder, variable(scheme), after))
			rest = after
			continue
		}
		if strings.IndexByte("\\\"`$", rest[0]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return `"` + b.String() + `"`
}

// value returns the shell expression for the credential, encoded as the placeholder requires.
func value(placeholder, variable, after string) string {
	encoded := func(before, behind string) string {
		return `$(printf %s "` + before + "${" + variable + "}" + behind + `" | base64 | tr -d '\n')`
	}
	switch {
	case placeholder == fixtures.PasswordPlaceholder:
		return encoded(fixtures.PasswordUser+":", "")
	case placeholder == fixtures.UserPlaceholder:
		return encoded("", ":")
	case placeholder == fixtures.BasicPlaceholder:
		return encoded("", "")
	case after != "" && isNameByte(after[0]):
		return "${" + variable + "}"
	}
	return "$" + variable
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
