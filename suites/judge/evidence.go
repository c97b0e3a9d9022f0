package judge

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxEvidence bounds the length of each text of a finding, in bytes.
const maxEvidence = 400

// find is the one place where evidence enters a finding. Secrets are taken out
// of the whole text before it is cut, or a part of one could be left.
func (j *judging) find(f Finding) {
	var around int
	var redacted string
	if _, body := j.exchange.Raw(); len(body) > 0 && f.Actual == string(body) {
		around, redacted = int(f.Offset), string(j.exchange.Response.Body) // which was searched when it was recorded
	} else {
		redacted = j.exchange.Redact(f.Actual)
	}
	if redacted != f.Actual {
		f.Actual, around = redacted, 0                 // the mask moved what the offset points at
		f.Message, _, _ = strings.Cut(f.Message, ": ") // what follows quotes parts of it
	}
	f.Actual = cut(f.Actual, around)
	for _, text := range []*string{&f.Message, &f.Pointer, &f.Expected} {
		*text = cut(j.exchange.Redact(*text), 0)
	}
	for _, text := range []*string{&f.Message, &f.Pointer, &f.Expected, &f.Actual} {
		*text = ValidText(*text)
	}
	j.findings = append(j.findings, f)
}

// cut shortens a text to what can be read, around a place of interest.
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

// ValidText is a text as JSON can hold it: each byte that is not UTF-8 is written
// as \xe9.
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
