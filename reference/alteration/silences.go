package alteration

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/plantstore/conformance/reference/fault"
)

// credentialVariations: §5 does not show the answer to a missing or an unknown token.
func credentialVariations() []Alteration {
	missing, unknown := silent("credential-missing"), silent("credential-invalid")
	sentBearer := fault.SentField("Authorization", fault.IsBearer)
	anonymous := fault.Both(fault.RefusedFor("Authorization"), fault.Not(sentBearer))
	stranger := fault.Both(fault.RefusedFor("Authorization"), sentBearer)
	challenge := fault.Header("WWW-Authenticate", `Bearer realm="plants", error="invalid_token"`)
	const problem = `{"type":"about:blank","title":"Unauthorized","status":401}`
	return []Alteration{
		variation("missing-credential-401", missing, "asks for a missing credential with 401, WWW-Authenticate and an Error",
			fault.When(anonymous, refuse(http.StatusUnauthorized, "Authorization", "is missing"), fault.Header("WWW-Authenticate", `Bearer realm="plants"`))),
		variation("missing-credential-401-as-problem", missing, "asks for a missing credential with 401 and problem details",
			fault.When(anonymous, fault.Answering(http.StatusUnauthorized, "application/problem+json", problem), challenge)),
		variation("missing-credential-403", missing, "answers a missing credential with a bare 403",
			fault.When(anonymous, fault.Answering(http.StatusForbidden, "", ""))),
		variation("missing-credential-404", missing, "hides from those without a credential with 404",
			fault.When(anonymous, fault.Answering(http.StatusNotFound, "text/html", "<h1>Not Found</h1>\n"))),
		variation("any-token", unknown, "accepts any bearer token", fault.Admitting(fault.IsBearer)),
		variation("unknown-token-401", unknown, "answers an unknown token with a bare 401 and a challenge",
			fault.When(stranger, fault.Answering(http.StatusUnauthorized, "", ""), challenge)),
		variation("unknown-token-403", unknown, "answers an unknown token with 403 and an Error",
			fault.When(stranger, refuse(http.StatusForbidden, "Authorization", "has expired"))),
	}
}

// statusVariations: §7 does not show other statuses than 200 and 400.
func statusVariations() []Alteration {
	row := leaving(silent("other-statuses"))
	return []Alteration{
		row("content-422", "rejects JSON of another shape with 422 and an Error",
			fault.When(fault.Both(fault.RefusedFor("body", "name", "id", "tag"), fault.Not(fault.SentMalformed)), fault.Status(http.StatusUnprocessableEntity))),
		row("everything-422-as-list", "rejects everything with 422 and a list of problems",
			fault.When(fault.Refused, fault.Answering(http.StatusUnprocessableEntity, "application/json", `[{"field":"name","rule":"required"}]`))),
		row("media-type-415", "rejects another media type with 415 and no body",
			fault.When(fault.RefusedFor("Content-Type"), fault.Answering(http.StatusUnsupportedMediaType, "", ""))),
		row("content-encoding-415", "rejects another content coding with 415",
			fault.When(fault.RefusedFor("Content-Encoding"), fault.Answering(http.StatusUnsupportedMediaType, "text/plain", "unsupported\n"), fault.Header("Accept-Encoding", "identity"))),
		row("missing-body-411", "asks for the length of a missing body with 411",
			fault.When(fault.SentNoBody, fault.Answering(http.StatusLengthRequired, "", ""))),
		row("rejections-418-as-html", "rejects everything with 418 and a page in HTML",
			fault.When(fault.Refused, fault.Answering(http.StatusTeapot, "text/html; charset=utf-8", "<!doctype html><title>No</title>\n"))),
		row("rejections-499", "rejects everything with an unregistered status",
			fault.When(fault.Refused, fault.Answering(499, "application/json", "no JSON"))),
	}
}

