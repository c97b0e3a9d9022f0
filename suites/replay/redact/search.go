package redact

import (
	"bytes"
	"sort"
	"strings"
)

const (
	// pieceSize bounds the memory that a search takes.
	pieceSize = 128 << 10
	// pieceStep leaves what two pieces share: more than a window takes in any
	// four codings, of which none makes more than six bytes of one.
	pieceStep = pieceSize - 16<<10
	// maxDepth is how many blocks in blocks are undone.
	maxDepth = 4
	// maxWork is how many bytes are read for one of a text, and minWork is
	// allowed for any text. Only what is made to take long takes more.
	maxWork = 100
	minWork = 16 << 10
)

// search looks for secrets in a piece of a text.
type search struct {
	patterns *patterns
	cut      bool // the piece ends where a text was cut off
	folds    bool // a secret may be folded: white space may stand in it
	size     int32
	left     int // how many bytes may yet be read
	found    []span
	values   []span // found in a value of which the rest is masked, too
}

// piece gives the parts that are to be masked: all of it where that takes too
// long to say.
func (s *search) piece(text []byte) []span {
	s.size = int32(len(text)) //nolint:gosec // no longer than pieceSize
	s.left = maxWork*len(text) + minWork
	plain := s.view(view{text: text}, 0)
	if s.cut {
		s.view(view{text: withoutEscapeAtEnd(text)}, 0)
	}
	if s.left < 0 {
		return []span{{0, s.size}}
	}
	for _, value := range merged(s.values) {
		s.found = append(s.found, plain.value(value))
	}
	return s.found
}

// view looks into all readings of a view. It gives the one in which no escape
// is left.
func (s *search) view(v view, depth int) (plain view) {
	plain, _, seen := s.readings(v, anyEscape, 0, depth)
	// What stands for nothing may stand inside an escape, or beside what then
	// looks like one: both are read.
	for _, fillers := range []family{ofNull, ofSpace, ofNull | ofSpace} {
		if seen&fillers == fillers && (fillers == ofNull || s.mayFold(depth)) {
			s.readings(v, anyEscape, fillers, depth)
		}
	}
	if seen&ofQuoted != 0 {
		_, joined, _ := s.readings(v, anyEscape|ofQuoted, ofNull, depth)
		s.readings(joined, anyEscape|ofQuoted, ofNull|ofSpace, depth) // escapes may be folded
		if first, undone := v.without(ofQuoted); undone != 0 {
			s.readings(first, anyEscape|ofQuoted, ofNull|ofSpace, depth) // or broken by its line breaks
		}
		unquoted, _ := v.without(ofCode) // as in a string of JSON
		for _, v := range []view{v, unquoted} {
			// A line break after = may be of the fold or of quoted-printable.
			unfolded, undone := v.without(ofBreaks | ofSpace)
			if undone != 0 {
				s.readings(unfolded, anyEscape|ofQuoted, ofNull, depth) // or both
			}
			if undone&ofBreaks != 0 {
				unfolded, _ = v.without(ofSpace)
				s.readings(unfolded, anyEscape|ofQuoted, ofNull, depth)
			}
		}
	}
	return plain
}

// readings looks into all readings of a view and the blocks of the last. It
// says what was seen in any: quoted-printable, and white space or zero bytes where
// an escape may be.
func (s *search) readings(v view, escapes, first family, depth int) (plain, joined view, seen family) {
	plain, joined = readings(v, escapes, first, s.mayFold(depth), func(v view, joined bool) bool {
		seen |= fillersIn(v.text)
		if quotes(v.text) {
			seen |= ofQuoted
		}
		s.scan(v, joined, depth)
		return s.left >= 0
	})
	for i, c := range plain.text {
		if introduces[c]&escapes != 0 {
			if _, size := unescape(plain.text[i:]); size > 0 { // too many escapes in escapes
				s.values = append(s.values, plain.place(i, i+size))
			}
		}
	}
	s.blocks(joined, depth)
	return plain, joined, seen
}

func (s *search) blocks(v view, depth int) {
	if depth == maxDepth {
		return
	}
	for _, block := range blocks(v, s.patterns.ascii, s.patterns.least()) {
		if len(block.text) > 0 && s.left >= 0 {
			s.view(block, depth+1)
		}
	}
}

func (s *search) scan(v view, joined bool, depth int) {
	s.left -= len(v.text)
	least := 0
	switch {
	case joined:
		least = window
	case depth > 0:
		least = minInBlock
	}
	s.patterns.each(v.text, least, func(from, size int) {
		place := v.place(from, from+size)
		if size == window {
			s.values = append(s.values, place)
		} else {
			s.found = append(s.found, place)
		}
	})
	if !s.cut {
		return
	}
	for _, text := range [][]byte{v.text, withoutEscapeAtEnd(v.text)} {
		if n := s.patterns.begun(text); n > 0 {
			from := v.place(len(text)-n, len(text)).from
			s.found = append(s.found, span{from, s.size})
		}
	}
}

// withoutEscapeAtEnd leaves out an escape that was cut off.
func withoutEscapeAtEnd(text []byte) []byte {
	tail := text[max(0, len(text)-longestName):]
	if i := bytes.LastIndexAny(tail, `%\&=`); i >= 0 {
		return text[:len(text)-len(tail)+i]
	}
	return text
}

// quotes reports whether a text may be quoted-printable.
func quotes(text []byte) bool {
	for i := bytes.IndexByte(text, '='); i >= 0 && i < len(text); i++ {
		if text[i] == '=' {
			if _, size := quotedPrintable(text[i:]); size > 0 {
				return true
			}
		}
	}
	return false
}

// fillersIn are the families of what stands for nothing close behind what may
// begin an escape.
func fillersIn(text []byte) (found family) {
	begun := -longestName
	for i, c := range text {
		switch f := introduces[c]; {
		case f&(ofAddresses|ofCode|ofHTML|ofQuoted) != 0:
			begun = i
		case f&(ofNull|ofSpace) != 0 && i-begun < longestName:
			found |= f
		}
	}
	return found
}

// value gives the part of a text that holds a found one and all that belongs to
// the same value, as far as can be seen.
func (v view) value(found span) span {
	from := sort.Search(len(v.text), func(i int) bool { return v.place(i, i+1).to > found.from })
	to := sort.Search(len(v.text), func(i int) bool { return v.place(i, i+1).from >= found.to })
	for from > 0 && isOfValue(v.text[from-1]) && v.adjoin(from) {
		from--
	}
	for to > 0 && to < len(v.text) && isOfValue(v.text[to]) && v.adjoin(to) {
		to++
	}
	if from >= to {
		return found
	}
	whole := v.place(from, to)
	return span{min(whole.from, found.from), max(whole.to, found.to)}
}

// adjoin reports whether nothing was left out before a byte.
func (v view) adjoin(i int) bool { return v.place(i-1, i).to >= v.place(i, i+1).from }

// isOfValue reports whether c usually belongs to a credential (RFC 6750 §2.1), and not to
// the URL around one.
func isOfValue(c byte) bool { return isAlphanumeric(c) || strings.IndexByte("-._~+", c) >= 0 }

// mayFold reports whether white space may stand in a secret at that depth. What a
// block decodes to is seldom text, and then it may be of any form.
func (s *search) mayFold(depth int) bool { return s.folds || depth > 0 }

// folded reports whether a text may be folded: it has a line break inside, or
// escapes, which may stand for one.
func folded(text []byte) bool {
	return bytes.ContainsAny(bytes.TrimSpace(text), "\r\n") || bytes.ContainsAny(text, `\%&=`)
}
