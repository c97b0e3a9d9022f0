package replay

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// mask takes the place of a secret.
const mask = "[redacted]"

// redactor masks secrets in every form in which a target may send one back:
// as they are, in base64 at any alignment, in hexadecimal, and with any of
// their characters escaped as URLs, JSON, HTML or shells do. Case is ignored.
// Long ones are masked in part, too.
type redactor struct {
	starts  []string             // how secrets begin, escapes aside
	windows map[[3]byte][]string // what is masked, by its first bytes
	begins  [1 << 10]uint64      // a set of hashes of these, to pass over text fast
	exact   *strings.Replacer    // of more secrets, as they are; nil where there are none
}

// newRedactor makes one for these secrets. Those of fewer than minSecret bytes
// cannot be told from ordinary text and are left out.
func newRedactor(secrets []string) *redactor {
	r := &redactor{windows: map[[3]byte][]string{}}
	for _, secret := range secrets {
		for _, form := range forms(secret) {
			r.starts = append(r.starts, form[:min(window, len(form))])
			for _, w := range windows(form) {
				r.add(w)
			}
		}
	}
	return r
}

func (r *redactor) add(w string) {
	begin := [3]byte([]byte(w[:3]))
	if slices.Contains(r.windows[begin], w) {
		return
	}
	r.windows[begin] = append(r.windows[begin], w)
	h := hash(begin)
	r.begins[h/64] |= 1 << (h % 64)
}

func (r *redactor) mayBegin(begin [3]byte) bool {
	h := hash(begin)
	return r.begins[h/64]&(1<<(h%64)) != 0
}

func hash(b [3]byte) uint16 { return uint16(b[0]) ^ uint16(b[1])<<5 ^ uint16(b[2])<<9 }

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

// body is bytes for a response's body. One that is cut off may end in the
// middle of a secret: then its end is masked, too.
func (r *redactor) body(body []byte, cut bool) []byte {
	if cut {
		for i := max(0, len(body)-longestTail); i < len(body); i++ {
			if r.secretBeginsWith(body[i:]) {
				return slices.Concat(r.bytes(body[:i]), []byte(mask))
			}
		}
	}
	return r.bytes(body)
}

func (r *redactor) secretBeginsWith(tail []byte) bool {
	return slices.ContainsFunc(r.starts, func(start string) bool {
		n, ok := matchBeginning(tail, start)
		return ok && n >= minSecret
	})
}

// bytes gives the text with its secrets masked; the same slice where there
// are none. In a text that was quoted, by net/http in an error or by a target
// as JSON in JSON, the escapes are escaped: where that hides a secret it is
// undone.
func (r *redactor) bytes(text []byte) []byte {
	if r.exact != nil {
		text = []byte(r.exact.Replace(string(text)))
	}
	masked := r.masked(text)
	unquoted := bytes.ReplaceAll(masked, []byte(`\\`), []byte(`\`))
	if len(unquoted) == len(masked) {
		return masked
	}
	if found := r.masked(unquoted); !bytes.Equal(found, unquoted) {
		return found
	}
	return masked
}

func (r *redactor) masked(text []byte) []byte {
	if len(r.windows) == 0 {
		return text
	}
	var out bytes.Buffer
	copied, masked := 0, -1 // up to where the text is in out, and where the last mask ends
	for i := range text {
		if i+3 <= len(text) && !introduces(text[i]) && !introduces(text[i+1]) && !introduces(text[i+2]) &&
			!r.mayBegin([3]byte{lower(text[i]), lower(text[i+1]), lower(text[i+2])}) {
			continue // the most of any text
		}
		end := r.secretAt(text, i, i, [3]byte{}, 0)
		if end < 0 {
			continue
		}
		if i > masked {
			out.Write(text[copied:i])
			out.WriteString(mask)
		}
		masked = max(masked, end)
		copied = masked
	}
	if masked < 0 {
		return text
	}
	out.Write(text[copied:])
	return out.Bytes()
}

// secretAt gives the end of the longest secret that begins at from, or -1. It
// reads the first three bytes, in every way in which escapes can be read; n of
// them are read, up to i.
func (r *redactor) secretAt(text []byte, from, i int, read [3]byte, n int) int {
	if n == len(read) {
		return r.longest(text, from, read)
	}
	if i == len(text) {
		return -1
	}
	plain, escaped := read, read
	plain[n] = lower(text[i])
	end := r.secretAt(text, from, i+1, plain, n+1)
	if b, size := unescape(text[i:]); size > 0 {
		n += copy(escaped[n:], b)
		end = max(end, r.secretAt(text, from, i+size, escaped, n))
	}
	return end
}

func (r *redactor) longest(text []byte, from int, begin [3]byte) int {
	end := -1
	if !r.mayBegin(begin) {
		return end
	}
	for _, w := range r.windows[begin] {
		if n, ok := match(text[from:], w); ok {
			end = max(end, from+n)
		}
	}
	return end
}