// conditionVariations: §7 does not show what leads to 400.
func conditionVariations() []Alteration {
	row := leaving(silent("rejection-conditions"))
	field := func(name string, such func(text string) bool) fault.Condition {
		return fault.Both(fault.Accepted, fault.SentField(name, such))
	}
	return []Alteration{
		row("bearer-in-lower-case-refused", "refuses bearer in lower case",
			rejecting(fault.SentField("Authorization", fault.Contains("bearer")), "Authorization", "must begin with Bearer")),
		row("tab-after-bearer-admitted", "takes a token after the word Bearer and a tab",
			fault.ReadingHeader("Authorization", fault.Replacing(`^Bearer\t`, "Bearer "))).shows(plainPlant, "Authorization: Bearer\t$token"),
		row("two-spaces-refused", "refuses two spaces after Bearer",
			fault.When(field("Authorization", fault.Contains("  ")), refuse(http.StatusUnauthorized, "Authorization", "has two spaces"))),
		row("charset-refused", "refuses a media type with parameters",
			fault.When(field("Content-Type", fault.Contains(";")), refuse(http.StatusUnsupportedMediaType, "Content-Type", "must have no parameters"))),
		row("media-type-in-capitals-refused", "refuses a media type in capital letters",
			rejecting(fault.SentField("Content-Type", fault.Contains("JSON")), "Content-Type", "must be in lower case")).
			warns(accepts).shows(plainPlant, "Content-Type: APPLICATION/JSON"),
		row("first-media-type-counts", "takes the first of two media types",
			fault.Reading(func(r *fault.Request) *fault.Request {
				return r.WithHeader("Content-Type", r.Header.Get("Content-Type"))
			})),
		row("content-encoding-ignored", "does not look at Content-Encoding", fault.ReadingHeader("Content-Encoding", fault.Nothing)),
		row("integers-by-spelling", "refuses an id with a decimal point or an exponent",
			rejecting(fault.SentValue("id", func(id string) bool { return strings.ContainsAny(id, ".eE") }), "id", "must be written without point and exponent")),
		row("last-duplicate-counts", "takes the last of two properties of the same name", readsEdited(fault.LastOfDuplicates)),
		row("byte-order-mark-accepted", "ignores a byte order mark", readsEdited(fault.Replacing("^\ufeff", ""))),
		row("invalid-utf-8-replaced", "replaces bytes that are not UTF-8",
			fault.ReadingBody(func(text string) string { return strings.ToValidUTF8(text, "\ufffd") })),
		row("nesting-refused", "refuses JSON that is nested deeply",
			rejecting(fault.Sent(fault.Contains("[[[[")), "body", "is nested too deeply")),
		row("same-name-409", "rejects a second plant with the same name with 409",
			fault.Repeated(func(r *fault.Request) string { return r.Property("name") }, fault.Accepted, fault.Answering(http.StatusConflict, "application/json", `{"conflict":"name"}`))),
		row("unknown-query-refused", "refuses query parameters", rejecting(fault.SentQuery(fault.NotEmpty), "query", "must be empty")),
	}
}

// otherQuestions answer the other questions that the document leaves open (§2, §3, §7
// and §9).
func otherQuestions() []Alteration {
	errorValue := silent("error-value")
	versioned := fault.SentField("Accept-Version", fault.NotEmpty)
	number := func(literal string) fault.Change {
		return shownError(fault.Set("error", literal))
	}
	return []Alteration{
		variation("error-negative", errorValue, "shows a negative error", number("-1")),
		variation("error-at-upper-bound", errorValue, "shows 2^31 - 1 for error", number("2147483647")),
		variation("error-at-lower-bound", errorValue, "shows -2^31 for error", number("-2147483648")),
		variation("error-with-decimal-point", errorValue, "shows 400.0 for error", number("400.0")),
		variation("error-with-exponent", errorValue, "shows 4e2 for error", number("4e2")),

		variation("same-id-accepted", silent("same-id"), "replaces a plant by another with the same id",
			fault.When(sentTaken, acceptAsRead)),
		variation("same-id-first", silent("same-id"), "shows the first plant with the id again",
			fault.Remembered(byID, sentTaken)),
		variation("same-id-409", silent("same-id"), "rejects a second plant with the same id with 409",
			fault.When(sentTaken, fault.Answering(http.StatusConflict, "application/json", `{"conflict":true}`))),

		variation("unknown-properties-refused", silent("unknown-properties"), "refuses properties that NewPlant does not list",
			rejecting(sentUnknownProperty, "body", "has an unknown property")),

		variation("other-methods-404", silent("other-methods"), "answers other methods with 404",
			fault.When(fault.RefusedFor("method"), fault.Answering(http.StatusNotFound, "", ""))),
		variation("other-methods-200", silent("other-methods"), "answers other methods with a list of no plants",
			fault.When(fault.RefusedFor("method"), fault.Answering(http.StatusOK, "application/json", "[]"))),

		variation("version-in-path", silent("version"), "is served below /api/v1", // any other path becomes an unknown one
			fault.ReadingPath(fault.Replacing(`^/api/v1(/.*)|.*`, "$1"))).below("/api/v1"),
		variation("version-in-answer", silent("version"), "tells its version in a header field",
			fault.Always(fault.Header("Api-Version", "1.0.0"))),
		variation("version-refused", silent("version"), "refuses a version in a header field",
			rejecting(versioned, "Accept-Version", "is unknown")),
	}
}

