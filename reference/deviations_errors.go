package reference

import "net/http"

// errorsOfAnotherForm are not one JSON object, or labelled as something else
// (§4 rule 3).
func errorsOfAnotherForm() []Alteration {
	const json = "application/json"
	labelled := func(values ...string) change { return when(refusal, mediaType(values...)) }
	shown := func(edits ...textEdit) change { return when(refusal, body(edits...)) }
	text := answering(http.StatusBadRequest, "text/plain; charset=utf-8", "Bad Request\n")
	both400 := ids(errorMediaType, errorForm)
	return []Alteration{
		deviation("error-without-media-type", ids(errorMediaType), "shows an Error without a media type", labelled()),
		deviation("error-called-text", ids(errorMediaType), "shows an Error as text/plain", labelled("text/plain")),
		deviation("error-called-problem", ids(errorMediaType), "shows an Error as application/problem+json",
			labelled("application/problem+json")),
		deviation("error-with-unclosed-quote", ids(errorMediaType), "shows an Error as application/json with a quote that does not end",
			labelled(json+`; charset="utf-8`)),
		deviation("error-declared-twice", ids(errorMediaType), "shows an Error with two Content-Type fields, of which one says text/plain",
			labelled(json, "text/plain")),
		deviation("error-without-media-type-for-stranger", ids(errorMediaType), "shows those without a credential an Error without a media type",
			when(refusalOf("Authorization"), mediaType())),

		deviation("error-as-text", both400, "rejects with a line of text", when(refusal, text)),
		deviation("malformed-json-as-text", both400, "rejects malformed JSON with a line of text", when(sentMalformed, text)),
		deviation("no-body-as-xml", both400, "rejects a missing body with XML",
			when(sentNoBody, answering(http.StatusBadRequest, "application/xml", "<error>400</error>\n"))),
		deviation("error-of-nothing", both400, "rejects with nothing but the status",
			when(refusal, answering(http.StatusBadRequest, "", ""))),

		deviation("error-empty", ids(errorForm), "shows nothing in place of an Error", shown(nothing)),
		deviation("error-null", ids(errorForm), "shows null in place of an Error", shown(constant("null"))),
		deviation("error-in-list", ids(errorForm), "shows a list of Errors", shown(prefixed("["), suffixed("]"))),
		deviation("error-twice", ids(errorForm), "shows the Error twice, as two handlers write it that do not know of each other",
			shown(func(text string) string { return text + text })),
		deviation("text-after-error", ids(errorForm), "shows a trace after the Error",
			shown(suffixed("\n\tat createPlant (plants.js:7)\n"))),
		deviation("bom-before-error", ids(errorForm), "shows a byte order mark before the Error", shown(prefixed("\ufeff"))),
		deviation("number-twice-in-error", ids(errorForm), "shows error twice", shown(replacing(`^{`, `{"error":400,`))),
		deviation("error-with-nan", ids(errorForm), "shows NaN for error", shown(replacing(`"error":400`, `"error":NaN`))),
		deviation("error-cut-off", ids(errorForm), "shows the first 20 bytes of an Error",
			shown(replacing(`(?s)^(.{20}).*$`, "$1"))),
		deviation("error-quoting-bytes", ids(errorForm), "repeats bytes that are not UTF-8 in the message",
			when(sent(beyondUTF8), body(replacing(`"message":"`, "\"message\":\"\xff ")))),
	}
}

// propertiesOfErrors are missing or of another type (§7).
func propertiesOfErrors() []Alteration {
	number := func(edit textEdit) change { return when(refusal, body(property("error", present, edit))) }
	text := func(edit textEdit) change { return when(refusal, body(property("message", present, edit))) }
	both400 := ids(errorNumber, errorMessage)
	const json = "application/json"
	return []Alteration{
		deviation("no-error-number", ids(errorNumber), "shows an Error without error", number(nothing)),
		deviation("null-for-error-number", ids(errorNumber), "shows null for error", number(constant("null"))),
		deviation("string-for-error-number", ids(errorNumber), "shows the digits of error in a string", number(asString)),
		deviation("boolean-for-error-number", ids(errorNumber), "shows true for error", number(constant("true"))),
		deviation("fraction-for-error-number", ids(errorNumber), "shows 400.5 for error", number(constant("400.5"))),
		deviation("tiny-fraction-for-error-number", ids(errorNumber), "shows a fraction for error that a double cannot hold",
			number(constant("400.00000000000000000001"))),
		deviation("error-number-above-int32", ids(errorNumber), "shows 2^31 for error", number(constant("2147483648"))),
		deviation("error-number-below-int32", ids(errorNumber), "shows -2^31 - 1 for error", number(constant("-2147483649"))),
		deviation("error-number-beyond-double", ids(errorNumber), "shows 1e400 for error", number(constant("1e400"))),
		deviation("time-for-error-number", ids(errorNumber), "shows the time in milliseconds for error if the name is wrong",
			when(refusalOf("name"), body(property("error", present, constant("1795255200000"))))),
		deviation("error-number-in-wrong-case", ids(errorNumber), "shows error as Error",
			when(refusal, body(renamed("error", "Error")))).warns(errorUndeclared),

		deviation("no-message", ids(errorMessage), "shows an Error without a message", text(nothing)),
		deviation("no-message-every-fourth-time", ids(errorMessage), "shows every fourth Error without a message",
			counting(refusal, every(4), body(property("message", present, nothing)))),
		deviation("null-for-message", ids(errorMessage), "shows null for the message", text(constant("null"))),
		deviation("number-for-message", ids(errorMessage), "shows a number for the message", text(constant("400"))),
		deviation("message-in-list", ids(errorMessage), "shows a list of messages",
			text(inTurn(prefixed("["), suffixed("]")))),
		deviation("message-in-object", ids(errorMessage), "shows an object of messages by language",
			text(inTurn(prefixed(`{"en":`), suffixed("}")))),
		deviation("message-in-wrong-case", ids(errorMessage), "shows the message as Message",
			when(refusal, body(renamed("message", "Message")))).warns(errorUndeclared),
		deviation("message-misspelt", ids(errorMessage), "shows the message as msg if the body is malformed",
			when(sentMalformed, body(renamed("message", "msg")))).warns(errorUndeclared),

		deviation("error-wrapped", both400, "shows number and message inside of error",
			when(refusal, body(renamed("error", "code"), prefixed(`{"error":`), suffixed("}")))),
		deviation("error-of-framework", both400, "shows a list of details, as a framework does",
			when(refusal, answering(http.StatusBadRequest, json, `{"detail":[{"loc":["body"],"msg":"field required"}]}`))).warns(errorUndeclared),
		deviation("problem-details", append(both400, errorMediaType), "rejects with problem details",
			when(refusal, answering(http.StatusBadRequest, "application/problem+json", `{"type":"about:blank","title":"Bad Request","status":400}`))).warns(errorUndeclared),
		deviation("trace-in-error", nil, "shows where in the code an Error comes from",
			when(refusal, body(property("trace", absent, constant(`"plants.go:7"`))))).warns(errorUndeclared),
	}
}
