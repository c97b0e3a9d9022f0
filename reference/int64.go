package reference

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

var (
	errFraction = errors.New("must be an integer")
	errRange    = fmt.Errorf("must be an integer from %d to %d", math.MinInt64, math.MaxInt64)
)

// maxInt64Digits is how many digits an int64 can have.
const maxInt64Digits = 19

// parseInt64 returns the value of a JSON number (RFC 8259 §6) that is
// mathematically an int64, however it is written: 1000, 1000.0 and 1e3 are the
// same. It works on the digits alone: a float would round them, and writing
// out an exponent would let ten bytes of input ask for gigabytes.
func parseInt64(literal string) (int64, error) {
	unsigned, negative := strings.CutPrefix(literal, "-")
	significand, exponentText, _ := strings.Cut(strings.ToLower(unsigned), "e")
	whole, fraction, _ := strings.Cut(significand, ".")

	// The value is digits × 10^exponent, without leading or trailing zeros.
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return 0, nil
	}
	// One that does not fit in 32 bits becomes the nearest that does, on ErrRange: a body
	// is far too short for as many digits as would balance it. Without one it is 0.
	exponent, _ := strconv.ParseInt(exponentText, 10, 32)
	exponent -= int64(len(fraction))
	significant := strings.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(significant))

	if exponent < 0 {
		return 0, errFraction
	}
	if int64(len(significant))+exponent > maxInt64Digits {
		return 0, errRange
	}
	if negative {
		significant = "-" + significant
	}
	value, err := strconv.ParseInt(significant+strings.Repeat("0", int(exponent)), 10, 64)
	if err != nil {
		return 0, errRange
	}
	return value, nil
}