// refusedValues refuse values of name, tag and id, on which §8 shows no bounds. None
// refuses every plant.
func refusedValues() []Alteration {
	bounds := silent("field-bounds")
	page := fault.Answering(http.StatusForbidden, "text/html", "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Your support ID is: 7</body></html>\n")
	refuses := func(name, what string, part string, holds fault.Condition, body string) Alteration {
		return variation(name+"-refused", bounds, "refuses "+what, rejecting(holds, part, "is not allowed")).shows(body)
	}
	blocks := func(name, what string, expression, shown string) Alteration {
		return variation(name+"-blocked", silent("rejection-conditions"), "has a firewall that answers 403 and a page to "+what,
			fault.When(fault.Both(fault.Accepted, fault.Sent(fault.Matches(expression))), page)).shows(plantWith("name", fault.AsString(shown)))
	}
	names := func(name, what string, such func(string) bool, shown string) Alteration {
		return refuses("names-"+name, "names "+what, "name", fault.SentText("name", such), plantWith("name", fault.AsString(shown)))
	}
	tags := func(name, what string, such func(string) bool, shown string) Alteration {
		return refuses("tags-"+name, "tags "+what, "tag", fault.SentText("tag", such), plantWith("tag", fault.AsString(shown)))
	}
	ids := func(name, what, expression, shown string) Alteration {
		return refuses("ids-"+name, "ids "+what, "id", fault.SentValue("id", fault.Matches(expression)), plantWith("id", shown))
	}
	of := func(n int) string { return strings.Repeat("f", n) }
	beyondLatin := func(text string) bool {
		return strings.ContainsFunc(text, func(c rune) bool {
			return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c)
		})
	}
	known := []string{"bulb", "climber", "herb", "indoor"}
	return []Alteration{
		names("with-solidus", "with a solidus", fault.Contains("/"), "a/b"),
		names("other-than-letters", "that are more than 20 letters and spaces, or other signs", fault.NoneOf(fault.Matches(`^[\p{L} ]{0,20}$`)), "fern 7"),
		names("over-32", "of more than 32 characters", fault.Longer(32), of(33)),
		names("over-50", "of more than 50 characters", fault.Longer(50), of(51)),
		names("over-64", "of more than 64 characters", fault.Longer(64), of(65)),
		names("over-255-bytes", "of more than 255 bytes in UTF-8", func(t string) bool { return len(t) > 255 }, strings.Repeat("ü", 128)),
		names("blank", "that are white space", func(t string) bool { return strings.TrimSpace(t) == "" }, "  "),
		names("padded", "with white space at their ends", padded, " fern"),
		names("with-two-blanks", "with two blanks in a row", fault.Contains("  "), "a  b"),
		names("with-nul", "with the character U+0000", fault.Contains("\x00"), "a\x00"),
		names("beyond-bmp", "with characters beyond the BMP", fault.BeyondBMP, "a🌵"),
		names("beyond-latin", "with letters that are not Latin", beyondLatin, "папоротник"),
		names("with-combining", "with a combining accent", fault.Contains("\u0301"), "cafe\u0301"),
		names("with-markup", "with angle brackets", fault.Matches(`[<>]`), "<b>"),
		names("with-quotes", "with quotes", fault.Matches("[\"'`]"), "a'b"),
		names("with-invisible", "with characters that nobody sees", fault.Matches(`[\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}\x{FEFF}]`), "a\u200bb"),
		names("reserved", "that are a word of a programming language", fault.Matches(`^(null|undefined|true|false|None|NaN)$`), "null"),
		tags("empty", "that are empty", fault.Equals(""), ""),
		tags("blank", "that are white space", fault.Matches(`^\s+$`), " "),
		tags("unknown", "that are none of a few known ones", func(tag string) bool { return !slices.Contains(known, tag) }, "desert"),
		tags("over-64", "of more than 64 characters", fault.Longer(64), of(65)),
		tags("with-blanks", "with blanks", fault.Contains(" "), "in door"),
		tags("with-capitals", "with capital letters", fault.Matches(`\p{Lu}`), "Indoor"),
		tags("of-digits", "that are digits", fault.Matches(`^\d+$`), "7"),
		tags("beyond-bmp", "with characters beyond the BMP", fault.BeyondBMP, "🌵"),
		ids("negative", "below zero", `^-`, "-7"),
		ids("at-ends", "at the ends of an int64", `^(9223372036854775807|-9223372036854775808)$`, "9223372036854775807"),
		ids("minus-zero", "of minus zero", `^-0`, "-0"),
		refuses("plants-named-like-tag", "plants whose name is their tag", "tag", func(r *fault.Request, _ fault.Answer) bool {
			return r.Property("name") != "" && r.Property("name") == r.Property("tag")
		}, `{"id":7,"name":"fern","tag":"fern"}`),
		blocks("markup", "text like HTML", `(?i)<\s*/?(script|b|img|a|i|svg|h1)\b`, "<b>fern</b>"),
		blocks("sql", "text like SQL", `(?i)('\s*(or|and)\s|;\s*(drop|select|delete)\b|union\s+select|--)`, "a'; DROP TABLE plants; --"),
		blocks("templates", "text like a template", `\$\{|\{\{|<%`, "${jndi:ldap://x}"),
	}
}

