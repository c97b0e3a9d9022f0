package redact

import (
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Mask replaces a secret.
const Mask = "[redacted]"

// maxSecrets is how many bytes of secrets [Many] looks for in every form, and in
// parts. The memory that a Redactor takes is ten forms of each.
const maxSecrets = 8 << 10

// Redactor masks secrets in every form in which a target may send one back. It
// undoes all escapes and decodes all base64 and hexadecimal digits, one inside
// another, and looks for the secrets in every reading on the way. Case is
// ignored. Of a long secret a part is masked, too, with the rest of the value
// around it. A nil Redactor masks nothing.
type Redactor struct {
	patterns *patterns
	clean    [2]clean          // of texts that may be folded, and others
	exact    *strings.Replacer // of more secrets, as they are; nil if there are none
	long     chan struct{}     // a place for each long text that may be searched at a time
}

// New returns a Redactor of these secrets. It ignores secrets of fewer than four
// bytes, which cannot be told from ordinary text.
func New(secrets []string) *Redactor {
	return &Redactor{patterns: newPatterns(secrets), long: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Many is New for any number of secrets, the most important first. Those in the
// first 8 KiB are masked in every form, the others only as they are.
func Many(secrets []string) *Redactor {
	n, size := 0, 0
	for n < len(secrets) && size+len(secrets[n]) <= maxSecrets {
		size += len(secrets[n])
		n++
	}
	r := New(secrets[:n])
	var pairs []string
	for _, secret := range secrets[n:] {
		if len(secret) >= minSecret {
			pairs = append(pairs, secret, Mask)
		}
	}
	if pairs != nil {
		r.exact = strings.NewReplacer(pairs...)
	}
	return r
}

// IsSecretName reports whether a header or parameter of that name may carry a
// credential, as far as the name tells.
func IsSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{
		"auth", "cookie", "token", "key", "secret", "pass", "pwd", "session", "credential", "signature", "jwt", "bearer",
		"hmac", "csrf", "xsrf", "vault", "login",
	}, func(part string) bool { return strings.Contains(name, part) })
}

// Text returns the text with its secrets masked. The text may come from a header
// field, in which a line fold has become a space (RFC 9112 §5.2).
func (r *Redactor) Text(s string) string { return string(r.mask([]byte(s), false, true)) }

// Header returns a copy with the secrets masked, in names as well.
func (r *Redactor) Header(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		masked := r.Text(name)
		for _, value := range h[name] {
			out[masked] = append(out[masked], r.Text(value))
		}
	}
	return out
}

// Bytes returns the text with its secrets masked. It is the same slice if there
// are none.
func (r *Redactor) Bytes(text []byte) []byte { return r.Body(text, false) }

// Body is Bytes for a text that may be cut off. It may then end in the middle of
// a secret, so that end is masked, too.
func (r *Redactor) Body(text []byte, cut bool) []byte { return r.mask(text, cut, folded(text)) }

func (r *Redactor) mask(text []byte, cut, folds bool) []byte {
	if r == nil {
		return text
	}
	if r.exact != nil {
		text = []byte(r.exact.Replace(string(text)))
	}
	clean := &r.clean[0]
	if folds {
		clean = &r.clean[1]
	}
	if len(r.patterns.set) == 0 || clean.has(text) {
		return text
	}
	if len(text) > minLong {
		r.long <- struct{}{}
		defer func() { <-r.long }()
	}
	var found []span
	for from := 0; ; from += pieceStep {
		to := min(from+pieceSize, len(text))
		s := search{patterns: r.patterns, cut: cut && to == len(text), folds: folds}
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

// minLong is the length of a text whose readings take far more memory than the text
// does. A search only computes: more of them than processors would be no faster.
const minLong = 16 << 10

// clean remembers short texts that hold no secret, because a target gives the
// same answer to many requests.
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

// masked replaces parts of a text. Parts that touch get one mask.
func masked(text []byte, parts []span) []byte {
	if len(parts) == 0 {
		return text
	}
	var out []byte
	copied := int32(0)
	for _, part := range merged(parts) {
		out = append(append(out, text[copied:part.from]...), Mask...)
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
