package alteration

import (
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"

	"github.com/plantstore/conformance/reference/fault"
)

// changedText is what a service does to a text between request and answer.
type changedText struct {
	name, summary string
	edit          fault.TextEdit
	shown         string // a text that it changes
}

// changedTexts change the name as escaping, normalising, sanitising and storing change
// text. The plant is still valid (§2), but it is not the one that was sent.
func changedTexts() []Alteration {
	both, names := changesOfText()
	return changed("name", append(slices.Concat(both, names), []changedText{
		{"with-number-sign-cut", "up to the first #", fault.Replacing(`(?s)#.*$`, ""), "fern #7"},
		{"with-quotes-straightened", "with plain quotes for typographic ones", strings.NewReplacer("“", `"`, "”", `"`, "’", "'").Replace, "the “fern”"},
	}...))
}

// changedTags do the same to the tag.
func changedTags() []Alteration {
	both, _ := changesOfText()
	rows := changed("tag", append(both, []changedText{
		{"split-at-comma", "up to the first comma", fault.Replacing(`(?s),.*$`, ""), "indoor,shade"},
		{"as-slug", "as it may stand in an address", func(text string) string {
			return strings.Trim(fault.Replacing(`[^a-z0-9]+`, "-")(strings.ToLower(text)), "-")
		}, "In door!"},
	}...))
	shown := func(name string, clauses []string, property, summary string, such func(value string) bool, edit fault.TextEdit, value string) Alteration {
		change := shownPlant(fault.Property(property, fault.AString, fault.Where(such, edit)))
		return deviation(name, clauses, summary, change).warns(plantEcho).shows(plantWith(property, value))
	}
	number := fault.Matches(`^"-?(0|[1-9]\d{0,15})(\.\d+)?"$`)
	return append(rows,
		shown("tag-null-word-dropped", nil, "tag", "shows no tag if it is the word null",
			fault.Equals(`"null"`), fault.Nothing, `"null"`),
		shown("tag-undefined-word-dropped", nil, "tag", "shows no tag if it is the word undefined or None",
			fault.Matches(`^"(undefined|None|nil)"$`), fault.Nothing, `"undefined"`),
		shown("blank-tag-dropped", nil, "tag", "shows no tag if it is white space",
			fault.Matches(`^"\s+"$`), fault.Nothing, `" "`),
		shown("tag-zero-dropped", nil, "tag", "shows no tag if it is the digit 0",
			fault.Equals(`"0"`), fault.Nothing, `"0"`),
		shown("tag-false-dropped", nil, "tag", "shows no tag if it is the word false",
			fault.Equals(`"false"`), fault.Nothing, `"false"`),
		shown("number-for-name-of-digits", ids(plantName), "name", "shows a number for a name of digits",
			number, fault.FromString, `"12"`),
		shown("number-for-decimal-tag", ids(plantTag), "tag", "shows a number for a tag with a decimal point",
			fault.Matches(`^"\d+\.\d+"$`), fault.FromString, `"1.5"`),
		shown("boolean-for-tag-true", ids(plantTag), "tag", "shows a boolean for a tag that is the word true or false",
			fault.Matches(`^"(true|false)"$`), fault.FromString, `"true"`),
		shown("null-for-tag-null", ids(plantTag), "tag", "shows null for a tag that is the word null",
			fault.Equals(`"null"`), fault.FromString, `"null"`),
		shown("json-for-tag-of-json", ids(plantTag), "tag", "shows the list that is written in a tag",
			fault.AllOf(fault.Matches(`^"\[`), func(v string) bool { return fault.IsJSON(fault.FromString(v)) }), fault.FromString, `"[1]"`),
		deviation("tag-of-another-case-shown", nil, "shows what is in the property Tag for a missing tag",
			fault.When(fault.Both(fault.Accepted, fault.SentText("Tag", fault.NotEmpty)), func(r *fault.Request, a fault.Answer) fault.Answer {
				return fault.Body(fault.Add("tag", fault.AsString(r.Property("Tag"))))(r, a)
			})).warns(plantEcho).shows(`{"id":7,"name":"fern","Tag":"indoor"}`),
		deviation("name-cut-inside-character", ids(plantForm), "shows the first 40 bytes of a name, be it inside of a character",
			fault.When(fault.Accepted, func(r *fault.Request, a fault.Answer) fault.Answer {
				if name := r.Property("name"); len(name) > 40 && !utf8.ValidString(name[:40]) {
					return a.WithBody(`{"name":"` + name[:40] + `"}`)
				}
				return a
			})).shows(plantWith("name", `"`+strings.Repeat("ü", 10)+"x"+strings.Repeat("ü", 20)+`"`)),
	)
}

