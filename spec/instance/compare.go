package instance

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Equal reports whether two JSON values are equal. It compares numbers by their value.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		x, _ := Rational(a)
		y, ok := Rational(b)
		return ok && x.Cmp(y) == 0
	case []any:
		list, ok := b.([]any)
		return ok && slices.EqualFunc(a, list, Equal)
	case map[string]any:
		object, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, object, Equal)
	}
	return reflect.DeepEqual(a, b)
}

// Contains reports whether a list has a value that is equal to this one.
func Contains(list []any, value any) bool {
	return slices.ContainsFunc(list, func(one any) bool { return Equal(one, value) })
}

// Difference says where two texts first differ, and what each has there.
func Difference(sent, got string) string {
	a, b := []rune(sent), []rune(got)
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	same := 0 // characters at the end
	for same < min(len(a), len(b))-from && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	return fmt.Sprintf("at character %d, sent %s, got %s", from+1, shownRunes(a[from:len(a)-same]), shownRunes(b[from:len(b)-same]))
}

// shownRunes quotes characters, or only the first if they are many. It adds the code
// points of characters that are hard to read, and shows blank ones by code points alone.
func shownRunes(runes []rune) string {
	const (
		most  = 12 // characters that are quoted in full
		named = 4  // characters for which code points are added
	)
	more := ""
	if len(runes) > most {
		runes, more = runes[:1], fmt.Sprintf(" and %d more", len(runes)-1)
	}
	if len(runes) == 0 {
		return "nothing"
	}
	text, blank := "“"+string(runes)+"”", true
	odd := len(runes) == 1 && !unicode.IsLetter(runes[0]) && !unicode.IsDigit(runes[0])
	var points []string
	for _, r := range runes {
		odd = odd || r >= utf8.RuneSelf || unicode.IsControl(r)
		blank = blank && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
		points = append(points, fmt.Sprintf("%U", r))
	}
	switch {
	case blank:
		text = strings.Join(points, " ")
	case odd && len(runes) <= named:
		text += " (" + strings.Join(points, " ") + ")"
	}
	return text + more
}

// maxExponent is the maximum by which an exponent may exceed the length of its literal. The number
// is then still beyond any bound of a contract. Expanding 1e1000000000 would take gigabytes.
const maxExponent = 1000

// IsNumber reports whether a text is a number as JSON writes it.
func IsNumber(text string) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && json.Valid([]byte(text))
}

// Number returns a number literal in a form that is cheap to compute with. It compares to every
// bound of a contract as the literal does.
func Number(literal string) json.Number {
	at := strings.IndexAny(literal, "eE")
	if at == -1 {
		return json.Number(literal)
	}
	exponent, _ := strconv.Atoi(literal[at+1:]) // beyond int, Atoi returns the nearest int
	most := len(literal) + maxExponent
	return json.Number(literal[:at+1] + strconv.Itoa(min(max(exponent, -most), most)))
}

// Rational returns the exact value of a number that this package has read, and false for any other
// value.
func Rational(value any) (*big.Rat, bool) {
	n, _ := value.(json.Number)
	return new(big.Rat).SetString(n.String())
}
