package redact

// maxRounds is the maximum depth of nested escapes that are decoded.
const maxRounds = 10

// maxBreaks is how often fillers, which decode to nothing, are removed in one round. A
// line break of quoted-printable may itself be in UTF-16.
const maxBreaks = 3

// A span is the part of a text from the byte at from to the byte before to.
type span struct{ from, to int32 }

// A view is a reading of a text, and the place in the text that each of its bytes comes from.
type view struct {
	text []byte
	at   []span // nil if the reading is the text itself
}

// place returns the part of the text that a part of the view comes from.
func (v view) place(from, to int) span {
	if v.at == nil {
		return span{int32(from), int32(to)} //nolint:gosec // a text is cut into pieces
	}
	return span{v.at[from].from, v.at[to-1].to}
}

// readings yields a view as it is, and then with its escapes decoded, round by round. If
// folds is true, it also yields the last reading without white space. It returns these
// two. It stops when yield returns false.
//
// The fillers in first are removed at the beginning of each round. A filler may be inside an
// escape, which would otherwise be decoded too late or only in part.
func readings(v view, escapes, first family, folds bool, yield func(v view, joined bool) bool) (last, joined view) {
	if escapes&ofQuoted != 0 {
		first |= ofBreaks
	}
	escapes &^= first
	for range maxRounds {
		var more bool
		if v, more = v.unbroken(first, yield); !more {
			return v, v
		}
		next, undone := v.without(escapes)
		if undone == 0 {
			break
		}
		for f := family(1); f != 0; f <<= 1 {
			// An escape of one family may be plain text in another.
			if only := undone & f; only != 0 && only != undone {
				part, _ := v.without(only)
				if !yield(part, false) {
					return v, v
				}
			}
		}
		if undone&ofAddresses != 0 && undone != ofAddresses {
			// The end of an escape of another family may be percent-encoded, even twice.
			next, _ = v.without(ofAddresses)
		}
		v = next
	}
	if !folds {
		return v, v
	}
	joined, spaces := v.without(ofSpace)
	if spaces == 0 {
		return v, v
	}
	yield(joined, true)
	return v, joined
}

// unbroken yields a view, and then repeatedly yields it without its fillers. It returns
// the last view. more is false if yield returned false.
func (v view) unbroken(breaks family, yield func(v view, joined bool) bool) (last view, more bool) {
	for range maxBreaks {
		if !yield(v, false) {
			return v, false
		}
		next, undone := v.without(breaks)
		if undone == 0 {
			return v, true
		}
		v = next
	}
	return v, yield(v, false)
}

// without decodes each escape of some families once, and returns the families that it
// found. Removed white space leaves a gap between the places of its neighbors.
func (v view) without(escapes family) (out view, undone family) {
	copied := 0
	flush := func(to int) {
		out.text = append(out.text, v.text[copied:to]...)
		if v.at != nil {
			out.at = append(out.at, v.at[copied:to]...)
			return
		}
		for i := copied; i < to; i++ {
			out.at = append(out.at, span{int32(i), int32(i + 1)}) //nolint:gosec // a text is cut into pieces
		}
	}
	for i := 0; i < len(v.text); {
		f := introduces[v.text[i]] & escapes
		if f == 0 {
			i++
			continue
		}
		char, size := unescape(v.text[i:])
		if size == 0 || f == ofBreaks && char != "" {
			i++
			continue
		}
		if undone == 0 {
			out = view{make([]byte, 0, len(v.text)), make([]span, 0, len(v.text))}
		}
		undone |= f
		flush(i)
		where := v.place(i, i+size)
		for j := range len(char) {
			out.text, out.at = append(out.text, char[j]), append(out.at, where)
		}
		if n := len(out.at); char == "" && f != ofSpace && n > 0 && out.at[n-1].to == where.from {
			out.at[n-1].to = where.to
		}
		i += size
		copied = i
	}
	if undone != 0 {
		flush(len(v.text))
	}
	return out, undone
}