// changed are the rows of a property.
func changed(of string, changes []changedText) []Alteration {
	var rows []Alteration
	for _, c := range changes {
		edit := func(value string) string { return fault.AsString(c.edit(fault.FromString(value))) }
		rows = append(rows, deviation(of+"-"+c.name, nil, "shows the "+of+" "+c.summary,
			shownPlant(fault.Property(of, fault.AString, edit))).warns(plantEcho).shows(plantWith(of, fault.AsString(c.shown))))
	}
	return rows
}

// changesOfText are those that are tried on names and tags, and those that are
// tried on names alone.
func changesOfText() (both, names []changedText) {
	characters := func(n int) string { return strings.Repeat("f", n+1) }
	without := func(such func(c rune) bool) fault.TextEdit { return runes.Remove(runes.Predicate(such)).String }
	both = []changedText{
		{"with-apostrophes-escaped", "with &#39; for apostrophes", fault.Replacing(`'`, "&#39;"), "a'b"},
		{"with-apostrophes-doubled", "with two apostrophes for one", fault.Replacing(`'`, "''"), "a'b"},
		{"without-markup", "without what looks like markup", fault.Replacing(`<[^>]*>`, ""), "a<b>c"},
		{"without-zero-width", "without zero-width characters", fault.Replacing(`[\x{200B}-\x{200D}\x{2060}\x{FEFF}]`, ""), "a\u200bb"},
		{"without-control-characters", "without control characters", without(unicode.IsControl), "a\tb"},
		{"cut-at-nul", "up to U+0000", fault.Replacing(`(?s)\x00.*$`, ""), "a\x00b"},
		{"trimmed-everywhere", "without anything invisible at its ends", func(t string) string {
			return strings.TrimFunc(t, func(c rune) bool { return unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) || unicode.IsControl(c) })
		}, "\u200ba "},
		{"in-nfc", "in normal form C", norm.NFC.String, "e\u0301"},
		{"without-accents", "without accents", func(t string) string {
			return norm.NFC.String(without(func(c rune) bool { return unicode.Is(unicode.Mn, c) })(norm.NFD.String(t)))
		}, "é"},
		{"in-lower-case", "in small letters", strings.ToLower, "A"},
		{"cut-at-astral", "up to the first character beyond the BMP, as MySQL's utf8 does", fault.Replacing(`(?s)[\x{10000}-\x{10FFFF}].*$`, ""), "a🌵b"},
		{"cut-at-32", "cut after 32 characters", fault.Replacing(`(?s)^(.{32}).+$`, "$1"), characters(32)},
		{"cut-at-255-bytes", "cut after 255 bytes, with U+FFFD for half a character", func(t string) string {
			return strings.ToValidUTF8(t[:min(len(t), 255)], "\ufffd")
		}, strings.Repeat("ü", 200)},
	}
	names = []changedText{
		{"with-quotes-escaped", "with &quot; for quotes", fault.Replacing(`"`, "&quot;"), `a"b`},
		{"with-apostrophes-slashed", "with a backslash before apostrophes", fault.Replacing(`'`, `\'`), "a'b"},
		{"with-references-decoded", "with characters for references of HTML", html.UnescapeString, "a &amp; b"},
		{"with-placeholders-filled", "with placeholders filled in", fault.Replacing(`\$\{[^}]*\}|\{\{[^}]*\}\}|%s`, ""), "a ${b} {{c}} %s"},
		{"without-direction-marks", "without marks of direction", fault.Replacing(`[\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}]`, ""), "a\u200fb"},
		{"without-nul", "without U+0000", fault.Replacing(`\x00`, ""), "a\x00b"},
		{"trimmed-at-start", "without white space at its start", func(t string) string { return strings.TrimLeftFunc(t, unicode.IsSpace) }, " a"},
		{"with-astral-replaced", "with U+FFFD for characters beyond the BMP", fault.Replacing(`[\x{10000}-\x{10FFFF}]`, "\ufffd"), "a🌵"},
		{"cut-at-100", "cut after 100 characters", fault.Replacing(`(?s)^(.{100}).+$`, "$1"), characters(100)},
		{"with-formula-disarmed", "with an apostrophe before what a spreadsheet would calculate", fault.Where(fault.Matches(`^[=+@-]`), fault.Prefixed("'")), "=1+1"},
	}
	return both, names
}

// escaped is JSON with escapes for characters that are not ASCII or that HTML uses, and
// for a letter of each property.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c > unicode.MaxASCII, strings.ContainsRune("<>&'/", c):
			for _, unit := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&b, `\u%04X`, unit)
			}
		default:
			b.WriteRune(c)
		}
	}
	return strings.NewReplacer(`"name":`, `"n\u0061me":`, `"tag":`, `"\u0074ag":`, `"message":`, `"messag\u0065":`).Replace(b.String())
}

