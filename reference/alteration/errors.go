package alteration

import (
	"net/http"

	"github.com/plantstore/conformance/reference/fault"
)

// errorsOfAnotherForm answer with Errors that are not one JSON object, or not labelled
// as JSON (§4 rule 3).
func errorsOfAnotherForm() []Alteration {
	const json = "application/json"
	labelled := func(values ...string) fault.Change { return fault.When(fault.Refused, fault.MediaType(values...)) }
	shown := func(edits ...fault.TextEdit) fault.Change { return fault.When(fault.Refused, fault.Body(edits...)) }
	text := fault.Answering(http.StatusBadRequest, "text/plain; charset=utf-8", "Bad Request\n")
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
			fault.When(fault.RefusedFor("Authorization"), fault.MediaType())),

		deviation("error-as-text", both400, "rejects with a line of text", fault.When(fault.Refused, text)),
		deviation("malformed-json-as-text", both400, "rejects malformed JSON with a line of text", fault.When(fault.SentMalformed, text)),
		deviation("no-body-as-xml", both400, "rejects a missing body with XML",
			fault.When(fault.SentNoBody, fault.Answering(http.StatusBadRequest, "application/xml", "<error>400</error>\n"))),
		deviation("error-of-nothing", both400, "rejects with nothing but the status",
			fault.When(fault.Refused, fault.Answering(http.StatusBadRequest, "", ""))),

		deviation("error-empty", ids(errorForm), "shows nothing in place of an Error", shown(fault.Nothing)),
		deviation("error-null", ids(errorForm), "shows null in place of an Error", shown(fault.Constant("null"))),
		deviation("error-in-list", ids(errorForm), "shows a list of Errors", shown(fault.Prefixed("["), fault.Suffixed("]"))),
		deviation("error-twice", ids(errorForm), "shows the Error twice, as two handlers write it that do not know of each other",
			shown(func(text string) string { return text + text })),
		deviation("text-after-error", ids(errorForm), "shows a trace after the Error",
			shown(fault.Suffixed("\n\tat createPlant (plants.js:7)\n"))),
		deviation("bom-before-error", ids(errorForm), "shows a byte order mark before the Error", shown(fault.Prefixed("\ufeff"))),
		deviation("number-twice-in-error", ids(errorForm), "shows error twice", shown(fault.Replacing(`^{`, `{"error":400,`))),
		deviation("error-with-nan", ids(errorForm), "shows NaN for error", shown(fault.Replacing(`"error":400`, `"error":NaN`))),
		deviation("error-cut-off", ids(errorForm), "shows the first 20 bytes of an Error",
			shown(fault.Replacing(`(?s)^(.{20}).*$`, "$1"))),
		deviation("error-quoting-bytes", ids(errorForm), "repeats bytes that are not UTF-8 in the message",
			fault.When(fault.Sent(fault.BeyondUTF8), fault.Body(fault.Replacing(`"message":"`, "\"message\":\"\xff ")))),
	}
}

// propertiesOfErrors answer with Errors whose properties are missing or of another type
// (§7).
func propertiesOfErrors() []Alteration {
	number := func(edit fault.TextEdit) fault.Change {
		return fault.When(fault.Refused, fault.Body(fault.Property("error", fault.Present, edit)))
	}
	text := func(edit fault.TextEdit) fault.Change {
		return fault.When(fault.Refused, fault.Body(fault.Property("message", fault.Present, edit)))
	}
	both400 := ids(errorNumber, errorMessage)
	const json = "application/json"
	return []Alteration{
		deviation("no-error-number", ids(errorNumber), "shows an Error without error", number(fault.Nothing)),
		deviation("null-for-error-number", ids(errorNumber), "shows null for error", number(fault.Constant("null"))),
		deviation("string-for-error-number", ids(errorNumber), "shows the digits of error in a string", number(fault.AsString)),
		deviation("boolean-for-error-number", ids(errorNumber), "shows true for error", number(fault.Constant("true"))),
		deviation("fraction-for-error-number", ids(errorNumber), "shows 400.5 for error", number(fault.Constant("400.5"))),
		deviation("tiny-fraction-for-error-number", ids(errorNumber), "shows a fraction for error that a double cannot hold",
			number(fault.Constant("400.00000000000000000001"))),
		deviation("error-number-above-int32", ids(errorNumber), "shows 2^31 for error", number(fault.Constant("2147483648"))),
		deviation("error-number-below-int32", ids(errorNumber), "shows -2^31 - 1 for error", number(fault.Constant("-2147483649"))),
		deviation("error-number-beyond-double", ids(errorNumber), "shows 1e400 for error", number(fault.Constant("1e400"))),
		deviation("time-for-error-number", ids(errorNumber), "shows the time in milliseconds for error if the name is wrong",
			fault.When(fault.RefusedFor("name"), fault.Body(fault.Property("error", fault.Present, fault.Constant("1795255200000"))))),
		deviation("error-number-in-wrong-case", ids(errorNumber), "shows error as Error",
			fault.When(fault.Refused, fault.Body(fault.Renamed("error", "Error")))).warns(errorUndeclared),

		deviation("no-message", ids(errorMessage), "shows an Error without a message", text(fault.Nothing)),
		deviation("no-message-every-fourth-time", ids(errorMessage), "shows every fourth Error without a message",
			fault.Counting(fault.Refused, fault.Every(4), fault.Body(fault.Property("message", fault.Present, fault.Nothing)))),
		deviation("null-for-message", ids(errorMessage), "shows null for the message", text(fault.Constant("null"))),
		deviation("number-for-message", ids(errorMessage), "shows a number for the message", text(fault.Constant("400"))),
		deviation("message-in-list", ids(errorMessage), "shows a list of messages",
			text(fault.InTurn(fault.Prefixed("["), fault.Suffixed("]")))),
		deviation("message-in-object", ids(errorMessage), "shows an object of messages by language",
			text(fault.InTurn(fault.Prefixed(`{"en":`), fault.Suffixed("}")))),
		deviation("message-in-wrong-case", ids(errorMessage), "shows the message as Message",
			fault.When(fault.Refused, fault.Body(fault.Renamed("message", "Message")))).warns(errorUndeclared),
		deviation("message-misspelt", ids(errorMessage), "shows the message as msg if the body is malformed",
			fault.When(fault.SentMalformed, fault.Body(fault.Renamed("message", "msg")))).warns(errorUndeclared),

		deviation("error-wrapped", both400, "shows number and message inside of error",
			fault.When(fault.Refused, fault.Body(fault.Renamed("error", "code"), fault.Prefixed(`{"error":`), fault.Suffixed("}")))),
		deviation("error-of-framework", both400, "shows a list of details, as a framework does",
			fault.When(fault.Refused, fault.Answering(http.StatusBadRequest, json, `{"detail":[{"loc":["body"],"msg":"field required"}]}`))).warns(errorUndeclared),
		deviation("problem-details", append(both400, errorMediaType), "rejects with problem details",
			fault.When(fault.Refused, fault.Answering(http.StatusBadRequest, "application/problem+json", `{"type":"about:blank","title":"Bad Request","status":400}`))).warns(errorUndeclared),
		deviation("trace-in-error", nil, "shows where in the code an Error comes from",
			fault.When(fault.Refused, fault.Body(fault.Property("trace", fault.Absent, fault.Constant(`"plants.go:7"`))))).warns(errorUndeclared),
	}
}
