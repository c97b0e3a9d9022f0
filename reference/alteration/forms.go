package alteration

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/plantstore/conformance/reference/fault"
)

// escaped returns JSON with escapes for characters that are not ASCII or that HTML uses, and for a
// letter of each property.
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

// fieldVariations send header fields that no clause mentions.
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
