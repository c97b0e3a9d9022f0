package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"html"
	"math/rand/v2"
	"mime/quotedprintable"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
)

// A coding is a way in which a text may be written on its way back.
type coding struct {
	name   string
	encode func(text string, random *rand.Rand) string
}

func everyByte(format string) func(string, *rand.Rand) string {
	return func(s string, _ *rand.Rand) string {
		return perByte(s, func(c byte) string { return fmt.Sprintf(format, c) })
	}
}

func inLines(text, between string, width int) string {
	var lines []string
	for ; len(text) > width; text = text[width:] {
		lines = append(lines, text[:width])
	}
	return strings.Join(append(lines, text), between)
}

func wide(order binary.AppendByteOrder) func(string, *rand.Rand) string {
	return func(s string, _ *rand.Rand) string {
		var b []byte
		for _, unit := range utf16.Encode([]rune(s)) {
			b = order.AppendUint16(b, unit)
		}
		return string(b)
	}
}

// codings can be nested: each can be decoded for any text.
var codings = []coding{
	{"percent", func(s string, _ *rand.Rand) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }},
	{"percent in a path", func(s string, _ *rand.Rand) string { return url.PathEscape(s) }},
	{"PERCENT", everyByte("%%%02X")},
	{"percent in lower case", everyByte("%%%02x")},
	{"%u", everyByte("%%u%04x")},
	{"JSON", func(s string, _ *rand.Rand) string { return jsonText(s) }},
	{"JSON everywhere", everyByte(`\u%04x`)},
	{"braces", everyByte(`\u{%x}`)},
	{"shell", everyByte(`\x%02X`)},
	{"backslashes", func(s string, _ *rand.Rand) string {
		return strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`).Replace(s)
	}},
	{"HTML", func(s string, _ *rand.Rand) string { return html.EscapeString(s) }},
	{"HTML with zeros", everyByte("&#00%d;")},
	{"HTML in hexadecimal", everyByte("&#x%02X;")},
	{"HTML without ends", func(s string, _ *rand.Rand) string {
		return perByte(s, func(c byte) string { return fmt.Sprintf("&#%d", c) }) + ";"
	}},
	{"quoted-printable", func(s string, _ *rand.Rand) string {
		var b bytes.Buffer
		w := quotedprintable.NewWriter(&b)
		w.Write([]byte(s))
		w.Close()
		return b.String()
	}},
	{"quoted-printable everywhere", func(s string, _ *rand.Rand) string {
		return inLines(perByte(s, func(c byte) string { return fmt.Sprintf("=%02X", c) }), "=\r\n", 75)
	}},
	{"base64", func(s string, _ *rand.Rand) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64url", func(s string, _ *rand.Rand) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }},
	{"base64 of a password", func(s string, r *rand.Rand) string {
		return base64.StdEncoding.EncodeToString([]byte(pick(r, "u:", "me:", "user:") + s))
	}},
	{"base64 in lines", func(s string, r *rand.Rand) string {
		return inLines(base64.StdEncoding.EncodeToString([]byte(s)), pick(r, "\n", "\r\n"), 64+12*r.IntN(2))
	}},
	{"hexadecimal", func(s string, _ *rand.Rand) string { return hex.EncodeToString([]byte(s)) }},
	{"HEXADECIMAL", everyByte("%02X")},
	{"hexadecimal with blanks", everyByte("%02x ")},
	{"hexadecimal with colons", func(s string, _ *rand.Rand) string { return strings.TrimSuffix(everyByte("%02x:")(s, nil), ":") }},
	{"UTF-16LE", wide(binary.LittleEndian)},
	{"UTF-16BE", wide(binary.BigEndian)},
	{"ISO 8859-1", func(s string, _ *rand.Rand) string { return latin1(s) }},
	{"folded", func(s string, r *rand.Rand) string {
		if strings.ContainsAny(s, `&\`) {
			return s // a fold does not split a reference
		}
		return inLines(s, pick(r, "\r\n ", "\r\n\t", " ", "\n"), 10+r.IntN(30))
	}},
}

func compose(random *rand.Rand, secret string) (encoded, names string) {
	encoded = secret
	for range 1 + random.IntN(3) {
		c := codings[random.IntN(len(codings))]
		encoded = c.encode(encoded, random)
		names += " " + c.name
		if len(encoded) > 20_000 {
			break
		}
	}
	return encoded, names
}

const before, after = `{"first": "nothing here", "value": "`, `", "second": "and nothing there"}`

// checkComposed checks a text that contains an encoded secret.
func checkComposed(t *testing.T, r *Redactor, secret, encoded, names string) {
	t.Helper()
	got := r.Text(before + encoded + after)
	if !strings.Contains(got, Mask) {
		t.Errorf("%s: %.300q is not masked", names, encoded)
	}
	if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
		t.Errorf("%s: of %.300q became %.300q", names, encoded, got)
	}
	if part := shown(got, secret); part != "" {
		t.Errorf("%s: %.300q became %.300q, which shows %q", names, encoded, got, part)
	}
}

func TestRedactCodings(t *testing.T) {
	r := New([]string{secret})
	random := fixedRandom()
	for _, c := range codings {
		checkComposed(t, r, secret, c.encode(secret, random), c.name)
		for _, outer := range codings {
			checkComposed(t, r, secret, outer.encode(c.encode(secret, random), random), c.name+" in "+outer.name)
		}
	}
	for seed := range sampled(300) {
		random := rand.New(rand.NewPCG(seed, 2))
		encoded, names := compose(random, secret)
		checkComposed(t, r, secret, encoded, fmt.Sprintf("%d:%s", seed, names))
	}
}

// Hard compositions, and the parts of a text that must stay.
func TestRedactCompositions(t *testing.T) {
	const token = "Kq2CnrVx3Zt9+Rw5Yb2/Lm4Np6Qs8Hd7=="
	in := func(names ...string) string {
		text := token
		for _, name := range names {
			for _, c := range codings {
				if c.name == name {
					text = c.encode(text, fixedRandom())
				}
			}
		}
		return text
	}
	nest := func(s string, n int) string {
		for range n {
			s = url.QueryEscape(s)
		}
		return s
	}
	r := New([]string{token})
	for _, row := range []struct{ name, text, want string }{
		{"percent twice in a Location", "https://a/login?next=" + url.QueryEscape("/x?token="+url.QueryEscape(token)) + "&y=1", "https://a/login?next=%2Fx%3Ftoken%3D[redacted]&y=1"},
		{"percent three times", "/?t=" + nest(token, 3) + "&y=1", "/?t=[redacted]&y=1"},
		{"quoted-printable", "t: " + in("quoted-printable everywhere") + " end", "t: [redacted] end"},
		{"an encoded word", "=?UTF-8?Q?" + in("quoted-printable everywhere") + "?=", "=?UTF-8?Q?[redacted]?="},
		{"references with zeros", "<p>" + in("HTML with zeros") + "</p>", "<p>[redacted]</p>"},
		{"UTF-16", "<" + in("UTF-16LE") + ">", "<[redacted]>"},
		{"base64 twice", "<" + in("base64", "base64") + ">", "<[redacted]>"},
		{"folded", "a b\r\n " + inLines(token, "\r\n ", 20) + ";\r\n c", "a b\r\n [redacted];\r\n c"},
		{"hexadecimal of base64", "<" + in("base64", "hexadecimal") + ">", "<[redacted]>"},
		{"percent of HTML of JSON", "<" + in("JSON everywhere", "HTML with zeros", "PERCENT") + ">", "<[redacted]>"},
		{"bytes with a prefix", "[" + everyByte("0x%02x, ")(token, nil) + "]", "[[redacted], ]"},
		{"beside letters", "abc" + token[:20] + "def ghi", Mask + " ghi"},
		{"with one character changed", "t=" + token[:15] + "?" + token[16:] + "&", "t=[redacted]?[redacted]&"},
		{"beyond all rounds", "a " + nest(token, 12) + " b", "a [redacted] b"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := r.Text(row.text); got != row.want {
				t.Errorf("%.300q became %.300q, want %q", row.text, got, row.want)
			}
		})
	}
}

// A secret is found at any boundary between the pieces of a text.
func TestRedactLongText(t *testing.T) {
	r := New([]string{secret})
	for at := pieceStep - 200; at < pieceSize+200; at += 2311 {
		for i, c := range codings {
			if sampled(10) == 1 && (i+at)%16 > 0 {
				continue // each takes several milliseconds
			}
			text := strings.Repeat(". ", at/2)
			encoded := c.encode(secret, fixedRandom())
			got := r.Text(text + encoded + " ." + text)
			if !strings.HasPrefix(got, text) || !strings.HasSuffix(got, text) || strings.Count(got, Mask) != 1 {
				t.Fatalf("%s after %d bytes: %d masks in %d bytes", c.name, at, strings.Count(got, Mask), len(got))
			}
		}
	}
}

// undoers decode one coding each, independently of the redactor.
var undoers = []func(string) []string{
	pattern(`%[0-9A-Fa-f]{2}`, func(s string) string { return fromHex(s[1:]) }),
	pattern(`%u00[0-9A-Fa-f]{2}`, func(s string) string { return fromHex(s[4:]) }),
	pattern(`\\x[0-9A-Fa-f]{2}`, func(s string) string { return fromHex(s[2:]) }),
	pattern(`\\u\{[0-9A-Fa-f]{1,2}\}`, func(s string) string { return fromHex(("0" + s[3:len(s)-1])[len(s)-5:]) }),
	pattern(`=[0-9A-Fa-f]{2}|=\r?\n`, func(s string) string { return fromHex(strings.TrimSpace(s[1:])) }),
	pattern(`\\[\\"'/]`, func(s string) string { return s[1:] }),
	pattern("\x00|\ufffd|&#0;?", func(string) string { return "" }),
	pattern(`\s+`, func(string) string { return "" }),
	func(s string) []string {
		return []string{fromJSON(s), html.UnescapeString(s), strings.ReplaceAll(s, "+", " ")}
	},
	func(s string) (list []string) {
		runs := regexp.MustCompile(`[0-9A-Za-z+/_-]{16,}`).FindAllString(s, -1)
		for _, run := range runs {
			standard := strings.NewReplacer("-", "+", "_", "/").Replace(run)
			for shift := range 4 {
				part := standard[shift:]
				plain, _ := base64.RawStdEncoding.DecodeString(part[:len(part)-len(part)%4])
				list = append(list, string(plain))
			}
		}
		for _, run := range regexp.MustCompile(`([0-9A-Fa-f]{2}[: ]?){8,}`).FindAllString(s, -1) {
			run = strings.NewReplacer(":", "", " ", "").Replace(run)
			list = append(list, fromHex(run), fromHex(run[1:]))
		}
		return list
	},
}

func pattern(p string, f func(string) string) func(string) []string {
	compiled := regexp.MustCompile(p)
	return func(s string) []string { return []string{compiled.ReplaceAllStringFunc(s, f)} }
}

// shown returns a part of a secret that is readable in a text after decoding in any order,
// or "".
func shown(text, secret string) string {
	secret = strings.ToLower(secret)
	seen, todo := map[string]bool{text: true}, []string{text}
	for len(todo) > 0 && len(seen) < 60 {
		text, todo = todo[0], todo[1:]
		low := strings.ToLower(text)
		for _, part := range windowsOf(secret) {
			if strings.Contains(low, part) {
				return part
			}
		}
		for _, undo := range undoers {
			for _, next := range undo(text) {
				if len(next) >= 8 && !seen[next] {
					seen[next], todo = true, append(todo, next)
				}
			}
		}
	}
	return ""
}

func windowsOf(secret string) (list []string) {
	size := min(window, len(secret))
	for i := range len(secret) - size + 1 {
		list = append(list, secret[i:i+size])
	}
	return list
}

// The function shown finds unmasked secrets, otherwise the other tests would prove nothing.
func TestShownFindsCompositions(t *testing.T) {
	for i, c := range codings {
		for j, outer := range codings {
			if sampled(10) == 1 && (i+j)%8 > 0 {
				continue
			}
			if text := outer.encode(c.encode(secret, fixedRandom()), fixedRandom()); shown(before+text+after, secret) == "" {
				t.Errorf("%s in %s is not found: %.200q", c.name, outer.name, text)
			}
		}
	}
}

func FuzzRedactCompositions(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	for _, found := range []uint64{510, 1155} {
		f.Add(found)
	}
	letters := strings.Split("ABCXYZabcxyzdefghijklmnopqrst0123456789-._~+/", "")
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 3))
		token := draw(random, letters, 16, 60)
		if seed%4 == 0 {
			token = pick(random, secret, "Kq2CnrVx3Zt9+Rw5Yb2/Lm4Np6Qs8Hd7==", `Cn"r<7&K>q+2/V=x3Zt9Rw5Yb%41\u0041'$(id)~#;7`)
		}
		encoded, names := compose(random, token)
		checkComposed(t, New([]string{token}), token, encoded, fmt.Sprintf("%d: %q%s", seed, token, names))
	})
}
