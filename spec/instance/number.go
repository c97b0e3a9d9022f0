package instance

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// maxExponent is how far an exponent exceeds the length of its literal at most:
// the number is then still beyond any bound of a contract, and expanding
// 1e1000000000 would take gigabytes.
const maxExponent = 1000

// IsNumber reports whether a text is a number as JSON writes it.
func IsNumber(text string) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && json.Valid([]byte(text))
}

// Number is a number literal in a form that is cheap to compute with
// and still compares to every bound as the literal does.
func Number(literal string) json.Number {
	at := strings.IndexAny(literal, "eE")
	if at == -1 {
		return json.Number(literal)
	}
	exponent, _ := strconv.Atoi(literal[at+1:]) // of one beyond int, the largest there is
	most := len(literal) + maxExponent
	return json.Number(literal[:at+1] + strconv.Itoa(min(max(exponent, -most), most)))
}

// Rational is the exact value of a number that was read by this package; false for
// any other value.
func Rational(value any) (*big.Rat, bool) {
	n, _ := value.(json.Number)
	return new(big.Rat).SetString(n.String())
}
