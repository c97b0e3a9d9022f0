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

// maxSecrets is the number of bytes of secrets that [Many] searches for in every form,
// and in parts. A Redactor needs memory for ten forms of each secret.
const maxSecrets = 8 << 10

// A Redactor masks secrets in every form in which a target may send one back. It
// decodes all escapes and all base64 and hexadecimal digits, also nested ones, and
// searches for the secrets in every decoded text. It ignores case. It also masks a
// part of a long secret, together with the value around this part. A nil Redactor
// masks nothing.
type Redactor struct {
	patterns *patterns
	clean    [2]clean          // texts without a secret: [1] for those that may be folded, [0] for others
	exact    *strings.Replacer // masks further secrets only as they are; nil if there are none
	long     chan struct{}     // limits the number of long texts that are searched concurrently
}

// New returns a Redactor for these secrets. It ignores secrets of fewer than four
// bytes, because ordinary text may contain them by chance.
func New(secrets []string) *Redactor {
	return &Redactor{patterns: newPatterns(secrets), long: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Many is like New for any number of secrets, the most important first. The secrets in
// the first 8 KiB are masked in every form, the others only as they are.
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

// IsSecretName reports whether the name of a header or parameter suggests that it
// carries a credential.
func IsSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{
		"auth", "cookie", "token", "key", "secret", "pass", "pwd", "session", "credential", "signature", "jwt", "bearer",
		"hmac", "csrf", "xsrf", "vault", "login",
	}, func(part string) bool { return strings.Contains(name, part) })
}

// Text returns the text with its secrets masked. It looks for folded secrets too,
// because a line fold in a header field becomes a space (RFC 9112 §5.2).
func (r *Redactor) Text(s string) string { return string(r.mask([]byte(s), false, true)) }

// Header returns a copy with the secrets masked in names and values.
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

// Body is like Bytes, for a text that may be cut off. Such a text may end in the middle
// of a secret, so Body also masks the beginning of a secret at the end.
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

// minLong is the length of a text from which the number of concurrent searches is limited.
// The readings of a long text need much memory, and more searches than processors are
// not faster.
const minLong = 16 << 10

// clean remembers short texts without a secret, because a target sends the same
// response to many requests.
type clean struct {
	mu    sync.RWMutex
	texts map[string]bool
}

const (
	maxClean     = 256 // maximum bytes of a text
	maxCleanList = 512 // maximum number of texts
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

// masked replaces parts of a text with the mask. Adjacent parts get one mask.
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

// merged returns the parts in order, with adjacent parts joined. It overwrites parts.
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