// boundVariations: §8 does not show bounds on the values of name, tag and id.
func boundVariations() []Alteration {
	bounds := silent("field-bounds")
	outside := func(low, high int64) fault.Condition {
		return fault.Sent(func(text string) bool {
			id, ok := idIn(text)
			return ok && (id < low || id > high)
		})
	}
	const double = 1 << 53
	return []Alteration{
		variation("empty-names-refused", bounds, "refuses empty names", rejecting(fault.SentText("name", fault.Equals("")), "name", "is out of bounds")),
		variation("long-names-refused", bounds, "refuses names of more than 255 characters",
			rejecting(fault.SentText("name", fault.Longer(255)), "name", "is out of bounds")),
		variation("control-characters-refused", bounds, "refuses names with control characters",
			rejecting(fault.SentText("name", func(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }), "name", "is out of bounds")),
		variation("non-positive-ids-refused", bounds, "refuses ids of 0 and below", rejecting(outside(1, 1<<63-1), "id", "is out of bounds")),
		variation("ids-beyond-double-refused", bounds, "refuses ids that a double does not hold exactly",
			rejecting(outside(-double, double), "id", "is out of bounds")),
	}
}

// limitVariations: §8 does not show limits on the size of requests or on their rate.
func limitVariations() []Alteration {
	sizes, rates := silent("size-limits"), silent("rate-limits")
	const limit = 64 << 10
	large := func(r *fault.Request, _ fault.Answer) bool { return r.ContentLength > limit }
	once := func(nth int64, answer func() fault.Answer) fault.Change {
		return fault.Sometimes(func(n int64) bool { return n == nth }, fault.Replying(answer))
	}
	return []Alteration{
		variation("large-bodies-413", sizes, "refuses bodies of more than 64 KiB with 413", fault.Replying(func() fault.Answer {
			return refused(http.StatusRequestEntityTooLarge, "body", "is too large")
		}).If(large)),
		variation("large-bodies-accepted", sizes, "accepts bodies of up to 16 MiB",
			fault.Reading(func(r *fault.Request) *fault.Request { return fault.NewRequest(r.Request, 16<<20) })),
		variation("rate-limit-429", rates, "asks once to come again in a second, with 429",
			once(20, func() fault.Answer {
				a := refused(http.StatusTooManyRequests, "rate", "is too high")
				a.Header.Set("Retry-After", "1")
				return a
			})),
		variation("overload-503", rates, "asks once to come again at a time, with 503", once(10, func() fault.Answer {
			a := refused(http.StatusServiceUnavailable, "service", "is overloaded")
			a.Header.Set("Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
			return a
		})),
	}
}
