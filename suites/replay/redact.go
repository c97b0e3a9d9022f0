package replay

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// mask takes the place of a secret.
const mask = "[redacted]"

// redactor masks secrets in every form in which a target may send one back: it
// undoes all escapes and all base64 and hexadecimal digits, one in another, and
// looks for the secrets in every reading on the way. Case is ignored. Long ones
// are masked in part, too, with what else there is of the value.
type redactor struct {
	needles *needles
	exact   *strings.Replacer // of more secrets, as they are; nil where there are none
}

// newRedactor makes one for these secrets. Those of fewer than minSecret bytes
// cannot be told from ordinary text and are left out.
func newRedactor(secrets []string) *redactor { return &redactor{needles: newNeedles(secrets)} }

// text gives the text with its secrets masked.
func (r *redactor) text(s string) string { return string(r.bytes([]byte(s))) }

// header gives a copy with the secrets masked, in names as well.
func (r *redactor) header(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		masked := r.text(name)
		for _, value := range h[name] {
			out[masked] = append(out[masked], r.text(value))
		}
	}
	return out
}

// bytes gives the text with its secrets masked; the same slice where there
// are none.
func (r *redactor) bytes(text []byte) []byte { return r.body(text, false) }

// body is bytes for a response's body. One that is cut off may end in the
// middle of a secret: then its end is masked, too.
func (r *redactor) body(text []byte, cut bool) []byte {
	if r.exact != nil {
		text = []byte(r.exact.Replace(string(text)))
	}
	if len(r.needles.set) == 0 {
		return text
	}
	var found []span
	for from := 0; ; from += pieceStep {
		to := min(from+pieceSize, len(text))
		s := search{needles: r.needles, cut: cut && to == len(text)}
		for _, f := range s.piece(text[from:to]) {
			found = append(found, span{f.from + int32(from), f.to + int32(from)}) //nolint:gosec // bodies are limited
		}
		if to == len(text) {
			return masked(text, found)
		}
	}
}

// masked replaces parts of a text, those that touch by one mask.
func masked(text []byte, parts []span) []byte {
	if len(parts) == 0 {
		return text
	}
	var out []byte
	copied := int32(0)
	for _, part := range merged(parts) {
		out = append(append(out, text[copied:part.from]...), mask...)
		copied = part.to
	}
	return append(out, text[copied:]...)
}

// merged gives the parts in order, those that touch as one. It writes to them.
func merged(parts []span) []span {
	slices.SortFunc(parts, func(a, b span) int { return int(a.from) - int(b.from) })
	n := 0
	for _, part := range parts {
		if n > 0 && part.from <= parts[n-1].to {
			parts[n-1].to = max(parts[n-1].to, part.to)
			continue
		}
		parts[n] = part
		n++
	}
	return parts[:n]
}
