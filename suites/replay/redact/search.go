package redact

import (
	"bytes"
	"sort"
	"strings"
)

const (
	// pieceSize limits the memory that a search needs.
	pieceSize = 128 << 10
	// pieceStep makes two pieces overlap by more than a window takes in any four nested
	// codings. No coding makes more than six bytes of one.
	pieceStep = pieceSize - 16<<10
	// maxDepth is the maximum number of nested blocks that are decoded.
	maxDepth = 4
	// maxWork is how many bytes a search may read for each byte of a piece, and minWork is
	// always allowed. Only a text that is made to be slow exceeds this.
	maxWork = 100
	minWork = 16 << 10
)

// search looks for secrets in a piece of a text.
type search struct {
	patterns *patterns
	cut      bool // the piece ends where the text was cut off
	folds    bool // a secret may be folded and then contain white space
	size     int32
	left     int // how many more bytes may be read
	found    []span
	values   []span // matches in a value that is masked as a whole
}

// piece returns the parts of a piece to mask. If the search takes too long, it returns
// the whole piece.
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

// view searches all readings of a view. It returns the reading in which all escapes are
// decoded.
func (s *search) view(v view, depth int) (plain view) {
	plain, _, seen := s.readings(v, anyEscape, 0, depth)
	// A filler may be inside an escape, or its removal may create a false escape. So
	// search with and without fillers.
	for _, fillers := range []family{ofNull, ofSpace, ofNull | ofSpace} {
		if seen&fillers == fillers && (fillers == ofNull || s.mayFold(depth)) {
			s.readings(v, anyEscape, fillers, depth)
		}
	}
	if seen&ofQuoted != 0 {
		_, joined, _ := s.readings(v, anyEscape|ofQuoted, ofNull, depth)
		s.readings(joined, anyEscape|ofQuoted, ofNull|ofSpace, depth) // a fold may be inside an escape
		if first, undone := v.without(ofQuoted); undone != 0 {
			s.readings(first, anyEscape|ofQuoted, ofNull|ofSpace, depth) // or a line break of quoted-printable
		}
		unquoted, _ := v.without(ofCode) // the text may be a JSON string
		for _, v := range []view{v, unquoted} {
			// A line break after = may belong to the fold, to quoted-printable, or to both.
			unfolded, undone := v.without(ofBreaks | ofSpace)
			if undone != 0 {
				s.readings(unfolded, anyEscape|ofQuoted, ofNull, depth)
			}
			if undone&ofBreaks != 0 {
				unfolded, _ = v.without(ofSpace)
				s.readings(unfolded, anyEscape|ofQuoted, ofNull, depth)
			}
		}
	}
	return plain
}

// readings searches all readings of a view, and the blocks of the last one. seen tells
// what any reading contains: quoted-printable, and white space or zero bytes that may be
// inside an escape.
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
			if _, size := unescape(plain.text[i:]); size > 0 { // the escapes are nested too deeply
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

// withoutEscapeAtEnd removes an escape that was cut off.
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

// fillersIn returns the families of the fillers that follow closely after a possible
// beginning of an escape.
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

// value extends a match to the whole value that contains it, as far as its characters
// tell.
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

// adjoin reports whether no bytes were removed before the byte at i.
func (v view) adjoin(i int) bool { return v.place(i-1, i).to >= v.place(i, i+1).from }

// isOfValue reports whether c usually belongs to a credential (RFC 6750 §2.1), and not to
// a URL that contains one.
func isOfValue(c byte) bool { return isAlphanumeric(c) || strings.IndexByte("-._~+", c) >= 0 }

// mayFold reports whether a secret may contain white space at that depth. Text in a block
// is rare and may have any form.
func (s *search) mayFold(depth int) bool { return s.folds || depth > 0 }

// folded reports whether a text may be folded: it contains a line break, or an escape
// that may be one.
func folded(text []byte) bool {
	return bytes.ContainsAny(bytes.TrimSpace(text), "\r\n") || bytes.ContainsAny(text, `\%&=`)
}
