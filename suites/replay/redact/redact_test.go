package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const secret = "Tr0ub4dor-and-3/xyz+ABC="

// encodings are the ways in which a target may encode a received text. random
// decides between alternatives.
var encodings = []struct {
	name   string
	encode func(text string, random *rand.Rand) string
}{
	{"raw", func(s string, _ *rand.Rand) string { return s }},
	{"upper case", func(s string, _ *rand.Rand) string { return strings.ToUpper(s) }},
	{"lower case", func(s string, _ *rand.Rand) string { return strings.ToLower(s) }},
	{"any case", func(s string, r *rand.Rand) string {
		return perByte(s, func(c byte) string { return pick(r, string(c), string(lower[c])) })
	}},
	{"path escapes", func(s string, _ *rand.Rand) string { return url.PathEscape(s) }},
	{"query escapes", func(s string, _ *rand.Rand) string { return url.QueryEscape(s) }},
	{"percent everywhere", func(s string, _ *rand.Rand) string {
		return perByte(s, func(c byte) string { return fmt.Sprintf("%%%02X", c) })
	}},
	{"percent here and there", func(s string, r *rand.Rand) string {
		return perByte(s, func(c byte) string {
			if c == '%' {
				return "%25"
			}
			return pick(r, string([]byte{c}), fmt.Sprintf("%%%02X", c), fmt.Sprintf("%%%02x", c))
		})
	}},
	{"JSON", func(s string, _ *rand.Rand) string { return jsonText(s) }},
	{"JSON here and there", func(s string, r *rand.Rand) string {
		var b strings.Builder
		for _, c := range s {
			if c < 0x10000 && (c == '\\' || c == '"' || r.IntN(2) == 0) {
				b.WriteString(pick(r, fmt.Sprintf(`\u%04x`, c), fmt.Sprintf(`\u%04X`, c)))
			} else {
				b.WriteRune(c)
			}
		}
		return b.String()
	}},
	{"JSON in ASCII", func(s string, _ *rand.Rand) string {
		text := strconv.QuoteToASCII(s)
		if regexp.MustCompile(`\\[^u"\\]`).MatchString(text) {
			return jsonText(s)
		}
		return text[1 : len(text)-1]
	}},
	{"JSON with slashes", func(s string, _ *rand.Rand) string { return strings.ReplaceAll(jsonText(s), "/", `\/`) }},
	{"JSON in JSON", func(s string, _ *rand.Rand) string { return jsonText(url.QueryEscape(s)) }},
	{"HTML", func(s string, _ *rand.Rand) string { return html.EscapeString(s) }},
	{"HTML here and there", func(s string, r *rand.Rand) string {
		var b strings.Builder
		for _, c := range s {
			b.WriteString(pick(r, html.EscapeString(string(c)), fmt.Sprintf("&#%d;", c), fmt.Sprintf("&#x%x;", c), fmt.Sprintf("&#X%X;", c)))
		}
		return b.String()
	}},
	{"hexadecimal", func(s string, _ *rand.Rand) string { return hex.EncodeToString([]byte(s)) }},
	{"HEXADECIMAL", func(s string, _ *rand.Rand) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) }},
	{"shell", func(s string, _ *rand.Rand) string {
		return perByte(s, func(c byte) string { return fmt.Sprintf(`\x%02x`, c) })
	}},
	{"ISO 8859-1", func(s string, _ *rand.Rand) string { return latin1(s) }},
	{"base64", func(s string, _ *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64url", func(s string, _ *rand.Rand) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }},
	{"base64 of user:token", func(s string, _ *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) }},
	{"base64 of u:token", func(s string, _ *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte("u:" + s)) }},
	{"base64url of Bearer token.", func(s string, _ *rand.Rand) string {
		return base64.URLEncoding.EncodeToString([]byte("Bearer " + s + "."))
	}},
	{"base64 in a query", func(s string, _ *rand.Rand) string {
		return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte("x" + s)))
	}},
	{"base64 in JSON", func(s string, _ *rand.Rand) string {
		return strings.ReplaceAll(base64.StdEncoding.EncodeToString([]byte("x"+s)), "/", `\/`)
	}},
}

