package reference

import (
	"net/http"
	"slices"
	"strings"
)

// jsonForms write the same JSON, or JSON with more in it, in other ways that
// RFC 8259 permits.
func jsonForms() []Variation {
	errorValue := silent("error-value")
	number := func(name, literal string) Variation {
		return variation("error-"+name, errorValue, "shows "+literal+" for error", when(refusal, body(property("error", present, constant(literal))))).shows(`{"id":7}`)
	}
	plants := func(edits ...textEdit) change { return when(acceptance, body(edits...)) }
	more := func(name, summary, member string, warned ...string) Variation {
		return variation(name, plantUndeclared, "shows a plant with "+summary, plants(replacing(`^\{`, "{"+strings.ReplaceAll(member, "$", "$$")+","))).
			warns(append(warned, plantUndeclared)...).shows(plainPlant)
	}
	text := func(message string) change {
		return when(refusal, body(property("message", present, constant(asString(message)))))
	}
	return []Variation{
		number("zero", "0"), number("one-thousand-and-one", "1001"), number("minus-zero", "-0"),
		variation("tabs-in-json", plantForm, "writes tabs and carriage returns between all tokens",
			always(body(spaced("\t\r")))).shows(plainPlant),
		variation("much-white-space-in-json", plantForm, "writes 5,000 blanks between tokens", always(body(spaced(strings.Repeat(" ", 5_000))))).shows(plainPlant),
		variation("everything-escaped", plantForm, "escapes every letter of its texts", always(body(replacing(`e`, `\u0065`), replacing(`a`, `\u0061`)))).shows(plainPlant),
		variation("slashes-escaped", plantForm, "writes a backslash before each slash, as PHP does", always(body(replacing(`/`, `\/`)))).shows(plantWith("name", `"a/b"`)),
		more("null-property", "a property that is null", `"height":null`),
		more("proto-shown", "a property __proto__", `"__proto__":{}`),
		more("error-in-plant", "a property error", `"error":null`),
		more("large-number-property", "a number that no double holds", `"x":1e400,"y":123456789012345678901234567890`),
		more("lone-surrogate-shown", "a property with a lone surrogate", `"x":"\ud800"`, plantForm),
		more("duplicate-keys-inside", "a property with a key twice", `"x":{"a":1,"a":2}`, plantForm),
		variation("message-of-json", errorMessage, "shows JSON in the text of the message", text(`{"error":400,"message":null}`)).shows(`{"id":7}`),
		variation("very-long-message", errorMessage, "shows a message of 300,000 characters", text(strings.Repeat("long ", 60_000))).shows(`{"id":7}`),
		variation("request-in-message", errorMessage, "repeats the body of the request in the message", when(refusal, func(r *request, a answer) answer {
			sent, _ := r.body()
			return body(property("message", present, constant(asString(strings.ToValidUTF8(string(sent), "\ufffd")))))(r, a)
		})).shows(`{"id":7}`),
		variation("error-declared-with-parameters", errorMediaType, "calls the JSON of an Error APPLICATION/JSON ; v=\"1\"",
			when(refusal, mediaType(`APPLICATION/JSON ; v="1"`))).shows(`{"id":7}`),
	}
}

// fieldVariations send header fields that no clause is about.
func fieldVariations() []Variation {
	fields := func(name, summary string, pairs ...string) Variation {
		var edits []edit
		for pair := range slices.Chunk(pairs, 2) {
			edits = append(edits, header(http.CanonicalHeaderKey(pair[0]), pair[1:]...))
		}
		return variation(name, answers, "sends "+summary, always(edits...)).shows(plainPlant)
	}
	return []Variation{
		fields("cors-fields", "the fields of CORS, and Vary", "Access-Control-Allow-Origin", "*", "Vary", "Origin, Accept-Encoding", "Access-Control-Expose-Headers", "*"),
		fields("cache-fields", "the fields of caches, as if it could be kept", "Cache-Control", "public, max-age=60", "ETag", `W/"7"`, "Age", "3", "Expires", "0"),
		fields("rate-fields", "the fields of a rate that is not used up", "RateLimit-Limit", "100", "RateLimit-Remaining", "0", "RateLimit-Reset", "60", "X-RateLimit-Remaining", "0"),
		fields("retry-after-always", "Retry-After with every answer", "Retry-After", "1"),
		fields("proxy-fields", "what proxies add", "Via", "1.1 gateway, 1.1 cache", "X-Cache", "MISS", "Server-Timing", "db;dur=1", "Alt-Svc", `h3=":443"; ma=60`),
		fields("odd-fields", "fields that are empty or beyond ASCII", "X-Empty", "", "X-Name", "Grünlilie", "X-Latin", "Gr\xfcn"),
		variation("challenge-on-400", silent("credential-missing"), "sends a challenge with the 400 for a missing credential",
			when(refusalOf("Authorization"), header("Www-Authenticate", `Bearer realm="plants"`, "Basic"))).shows(plainPlant, "Authorization: "),
		variation("session-cookies", answers, "sends a new session with every answer",
			always(header("Set-Cookie", "session=7; Path=/; HttpOnly; Secure; SameSite=Lax", "csrf=8; Max-Age=0"))).shows(plainPlant),
	}
}

// spaced writes white space after each opening brace, colon and comma between
// tokens, and before each closing brace.
func spaced(by string) textEdit {
	return func(text string) string {
		var b strings.Builder
		inString, escaped := false, false
		for _, c := range text {
			if c == '}' && !inString {
				b.WriteString(by)
			}
			b.WriteRune(c)
			switch {
			case escaped:
				escaped = false
			case c == '"':
				inString = !inString
			case inString:
				escaped = c == '\\'
			case strings.ContainsRune("{,:", c):
				b.WriteString(by)
			}
		}
		return b.String()
	}
}
