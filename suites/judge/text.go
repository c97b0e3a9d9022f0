package judge

import (
	"fmt"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Number returns a count with its noun: "1 clause", "2 clauses".
func Number(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Numbers returns how many there are of each kind, such as "2 failed", in this order. It omits kinds without any.
func Numbers[K ~string](counts map[K]int, order ...K) []string {
	var parts []string
	for _, kind := range order {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return parts
}

// ServerError describes a response with a 5xx status, so that different crashes of a service can be
// told apart. It omits what may differ between two responses to one crash, such as times and
// request ids. It is empty for other responses.
func ServerError(status int, contentType, body string) string {
	if status/100 != 5 {
		return ""
	}
	const read, enough = 1 << 10, 400 // in bytes: of the body, and of the text that remains
	text := variable.ReplaceAllString(body[:min(len(body), read)], "0")
	text = several.ReplaceAllString(text, "0")
	return MediaType(contentType) + " " + text[:min(len(text), enough)]
}

var (
	// variable matches a text of a derived request, a word with a digit in it (a time, an address, a
	// request id), a path, quoted text in an HTML page, and the type of a value that was sent.
	variable = regexp.MustCompile(`conformance[ +](?:[^"'&<\n]*?\d{6,}|text)|[\w.:+-]*\d[\w.:+-]*|/[\w./-]+|&quot;.*?&quot;|&apos;.*?&apos;` +
		`|'(?:NoneType|bool|dict|float|int|list|str)'|\bthe (?:NoneType|bool|dict|float|int|list|str) [^\s"]+`)
	// several matches a list of variable parts, as in "values ($1, $2), ($3, $4)".
	several = regexp.MustCompile(`0(?:[^\w"'<>]{1,5}0)+`)
)

// MediaType returns the type without parameters, in lower case. It returns invalid text unchanged.
func MediaType(contentType string) string {
	if name, _, err := mime.ParseMediaType(contentType); err == nil {
		return name
	}
	return contentType
}

// cut shortens a text to the maximum length, around a place of interest.
func cut(text string, around int) string {
	if len(text) <= maxEvidence {
		return text
	}
	from := min(max(around-maxEvidence/2, 0), len(text)-maxEvidence)
	part := strings.ToValidUTF8(text[from:from+maxEvidence], "")
	if from > 0 {
		part = "…" + part
	}
	if from+maxEvidence < len(text) {
		part += "…"
	}
	return fmt.Sprintf("%s (of %d bytes)", part, len(text))
}

// ValidText returns the text with each byte that is not UTF-8 written as \xe9, so that JSON can have it.
func ValidText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[0])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}
