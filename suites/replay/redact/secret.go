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
	// minSecret is the length from which a text is masked wherever it
	// appears. A shorter one cannot be told from ordinary text; it is still
	// kept out of the recorded request.
	minSecret = 4
	// minInBlock is the length from which a text is masked in what base64 or
	// hexadecimal digits decode to. Most of what looks like them is neither, and
	// decodes to noise in which any few bytes occur.
	minInBlock = 8
	// window is how many bytes of a secret in a row are enough to be masked,
	// so that a part of it does not slip through either. It is longer than most
	// of the words of which a token may be made.
	window = 12
)

// patterns are the texts that are searched for, in lower case.
type patterns struct {
	set    map[string]bool
	sizes  []int           // of those in the set, the longest first
	begins [1 << 10]uint64 // a set of hashes of their first bytes, to pass over text fast
	starts []string        // how secrets begin, for those that are cut off
	ascii  bool            // none has a byte beyond ASCII
	long   bool            // none is shorter than a window, with its white space or without
}

// newPatterns makes the patterns of secrets. They are read as texts are, since a secret
// may itself look escaped.
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

// add takes a reading of a secret. Without its white space a short one could be
// made of the words of any text.
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

// least is how long what a block decodes to must be to hold one.
func (n *patterns) least() int {
	if n.long {
		return window
	}
	return minInBlock
}

// roll takes a byte into the hash of minSecret bytes; the oldest drops out.
func roll(h uint16, c byte) uint16 { return h<<4 ^ uint16(c) }

// each yields where the patterns of at least that size are in a text, the
// longest at each place.
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

// begun gives how many bytes at the end of a text may be the beginning of a
// secret.
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

// forms are the ways in which a secret may be written that no reading of a text
// undoes: in another case beyond ASCII, with other characters for spaces, in
// UTF-16 without its zero bytes, and in base64 whose case was changed. Those in
// hexadecimal and base64 are here for short secrets, too.
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
			// What depends on the secret alone: not on what stands before it, by which it is
			// shifted, nor on what follows.
			list = append(list, encoding.EncodeToString(padded)[(shift*8+5)/6:len(padded)*8/6])
		}
	}
	for _, form := range list {
		list = append(list, strings.ReplaceAll(form, "+", " ")) // read as a form that it is not
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// inUTF16 leaves out the zero bytes, as the readings of texts do.
func inUTF16(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return strings.ReplaceAll(string(b), "\x00", "")
}

// lower maps the letters of ASCII and leaves all else alone, so that every
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