func perByte(s string, f func(byte) string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(f(s[i]))
	}
	return b.String()
}

func pick(r *rand.Rand, choices ...string) string { return choices[r.IntN(len(choices))] }

func jsonText(s string) string {
	text, _ := json.Marshal(s)
	return string(text[1 : len(text)-1])
}

// sampled returns how many random cases a test tries: a tenth, or all of them with
// LONG_TESTS.
func sampled(all uint64) uint64 {
	if os.Getenv("LONG_TESTS") == "" {
		return all / 10
	}
	return all
}

func fixedRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestRedactEncodings(t *testing.T) {
	for _, token := range []string{
		secret, "abcd", "12345678", "a.b*c+d?(e)[f]{g}|h^i$j", "100%41%%zz%2", `back\slash"quote'`, `a\u0061b\x62c\\d`,
		"&amp;&lt;&#65;", "Grün-植物-🌱", "with some spaces", strings.Repeat("long-", 200), "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
	} {
		r := New([]string{token})
		for _, e := range encodings {
			encoded := e.encode(token, fixedRandom())
			for _, around := range [][2]string{{"", ""}, {`{"token":"`, `"}`}, {"<p>\\", "%"}, {"植", "物"}} {
				text := around[0] + encoded + around[1]
				got := r.Text(text)
				if leak := leaks(got, token); leak != "" {
					t.Errorf("%s of %.60q: %.200q shows it, %s", e.name, token, got, leak)
				}
				if !strings.Contains(got, Mask) {
					t.Errorf("%s of %.60q: %.200q is not masked", e.name, token, got)
				}
			}
		}
	}
}

