package alteration

import (
	"net/http"
	"strings"

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

		variation("version-in-path", silent("version"), "is served below /api/v1", // the service sees any other path as unknown
			fault.ReadingPath(fault.Replacing(`^/api/v1(/.*)|.*`, "$1"))).below("/api/v1"),
		variation("version-in-answer", silent("version"), "tells its version in a header field",
			fault.Always(fault.Header("Api-Version", "1.0.0"))),
		variation("version-refused", silent("version"), "refuses a version in a header field",
			rejecting(versioned, "Accept-Version", "is unknown")),
	}
}
