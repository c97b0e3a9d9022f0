package reference

import (
	"net/http"
	"slices"
	"strings"
)

// jsonForms write the same JSON, or JSON with more in it, in other ways that
// RFC 8259 permits.
func jsonForms() []Alteration {
	errorValue := silent("error-value")
	number := func(name, literal string) Alteration {
		return variation("error-"+name, errorValue, "shows "+literal+" for error", when(refusal, body(property("error", present, constant(literal))))).shows(`{"id":7}`)
	}
	plants := func(edits ...textEdit) change { return when(acceptance, body(edits...)) }
	more := func(name, summary, member string, warned ...string) Alteration {
		return variation(name, plantUndeclared, "shows a plant with "+summary, plants(replacing(`^\{`, "{"+strings.ReplaceAll(member, "$", "$$")+","))).
			warns(append(warned, plantUndeclared)...).shows(plainPlant)
	}
	text := func(message string) change {
		return when(refusal, body(property("message", present, constant(asString(message)))))
	}
	return []Alteration{
		number("zero", "0"), number("one-thousand-and-one", "1001"), number("minus-zero", "-0"),
		variation("tabs-in-json", plantForm, "writes tabs and carriage returns between all tokens",
			always(body(spaced("\t\r")))).shows(plainPlant),
		variation("everything-escaped", plantForm, "escapes every letter of its texts", always(body(replacing(`e`, `\u0065`), replacing(`a`, `\u0061`)))).shows(plainPlant),
		more("error-in-plant", "a property error", `"error":null`),
		more("duplicate-keys-inside", "a property with a key twice", `"x":{"a":1,"a":2}`, plantForm),
		variation("very-long-message", errorMessage, "shows a message of 70,000 characters", text(strings.Repeat("long ", 14_000))).shows(`{"id":7}`),
		variation("request-in-message", errorMessage, "repeats the body of the request in the message", when(refusal, func(r *request, a answer) answer {
			return body(property("message", present, constant(asString(strings.ToValidUTF8(r.text(), "\ufffd")))))(r, a)
		})).shows(`{"id":7}`),
		variation("error-declared-with-parameters", errorMediaType, "calls the JSON of an Error APPLICATION/JSON ; v=\"1\"",
			when(refusal, mediaType(`APPLICATION/JSON ; v="1"`))).shows(`{"id":7}`),
	}
}

// fieldVariations send header fields that no clause is about.
func fieldVariations() []Alteration {
	fields := func(name, summary string, pairs ...string) Alteration {
		var edits []edit
		for pair := range slices.Chunk(pairs, 2) {
			edits = append(edits, header(http.CanonicalHeaderKey(pair[0]), pair[1:]...))
		}
		return variation(name, answers, "sends "+summary, always(edits...)).shows(plainPlant)
	}
	return []Alteration{
		fields("rate-fields", "the fields of a rate that is not used up", "RateLimit-Limit", "100", "RateLimit-Remaining", "0", "RateLimit-Reset", "60", "X-RateLimit-Remaining", "0"),
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
