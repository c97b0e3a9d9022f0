package reference

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// readNewPlant reads the body of a request as a NewPlant (§2), or returns a rejection that names
// the first invalid property. It ignores other properties, if they are valid JSON.
func readNewPlant(body []byte) (NewPlant, error) {
	var p NewPlant
	properties, err := readObject(body, "name", "id", "tag")
	if err != nil {
		return NewPlant{}, err
	}
	name, err := optionalString(properties, "name")
	switch {
	case err != nil:
		return NewPlant{}, err
	case name == nil:
		return NewPlant{}, rejection{"name", "is missing: it must be a string"}
	}
	p.Name = *name
	if p.ID, err = requiredInt64(properties, "id"); err != nil {
		return NewPlant{}, err
	}
	if p.Tag, err = optionalString(properties, "tag"); err != nil {
		return NewPlant{}, err
	}
	return p, nil
}

// optionalString returns nil if the property is absent. A property that is null is present, and is
// rejected because it is not a string.
func optionalString(properties map[string]jsontext.Value, name string) (*string, error) {
	value, present := properties[name]
	if !present {
		return nil, nil
	}
	if value.Kind() != '"' {
		return nil, rejection{name, "must be a string, not " + describe(value.Kind())}
	}
	text, _ := jsontext.AppendUnquote(nil, value) // is valid: the object was read without an error
	return new(string(text)), nil
}

func requiredInt64(properties map[string]jsontext.Value, name string) (int64, error) {
	value, present := properties[name]
	if !present {
		return 0, rejection{name, "is missing: it must be an integer"}
	}
	if value.Kind() != '0' {
		return 0, rejection{name, "must be an integer, not " + describe(value.Kind())}
	}
	n, err := parseInt64(string(value))
	if err != nil {
		return 0, rejection{name, err.Error() + ", not " + excerpt(string(value))}
	}
	return n, nil
}

// Plant is the service's answer about a new plant (§2 Plant). It has no id.
type Plant struct {
	Name string `json:"name"`

	// Tag is nil if the plant was created without a tag. An empty tag is a tag.
	Tag *string `json:"tag,omitempty"`
}

// NewPlant is the payload that creates a plant (§2 NewPlant).
type NewPlant struct {
	Plant

	// ID is any int64; §8 sets no bounds.
	ID int64
}

// readObject reads a body that is exactly one I-JSON object (RFC 7493, the default of jsontext) and
// returns the wanted properties. It rejects any other body.
func readObject(body []byte, wanted ...string) (map[string]jsontext.Value, error) {
	in := jsontext.NewDecoder(bytes.NewBuffer(body)) // jsontext reads a buffer in place, and copies from other readers
	first, err := in.ReadToken()
	if err != nil {
		return nil, malformed(err)
	}
	if first.Kind() != '{' {
		return nil, rejection{"body", "must be a JSON object, not " + describe(first.Kind())}
	}
	found := make(map[string]jsontext.Value, len(wanted))
	for in.PeekKind() == '"' {
		token, err := in.ReadToken()
		if err != nil {
			return nil, malformed(err)
		}
		name := token.String() // the next read invalidates the token
		value, err := in.ReadValue()
		if err != nil {
			return nil, malformed(err)
		}
		if slices.Contains(wanted, name) {
			found[name] = value.Clone()
		}
	}
	// The closing brace, or the error for what is in its place.
	if _, err := in.ReadToken(); err != nil {
		return nil, malformed(err)
	}
	if _, err := in.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, rejection{"body", "must end after its JSON object"}
	}
	return found, nil
}

// malformed returns the rejection of a body that is not I-JSON.
func malformed(err error) rejection {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.EOF):
		return rejection{"body", "is blank: it must be a JSON object"}
	case !ok:
		return rejection{"body", "is not JSON: " + err.Error()}
	case errors.Is(err, jsontext.ErrDuplicateName):
		return rejection{"body", "has the property " + quoted(string(syntax.JSONPointer)) + " more than once"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return rejection{"body", "ends in the middle of its JSON"}
	}
	where := fmt.Sprintf("byte %d", syntax.ByteOffset)
	if syntax.JSONPointer != "" {
		where += " in " + quoted(string(syntax.JSONPointer))
	}
	return rejection{"body", fmt.Sprintf("is not JSON at %s: %v", where, syntax.Err)}
}

// describe names a kind of JSON value for a message.
func describe(kind jsontext.Kind) string {
	names := map[jsontext.Kind]string{
		'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '[': "an array", '{': "an object",
	}
	return cmp.Or(names[kind], "something else")
}

var (
	errFraction = errors.New("must be an integer")
	errRange    = fmt.Errorf("must be an integer from %d to %d", math.MinInt64, math.MaxInt64)
)

// maxInt64Digits is the maximum number of digits of an int64.
const maxInt64Digits = 19

// parseInt64 returns the value of a JSON number (RFC 8259 §6) that is mathematically an int64, in
// any notation: 1000, 1000.0 and 1e3 are the same. It uses only the digits: a float would round
// them, and ten bytes of input could write out gigabytes by their exponent.
func parseInt64(literal string) (int64, error) {
	unsigned, negative := strings.CutPrefix(literal, "-")
	significand, exponentText, _ := strings.Cut(strings.ToLower(unsigned), "e")
	whole, fraction, _ := strings.Cut(significand, ".")

	// The value is digits × 10^exponent, without leading or trailing zeros.
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return 0, nil
	}
	// On ErrRange this is the nearest 32-bit number. That is enough, because a body is too short to
	// balance it with digits. Without an exponent it is 0.
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