// leaks returns how a text reveals the token to someone who decodes it, or "". Its decoding
// is independent of the redactor.
func leaks(text, token string) string {
	token = strings.ToLower(token)
	for name, plain := range map[string]string{
		"as it is":            text,
		"in percent":          replace(text, `%[0-9A-Fa-f]{2}`, func(s string) string { return fromHex(s[1:]) }),
		"in percent and plus": strings.ReplaceAll(replace(text, `%[0-9A-Fa-f]{2}`, func(s string) string { return fromHex(s[1:]) }), "+", " "),
		"in \\x":              replace(text, `\\x[0-9A-Fa-f]{2}`, func(s string) string { return fromHex(s[2:]) }),
		"in JSON":             fromJSON(text),
		"in HTML":             html.UnescapeString(text),
	} {
		if strings.Contains(strings.ToLower(plain), token) {
			return name
		}
	}
	for run := range strings.FieldsFuncSeq(text, func(c rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", c) }) {
		for shift := range min(2, len(run)) {
			if strings.Contains(strings.ToLower(fromHex(run[shift:])), token) {
				return "in hexadecimal"
			}
		}
	}
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(text)
	for run := range strings.FieldsFuncSeq(standard, func(c rune) bool {
		return c > 0x7f || !(c == '+' || c == '/' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}) {
		for shift := range min(4, len(run)) {
			plain, _ := base64.RawStdEncoding.DecodeString(run[shift:])
			if strings.Contains(strings.ToLower(string(plain)), token) {
				return "in base64"
			}
		}
	}
	return ""
}

func replace(text, pattern string, f func(string) string) string {
	return regexp.MustCompile(pattern).ReplaceAllStringFunc(text, f)
}

// fromHex stops at the last whole byte.
func fromHex(s string) string {
	b, _ := hex.DecodeString(s[:len(s)/2*2])
	return string(b)
}

func fromJSON(text string) string {
	return replace(text, `(\\u[0-9A-Fa-f]{4})+|\\["\\/bfnrt]`, func(s string) string {
		var plain string
		if json.Unmarshal([]byte(`"`+s+`"`), &plain) != nil {
			return s
		}
		return plain
	})
}

func TestRedactParts(t *testing.T) {
	r := New([]string{secret})
	for i := 0; i+window <= len(secret); i++ {
		part := secret[i : i+window]
		if got := r.Text("<" + part + ">"); got != "<"+Mask+">" {
			t.Errorf("%q: %q", part, got)
		}
	}
	if short := secret[:window-1]; r.Text(short) != short {
		t.Errorf("%q is masked", short)
	}
}

func TestRedactText(t *testing.T) {
	for _, row := range []struct {
		name    string
		secrets []string
		text    string
		want    string
	}{
		{"nothing secret", nil, "anything", "anything"},
		{"no token", []string{""}, "anything", "anything"},
		{"short", []string{"abc"}, "abcabc", "abcabc"},
		{"four bytes", []string{"abcd"}, "abcd ABCD abc", Mask + " " + Mask + " abc"},
		{"twice in a row", []string{"abcdefgh"}, "xabcdefghabcdefghx", "x" + Mask + "x"},
		{"overlapping", []string{"aaaaaa"}, "xaaaaaaaaax", "x" + Mask + "x"},
		{"several", []string{"abcdefgh", "ijklmnop"}, "abcdefgh, ijklmnop", Mask + ", " + Mask},
		{"one in another", []string{"abcd", "xabcdx"}, "xabcdx abcd", Mask + " " + Mask},
		{"escaped", []string{"abcd"}, "%61b%63d %61 %6", Mask + " %61 %6"},
		{"escape before it", []string{"1abc"}, "%41abc", "%4" + Mask},
		{"escape after it", []string{"abc%4"}, "abc%41", Mask + "1"},
		{"backslash before it", []string{"abcd"}, `\\u0061bcd \abcd`, Mask + ` \` + Mask},
		{"quoted escapes", []string{"abcd"}, `malformed "\\u0061\\x62cd \\n"`, `malformed "` + Mask + ` \\n"`},
		{"quoted, and nothing secret", []string{"abcd"}, `"\\u0061\\n"`, `"\\u0061\\n"`},
		{"JSON in JSON", []string{"ab/cd"}, `{"a":"{\"b\":\"ab\\/cd\"}"}`, `{"a":"{\"b\":\"` + Mask + `\"}"}`},
		{"unknown entities", []string{"abcd"}, "&abcd; &#; &#x; &;", "&" + Mask + "; &#; &#x; &;"},
		{"no UTF-8", []string{"abcd"}, "\xffabcd\xff", "\xff" + Mask + "\xff"},
		{"surrogates", []string{"a🌱b"}, `a\ud83c\udf31b \ud83c`, Mask + ` \ud83c`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := New(row.secrets).Text(row.text); got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

func TestRedactHeader(t *testing.T) {
	got := New([]string{secret, "x-secret-name"}).Header(http.Header{
		"X-Echo": {"Bearer " + secret, "other"}, "X-Secret-Name": {"1"}, "Content-Type": {"application/json"},
	})
	want := http.Header{"X-Echo": {"Bearer " + Mask, "other"}, Mask: {"1"}, "Content-Type": {"application/json"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A body may be cut off in the middle of the token. The rest is then too short to
// contain a window.
func TestRedactCutBody(t *testing.T) {
	r := New([]string{secret})
	for _, e := range encodings {
		encoded := e.encode(secret, fixedRandom())
		for n := range len(encoded) {
			got := string(r.Body([]byte(`{"token":"`+encoded[:n]), true))
			if strings.HasPrefix(e.name, "HTML") {
				got = replace(got, `&[^;]*$`, func(string) string { return "" }) // readable although it is cut off
			}
			if leak := leaks(got, secret[:minSecret]); leak != "" {
				t.Errorf("%s, cut after %d: %q, %s", e.name, n, got, leak)
			}
		}
	}
	for _, text := range []string{"", "x", "Tr0", "%", "nothing", "Tr0ub Tr0"} {
		if got := string(r.Body([]byte(text), true)); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	body := []byte("abc" + secret[:6] + "def")
	if r.Body(body[:9], true); string(body) != "abc"+secret[:6]+"def" {
		t.Errorf("the original was written to: %q", body)
	}
}

// inMask reports whether the token cannot be distinguished from the mask itself.
func inMask(token string) bool {
	return strings.ContainsAny(token, "[]") || strings.Contains(Mask, strings.ToLower(token))
}

// draw returns a random text of least to most characters of the alphabet.
func draw(r *rand.Rand, alphabet []string, least, most int) string {
	var b strings.Builder
	for range least + r.IntN(most-least+1) {
		b.WriteString(pick(r, alphabet...))
	}
	return b.String()
}

// surroundings are texts that may be next to a token, including difficult ones.
var surroundings = []string{
	" ", "\n", "{", "}", `"`, "%", "%2", "%20", "%C3%A4", `\`, `\\`, `\n`, `\u`, `\u00e4`, `\"`, `\x`, "&", "&#", "&lt;", ";", "=", "+", "/",
	"ä", "植", "🌱", "\xff", "\x00",
}

func TestRedactAnyToken(t *testing.T) {
	letters := strings.Split("ABCXYZabcxyz0189-._~+/", "")
	odd := strings.Split(`!"#$%&'()*+,-./:;<=>?@^_|~{}abc019 `+"`äé植🌱", "")
	for seed := range sampled(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		token := draw(r, letters, 4, 40)
		if seed%2 == 0 {
			token = "x" + draw(r, odd, 3, 40) + "x"
		}
		e := encodings[r.IntN(len(encodings))]
		got := New([]string{token}).Text(draw(r, surroundings, 0, 5) + e.encode(token, r) + draw(r, surroundings, 0, 5))
		if leak := leaks(got, token); leak != "" && !inMask(token) {
			t.Errorf("%d: %s: %q shows %q, %s", seed, e.name, got, token, leak)
		}
	}
}

func TestRedactLeavesOtherTextAlone(t *testing.T) {
	letters := strings.Split("ABCXYZabcxyz0189", "")
	for seed := range sampled(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		token := draw(r, letters, 4, 40)
		text := []byte(draw(r, surroundings, 0, 200))
		if got := New([]string{token}).Bytes(text); !bytes.Equal(got, text) {
			t.Errorf("%d: %q became %q by %q", seed, text, got, token)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for i := range encodings {
		f.Add(secret, "before ", " after", uint8(i), uint64(i))
	}
	f.Add("abc%4", "%", "1", uint8(0), uint64(0))
	f.Add(`a\b"c`, `\`, `\u0061`, uint8(8), uint64(0))
	f.Fuzz(func(t *testing.T, token, before, after string, encoding uint8, seed uint64) {
		if len(token) < minSecret || inMask(token) || !utf8.ValidString(token) || strings.ContainsFunc(token, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			t.Skip()
		}
		r := New([]string{token})
		e := encodings[int(encoding)%len(encodings)]
		got := r.Text(before + e.encode(token, rand.New(rand.NewPCG(seed, 0))) + after)
		if leak := leaks(got, token); leak != "" {
			t.Errorf("%s: %q shows %q, %s", e.name, got, token, leak)
		}
		r.Body([]byte(before+after), true)
	})
}

func BenchmarkRedact(b *testing.B) {
	text := []byte(strings.Repeat(`{"id": 12345678901234, "name": "a plant of 50% \"shade\" & water"},`, 1<<20/66))
	for name, token := range map[string]string{"token": secret, "JWT": "eyJhbGciOiJSUzI1NiJ9." + strings.Repeat("eyJzdWIiOiJwbGFudCJ9", 60)} {
		r := New([]string{token})
		for what, body := range map[string][]byte{
			"plain": text, "escaped": []byte(strings.ReplaceAll(string(text), "e", `\u0065`)),
			"percent": bytes.Repeat([]byte("%25"), 1<<20/3), "backslashes": bytes.Repeat([]byte(`\`), 1<<20),
			"entities": bytes.Repeat([]byte("&amp;"), 1<<20/5), "the token": bytes.Repeat([]byte(token), 1<<20/len(token)),
		} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					r.Bytes(body)
				}
			})
		}
	}
}

// latin1 returns a text whose bytes are interpreted as characters.
func latin1(text string) string {
	runes := make([]rune, len(text))
	for i := range len(text) {
		runes[i] = rune(text[i])
	}
	return string(runes)
}
