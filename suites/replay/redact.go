package replay

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// mask takes the place of a secret.
const mask = "[redacted]"

// redactor masks secrets in every form in which a target may send one back: it
// undoes all escapes and all base64 and hexadecimal digits, one in another, and
// looks for the secrets in every reading on the way. Case is ignored. Long ones
// are masked in part, too, with what else there is of the value.
type redactor struct {
	needles *needles
	clean   [2]clean          // of texts that may be folded, and others
	exact   *strings.Replacer // of more secrets, as they are; nil where there are none
}

// newRedactor makes one for these secrets. Those of fewer than minSecret bytes
// cannot be told from ordinary text and are left out.
func newRedactor(secrets []string) *redactor { return &redactor{needles: newNeedles(secrets)} }

// text gives the text with its secrets masked. It may come from a header field,
// in which a fold is a space by now (RFC 9112 §5.2).
func (r *redactor) text(s string) string { return string(r.mask([]byte(s), false, true)) }

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
func (r *redactor) body(text []byte, cut bool) []byte { return r.mask(text, cut, folded(text)) }

func (r *redactor) mask(text []byte, cut, folds bool) []byte {
	if r.exact != nil {
		text = []byte(r.exact.Replace(string(text)))
	}
	clean := &r.clean[0]
	if folds {
		clean = &r.clean[1]
	}
	if len(r.needles.set) == 0 || clean.has(text) {
		return text
	}
	var found []span
	for from := 0; ; from += pieceStep {
		to := min(from+pieceSize, len(text))
		s := search{needles: r.needles, cut: cut && to == len(text), folds: folds}
		for _, f := range s.piece(text[from:to]) {
			found = append(found, span{f.from + int32(from), f.to + int32(from)})
		}
		if to < len(text) {
			continue
		}
		if len(found) == 0 && !cut {
			clean.add(text)
		}
		return masked(text, found)
	}
}

// clean remembers short texts that hold no secret: a target gives the same
// answer to many requests.
type clean struct {
	mu    sync.RWMutex
	texts map[string]bool
}

const (
	maxClean     = 256 // bytes of a text
	maxCleanList = 512 // texts
)

func (c *clean) has(text []byte) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.texts[string(text)]
}

func (c *clean) add(text []byte) {
	if len(text) > maxClean {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil || len(c.texts) >= maxCleanList {
		c.texts = map[string]bool{}
	}
	c.texts[string(text)] = true
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
