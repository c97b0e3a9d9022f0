package schema

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
)

// assertedFormats returns the string formats that are validated: those of OpenAPI, and those that a
// single RFC defines. Any other format is an open value (OpenAPI 3.0.3, Data Types) and limits
// nothing. That includes duration and time, because ISO 8601 and RFC 3339 disagree.
func assertedFormats() []string {
	return []string{"byte", "date", "date-time", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid"}
}

// IsOpenText reports whether a schema states a rule for a text that is not validated: a format that
// is not asserted, or a content encoding or media type (JSON Schema Validation, section 8). Then
// only the service knows which texts are valid.
func IsOpenText(at document.Place) bool {
	format := at.Get("format").Text()
	anyText := []string{"", "binary", "password"} // these limit nothing (OpenAPI 3.0.3, Data Types)
	return !slices.Contains(anyText, format) && !slices.Contains(assertedFormats(), format) || at.Get("contentEncoding") != nil || at.Get("contentMediaType") != nil
}

// isNumeric reports whether a format limits the range of numbers.
func isNumeric(format string) bool {
	return slices.Contains([]string{"int32", "int64", "float", "double"}, format)
}

// formats returns the formats that the library lacks, or that it checks less exactly than the JSON
// Schema Test Suite requires.
func formats() []*jsonschema.Format {
	list := []*jsonschema.Format{
		integers(32, math.MinInt32, math.MaxInt32),
		integers(64, math.MinInt64, math.MaxInt64),
		floats("float", 32, math.MaxFloat32),
		floats("double", 64, math.MaxFloat64),
	}
	for name, is := range map[string]func(string) bool{
		"byte": isBase64, "email": isEmail, "hostname": isHostname, "ipv4": isIPv4, "uri": isURI, "uri-reference": isURIReference,
	} {
		list = append(list, &jsonschema.Format{Name: name, Validate: func(value any) error {
			if text, ok := value.(string); ok && !is(text) {
				return errFormat
			}
			return nil
		}})
	}
	return list
}

var errFormat = errors.New("it is not valid")

// integers returns the format int32 or int64 as OpenAPI defines it: a signed integer of that width.
// The keyword type checks that the number is an integer.
func integers(bits int, least, most int64) *jsonschema.Format {
	return within(fmt.Sprintf("int%d", bits), bits, new(big.Rat).SetInt64(least), new(big.Rat).SetInt64(most), fmt.Sprintf("an int%d, from %d to %d", bits, least, most))
}

// floats returns the format float or double as OpenAPI defines it: a number that does not exceed
// the largest of that precision. JSON leaves open how precise a literal is.
func floats(name string, bits int, most float64) *jsonschema.Format {
	text := strconv.FormatFloat(most, 'g', -1, bits)
	return within(name, bits, new(big.Rat).SetFloat64(-most), new(big.Rat).SetFloat64(most), fmt.Sprintf("a %s, from -%s to %s", name, text, text))
}

// within returns a format that limits numbers. All integers of that width are within its limits.
func within(name string, bits int, least, most *big.Rat, words string) *jsonschema.Format {
	return &jsonschema.Format{Name: name, Validate: func(value any) error {
		if literal, ok := value.(json.Number); ok {
			if _, err := strconv.ParseInt(literal.String(), 10, bits); err == nil {
				return nil // nearly all values return here
			}
		}
		if n, ok := instance.Rational(value); ok && (n.Cmp(least) < 0 || n.Cmp(most) > 0) {
			return errors.New(words)
		}
		return nil
	}}
}

// isBase64 accepts base64 with padding (RFC 4648 §3.2 and §4), with or without line breaks.
func isBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil
}

func isIPv4(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && a.Is4()
}

func isIPv6(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && a.Is6() && a.Zone() == ""
}

// uriScheme matches the scheme of a URI (RFC 3986 §3.1).
var uriScheme = regexp.MustCompile(`\A[A-Za-z][A-Za-z0-9+\-.]*\z`)

// ipFuture matches an IP literal of a later version (RFC 3986 §3.2.2).
var ipFuture = regexp.MustCompile(`\A[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+\z`)

// isURI follows RFC 3986 §3. It parses the text by hand: with a regular expression, a document with
// a hundred URIs takes ten times as long.
func isURI(text string) bool {
	before, rest, found := strings.Cut(text, ":")
	return found && uriScheme.MatchString(before) && isHierarchy(rest)
}

// isURIReference reports whether the text is a URI or a relative reference (RFC 3986 §4.1). A colon
// in the first segment of a path would make the text before it a scheme.
func isURIReference(text string) bool {
	first := text[:strings.IndexAny(text+"/", "/?#")]
	return isURI(text) || !strings.Contains(first, ":") && isHierarchy(text)
}

// isHierarchy reports whether the text may follow a scheme: an authority and a path, or only a
// path, then an optional query and an optional fragment.
func isHierarchy(text string) bool {
	text, fragment, _ := strings.Cut(text, "#")
	path, query, _ := strings.Cut(text, "?")
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		authority, _, _ := strings.Cut(rest, "/")
		if path = rest[len(authority):]; !isAuthority(authority) {
			return false
		}
	}
	return consistsOf(path, ":@/") && consistsOf(query, ":@/?") && consistsOf(fragment, ":@/?")
}

// isAuthority follows RFC 3986 §3.2.
func isAuthority(text string) bool {
	host := text
	if user, rest, found := strings.Cut(text, "@"); found {
		if host = rest; !consistsOf(user, ":") {
			return false
		}
	}
	if literal, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, port, closed := strings.Cut(literal, "]")
		return closed && (isIPv6(inner) || ipFuture.MatchString(inner)) && (port == "" || port[0] == ':' && isDigits(port[1:]))
	}
	name, port, _ := strings.Cut(host, ":")
	return consistsOf(name, "") && isDigits(port)
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// consistsOf reports whether a text has only the characters in others and those that RFC 3986 §2
// allows in every part of a URI.
func consistsOf(text, others string) bool {
	const always = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=%"
	_, malformed := url.PathUnescape(text)
	return malformed == nil && strings.Trim(text, always+others) == ""
}

// isEmail reports whether the text is a Mailbox (RFC 5321 §4.1.2) within the lengths of §4.5.3.1.
func isEmail(text string) bool {
	at := strings.LastIndexByte(text, '@')
	if at < 0 || at > 64 || len(text) > 254 || !mailbox.MatchString(text[:at]) {
		return false
	}
	domain := text[at+1:]
	literal, bracketed := strings.CutPrefix(domain, "[")
	if !bracketed {
		return isHostname(domain)
	}
	literal, closed := strings.CutSuffix(literal, "]")
	if address, is6 := strings.CutPrefix(literal, "IPv6:"); is6 {
		return closed && isIPv6(address)
	}
	return closed && isIPv4(literal)
}

var mailbox = regexp.MustCompile("\\A(?:" + atom + `(?:\.` + atom + `)*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*")\z`)

const atom = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~]+"

// label matches one label of a host name (RFC 1123 §2.1).
var label = regexp.MustCompile(`\A[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\z`)

// isHostname accepts any label that begins with xn--, without decoding it, because its validity as
// an internationalized name depends on the version of Unicode. Other labels with hyphens in the
// third and fourth position are reserved (RFC 5890 §2.3.1).
func isHostname(text string) bool {
	if len(text) > 253 {
		return false
	}
	for part := range strings.SplitSeq(text, ".") {
		if !label.MatchString(part) || len(part) > 3 && part[2:4] == "--" && !strings.EqualFold(part[:2], "xn") {
			return false
		}
	}
	return true
}