// jsonForms write the same JSON in another way that RFC 8259 permits, or add to it.
func jsonForms() []Alteration {
	errorValue := silent("error-value")
	number := func(name, literal string) Alteration {
		return variation("error-"+name, errorValue, "shows "+literal+" for error", shownError(fault.Set("error", literal))).shows(`{"id":7}`)
	}
	more := func(name, summary, member string, warned ...string) Alteration {
		return variation(name, plantUndeclared, "shows a plant with "+summary, shownPlant(fault.Replacing(`^\{`, "{"+strings.ReplaceAll(member, "$", "$$")+","))).
			warns(append(warned, plantUndeclared)...).shows(plainPlant)
	}
	return []Alteration{
		number("zero", "0"), number("one-thousand-and-one", "1001"), number("minus-zero", "-0"),
		variation("tabs-in-json", plantForm, "writes tabs and carriage returns between all tokens",
			fault.Always(fault.Body(fault.Spaced("\t\r")))).shows(plainPlant),
		variation("everything-escaped", plantForm, "escapes every letter of its texts", fault.Always(fault.Body(fault.Escaped()))).shows(plainPlant),
		more("error-in-plant", "a property error", `"error":null`),
		more("duplicate-keys-inside", "a property with a key twice", `"x":{"a":1,"a":2}`, plantForm),
		variation("very-long-message", errorMessage, "shows a message of 70,000 characters", shownMessage(strings.Repeat("long ", 14_000))).shows(`{"id":7}`),
		variation("request-in-message", errorMessage, "repeats the body of the request in the message", fault.When(fault.Refused, func(r *fault.Request, a fault.Answer) fault.Answer {
			return fault.Body(fault.Set("message", fault.AsString(strings.ToValidUTF8(r.Text(), "\ufffd"))))(r, a)
		})).shows(`{"id":7}`),
		variation("error-declared-with-parameters", errorMediaType, "calls the JSON of an Error APPLICATION/JSON ; v=\"1\"",
			fault.When(fault.Refused, fault.MediaType(`APPLICATION/JSON ; v="1"`))).shows(`{"id":7}`),
	}
}

// fieldVariations send header fields that no clause is about.
func fieldVariations() []Alteration {
	fields := func(name, summary string, pairs ...string) Alteration {
		var edits []fault.Edit
		for pair := range slices.Chunk(pairs, 2) {
			edits = append(edits, fault.Header(http.CanonicalHeaderKey(pair[0]), pair[1:]...))
		}
		return variation(name, answers, "sends "+summary, fault.Always(edits...)).shows(plainPlant)
	}
	return []Alteration{
		fields("rate-fields", "the fields of a rate that is not used up", "RateLimit-Limit", "100", "RateLimit-Remaining", "0", "RateLimit-Reset", "60", "X-RateLimit-Remaining", "0"),
		fields("odd-fields", "fields that are empty or beyond ASCII", "X-Empty", "", "X-Name", "Grünlilie", "X-Latin", "Gr\xfcn"),
		variation("challenge-on-400", silent("credential-missing"), "sends a challenge with the 400 for a missing credential",
			fault.When(fault.RefusedFor("Authorization"), fault.Header("Www-Authenticate", `Bearer realm="plants"`, "Basic"))).shows(plainPlant, "Authorization: "),
		variation("session-cookies", answers, "sends a new session with every answer",
			fault.Always(fault.Header("Set-Cookie", "session=7; Path=/; HttpOnly; Secure; SameSite=Lax", "csrf=8; Max-Age=0"))).shows(plainPlant),
	}
}

// formVariations: RFC 9110 §8.3.1 and RFC 8259 leave several ways of writing
// the same media type and the same JSON.
func formVariations() []Alteration {
	acceptedAs := func(value string) fault.Change { return fault.When(fault.Accepted, fault.MediaType(value)) }
	return []Alteration{
		variation("media-type-in-capitals", plantMediaType, "calls JSON Application/JSON",
			fault.Always(fault.MediaType("Application/JSON"))),
		variation("media-type-with-charset", plantMediaType, "calls JSON application/json;charset=UTF-8",
			acceptedAs("application/json;charset=UTF-8")),
		variation("media-type-with-parameters", plantMediaType, "adds parameters to the media type, as oddly as HTTP lets it",
			acceptedAs(`application/json ; profile="a;b\"c" ;; v=1;`)),
		variation("error-media-type-with-charset", errorMediaType, "calls the JSON of an Error application/json; charset=utf-8",
			fault.When(fault.Refused, fault.MediaType("application/json; charset=utf-8"))),

		variation("pretty-json", plantForm, "indents its JSON and ends its lines with CR LF", fault.Always(fault.Body(fault.Indented))),
		variation("escaped-json", plantForm, "escapes all that it may in its JSON, property names included",
			fault.Always(fault.Body(escaped))),
		variation("white-space-around-json", plantForm, "writes white space around its JSON",
			fault.Always(fault.Body(fault.Prefixed(" \r\n\t"), fault.Suffixed(" \r\n\t")))),
		variation("plant-in-another-order", plantForm, "shows the tag before the name",
			shownPlant(fault.Replacing(`(?s)^{("name":.*),("tag":.*)}`, "{$2,$1}"))),
		variation("error-in-another-order", errorForm, "shows the message before error",
			shownError(fault.Replacing(`(?s)^{("error":\d+),("message":.*)}`, "{$2,$1}"))),
	}
}

