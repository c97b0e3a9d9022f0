//go:build long

package hostiletest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/plantstore/conformance/suites/result"
)

// encodings are the ways in which a target may encode what it received.
var encodings = []struct {
	name   string
	encode func(string) string
}{
	{"raw", func(s string) string { return s }},
	{"upper case", strings.ToUpper},
	{"lower case", strings.ToLower},
	{"query escapes", url.QueryEscape},
	{"path escapes", url.PathEscape},
	{"percent everywhere", each("%%%02X")},
	{"percent everywhere, in lower case", each("%%%02x")},
	{"percent twice", func(s string) string { return url.QueryEscape(each("%%%02X")(s)) }},
	{"JSON", func(s string) string { text, _ := json.Marshal(s); return string(text[1 : len(text)-1]) }},
	{"JSON everywhere", each(`\u%04x`)},
	{"JSON everywhere, in upper case", each(`\u%04X`)},
	{"HTML", html.EscapeString},
	{"HTML everywhere", each("&#%d;")},
	{"HTML everywhere, in hexadecimal", each("&#x%x;")},
	{"HTML everywhere, with zeros", each("&#00%d;")},
	{"quoted-printable everywhere", each("=%02X")},
	{"shell", each(`\x%02x`)},
	{"hexadecimal", func(s string) string { return hex.EncodeToString([]byte(s)) }},
	{"HEXADECIMAL", func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) }},
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64, moved by one", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("u" + s + "x")) }},
	{"base64, moved by two", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("u:" + s + "xy")) }},
	{"base64url", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }},
	{"base64url, moved by one", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("u" + s)) }},
	{"base64url, moved by two", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("u:" + s)) }},
}

func each(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

// leak returns the encoding in which a text shows a secret, or "". It decodes the text and looks
// for the secret and for its core: the ten characters in the middle. It ignores case.
func leak(text, secret string) string {
	lower := strings.ToLower(text)
	for way, plain := range readings(text) {
		if plain == text {
			plain = lower
		} else {
			plain = strings.ToLower(plain)
		}
		for what, part := range map[string]string{"the secret": secret, "its core": core(secret)} {
			if strings.Contains(plain, strings.ToLower(part)) {
				return what + ", " + way
			}
		}
	}
	for _, e := range encodings {
		// Characters before and after a text change its first and last base64 digits.
		encoded := strings.ToLower(e.encode(core(secret)))
		if strings.HasPrefix(e.name, "base64") {
			continue
		}
		if strings.Contains(lower, encoded) {
			return "its core in " + e.name
		}
	}
	for shift := range 3 {
		padded := append(make([]byte, shift), core(secret)...)
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			whole := encoding.EncodeToString(padded)
			inner := whole[(shift*8+5)/6 : len(padded)*8/6]
			if strings.Contains(lower, strings.ToLower(inner)) {
				return fmt.Sprintf("its core in base64, moved by %d", shift)
			}
		}
	}
	return ""
}

func core(secret string) string {
	from := (len(secret) - 10) / 2
	return secret[from : from+10]
}

// readings returns a text as it is, and with each kind of escape decoded.
func readings(text string) map[string]string {
	oneByte := func(skip int) func(string) string {
		return func(s string) string { b, _ := hex.DecodeString(s[skip:]); return string(b) }
	}
	unquoted := strings.ReplaceAll(text, `\\`, `\`) // a quoted text has its escapes escaped
	return map[string]string{
		"as it is":        text,
		"in percent":      inPercent.ReplaceAllStringFunc(text, oneByte(1)),
		"in \\x":          inShell.ReplaceAllStringFunc(text, oneByte(2)),
		"in HTML":         html.UnescapeString(text),
		"in JSON":         fromJSON(text),
		"in JSON, quoted": fromJSON(unquoted),
		"in \\x, quoted":  inShell.ReplaceAllStringFunc(unquoted, oneByte(2)),
	}
}

var (
	inPercent = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	inShell   = regexp.MustCompile(`\\x[0-9A-Fa-f]{2}`)
	jsonText  = regexp.MustCompile(`\\(?:u[0-9A-Fa-f]{4}(?:\\u[0-9A-Fa-f]{4})*|["\\/bfnrt])`) // begins with what is fast to find
)

func fromJSON(text string) string {
	return jsonText.ReplaceAllStringFunc(text, func(s string) string {
		var plain string
		json.Unmarshal([]byte(`"`+s+`"`), &plain)
		return plain
	})
}

// checkHidden looks for secrets in everything that a run wrote. In a JSON report, it also looks
// into the decoded strings.
func checkHidden(t *testing.T, o outcome, secrets ...string) {
	t.Helper()
	texts := o.all()
	if text := o.files["json"]; text != "" {
		texts["the strings of the JSON report"] = strings.Join(stringsOf(t, text), "\n")
	}
	for name, text := range texts {
		for _, secret := range secrets {
			if way := leak(text, secret); way != "" {
				t.Errorf("%s shows %q: %s", name, secret, way)
			}
		}
	}
}

// stringsOf returns all strings of a report, and its base64 bodies, decoded.
func stringsOf(t *testing.T, text string) []string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	var list []string
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			list = append(list, value)
		case []any:
			for _, item := range value {
				walk(item)
			}
		case map[string]any:
			for key, item := range value {
				list = append(list, key)
				walk(item)
			}
		}
	}
	walk(value)
	var r result.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	for _, result := range r.Results {
		if answer := result.Exchange.Response; answer != nil && answer.Encoding != "" {
			data, err := base64.StdEncoding.DecodeString(answer.Body.Body)
			if err != nil {
				t.Error(err)
			}
			list = append(list, string(data))
		}
	}
	return list
}

// The search proves something only if it finds every encoding.
func TestTheSearchFindsEveryEncoding(t *testing.T) {
	for _, secret := range canaries {
		for _, e := range encodings {
			for _, around := range [][2]string{{"", ""}, {"Bearer ", " and"}, {`{"a": "`, `"}`}} {
				if way := leak(around[0]+e.encode(secret)+around[1], secret); way == "" {
					t.Errorf("%s of %q is not found", e.name, secret)
				}
			}
		}
		for _, text := range []string{"", "[redacted]", secret[:4], "Authorization: Bearer $CONFORMANCE_TOKEN"} {
			if way := leak(text, secret); way != "" {
				t.Errorf("%q is said to show %q: %s", text, secret, way)
			}
		}
	}
}
