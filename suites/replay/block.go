package replay

// minBlock is how many digits of base64 in a row hold minInBlock bytes.
const minBlock = (minInBlock*8 + 5) / 6

// between stands between the texts of two blocks, for no text holds it.
const between = 1

// blocks are the texts to which base64 and hexadecimal digits decode, from any
// digit on: one view for each place at which the first may stand.
func blocks(v view, ascii bool) []view {
	var list []view
	if runs := v.runs(&inBase64, minBlock); len(runs) > 0 {
		for shift := range 4 {
			list = append(list, v.base64(runs, shift, ascii))
		}
	}
	if runs := v.runs(&inHex, 2*minInBlock); len(runs) > 0 {
		for shift := range 2 {
			list = append(list, v.hexadecimal(runs, shift, ascii))
		}
	}
	return list
}

// runs are where there are enough digits of a kind.
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

// digitKind is what a byte is among digits.
type digitKind uint8

const (
	noDigit   digitKind = iota
	separates           // as in 61:62, "61", "62" and 0x61, 0x62
	isDigit
)

// decoded gathers what blocks decode to, as far as it may be text.
type decoded struct {
	view
	ascii bool
	from  int // where the last text begins
}

func (d *decoded) add(c byte, at span) {
	if c < ' ' && c != 0 && introduces[c] != ofSpace || d.ascii && c > 0x7e {
		d.end()
		return
	}
	d.text, d.at = append(d.text, c), append(d.at, at)
}

// end ends a text, and drops one that is too short.
func (d *decoded) end() {
	if len(d.text) == d.from {
		return
	}
	if len(d.text)-d.from < minInBlock {
		d.text, d.at = d.text[:d.from], d.at[:d.from]
		return
	}
	d.text, d.at = append(d.text, between), append(d.at, d.at[len(d.at)-1])
	d.from = len(d.text)
}

// base64 decodes both alphabets. The bits of a byte are in two digits.
func (v view) base64(runs []span, shift int, ascii bool) view {
	d := decoded{ascii: ascii}
	for _, run := range runs {
		for i, phase := int(run.from)+shift, 0; i+1 < int(run.to); i, phase = i+1, (phase+1)%4 {
			if phase < 3 {
				d.add(byte(int(sextet[v.text[i]])<<(2+2*phase)|int(sextet[v.text[i+1]])>>(4-2*phase)), v.place(i, i+2)) //nolint:gosec // the lowest bits
			}
		}
		if int(run.to) < len(v.text) {
			d.end() // otherwise it may be cut off
		}
	}
	return d.view
}

// hexadecimal decodes pairs of digits, which may have separators between them.
func (v view) hexadecimal(runs []span, shift int, ascii bool) view {
	d := decoded{ascii: ascii}
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

// sextet gives the value of a digit of base64, or -1.
var sextet = func() (table [256]int8) {
	for i := range table {
		table[i] = -1
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		table[c] = int8(i) //nolint:gosec // up to 63
	}
	table['-'], table['_'] = table['+'], table['/']
	return table
}()

var inBase64 = func() (table [256]digitKind) {
	for c := range table {
		if sextet[c] >= 0 {
			table[c] = isDigit
		}
	}
	return table
}()

var inHex = func() (table [256]digitKind) {
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
