package services

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/big"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// TextRule returns the keyword that a string breaks, or "".
type TextRule func(text string) (broken string)

// NumberRule returns the keyword that a number breaks, or "".
type NumberRule func(value *big.Rat) (broken string)

// Length limits the number of characters. A zero maximum is no limit.
func Length(minimum, maximum int) TextRule {
	return func(text string) string {
		switch n := utf8.RuneCountInString(text); {
		case n < minimum:
			return "minLength"
		case maximum > 0 && n > maximum:
			return "maxLength"
		}
		return ""
	}
}

// OneOf permits only these texts.
func OneOf(texts ...string) TextRule {
	return func(text string) string { return unless(slices.Contains(texts, text), "enum") }
}

// Pattern asks for a match.
func Pattern(expression *regexp.Regexp) TextRule {
	return func(text string) string { return unless(expression.MatchString(text), "pattern") }
}

var uuidForm = regexp.MustCompile("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")

// UUID is the format uuid.
func UUID(text string) string { return unless(uuidForm.MatchString(text), "format") }

// Date is the format date.
func Date(text string) string {
	_, err := time.Parse(time.DateOnly, text)
	return unless(err == nil, "format")
}

// Base64 is the format byte.
func Base64(text string) string {
	_, err := base64.StdEncoding.DecodeString(text)
	return unless(err == nil && !strings.ContainsAny(text, "\r\n"), "format")
}

var uriCharacters = regexp.MustCompile(`^[0-9A-Za-z._~:/?#\[\]@!$&'()*+,;=%-]*$`)

// URI is the format uri: a reference with a scheme (RFC 3986).
func URI(text string) string {
	u, err := url.Parse(text)
	return unless(err == nil && u.Scheme != "" && uriCharacters.MatchString(text) && strings.Count(text, "#") < 2 &&
		!strings.ContainsAny(u.EscapedPath()+u.RawQuery+u.EscapedFragment(), "[]"), "format")
}

// Email is the format email: a Mailbox (RFC 5321).
func Email(text string) string {
	address, err := mail.ParseAddress(text)
	return unless(err == nil && address.String() == "<"+text+">", "format")
}

// unless is the keyword, or "" if the rule holds.
func unless(holds bool, keyword string) string {
	if holds {
		return ""
	}
	return keyword
}

// AtLeast is a minimum. Numbers are decimal literals, so that they are exact.
func AtLeast(bound string) NumberRule {
	return numberRule("minimum", bound, func(order int) bool { return order >= 0 })
}

// AtMost is a maximum.
func AtMost(bound string) NumberRule {
	return numberRule("maximum", bound, func(order int) bool { return order <= 0 })
}

// Above is an exclusive minimum.
func Above(bound string) NumberRule {
	return numberRule("exclusiveMinimum", bound, func(order int) bool { return order > 0 })
}

// Below is an exclusive maximum.
func Below(bound string) NumberRule {
	return numberRule("exclusiveMaximum", bound, func(order int) bool { return order < 0 })
}

func numberRule(keyword, literal string, holds func(order int) bool) NumberRule {
	bound, _ := new(big.Rat).SetString(literal)
	return func(value *big.Rat) string { return unless(holds(value.Cmp(bound)), keyword) }
}

// Int32 is the format int32 of an integer.
func Int32(value *big.Rat) string {
	n := value.Num()
	return unless(n.IsInt64() && n.Int64() >= math.MinInt32 && n.Int64() <= math.MaxInt32, "format")
}

// Int64 is the format int64 of an integer.
func Int64(value *big.Rat) string { return unless(value.Num().IsInt64(), "format") }

// MultipleOf asks for a multiple.
func MultipleOf(literal string) NumberRule {
	step, _ := new(big.Rat).SetString(literal)
	return func(value *big.Rat) string { return unless(new(big.Rat).Quo(value, step).IsInt(), "multipleOf") }
}

// rational is the exact value of a number. It is not ok if the exponent is beyond 1000,
// because no number of the documents is that long.
func rational(literal json.Number) (value *big.Rat, ok bool) {
	const most = 1000
	_, exponent, found := strings.Cut(strings.ToLower(string(literal)), "e")
	if e, err := strconv.Atoi(exponent); found && (err != nil || e > most || e < -most) {
		return nil, false
	}
	return new(big.Rat).SetString(string(literal))
}
