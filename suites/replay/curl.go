package replay

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plantstore/conformance/fixtures"
)

const (
	// tokenVariable is what the credential is called in a command to be
	// pasted into a shell.
	tokenVariable = "$CONFORMANCE_TOKEN"
	// longRun is from how many equal bytes on they are counted, not written.
	longRun = 256
)

// Curl writes the message as a command for a POSIX shell that sends the same
// request. The credential stands in it as $CONFORMANCE_TOKEN; values of other
// secret headers are masked.
func Curl(target Target, m fixtures.Message) string {
	words := []string{"curl", "-sS", "-i"}
	if m.Method != "GET" || m.HasBody {
		words = append(words, "-X", m.Method)
	}
	if m.Method == "HEAD" {
		words = []string{"curl", "-sS", "-I"}
	}
	words = append(words, quoteValue(strings.TrimSuffix(target.BaseURL, "/")+m.Path+curlQuery(m.Query)))
	for _, h := range target.Headers {
		if isSecretName(h.Name) {
			h.Value = mask
		}
		words = append(words, "-H", quote(h.Name+": "+h.Value))
	}
	for _, h := range m.Header {
		if h.Value == "" {
			words = append(words, "-H", quote(h.Name+";")) // curl's way to send an empty field
			continue
		}
		words = append(words, "-H", quoteValue(h.Name+": "+h.Value))
	}
	return withBody(words, m)
}

func curlQuery(query []fixtures.Field) string {
	var b strings.Builder
	for i, q := range query {
		b.WriteByte("?&"[min(i, 1)])
		value := q.Value
		if !strings.Contains(value, fixtures.TokenPlaceholder) {
			value = url.QueryEscape(value)
		}
		b.WriteString(url.QueryEscape(q.Name) + "=" + value)
	}
	return b.String()
}

// withBody adds the body: as an argument where it is text, from a pipe where
// a shell could not pass it on byte for byte.
func withBody(words []string, m fixtures.Message) string {
	hasType := slices.ContainsFunc(m.Header, func(h fixtures.Field) bool { return h.Name == "Content-Type" })
	if m.HasBody && !hasType {
		words = append(words, "-H", "'Content-Type:'") // or curl would add its own
	}
	switch {
	case !m.HasBody:
		return strings.Join(words, " ")
	case len(m.Body) == 0:
		return strings.Join(append(words, "-H", "'Transfer-Encoding: chunked'", "--data-binary", "''"), " ")
	case isText(m.Body) && longestRun(m.Body) < longRun:
		flag := "--data-binary"
		if m.Body[0] == '@' {
			flag = "--data-raw"
		}
		return strings.Join(append(words, flag, quote(string(m.Body))), " ")
	}
	return printf(m.Body) + " | " + strings.Join(append(words, "--data-binary", "@-"), " ")
}

func isText(body []byte) bool {
	if !utf8.Valid(body) {
		return false
	}
	for _, r := range string(body) {
		if r != '\n' && !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// runs cuts the body into stretches of one byte that are long, and the rest.
func runs(body []byte) [][]byte {
	var parts [][]byte
	rest := 0
	for i := 0; i < len(body); {
		j := i
		for j < len(body) && body[j] == body[i] {
			j++
		}
		if j-i >= longRun {
			if rest < i {
				parts = append(parts, body[rest:i])
			}
			parts = append(parts, body[i:j])
			rest = j
		}
		i = j
	}
	if rest < len(body) {
		parts = append(parts, body[rest:])
	}
	return parts
}

func longestRun(body []byte) int {
	longest := 0
	for _, part := range runs(body) {
		if bytes.Count(part, part[:1]) == len(part) {
			longest = max(longest, len(part))
		}
	}
	return longest
}

// printf writes a command that prints the body.
func printf(body []byte) string {
	var commands []string
	for _, part := range runs(body) {
		if len(part) >= longRun && bytes.Count(part, part[:1]) == len(part) {
			commands = append(commands, fmt.Sprintf(`head -c %d /dev/zero | tr '\0' '\%03o'`, len(part), part[0]))
			continue
		}
		var b strings.Builder
		for len(part) > 0 {
			r, size := utf8.DecodeRune(part)
			switch {
			case r == '\'':
				b.WriteString(`\047`)
			case r == '\\':
				b.WriteString(`\\`)
			case r == '%':
				b.WriteString("%%")
			case r != utf8.RuneError && unicode.IsPrint(r):
				b.WriteRune(r)
			default:
				for _, c := range part[:size] {
					fmt.Fprintf(&b, `\%03o`, c)
				}
			}
			part = part[size:]
		}
		commands = append(commands, "printf '"+b.String()+"'")
	}
	if len(commands) == 1 {
		return commands[0]
	}
	return "{ " + strings.Join(commands, "; ") + "; }"
}

// quote makes the text one word of a shell command, with nothing expanded.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// quoteValue quotes a text in which the credential may stand; the shell is to
// put that in.
func quoteValue(text string) string {
	if !strings.Contains(text, fixtures.TokenPlaceholder) {
		return quote(text)
	}
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`",
		fixtures.BasicPlaceholder, "\x00", fixtures.TokenPlaceholder, "\x01", "$", `\$`).Replace(text)
	text = strings.NewReplacer("\x00", `$(printf %s "`+tokenVariable+`" | base64)`, "\x01", tokenVariable).Replace(text)
	return `"` + text + `"`
}
