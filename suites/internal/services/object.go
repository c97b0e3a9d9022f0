package services

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// An Object is an object in a request: a JSON object, a form, or the parameters in one
// place. Its methods check the values. They remove a value with a fault that the service
// ignores, as if it were not sent.
type Object struct {
	Values map[string]any

	place  string
	report *Report
	index  int
}

// Object returns an Object with the values at a place.
func (r *Report) Object(place string, values map[string]any) *Object {
	return &Object{Values: values, place: place, report: r}
}

// Fail adds a fault of the named value.
func (o *Object) Fail(name, rule string) {
	if !o.report.add(Fault{Place: o.place + "/" + name, Rule: rule, Index: o.index}) {
		delete(o.Values, name)
	}
}

// FailWhole adds a fault of the object itself, and reports whether it was added.
func (o *Object) FailWhole(rule string) bool {
	return o.report.add(Fault{Place: o.place, Rule: rule, Index: o.index})
}

// Has reports whether there is a value with this name.
func (o *Object) Has(name string) bool {
	_, found := o.Values[name]
	return found
}

// Require checks that there are values with these names.
func (o *Object) Require(names ...string) {
	for _, name := range names {
		if !o.Has(name) {
			o.Fail(name, "required")
		}
	}
}

// Close checks that there are no values with other names. The fault belongs to the object.
func (o *Object) Close(names ...string) {
	for name := range o.Values {
		if !slices.Contains(names, name) && !o.FailWhole("additionalProperties") {
			delete(o.Values, name)
		}
	}
}

// Keep removes the values that have other names. The service ignores these unknown names.
func (o *Object) Keep(names ...string) {
	maps.DeleteFunc(o.Values, func(name string, _ any) bool { return !slices.Contains(names, name) })
}

// IsNull reports whether the named value is null.
func (o *Object) IsNull(name string) bool {
	value, found := o.Values[name]
	return found && value == nil
}

// typed returns the named value. It adds a fault if the value has another type.
func typed[T any](o *Object, name string) (value T, ok bool) {
	sent, found := o.Values[name]
	if !found {
		return value, false
	}
	if value, ok = sent.(T); ok {
		return value, true
	}
	if sent == nil {
		o.Fail(name, "null")
	} else {
		o.Fail(name, "type")
	}
	return value, false
}

// Text checks a string.
func (o *Object) Text(name string, rules ...TextRule) {
	if value, ok := typed[string](o, name); ok {
		follow(o, name, value, rules)
	}
}

// follow adds a fault for the first rule that a value breaks.
func follow[T any, R ~func(T) string](o *Object, name string, value T, rules []R) {
	for _, rule := range rules {
		if broken := rule(value); broken != "" {
			o.Fail(name, broken)
			return
		}
	}
}

// Boolean checks a boolean.
func (o *Object) Boolean(name string) { typed[bool](o, name) }

// Integer checks a number without a fraction.
func (o *Object) Integer(name string, rules ...NumberRule) {
	whole := func(value *big.Rat) string { return unless(value.IsInt(), "type") }
	o.Number(name, append([]NumberRule{whole}, rules...)...)
}

// Number checks a number.
func (o *Object) Number(name string, rules ...NumberRule) {
	literal, ok := typed[json.Number](o, name)
	if !ok {
		return
	}
	value, ok := rational(literal)
	if !ok {
		o.Fail(name, "range")
		return
	}
	follow(o, name, value, rules)
}

// Inner checks an object.
func (o *Object) Inner(name string, check func(inner *Object)) {
	if values, ok := typed[map[string]any](o, name); ok {
		check(&Object{Values: values, place: o.place + "/" + name, report: o.report, index: o.index})
	}
}

// Every checks all values of an object whose names are free.
func (o *Object) Every(check func(values *Object, name string)) {
	for name, value := range o.Values {
		one := o.anyValue(value, 0)
		if check(one, "*"); !one.Has("*") {
			delete(o.Values, name)
		}
	}
}

// Items are the rules for a list. A Max of 0 means no limit.
type Items struct {
	Min, Max int
	Unique   bool
}

// List checks a list. It calls check for each item, with the name of the item. It removes
// the whole list if the service ignores a fault in it.
func (o *Object) List(name string, rules Items, check func(item *Object, name string)) {
	list, ok := typed[[]any](o, name)
	if !ok {
		return
	}
	inner := &Object{place: o.place + "/" + name, report: o.report}
	for i, value := range list {
		one := inner.anyValue(value, i)
		if check(one, "*"); !one.Has("*") {
			delete(o.Values, name) // drop the list: the rest of it is useless
		}
	}
	switch {
	case len(list) < rules.Min:
		o.Fail(name, "minItems")
	case rules.Max > 0 && len(list) > rules.Max:
		o.Fail(name, "maxItems")
	case rules.Unique && repeats(list):
		o.Fail(name, "uniqueItems")
	}
}

// anyValue returns an object with only this value, named *.
func (o *Object) anyValue(value any, index int) *Object {
	return &Object{Values: map[string]any{"*": value}, place: o.place, report: o.report, index: index}
}

func repeats(list []any) bool {
	for i, value := range list {
		if slices.ContainsFunc(list[:i], func(other any) bool { return same(value, other) }) {
			return true
		}
	}
	return false
}

// same compares two JSON values. Numbers are equal if their values are.
func same(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, isToo := b.(json.Number)
	if isNumber && isToo {
		p, ok := rational(x)
		q, okToo := rational(y)
		return ok && okToo && p.Cmp(q) == 0
	}
	return reflect.DeepEqual(a, b)
}

// TextRule returns the keyword that a string breaks, or "".
type TextRule func(text string) (broken string)

// NumberRule returns the keyword that a number breaks, or "".
type NumberRule func(value *big.Rat) (broken string)

// Length limits the number of characters. A maximum of 0 means no limit.
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

// Pattern requires a match.
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

// unless returns the keyword, or "" if the rule holds.
func unless(holds bool, keyword string) string {
	if holds {
		return ""
	}
	return keyword
}

// AtLeast is a minimum. The bound is a decimal literal, so that it is exact.
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

// MultipleOf requires a multiple.
func MultipleOf(literal string) NumberRule {
	step, _ := new(big.Rat).SetString(literal)
	return func(value *big.Rat) string { return unless(new(big.Rat).Quo(value, step).IsInt(), "multipleOf") }
}

// rational returns the exact value of a number. ok is false if the exponent is beyond ±1000,
// because no number in the documents is that long.
func rational(literal json.Number) (value *big.Rat, ok bool) {
	const most = 1000
	_, exponent, found := strings.Cut(strings.ToLower(string(literal)), "e")
	if e, err := strconv.Atoi(exponent); found && (err != nil || e > most || e < -most) {
		return nil, false
	}
	return new(big.Rat).SetString(string(literal))
}
