package replay

// minBlock is how many digits in a row may be base64 or hexadecimal, in which
// secrets of at least minInBlock bytes are looked for.
const minBlock = 8

// between stands between the texts of two blocks, for no text holds it.
const between = 1

// blocks are the texts to which base64 and hexadecimal digits decode, from any
// digit on: one view for each place at which the first may stand.
func blocks(v view, ascii bool) []view {
	var list []view
	for shift := range 4 {
		list = append(list, v.base64(shift, ascii))
	}
	for shift := range 2 {
		list = append(list, v.hexadecimal(shift, ascii))
	}
	return list
}

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
func (v view) base64(shift int, ascii bool) view {
	d := decoded{ascii: ascii}
	for i := 0; i < len(v.text); i++ {
		from := i
		for i < len(v.text) && sextet[v.text[i]] >= 0 {
			i++
		}
		if i-from < minBlock {
			continue
		}
		for j, phase := from+shift, 0; j+1 < i; j, phase = j+1, (phase+1)%4 {
			if phase < 3 {
				d.add(byte(int(sextet[v.text[j]])<<(2+2*phase)|int(sextet[v.text[j+1]])>>(4-2*phase)), v.place(j, j+2)) //nolint:gosec // the lowest bits
			}
		}
		if i < len(v.text) {
			d.end() // otherwise it may be cut off
		}
	}
	return d.view
}

// hexadecimal decodes pairs of digits, which may have separators between them.
func (v view) hexadecimal(shift int, ascii bool) view {
	d := decoded{ascii: ascii}
	for i := 0; i < len(v.text); i++ {
		if digit(v.text[i]) == 16 || !v.isPair(i+shift) {
			continue
		}
		i += shift
		for v.isPair(i) {
			d.add(byte(digit(v.text[i])<<4|digit(v.text[i+1])), v.place(i, i+2)) //nolint:gosec // of two digits
			i += 2
			if next := v.afterSeparator(i); v.isPair(next) {
				i = next
			}
		}
		if i < len(v.text) {
			d.end()
			i--
		}
	}
	return d.view
}

func (v view) isPair(i int) bool {
	return i+1 < len(v.text) && digit(v.text[i]) < 16 && digit(v.text[i+1]) < 16
}

// afterSeparator skips what may stand between two bytes: 61:62, "61", "62" or
// 0x61, 0x62.
func (v view) afterSeparator(i int) int {
	for n := 0; n < 3 && i < len(v.text); n, i = n+1, i+1 {
		switch v.text[i] {
		case ':', ',', ';', '-', '.', '"', '\'':
			continue
		case '0':
			if i+1 < len(v.text) && lower[v.text[i+1]] == 'x' {
				return i + 2
			}
		}
		break
	}
	return i
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
