package redact

import "slices"

// between separates the texts of two blocks. No text contains this byte.
const between = 1

// blocks returns the texts that base64 and hexadecimal digits decode to. There is one view
// for each offset of the first digit. Texts with fewer bytes than least are ignored.
func blocks(v view, ascii bool, least int) []view {
	var list []view
	if runs := v.runs(&inBase64, (least*8+5)/6); len(runs) > 0 {
		for shift := range 4 {
			list = append(list, v.base64(runs, shift, ascii, least))
		}
	}
	if runs := v.runs(&inHex, 2*least); len(runs) > 0 {
		for shift := range 2 {
			list = append(list, v.hexadecimal(runs, shift, ascii, least))
		}
	}
	return list
}

// runs returns the parts of the text with at least this number of digits.
func (v view) runs(digits *[256]digitKind, least int) (list []span) {
	from, n := -1, 0
	for i := 0; i <= len(v.text); i++ {
		kind := noDigit
		if i < len(v.text) {
			kind = digits[v.text[i]]
		}
		switch {
		case kind == isDigit:
			if n == 0 {
				from = i
			}
			n++
		case kind == noDigit && n > 0:
			if n >= least {
				list = append(list, span{int32(from), int32(i)}) //nolint:gosec // a text is cut into pieces
			}
			n = 0
		}
	}
	return list
}

// A digitKind is the role of a byte in a run of digits.
type digitKind uint8

const (
	noDigit   digitKind = iota
	separates           // as in 61:62, "61", "62" and 0x61, 0x62
	isDigit
)

// decoded collects the decoded bytes of blocks that may be text.
type decoded struct {
	view
	ascii bool
	least int // minimum number of bytes of a text
	from  int // where the last text begins
}

// mayBeText reports whether a text that contains a secret may contain this byte.
func mayBeText(c byte, ascii bool) bool {
	return (c >= ' ' || c == 0 || introduces[c] == ofSpace) && (!ascii || c <= 0x7e)
}

func (d *decoded) add(c byte, at span) {
	if !mayBeText(c, d.ascii) {
		d.end()
		return
	}
	if len(d.text) == cap(d.text) { // append grows in smaller steps, which leave five times the size as garbage
		d.text, d.at = slices.Grow(d.text, 64+len(d.text)), slices.Grow(d.at, 64+len(d.text))
	}
	d.text, d.at = append(d.text, c), append(d.at, at)
}

// end ends the current text, and drops it if it is too short.
func (d *decoded) end() {
	if len(d.text) == d.from {
		return
	}
	if len(d.text)-d.from < d.least {
		d.text, d.at = d.text[:d.from], d.at[:d.from]
		return
	}
	d.text, d.at = append(d.text, between), append(d.at, d.at[len(d.at)-1])
	d.from = len(d.text)
}

// base64 decodes both alphabets. The bits of each byte are in two digits. Most runs of
// digits are words and decode to noise, so base64 keeps only the parts that may be text.
func (v view) base64(runs []span, shift int, ascii bool, least int) view {
	d := decoded{ascii: ascii, least: least}
	for _, run := range runs {
		cut := int(run.to) == len(v.text) // the run may continue after a cut
		from, n := int(run.from)+shift, 0 // where a text begins, and how long it is so far
		for i, phase := from, 0; i+1 < int(run.to); i, phase = i+1, (phase+1)%4 {
			if phase == 3 {
				continue
			}
			if mayBeText(v.sextets(i, phase), ascii) {
				n++
				continue
			}
			if n >= least {
				d.decode(v, from, i, shift, int(run.from))
			}
			from, n = i+1, 0
		}
		if n >= least || cut && n > 0 {
			d.decode(v, from, int(run.to)-1, shift, int(run.from))
			if cut {
				break
			}
		}
	}
	return d.view
}

// sextets returns the byte whose bits are in two digits.
func (v view) sextets(i, phase int) byte {
	return byte(int(sextet[v.text[i]])<<(2+2*phase) | int(sextet[v.text[i+1]])>>(4-2*phase)) //nolint:gosec // the lowest bits
}

// decode adds the text of the digits in [from, to), in a run that begins at start.
func (d *decoded) decode(v view, from, to, shift, start int) {
	for i := from; i < to; i++ {
		if phase := (i - start - shift) % 4; phase < 3 {
			d.add(v.sextets(i, phase), v.place(i, i+2))
		}
	}
	if to+1 < len(v.text) {
		d.end() // at the end of the view, the text may be cut off
	}
}

// hexadecimal decodes pairs of digits, with or without separators.
func (v view) hexadecimal(runs []span, shift int, ascii bool, least int) view {
	d := decoded{ascii: ascii, least: least}
	for _, run := range runs {
		high, n := -1, -shift
		for i := int(run.from); i < int(run.to); i++ {
			switch {
			case inHex[v.text[i]] == separates, i+1 < int(run.to) && lower[v.text[i+1]] == 'x':
				continue
			case n >= 0 && n%2 == 1:
				d.add(byte(digit[v.text[high]]<<4|digit[v.text[i]]), v.place(high, i+1)) //nolint:gosec // of two digits
			}
			high = i
			n++
		}
		if int(run.to) < len(v.text) {
			d.end()
		}
	}
	return d.view
}

// sextet maps a base64 digit to its value, and any other byte to -1.
var sextet = func() (table [256]int8) { //nolint:gochecknoglobals // a table that nobody writes to
	for i := range table {
		table[i] = -1
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		table[c] = int8(i)
	}
	table['-'], table['_'] = table['+'], table['/']
	return table
}()

var inBase64 = func() (table [256]digitKind) { //nolint:gochecknoglobals // a table that nobody writes to
	for c := range table {
		if sextet[c] >= 0 {
			table[c] = isDigit
		}
	}
	return table
}()

var inHex = func() (table [256]digitKind) { //nolint:gochecknoglobals // a table that nobody writes to
	for c := range table {
		if digit[c] < 16 {
			table[c] = isDigit
		}
	}
	for _, c := range []byte(":,;-+.\"'xX \r\n\t") {
		table[c] = separates
	}
	return table
}()