// contentVariations show more than a response must contain.
func contentVariations() []Alteration {
	const long = 20_000
	return []Alteration{
		variation("id-echoed", plantUndeclared, "shows the id of the plant as well",
			shownAsSent("id")).warns(plantUndeclared),
		variation("more-properties", errorUndeclared, "shows links with a plant and details with an Error", fault.Together(
			shownPlant(fault.Add("_links", `{"self":{"href":"/plants/7"}}`)),
			shownError(fault.Add("details", `[{"message":null}]`)),
		)).warns(plantUndeclared, errorUndeclared),
		variation("empty-tag-left-out", plantTag, "leaves out a tag that is empty",
			shownPlant(fault.Property("tag", fault.AString, fault.Where(fault.Equals(`""`), fault.Nothing)))).warns(plantEcho),
		variation("missing-tag-empty", plantTag, "shows an empty tag if there is none",
			shownPlant(fault.Add("tag", `""`))).warns(plantEcho),
		variation("empty-message", errorMessage, "shows an empty message", shownMessage("")),
		variation("long-message", errorMessage, "shows a message of 20,000 characters", shownMessage(strings.Repeat("x", long))),
		variation("message-in-another-language", errorMessage, "shows a message with characters of all sorts",
			shownMessage("✗ Ungültig 植物 🌵 \u0000\t\"\\ </script>")),
	}
}

// wireVariations: HTTP leaves several ways of sending the same answer.
func wireVariations() []Alteration {
	const late = 10 * time.Millisecond
	rows := []Alteration{
		variation("tls", answers, "speaks HTTP/1.1 over TLS", fault.Unchanged).overTLS("http/1.1"),
		variation("http-2", answers, "speaks HTTP/2", fault.Unchanged).overTLS("h2", "http/1.1"),
		variation("http-1-0", answers, "speaks HTTP/1.0 and ends a body by closing the connection",
			fault.Always(fault.Header("Content-Length"), fault.Delivered(fault.Verbatim(fault.Message("HTTP/1.0 %d"))))),
		variation("no-reason-phrase", answers, "sends a status without a reason phrase and fields in lower case",
			fault.Always(fault.Delivered(fault.Verbatim(fault.Message("HTTP/1.1 %d ", "connection: close"))))),
		variation("connection-closed", answers, "closes the connection after every answer and does not say so",
			fault.Always(fault.Delivered(fault.Verbatim(fault.Message("HTTP/1.1 %d OK"))))),
		variation("connection-close", answers, "closes the connection after every answer, and says so",
			fault.Always(fault.Header("Connection", "close"))),
		variation("chunked", answers, "sends a body in chunks of one byte", fault.Always(fault.Delivered(fault.InParts))),
		variation("trailers", answers, "sends a field after the body", fault.Always(fault.Delivered(fault.Trailing))),
		variation("identity-coding", answers, "says that its answers are not compressed",
			fault.Always(fault.Header("Content-Encoding", "identity"))),
		variation("gzip", answers, "compresses its answers for those who take it", fault.Always(fault.Delivered(fault.Compressed))),
		variation("gzip-for-all", answers, "compresses its answers, whatever the client takes", fault.Always(fault.Delivered(fault.CompressedForAll))).warns(answers),
		variation("early-hints", answers, "sends 103 first", fault.Always(fault.Delivered(fault.Hinting(http.StatusEarlyHints)))),
		variation("still-processing", answers, "sends 102 several times first",
			fault.Always(fault.Delivered(fault.Hinting(http.StatusProcessing, http.StatusProcessing, http.StatusEarlyHints)))),
		variation("slow", answers, "takes its time for every answer", fault.Always(fault.Delivered(fault.LateBy(late)))),
		variation("many-fields", answers, "sends many header fields, some of them twice",
			fault.Always(fault.Header("Set-Cookie", "a=1", "b=2"), fault.Header("X-Trace", strings.Repeat("x", 8<<10)), fault.Header("Date"))),
	}
	for i := range rows {
		rows[i].Wire = true
	}
	return rows
}
