package redact

// maxRounds is how many escapes in escapes are undone.
const maxRounds = 10

// maxBreaks is how often what stands for nothing is taken out in one round: a line
// break of quoted-printable may itself be in UTF-16.
const maxBreaks = 3

// span is a part of a text: from the first byte to before the last.
type span struct{ from, to int32 }

// view is a reading of a text, and where each of its bytes stands there.
type view struct {
	text []byte
	at   []span // nil where the text is read as it is
}

// place gives where a part of the view stands in the text.
func (v view) place(from, to int) span {
	if v.at == nil {
		return span{int32(from), int32(to)} //nolint:gosec // a text is cut into pieces
	}
	return span{v.at[from].from, v.at[to-1].to}
}

// readings yields a view as it is and with its escapes undone, round by round,
// and of the last of them what is left without white space. It gives the two
// last. Without folds white space stays. Yield ends it by false.
//
// What is first stands for nothing and is taken out first in each round: it may
// stand inside an escape, which would be read too late, or only to its half.
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
			// What is an escape of one family may be mere text in another.
			if only := undone & f; only != 0 && only != undone {
				part, _ := v.without(only)
				if !yield(part, false) {
					return v, v
				}
			}
		}
		if undone&ofAddresses != 0 && undone != ofAddresses {
			// What ends an escape of another family may be percent-encoded, even twice.
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

// unbroken yields a view, and then again and again without what stands for nothing.
// It gives the last, and reports whether there may be more.
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

// without undoes each escape of some families once, and says of which there
// were any. What stands for nothing leaves a gap where it is white space.
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
