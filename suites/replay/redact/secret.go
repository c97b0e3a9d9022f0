package redact

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf16"
)

const (
	// minSecret is the minimum length of a secret that is masked everywhere.
	// Ordinary text would contain a shorter one. A shorter secret is still not
	// in the recorded request.
	minSecret = 4
	// minInBlock is the minimum length of a match in decoded base64 or hexadecimal
	// digits. Most texts that look like such digits are not encoded. They decode to
	// noise, which can contain any few bytes.
	minInBlock = 8
	// window is the number of consecutive bytes of a secret that are masked even
	// without the rest of the secret. It is longer than most of the words that a
	// token may consist of.
	window = 12
)

// patterns are the texts to search for, in lower case.
type patterns struct {
	set    map[string]bool
	sizes  []int           // the lengths of the texts in set, the longest first
	begins [1 << 10]uint64 // hashes of the first bytes of the texts in set, to skip text fast
	starts []string        // the beginnings of secrets, to find a secret that is cut off
	ascii  bool            // all secrets are ASCII
	long   bool            // no secret is shorter than a window, with or without its white space
}

// newPatterns returns the patterns of secrets. It decodes the secrets in the same way as
// texts, because a secret may itself look escaped.
func newPatterns(secrets []string) *patterns {
	n := &patterns{set: map[string]bool{}, ascii: true, long: true}
	for _, secret := range secrets {
		for _, form := range forms(secret) {
			n.ascii = n.ascii && !strings.ContainsFunc(form, func(c rune) bool { return c > 0x7f })
			for _, escapes := range []family{anyEscape, anyEscape | ofQuoted} {
				readings(view{text: []byte(form)}, escapes, 0, true, func(v view, joined bool) bool {
					n.add(lowerText(string(v.text)), joined)
					return true
				})
			}
		}
	}
	slices.Sort(n.sizes)
	slices.Reverse(n.sizes)
	slices.Sort(n.starts)
	n.starts = slices.Compact(n.starts)
	return n
}

// add adds a reading of a secret. joined means that white space was removed. add ignores
// a short joined reading, because the words of any text could match it.
func (n *patterns) add(reading string, joined bool) {
	size := min(window, len(reading))
	n.long = n.long && size == window
	if size < minSecret || joined && size < window {
		return
	}
	n.starts = append(n.starts, reading[:size])
	for i := range len(reading) - size + 1 {
		n.set[reading[i:i+size]] = true
		var h uint16
		for j := range minSecret {
			h = roll(h, reading[i+j])
		}
		n.begins[h/64] |= 1 << (h % 64)
	}
	if !slices.Contains(n.sizes, size) {
		n.sizes = append(n.sizes, size)
	}
}

// least returns the minimum length of a decoded block that may contain a pattern.
func (n *patterns) least() int {
	if n.long {
		return window
	}
	return minInBlock
}

// roll adds a byte to the hash of the last minSecret bytes. The oldest byte drops out.
func roll(h uint16, c byte) uint16 { return h<<4 ^ uint16(c) }

// each yields the place and size of each pattern in a text, the longest one at each
// place. It ignores patterns shorter than least.
func (n *patterns) each(text []byte, least int, yield func(from, size int)) {
	var h uint16
	for i, c := range text {
		h = roll(h, lower[c])
		if n.begins[h/64]&(1<<(h%64)) == 0 || i+1 < minSecret {
			continue
		}
		from := i + 1 - minSecret
		var read [window]byte
		length := copy(read[:], text[from:])
		for j, c := range read[:length] {
			read[j] = lower[c]
		}
		for _, size := range n.sizes {
			if size >= least && size <= length && n.set[string(read[:size])] {
				yield(from, size)
				break
			}
		}
	}
}

// begun returns the number of bytes at the end of a text that may be the beginning of
// a secret.
func (n *patterns) begun(text []byte) int {
	most := 0
	tail := lowerText(string(text[max(0, len(text)-window):]))
	for _, start := range n.starts {
		for size := min(len(start), len(tail)); size >= minSecret && size > most; size-- {
			if strings.HasSuffix(tail, start[:size]) {
				most = size
			}
		}
	}
	return most
}

// forms returns the forms of a secret that the readings of a text do not decode: another
// case of non-ASCII letters, other characters for spaces, UTF-16 without its zero bytes,
// and base64 whose case was changed. The hexadecimal and base64 forms also serve short
// secrets.
func forms(secret string) []string {
	if len(secret) < minSecret {
		return nil
	}
	list := []string{
		secret,
		strings.ToLower(secret),
		strings.ToUpper(secret),
		hex.EncodeToString([]byte(secret)),
		inUTF16(secret, binary.LittleEndian),
		inUTF16(secret, binary.BigEndian),
		strings.ReplaceAll(secret, " ", "+"), // as forms have them
		strings.ReplaceAll(secret, " ", "_"), // RFC 2047 §4.2
	}
	for shift := range 3 {
		padded := append(make([]byte, shift), secret...)
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			// Use only the digits that depend on the secret alone. The bytes before it
			// determine the shift, and the other digits mix with the bytes around it.
			list = append(list, encoding.EncodeToString(padded)[(shift*8+5)/6:len(padded)*8/6])
		}
	}
	for _, form := range list {
		list = append(list, strings.ReplaceAll(form, "+", " ")) // a form decoder may turn + into a space
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// inUTF16 returns the text in UTF-16 without zero bytes, which the readings remove too.
func inUTF16(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return strings.ReplaceAll(string(b), "\x00", "")
}

// lower maps ASCII letters to lower case and other bytes to themselves, so that every
// byte keeps its place.
var lower = func() (table [256]byte) { //nolint:gochecknoglobals // a table that nobody writes to
	for c := range table {
		table[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			table[c] += 'a' - 'A'
		}
	}
	return table
}()

func lowerText(text string) string {
	b := []byte(text)
	for i, c := range b {
		b[i] = lower[c]
	}
	return string(b)
}
