package instance

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func (r *reader) text() (string, error) {
	begin, plain := r.at, true
	r.at++
	for r.at < len(r.body) {
		switch c := r.body[r.at]; {
		case c == '"':
			r.at++
			if plain {
				return string(r.body[begin+1 : r.at-1]), nil
			}
			// The only possible error is about halves of surrogate pairs, which are recorded
			// already.
			text, _ := jsontext.AppendUnquote(nil, r.body[begin:r.at])
			return string(text), nil
		case c == '\\':
			plain = false
			if err := r.escape(); err != nil {
				return "", err
			}
		case c < ' ':
			return "", r.unexpected("in string (expecting an escape for a control character)")
		case c < utf8.RuneSelf:
			r.at++
		default:
			if !utf8.FullRune(r.body[r.at:]) {
				return "", r.cutOff()
			}
			character, size := utf8.DecodeRune(r.body[r.at:])
			if character == utf8.RuneError && size == 1 {
				return "", r.invalid("invalid UTF-8")
			}
			r.at += size
		}
	}
	return "", r.cutOff()
}

// escape reads an escape in a string, or two that make one character.
func (r *reader) escape() error {
	rest := r.body[r.at:]
	switch {
	case len(rest) == 1:
		return r.cutOff()
	case rest[1] != 'u':
		if strings.IndexByte(`"\/bfnrt`, rest[1]) < 0 {
			return r.invalid(fmt.Sprintf("invalid escape %q in string", rest[:2]))
		}
		r.at += 2
		return nil
	}
	unit, ok := CodeUnit(rest)
	if !ok {
		return r.invalid(fmt.Sprintf("invalid escape %q in string", rest[:min(len(rest), 6)]))
	}
	if utf16.IsSurrogate(unit) {
		low, _ := CodeUnit(rest[6:])
		if utf16.DecodeRune(unit, low) == utf8.RuneError {
			if r.Surrogates++; r.Surrogates == 1 {
				r.Surrogate = Flaw{Pointer: Pointer(r.place()), Actual: string(rest[:6]), Offset: int64(r.at)}
			}
		} else {
			r.at += 6
		}
	}
	r.at += 6
	return nil
}

// CodeUnit reads an escape such as \u0061 at the front of a text.
func CodeUnit[T string | []byte](text T) (unit rune, ok bool) {
	const length = len(`\u0000`)
	if len(text) < length || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:length]), 16, 16)
	return rune(n), err == nil
}

// number reads a number and keeps its literal.
func (r *reader) number() (any, error) {
	begin := r.at
	if r.body[r.at] == '-' {
		r.at++
	}
	if r.at < len(r.body) && r.body[r.at] == '0' {
		r.at++
	} else if err := r.digits(); err != nil {
		return nil, err
	}
	if r.at < len(r.body) && r.body[r.at] == '.' {
		r.at++
		if err := r.digits(); err != nil {
			return nil, err
		}
	}
	if r.at < len(r.body) && (r.body[r.at] == 'e' || r.body[r.at] == 'E') {
		r.at++
		if r.at < len(r.body) && (r.body[r.at] == '+' || r.body[r.at] == '-') {
			r.at++
		}
		if err := r.digits(); err != nil {
			return nil, err
		}
	}
	switch length := r.at - begin; {
	case length > r.limits.NumberLength:
		return nil, &LimitError{"max-number", fmt.Sprintf("the body has a number of %d characters; the limit is %d", length, r.limits.NumberLength)}
	case length == 1:
		return oneDigit[r.body[begin]-'0'], nil
	}
	return Number(string(r.body[begin:r.at])), nil
}

// oneDigit has the numbers with one digit. It avoids an allocation for each of them, as a body may
// contain very many.
var oneDigit = func() (numbers [10]any) { //nolint:gochecknoglobals // a table that nobody writes to
	for i := range numbers {
		numbers[i] = json.Number(strconv.Itoa(i))
	}
	return numbers
}()

// digits reads one digit or more.
func (r *reader) digits() error {
	begin := r.at
	for r.at < len(r.body) && r.body[r.at] >= '0' && r.body[r.at] <= '9' {
		r.at++
	}
	if r.at == begin {
		return r.unexpected("in number (expecting a digit)")
	}
	return nil
}
