package reference

import (
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// credentialVariations: §5 does not show what a missing or an unknown token
// gets.
func credentialVariations() []Alteration {
	missing, unknown := silent("credential-missing"), silent("credential-invalid")
	anonymous := both(refusalOf("Authorization"), not(sentBearer))
	stranger := both(refusalOf("Authorization"), sentBearer)
	challenge := header("WWW-Authenticate", `Bearer realm="plants", error="invalid_token"`)
	const problem = `{"type":"about:blank","title":"Unauthorized","status":401}`
	return []Alteration{
		variation("missing-credential-401", missing, "asks for a missing credential with 401, WWW-Authenticate and an Error",
			when(anonymous, refuse(http.StatusUnauthorized, "Authorization", "is missing"), header("WWW-Authenticate", `Bearer realm="plants"`))),
		variation("missing-credential-401-as-problem", missing, "asks for a missing credential with 401 and problem details",
			when(anonymous, answering(http.StatusUnauthorized, "application/problem+json", problem), challenge)),
		variation("missing-credential-403", missing, "answers a missing credential with a bare 403",
			when(anonymous, answering(http.StatusForbidden, "", ""))),
		variation("missing-credential-404", missing, "hides from those without a credential with 404",
			when(anonymous, answering(http.StatusNotFound, "text/html", "<h1>Not Found</h1>\n"))),
		variation("any-token", unknown, "accepts any bearer token", admitting(isBearer)),
		variation("unknown-token-401", unknown, "answers an unknown token with a bare 401 and a challenge",
			when(stranger, answering(http.StatusUnauthorized, "", ""), challenge)),
		variation("unknown-token-403", unknown, "answers an unknown token with 403 and an Error",
			when(stranger, refuse(http.StatusForbidden, "Authorization", "has expired"))),
	}
}

// statusVariations: §7 does not show which statuses there are beside 200 and
// 400.
func statusVariations() []Alteration {
	other := silent("other-statuses")
	return []Alteration{
		variation("content-422", other, "rejects JSON of another shape with 422 and an Error",
			when(both(refusalOf("body", "name", "id", "tag"), not(sentMalformed)), status(http.StatusUnprocessableEntity))),
		variation("everything-422-as-list", other, "rejects everything with 422 and a list of problems",
			when(refusal, answering(http.StatusUnprocessableEntity, "application/json", `[{"field":"name","rule":"required"}]`))),
		variation("media-type-415", other, "rejects another media type with 415 and no body",
			when(refusalOf("Content-Type"), answering(http.StatusUnsupportedMediaType, "", ""))),
		variation("content-encoding-415", other, "rejects another content coding with 415",
			when(refusalOf("Content-Encoding"), answering(http.StatusUnsupportedMediaType, "text/plain", "unsupported\n"), header("Accept-Encoding", "identity"))),
		variation("missing-body-411", other, "asks for the length of a missing body with 411",
			when(sentNoBody, answering(http.StatusLengthRequired, "", ""))),
		variation("rejections-418-as-html", other, "rejects everything with 418 and a page in HTML",
			when(refusal, answering(http.StatusTeapot, "text/html; charset=utf-8", "<!doctype html><title>No</title>\n"))),
		variation("rejections-499", other, "rejects everything with an unregistered status",
			when(refusal, answering(499, "application/json", "no JSON"))),
	}
}

// conditionVariations: §7 does not show what leads to 400.
func conditionVariations() []Alteration {
	conditions := silent("rejection-conditions")
	acceptedWith := func(holds condition) condition { return both(acceptance, holds) }
	field := func(name string, such func(text string) bool) condition {
		return acceptedWith(func(r *request, _ answer) bool { return such(r.Header.Get(name)) })
	}
	mends := func(edit textEdit) change { return readingBody(mending(edit)) }
	return []Alteration{
		variation("bearer-in-lower-case-refused", conditions, "refuses bearer in lower case",
			when(field("Authorization", contains("bearer")), refuse(http.StatusBadRequest, "Authorization", "must begin with Bearer"))),
		variation("two-spaces-refused", conditions, "refuses two spaces after Bearer",
			when(field("Authorization", contains("  ")), refuse(http.StatusUnauthorized, "Authorization", "has two spaces"))),
		variation("charset-refused", conditions, "refuses a media type with parameters",
			when(field("Content-Type", contains(";")), refuse(http.StatusUnsupportedMediaType, "Content-Type", "must have no parameters"))),
		variation("media-type-in-capitals-refused", conditions, "refuses a media type in capital letters",
			when(field("Content-Type", contains("JSON")), refuse(http.StatusBadRequest, "Content-Type", "must be in lower case"))).
			warns(accepts).shows(plainPlant, "Content-Type: APPLICATION/JSON"),
		variation("first-media-type-counts", conditions, "takes the first of two media types",
			reading(func(r *request) *request { return r.withHeader("Content-Type", r.Header.Get("Content-Type")) })),
		variation("content-encoding-ignored", conditions, "does not look at Content-Encoding",
			readingHeader("Content-Encoding", nothing)),
		variation("integers-by-spelling", conditions, "refuses an id with a decimal point or an exponent",
			when(acceptedWith(sentID(func(id string) bool { return strings.ContainsAny(id, ".eE") })), refuse(http.StatusBadRequest, "id", "must be written without point and exponent"))),
		variation("last-duplicate-counts", conditions, "takes the last of two properties of the same name",
			mends(lastOfDuplicates)),
		variation("byte-order-mark-accepted", conditions, "ignores a byte order mark", mends(replacing("^\ufeff", ""))),
		variation("invalid-utf-8-replaced", conditions, "replaces bytes that are not UTF-8",
			readingBody(func(text string) string { return strings.ToValidUTF8(text, "\ufffd") })),
		variation("nesting-refused", conditions, "refuses JSON that is nested deeply",
			when(acceptedWith(sent(contains("[[[["))), refuse(http.StatusBadRequest, "body", "is nested too deeply"))),
		variation("same-name-409", conditions, "rejects a second plant with the same name with 409",
			repeated(nameIn, acceptance, answering(http.StatusConflict, "application/json", `{"conflict":"name"}`))),
		variation("unknown-query-refused", conditions, "refuses query parameters",
			when(acceptedWith(func(r *request, _ answer) bool { return r.URL.RawQuery != "" }), refuse(http.StatusBadRequest, "query", "must be empty"))),
	}
}

// boundVariations: §8 does not show bounds on the values of name, tag and id.
func boundVariations() []Alteration {
	bounds := silent("field-bounds")
	refusing := func(holds condition, part string) change {
		return when(both(acceptance, holds), refuse(http.StatusBadRequest, part, "is out of bounds"))
	}
	outside := func(low, high int64) condition {
		return sent(func(text string) bool {
			id, ok := idIn(text)
			return ok && (id < low || id > high)
		})
	}
	const double = 1 << 53
	return []Alteration{
		variation("empty-names-refused", bounds, "refuses empty names", refusing(sentName(equals("")), "name")),
		variation("long-names-refused", bounds, "refuses names of more than 255 characters",
			refusing(sentName(func(name string) bool { return utf8.RuneCountInString(name) > 255 }), "name")),
		variation("control-characters-refused", bounds, "refuses names with control characters",
			refusing(sentName(func(name string) bool { return strings.ContainsFunc(name, unicode.IsControl) }), "name")),
		variation("non-positive-ids-refused", bounds, "refuses ids of 0 and below", refusing(outside(1, 1<<63-1), "id")),
		variation("ids-beyond-double-refused", bounds, "refuses ids that a double does not hold exactly",
			refusing(outside(-double, double), "id")),
	}
}

// limitVariations: §8 does not show how large requests may be, nor how many
// may be sent in a time.
func limitVariations() []Alteration {
	sizes, rates := silent("size-limits"), silent("rate-limits")
	const limit = 64 << 10
	large := func(r *request, _ int64) bool { return r.ContentLength > limit }
	numbered := func(nth int64) func(*request, int64) bool { return func(_ *request, n int64) bool { return n == nth } }
	return []Alteration{
		variation("large-bodies-413", sizes, "refuses bodies of more than 64 KiB with 413", before(large, func() answer {
			return refused(http.StatusRequestEntityTooLarge, "body", "is too large")
		})),
		variation("large-bodies-accepted", sizes, "accepts bodies of up to 16 MiB",
			reading(func(r *request) *request { return r.withLimit(16 << 20) })),
		variation("rate-limit-429", rates, "asks once to come again in a second, with 429",
			before(numbered(20), func() answer {
				a := refused(http.StatusTooManyRequests, "rate", "is too high")
				a.header.Set("Retry-After", "1")
				return a
			})),
		variation("overload-503", rates, "asks once to come again at a time, with 503", before(numbered(10), func() answer {
			a := refused(http.StatusServiceUnavailable, "service", "is overloaded")
			a.header.Set("Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
			return a
		})),
	}
}

// otherQuestions are all the others that the document leaves open: §2, §3, §7
// and §9.
func otherQuestions() []Alteration {
	errorValue := silent("error-value")
	versioned := func(r *request, _ answer) bool { return r.Header.Get("Accept-Version") != "" }
	number := func(literal string) change { return when(refusal, body(property("error", present, constant(literal)))) }
	return []Alteration{
		variation("error-negative", errorValue, "shows a negative error", number("-1")),
		variation("error-at-upper-bound", errorValue, "shows 2^31 - 1 for error", number("2147483647")),
		variation("error-at-lower-bound", errorValue, "shows -2^31 for error", number("-2147483648")),
		variation("error-with-decimal-point", errorValue, "shows 400.0 for error", number("400.0")),
		variation("error-with-exponent", errorValue, "shows 4e2 for error", number("4e2")),

		variation("same-id-accepted", silent("same-id"), "replaces a plant by another with the same id",
			when(sentTaken, acceptAsRead)),
		variation("same-id-409", silent("same-id"), "rejects a second plant with the same id with 409",
			when(sentTaken, answering(http.StatusConflict, "application/json", `{"conflict":true}`))),

		variation("unknown-properties-refused", silent("unknown-properties"), "refuses properties that NewPlant does not list",
			when(both(acceptance, sentUnknownProperty), refuse(http.StatusBadRequest, "body", "has an unknown property"))),

		variation("other-methods-404", silent("other-methods"), "answers other methods with 404",
			when(refusalOf("method"), answering(http.StatusNotFound, "", ""))),
		variation("other-methods-200", silent("other-methods"), "answers other methods with a list of no plants",
			when(refusalOf("method"), answering(http.StatusOK, "application/json", "[]"))),

		variation("version-in-path", silent("version"), "is served below /api/v1", readingBelow("/api/v1")).below("/api/v1"),
		variation("version-in-answer", silent("version"), "tells its version in a header field",
			always(header("Api-Version", "1.0.0"))),
		variation("version-refused", silent("version"), "refuses a version in a header field",
			when(both(acceptance, versioned), refuse(http.StatusBadRequest, "Accept-Version", "is unknown"))),
	}
}
