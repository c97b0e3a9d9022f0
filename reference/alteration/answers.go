package alteration

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// failures answer with a status that neither accepts nor rejects (§4).
func failures() []Alteration {
	row := breaking(answers)
	crash := fault.AsText(http.StatusInternalServerError)
	page := fault.Answering(http.StatusInternalServerError, "text/html", "<!doctype html><title>500</title><h1>Something went wrong</h1>\n")
	return []Alteration{
		row("rejects-with-500", "rejects with 500 instead of 400", fault.When(fault.Refused, fault.Status(http.StatusInternalServerError))),
		row("unavailable", "answers every request with 503 and does not say when to come again",
			fault.Always(fault.Status(http.StatusServiceUnavailable))),
		row("fails-without-body", "fails with 500 if there is no body", fault.When(fault.SentNoBody, crash)),
		row("fails-on-null", "fails with 500 if the body is null", fault.When(fault.Sent(fault.Null.Include), crash)),
		row("fails-on-malformed-json", "fails with 500 and a page in HTML if the body is not JSON", fault.When(fault.SentMalformed, page)),
		row("fails-without-name", "fails with 500 if the name is missing", fault.When(fault.SentProperty("name", fault.Absent), crash)),
		row("fails-beyond-int64", "fails with 500 if the id is a number but not an int64",
			fault.When(fault.Both(fault.RefusedFor("id"), fault.SentProperty("id", fault.ANumber), fault.Not(sentTaken)), crash)),
		row("fails-without-credential", "fails with 500 if there is no Authorization field",
			fault.When(fault.Not(fault.SentField("Authorization", fault.NotEmpty)), crash)),
		row("fails-on-same-id", "fails with 500 if the id is taken", fault.When(sentTaken, crash)),
		row("fails-beyond-bmp", "fails with 500 if the name has a character of four bytes in UTF-8",
			fault.When(fault.SentText("name", fault.BeyondBMP), crash)),
		row("fails-on-nul", "fails with 500 if the name has the character U+0000",
			fault.When(fault.SentText("name", fault.Contains("\x00")), crash)),
		row("fails-on-deep-nesting", "fails with 500 if lists are nested deeply", fault.When(fault.Sent(fault.Contains("[[[[")), crash)),
		row("fails-every-seventh-time", "fails with 502 every seventh time",
			fault.Counting(fault.Anything, fault.Every(7), fault.Status(http.StatusBadGateway))),
		row("fails-at-first", "answers the first request with 503",
			fault.Counting(fault.Anything, fault.First, fault.Status(http.StatusServiceUnavailable))),
		row("fails-after-sixty", "answers sixty requests and then fails with 500", fault.Counting(fault.Anything, fault.After(60), crash)),
		row("redirects-to-slash", "redirects every request to /plants/ with 308",
			fault.Always(fault.Answering(http.StatusPermanentRedirect, "", ""), fault.Header("Location", "/plants/"))),
		row("redirects-to-login", "redirects those without a credential to a login page with 302",
			fault.When(fault.RefusedFor("Authorization"), fault.Answering(http.StatusFound, "text/html", "<a href=\"/login\">Found</a>.\n"), fault.Header("Location", "/login"))),
		row("switches-protocols", "says 101 to a plant that is created",
			fault.When(fault.Accepted, fault.Status(http.StatusSwitchingProtocols))).wire(),
		row("status-999", "rejects those without a credential with status 999",
			fault.When(fault.RefusedFor("Authorization"), fault.Status(999))),
	}
}

// undeliveredAnswers do not arrive, or not as one complete response (§4).
func undeliveredAnswers() []Alteration {
	twice := fault.Verbatim(func(a fault.Answer) string {
		once := fault.Message("HTTP/1.1 %d OK")(a)
		return once + once
	})
	row := breaking(answers)
	delivered := func(name, summary string, holds fault.Condition, by fault.Delivery) Alteration {
		return row(name, summary, fault.When(holds, fault.Delivered(by)))
	}
	aListSent := fault.Sent(fault.AList.Include)
	rows := []Alteration{
		delivered("hangs-up", "closes every connection without an answer", fault.Anything, fault.HangUp),
		delivered("hangs-up-on-malformed-json", "closes the connection if the body is not JSON", fault.SentMalformed, fault.HangUp),
		delivered("hangs-up-on-upgrade", "closes the connection if the request offers another protocol", fault.SentField("Upgrade", fault.NotEmpty), fault.HangUp),
		delivered("resets-on-list", "resets the connection if the body is a list", aListSent, fault.Reset),
		delivered("stalls", "never answers", fault.Anything, fault.Stall).hangs(),
		delivered("stalls-without-body", "waits forever if there is no body", fault.SentNoBody, fault.Stall).hangs(),
		delivered("stalls-on-repeated-letters", "takes years to match a name of many letters and another sign to a regular expression",
			fault.SentText("name", fault.Matches(`[a-z]{30}[^a-z]$`)), fault.Stall).hangs(),
		delivered("drips", "sends white space forever if a list is sent for an object", aListSent, fault.Drip).hangs(),
		delivered("cuts-off-plants", "breaks off in the middle of a plant, after a Content-Length for all of it",
			fault.Accepted, fault.CutOff),
		delivered("cuts-off-chunks", "breaks off a chunked Error before its last chunk", fault.Refused, fault.CutOffChunks),
		row("cuts-off-every-fifth-time", "breaks off every fifth answer in its middle",
			fault.Counting(fault.Anything, fault.Every(5), fault.Delivered(fault.CutOff))),
		delivered("hints-alone", "sends 103 to those without a credential and no answer after it",
			fault.RefusedFor("Authorization"), fault.HintAlone),
		delivered("answers-in-prose", "answers malformed JSON with a line of text that is not HTTP",
			fault.SentMalformed, fault.Verbatim(func(fault.Answer) string { return "ERR malformed JSON\r\n" })),
		delivered("two-content-lengths", "sends a plant with a tag with two lengths that contradict each other",
			acceptedWithTag(), fault.Verbatim(fault.Message("HTTP/1.1 %d OK", "Content-Length: 1"))),
		delivered("http-2-in-status-line", "says HTTP/2.0 on a connection of HTTP/1.1",
			acceptedWithTag(), fault.Verbatim(fault.Message("HTTP/2.0 %d OK"))),
		delivered("length-beside-chunks", "sends chunks and a length",
			acceptedWithTag(), fault.Verbatim(func(a fault.Answer) string {
				chunk := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(a.Body), a.Body)
				return fault.Message("HTTP/1.1 %d OK", "transfer-encoding: chunked", fmt.Sprintf("content-length: %d", len(chunk)))(a.WithBody(chunk))
			})),
		delivered("answers-twice", "sends every answer twice", fault.Anything, twice),
		delivered("answers-twice-to-chunks", "sends a plant twice to a request in chunks", fault.Both(fault.Accepted, fault.SentChunked), twice).
			shows(plainPlant, chunkedLine),
		deviation("gzip-in-name-only", ids(plantForm), "calls a plant gzip that is not",
			fault.When(fault.Accepted, fault.Header("Content-Encoding", "gzip"))),
	}
	for i := range rows {
		rows[i].Wire = true
	}
	return rows
}

// quoting shows a property in the message of an Error as it is.
func quoting(property string) fault.Edit {
	return func(r *fault.Request, a fault.Answer) fault.Answer {
		if text := r.Property(property); text != "" {
			return a.WithBody(`{"error":1,"message":"invalid: ` + text + `"}`)
		}
		return a
	}
}

// cutting shows the first bytes of a property of the request in an Error.
func cutting(property string, bytes int) fault.Edit {
	return func(r *fault.Request, a fault.Answer) fault.Answer {
		if text := r.Property(property); len(text) > bytes {
			return a.WithBody(`{"error":1,"message":"invalid: ` + text[:bytes] + `"}`)
		}
		return a
	}
}

// crashes answer with 500 (§4) to input that a parser, a database or a template
// cannot process, whether it is valid or not.
func crashes() []Alteration {
	crash := fault.AsText(http.StatusInternalServerError)
	on := func(name, where string, holds fault.Condition, body string, lines ...string) Alteration {
		return deviation("fails-on-"+name, ids(answers), "fails with 500 if "+where, fault.When(holds, crash)).shows(body, lines...)
	}
	named := func(name string) string { return plantWith("name", fault.AsString(name)) }
	loneHigh := func(text string) bool { return fault.Matches(`\\u[dD][89abAB]`)(text) && !fault.IsJSON(text) }
	const digits, depth, deepest, many, large = 5_000, 2_000, 9_000, 1_000, 8 << 10
	nonASCII := func(value string) bool { return fault.BeyondASCII(value) || fault.BeyondUTF8(value) }
	return []Alteration{
		on("null-unlisted", "a property that NewPlant does not list is null", fault.Both(sentUnknownProperty, fault.Sent(fault.Matches(`"(height|conformance)"\s*:\s*null`))), plantWith("height", "null")),
		on("malformed-and-no-credential", "the body is malformed and there is no credential", fault.Both(fault.SentMalformed, fault.Not(fault.SentField("Authorization", fault.NotEmpty))), `{"id":7,`, "Authorization: "),
		on("two-wrong-types", "both id and name have a wrong type", fault.Both(fault.SentProperty("id", fault.AString), fault.SentProperty("name", fault.ANumber)), `{"id":"7","name":7}`),
		on("wrong-id-and-tag", "both id and tag have a wrong type", fault.Both(fault.SentProperty("id", fault.AString), fault.SentProperty("tag", fault.ANumber), fault.SentText("name", fault.NotEmpty)), `{"id":"7","name":"fern","tag":7}`),
		on("wrong-name-and-tag", "both name and tag have a wrong type", fault.Both(fault.SentProperty("name", fault.ANumber), fault.SentProperty("tag", fault.ANumber)), `{"id":7,"name":7,"tag":7}`),
		on("no-id-and-wrong-name", "the id is missing and the name has a wrong type", fault.Both(fault.SentProperty("id", fault.Absent), fault.SentProperty("name", fault.ANumber)), `{"name":7}`),
		on("no-id-and-wrong-tag", "the id is missing and the tag has a wrong type", fault.Both(fault.SentProperty("id", fault.Absent), fault.SentProperty("tag", fault.ANumber)), `{"name":"fern","tag":7}`),
		deviation("redirects-browsers", ids(answers), "answers 302 to a request that is rejected and accepts HTML",
			fault.When(fault.Both(fault.Refused, fault.SentField("Accept", fault.Contains("text/html"))), fault.Status(http.StatusFound))).shows(`{"id":7}`, "Accept: text/html"),
		on("other-language", "another language is asked for", fault.SentField("Accept-Language", fault.NotEmpty), plainPlant, "Accept-Language: de-CH"),
		on("other-language-without-media-type", "another language is asked for and there is no Content-Type", fault.Both(fault.SentField("Accept-Language", fault.NotEmpty), fault.RefusedFor("Content-Type"), fault.Not(fault.SentField("Content-Type", fault.NotEmpty))), plainPlant, "Content-Type: ", "Accept-Language: de-CH"),
		on("cookie-with-percent", "a cookie has a percent sign and no digits after it", fault.SentField("Cookie", fault.Matches(`%([^0-9A-Fa-f]|$)`)), plainPlant, "Cookie: discount=50%"),
		on("trace", "the client traces its requests", fault.SentField("Traceparent", fault.NotEmpty), plainPlant, "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
		deviation("not-modified", ids(answers), "answers 304 to a plant with If-None-Match",
			fault.When(fault.Both(fault.Accepted, fault.SentField("If-None-Match", fault.NotEmpty)), fault.Answering(http.StatusNotModified, "", ""))).shows(plainPlant, "If-None-Match: *"),
		deviation("null-id-taken", ids(requestID), "takes null for the id 0, and answers 409 as it has such a plant",
			fault.When(fault.SentProperty("id", fault.Null), fault.Answering(http.StatusConflict, "application/json", `{"error":409,"message":"there is a plant 0"}`))).
			onlyWarns().shows(`{"id":null,"name":"fern"}`),
		deviation("range-of-plant", ids(accepts), "answers 206 to a plant with Range",
			fault.When(fault.Both(fault.Accepted, fault.SentField("Range", fault.NotEmpty)), fault.Status(http.StatusPartialContent))).shows(plainPlant, "Range: bytes=0-9"),
		on("lone-surrogate", "a lone surrogate is escaped", fault.Sent(loneHigh), `{"id":7,"name":"a\ud800b"}`),
		on("non-ascii-token", "the credential has a byte that is not ASCII", fault.SentField("Authorization", nonASCII), plainPlant, "Authorization: Bearer \xff\xfe"),
		on("long-id", "the id has more than 4,300 digits", fault.SentValue("id", fault.AllOf(fault.ANumber.Include, fault.Longer(4300))), `{"id":`+strings.Repeat("7", digits)+`,"name":"fern"}`),
		on("utf-16", "the body is UTF-16", fault.Sent(func(text string) bool { return fault.FromUTF16(text) != text }), fault.InUTF16(plainPlant)),
		on("byte-order-mark", "the body begins with a byte order mark", fault.Sent(fault.Matches("^\ufeff")), "\ufeff"+plainPlant),
		on("invalid-utf-8", "the body is not UTF-8", fault.Sent(fault.BeyondUTF8), "{\"id\":7,\"name\":\"\xff\"}"),
		on("other-charset", "the charset of the media type is not UTF-8", fault.SentField("Content-Type", fault.AllOf(fault.Contains("charset="), fault.NoneOf(fault.Matches(`(?i)charset="?utf-?8`)))), plainPlant, "Content-Type: application/json; charset=utf-16"),
		on("missing-media-type", "there is no media type", fault.Not(fault.SentField("Content-Type", fault.NotEmpty)), plainPlant, "Content-Type: "),
		on("very-deep-nesting", "values are nested 1,000 deep", fault.Sent(fault.Contains(strings.Repeat("[", many))), plantWith("x", strings.Repeat("[", depth)+strings.Repeat("]", depth))),
		on("deepest-nesting", "values are nested 9,000 deep", fault.Sent(fault.Contains(strings.Repeat("[", deepest))), plantWith("x", strings.Repeat("[", deepest)+strings.Repeat("]", deepest))),
		deviation("large-body-refused-in-html", ids(errorMediaType, errorForm), "answers 400 and a page to more than 1 MiB",
			fault.When(func(r *fault.Request, _ fault.Answer) bool { return r.ContentLength > 1<<20 }, fault.Answering(http.StatusBadRequest, "text/html", "<h1>Bad Request (400)</h1>\n"))).shows(strings.Repeat(" ", 1<<20) + plainPlant),
		on("no-body-of-browser", "there is no body, and HTML is accepted", fault.Both(fault.SentNoBody, fault.SentField("Accept", fault.Contains("text/html"))), "", "Accept: text/html"),
		on("addresses-that-disagree", "two header fields name other addresses of the client", fault.Both(fault.SentField("Client-Ip", fault.NotEmpty), fault.SentField("X-Forwarded-For", fault.NotEmpty)), plainPlant, "Client-Ip: 192.0.2.7", "X-Forwarded-For: 192.0.2.1"),
		on("quoting-lone-surrogate", "a name is missing, and a tag has a lone surrogate", fault.Both(fault.Sent(fault.NoneOf(fault.Contains(`"name"`))), fault.Sent(loneHigh)), `{"id":7,"tag":"a\ud800"}`),
		on("missing-agent", "there is no User-Agent", fault.Not(fault.SentField("User-Agent", fault.NotEmpty)), plainPlant, "User-Agent: "),
		on("percent-sign", "the name has a percent sign before a letter", fault.SentText("name", fault.Matches(`%[sdnx]`)), named("%s%n")),
		on("braces", "the name has braces of a template", fault.SentText("name", fault.Contains("{{")), named("{{7*7}}")),
		on("dollar-brace", "the name has a placeholder", fault.SentText("name", fault.Contains("${")), named("${jndi:ldap://x}")),
		on("apostrophe", "the name has an apostrophe", fault.SentText("name", fault.Contains("'")), named("O'Hara")),
		on("backslash", "the name has a backslash", fault.SentText("name", fault.Contains(`\`)), named(`a\b`)),
		on("long-name", "the name is longer than 255 characters", fault.SentText("name", fault.Longer(255)), named(strings.Repeat("f", 256))),
		on("long-tag", "the tag is longer than 255 characters", fault.SentText("tag", fault.Longer(255)), plantWith("tag", fault.AsString(strings.Repeat("f", 256)))),
		on("empty-name", "the name is empty", fault.SentText("name", fault.Equals("")), named("")),
		on("constructor", "there is a property constructor", fault.SentProperty("constructor", fault.Present), plantWith("constructor", `{"prototype":{}}`)),
		on("reference", "there is a property $ref", fault.SentProperty("$ref", fault.Present), plantWith("$ref", `"#"`)),
		on("nul-in-key", "a key has the character U+0000", fault.Sent(fault.Matches(`\\u0000[^"]*"\s*:`)), plantWith("a\x00", "1")),
		on("duplicate-key", "a key is duplicated", fault.Sent(func(text string) bool { return !fault.IsJSON(text) && fault.LastOfDuplicates(text) != text }), `{"id":7,"name":"a","name":"b"}`),
		on("long-header", "a header field is longer than 8 KiB", sentAnyField(func(_, value string) bool { return len(value) > large }), plainPlant, "X-Long: "+strings.Repeat("x", large+1)),
		on("one-word-credential", "Authorization is one word", fault.SentField("Authorization", fault.Matches(`^\S+$`)), plainPlant, "Authorization: Bearer"),
		on("unknown-coding", "the content coding is unknown", fault.SentField("Content-Encoding", fault.Matches(`bogus|x-|zstd|br`)), plainPlant, "Content-Encoding: bogus"),
		on("unknown-accept", "Accept names no media type that it can write", fault.SentField("Accept", fault.Matches(`xml|bogus`)), plainPlant, "Accept: application/bogus"),
		on("basic-without-colon", "the credential of Basic has no colon", fault.SentField("Authorization", func(value string) bool {
			pair, isBasic := strings.CutPrefix(value, "Basic ")
			user := fault.FromBase64(pair)
			return isBasic && user != pair && !strings.Contains(user, ":")
		}), plainPlant, "Authorization: Basic cGxhbnQ="),
		on("malformed-jwt", "a token has three parts, but is not a JWT", fault.SentField("Authorization", fault.AllOf(fault.Matches(`^Bearer \w+\.\w+\.\w+$`), fault.NoneOf(fault.Contains(".eyJ")))), plainPlant, "Authorization: Bearer a.b.c"),
		on("long-agent", "User-Agent is longer than 255 characters", fault.SentField("User-Agent", fault.Longer(255)), plainPlant, "User-Agent: "+strings.Repeat("x", 256)),
		on("list-by-position", "the body is a list of values", fault.Sent(fault.AllOf(fault.AList.Include, fault.NoneOf(fault.Contains("{")))), `[7,"Monstera"]`),
		on("object-as-id", "the id is an object", fault.SentProperty("id", fault.AnObject), `{"id":{},"name":"fern"}`),
		deviation("chunked-refused", nil, "does not read a chunked body and says that the name is missing",
			rejecting(fault.SentChunked, "name", "is missing")).warns(accepts).wire().shows(plainPlant, chunkedLine),
		deviation("fails-without-length", ids(answers), "fails with 500 if there is neither a body nor a Content-Length",
			fault.When(func(r *fault.Request, _ fault.Answer) bool {
				return r.ContentLength == 0 && r.Header.Get("Content-Length") == ""
			}, crash)).wire(),
		deviation("fails-on-chunked", ids(answers), "fails with 500 if the body is chunked", fault.When(fault.SentChunked, crash)).wire().shows(plainPlant, chunkedLine),
		deviation("fails-on-acceptance-with-502", ids(answers), "has a proxy that answers 502 to an answer with a tag beyond ASCII",
			fault.When(fault.Both(fault.Accepted, fault.SentText("tag", fault.BeyondASCII)), fault.Answering(http.StatusBadGateway, "text/html", "<h1>502 Bad Gateway</h1>\n"))).shows(plantWith("tag", `"grün"`)),
	}
}

// wrongAcceptances reject requests that meet the contract, or accept them with
// another status than 200 (§4 rule 2).
func wrongAcceptances() []Alteration {
	row := breaking(accepts)
	rejects := func(name, summary string, holds fault.Condition, part, problem string) Alteration {
		return row(name, summary, rejecting(holds, part, problem))
	}
	idLast := func(text string) bool { return strings.Index(text, `"id"`) > strings.Index(text, `"name"`) }
	without := func(field, part string) fault.Condition {
		return fault.Not(fault.SentField(field, fault.Contains(part)))
	}
	return []Alteration{
		row("created", "accepts with 201", fault.When(fault.Accepted, fault.Status(http.StatusCreated))),
		row("created-when-tagged", "accepts a plant with a tag with 201", fault.When(acceptedWithTag(), fault.Status(http.StatusCreated))),
		row("accepts-for-later", "accepts with 202 and no body", fault.When(fault.Accepted, fault.Answering(http.StatusAccepted, "", ""))),
		row("no-content", "accepts with 204", fault.When(fault.Accepted, fault.Status(http.StatusNoContent))),
		rejects("int32-ids", "rejects ids beyond an int32", fault.Anything, "id", "is too large"),
		rejects("tag-demanded", "rejects a plant without a tag", fault.SentProperty("tag", fault.Absent), "tag", "is missing"),
		rejects("tag-refused", "rejects a plant with a tag as having an unknown property",
			fault.SentProperty("tag", fault.Present), "tag", "is unknown").warns(accepts),
		rejects("ascii-alone", "rejects a plant with text beyond ASCII", fault.Sent(fault.BeyondASCII), "body", "must be ASCII").warns(accepts),
		rejects("escapes-refused", "rejects JSON with escapes for characters",
			fault.Sent(fault.Contains(`\u`)), "body", "must have no escapes"),
		rejects("escaped-key-unknown", "does not know a key that has an escape in it",
			fault.Sent(fault.Matches(`[{,]\s*"[^"]*\\u[0-9a-f]{4}[^"]*"\s*:`)), "name", "is missing"),
		rejects("escaped-solidus-refused", "rejects a solidus that is escaped",
			fault.Sent(fault.Contains(`\/`)), "body", "has an unknown escape"),
		rejects("escaped-form-feed-refused", "does not know the escapes of a form feed and a backspace",
			fault.Sent(fault.Matches(`\\[bf]`)), "body", "has an unknown escape"),
		rejects("escape-pair-refused", "rejects a character that is written as two escapes",
			fault.Sent(fault.Matches(`\\u[dD][89abAB]`)), "body", "has an unknown escape"),
		rejects("white-space-refused", "rejects JSON with white space around it", fault.Sent(padded), "body", "must begin with {"),
		rejects("tag-before-name-refused", "rejects a plant whose tag comes before its name",
			fault.Sent(fault.Matches(`"tag".*"name"`)), "name", "must come first"),
		rejects("line-breaks-refused", "rejects JSON that begins with { and a line break",
			fault.Sent(fault.Matches(`^\{\s*\n`)), "body", "must be one line"),
		rejects("id-first", "rejects a plant whose id does not come first", fault.Sent(idLast), "id", "must come first"),
		row("charset-demanded", "rejects JSON without a charset parameter with 415",
			fault.When(fault.Both(fault.Accepted, without("Content-Type", "charset")), refuse(http.StatusUnsupportedMediaType, "Content-Type", "has no charset"))),
		row("accept-demanded", "rejects clients that do not ask for JSON with 406",
			fault.When(fault.Both(fault.Accepted, without("Accept", "json")), refuse(http.StatusNotAcceptable, "Accept", "is missing"))),
		row("locked-by-zero", "accepts no plant any more once there is one with the id 0",
			fault.AfterSuch(fault.Both(fault.Accepted, fault.SentValue("id", fault.Equals("0"))), fault.ForAll,
				fault.When(fault.Accepted, refuse(http.StatusBadRequest, "store", "is locked")))).maybe(accepts),
		row("full-after-three", "keeps three plants and rejects any more",
			fault.Counting(fault.Accepted, fault.After(3), refuse(http.StatusBadRequest, "store", "is full"))).maybe(accepts),
		row("not-found", "answers every request with 404 as if there were no such path",
			fault.Always(fault.Answering(http.StatusNotFound, "text/plain", "404 page not found\n"))),
		row("rejects-everything", "answers every request with the same valid Error",
			fault.Always(refuse(http.StatusBadRequest, "request", "is invalid"))),
	}
}

// answersToEverything give one answer to every request.
func answersToEverything() []Alteration {
	everyCheck := ids(requestCredential, requestBody, requestName, requestTag, requestID)
	return []Alteration{
		deviation("same-plant-always", everyCheck, "answers every request with the same valid Plant",
			fault.Always(fault.Answering(http.StatusOK, "application/json", `{"name":"fern"}`))).
			warns(requestMediaType, requestBody, requestID, plantEcho),
		deviation("empty-object-always", append(everyCheck, plantName), "answers every request with 200 and {}",
			fault.Always(fault.Answering(http.StatusOK, "application/json", `{}`))).
			warns(requestMediaType, requestBody, requestID, plantEcho),
		deviation("nothing-always", append(everyCheck, plantMediaType, plantForm), "answers every request with 200 and nothing",
			fault.Always(fault.Answering(http.StatusOK, "", ""))).
			warns(requestMediaType, requestBody, requestID),
		deviation("rejects-with-200", append(everyCheck, plantName), "rejects with 200 and an Error",
			fault.When(fault.Refused, fault.Status(http.StatusOK))).
			warns(requestMediaType, requestBody, requestID, plantUndeclared, plantEcho),
		deviation("rejects-with-204", append(everyCheck, accepts), "rejects with 204",
			fault.When(fault.Refused, fault.Status(http.StatusNoContent))).
			warns(requestMediaType, requestBody, requestID),
	}
}

// errorsOfAnotherForm answer with Errors that are not one JSON object, or not labelled
// as JSON (§4 rule 3).
func errorsOfAnotherForm() []Alteration {
	const json = "application/json"
	label, form := breaking(errorMediaType), breaking(errorForm)
	labelled := func(values ...string) fault.Change { return fault.When(fault.Refused, fault.MediaType(values...)) }
	text := fault.AsText(http.StatusBadRequest)
	both400 := ids(errorMediaType, errorForm)
	return []Alteration{
		deviation("upgrade-refused-in-text", both400, "answers 400 and a line of text if the request offers another protocol", fault.When(fault.SentField("Upgrade", fault.NotEmpty), text)).
			warns(accepts).wire().shows(plainPlant, "Connection: Upgrade", "Upgrade: websocket"),
		label("error-without-media-type", "shows an Error without a media type", labelled()),
		label("error-called-text", "shows an Error as text/plain", labelled("text/plain")),
		label("error-called-problem", "shows an Error as application/problem+json", labelled("application/problem+json")),
		label("error-with-unclosed-quote", "shows an Error as application/json with a quote that does not end",
			labelled(json+`; charset="utf-8`)),
		label("error-declared-twice", "shows an Error with two Content-Type fields, of which one says text/plain",
			labelled(json, "text/plain")),
		label("error-without-media-type-for-stranger", "shows those without a credential an Error without a media type",
			fault.When(fault.RefusedFor("Authorization"), fault.MediaType())),

		deviation("error-as-text", both400, "rejects with a line of text", fault.When(fault.Refused, text)),
		deviation("malformed-json-as-text", both400, "rejects malformed JSON with a line of text", fault.When(fault.SentMalformed, text)),
		deviation("no-body-as-xml", both400, "rejects a missing body with XML",
			fault.When(fault.SentNoBody, fault.Answering(http.StatusBadRequest, "application/xml", "<error>400</error>\n"))),
		deviation("error-of-nothing", both400, "rejects with nothing but the status",
			fault.When(fault.Refused, fault.Answering(http.StatusBadRequest, "", ""))),

		form("error-empty", "shows nothing in place of an Error", shownError(fault.Nothing)),
		form("error-null", "shows null in place of an Error", shownError(fault.Constant("null"))),
		form("name-quoted-in-error", "quotes the name in an Error without escapes", fault.When(fault.RefusedFor("id"), quoting("name"))).shows(`{"name":"a\"b"}`),
		form("tag-quoted-in-error", "quotes the tag in an Error without escapes", fault.When(fault.RefusedFor("id"), quoting("tag"))).shows(`{"name":"fern","tag":"a\"b"}`),
		form("name-cut-in-error", "shows the first 20 bytes of the name in an Error, be it inside of a character", fault.When(fault.Refused, cutting("name", 20))).shows(`{"name":"xüüüüüüüüüüüüüüüüüüüü"}`),
		form("id-cut-in-error", "shows the first 40 bytes of an id that is a text in an Error, be it inside of a character", fault.When(fault.RefusedFor("id"), cutting("id", 40))).shows(plantWith("id", `"x`+strings.Repeat("ü", 30)+`"`)),
		form("wrong-name-quoted-in-error", "quotes a name of a wrong type in an Error as Go does, and not as JSON does", fault.When(fault.RefusedFor("name"), func(r *fault.Request, a fault.Answer) fault.Answer {
			return a.WithBody(`{"error":1,"message":` + strconv.Quote(string(r.Object()["name"])) + `}`)
		})).shows("{\"id\":7,\"name\":[\"\x7f\"]}"),
		form("error-in-list", "shows a list of Errors", shownError(fault.Prefixed("["), fault.Suffixed("]"))),
		form("error-twice", "shows the Error twice, as two handlers write it that do not know of each other",
			shownError(func(text string) string { return text + text })),
		form("text-after-error", "shows a trace after the Error", shownError(fault.Suffixed("\n\tat createPlant (plants.js:7)\n"))),
		form("bom-before-error", "shows a byte order mark before the Error", shownError(fault.Prefixed("\ufeff"))),
		form("number-twice-in-error", "shows error twice", shownError(fault.Replacing(`^{`, `{"error":400,`))),
		form("error-with-nan", "shows NaN for error", shownError(fault.Replacing(`"error":400`, `"error":NaN`))),
		form("error-cut-off", "shows the first 20 bytes of an Error", shownError(fault.Replacing(`(?s)^(.{20}).*$`, "$1"))),
		form("error-quoting-long-id", "cuts an Error that quotes a long id",
			fault.When(fault.SentText("id", fault.Longer(200)), fault.Body(fault.Replacing(`(?s)^(.{20}).*$`, "$1")))).shows(plantWith("id", `"`+strings.Repeat("7", 3000)+`"`)),
		form("error-quoting-bytes", "repeats bytes that are not UTF-8 in the message",
			fault.When(fault.Sent(fault.BeyondUTF8), fault.Body(fault.Replacing(`"message":"`, "\"message\":\"\xff ")))),
	}
}

// propertiesOfErrors answer with Errors whose properties are missing or of another type
// (§7).
func propertiesOfErrors() []Alteration {
	number := func(name, summary string, edit fault.TextEdit) Alteration {
		return deviation(name, ids(errorNumber), summary, shownError(fault.PropertyOf("error", edit)))
	}
	text := func(name, summary string, edit fault.TextEdit) Alteration {
		return deviation(name, ids(errorMessage), summary, shownError(fault.PropertyOf("message", edit)))
	}
	both400 := ids(errorNumber, errorMessage)
	const json = "application/json"
	return []Alteration{
		number("no-error-number", "shows an Error without error", fault.Nothing),
		number("null-for-error-number", "shows null for error", fault.Constant("null")),
		deviation("no-error-number-for-browser", ids(errorNumber), "shows those who accept HTML an Error without error",
			fault.When(fault.Both(fault.Refused, fault.SentField("Accept", fault.Contains("text/html"))), fault.Body(fault.Drop("error")))).shows(`{"id":7}`, "Accept: text/html"),
		deviation("no-error-number-for-missing-agent", ids(errorNumber), "shows those who send no User-Agent an Error without error",
			fault.When(fault.Both(fault.Refused, fault.Not(fault.SentField("User-Agent", fault.NotEmpty))), fault.Body(fault.Drop("error")))).shows(`{"id":7}`, "User-Agent: "),
		number("string-for-error-number", "shows the digits of error in a string", fault.AsString),
		number("boolean-for-error-number", "shows true for error", fault.Constant("true")),
		number("fraction-for-error-number", "shows 400.5 for error", fault.Constant("400.5")),
		number("tiny-fraction-for-error-number", "shows a fraction for error that a double cannot hold",
			fault.Constant("400.00000000000000000001")),
		number("error-number-above-int32", "shows 2^31 for error", fault.Constant("2147483648")),
		number("error-number-below-int32", "shows -2^31 - 1 for error", fault.Constant("-2147483649")),
		number("error-number-beyond-double", "shows 1e400 for error", fault.Constant("1e400")),
		deviation("time-for-error-number", ids(errorNumber), "shows the time in milliseconds for error if the name is wrong",
			fault.When(fault.RefusedFor("name"), fault.Body(fault.Set("error", "1795255200000")))),
		deviation("error-number-in-wrong-case", ids(errorNumber), "shows error as Error",
			shownError(fault.Renamed("error", "Error"))).warns(errorUndeclared),

		text("no-message", "shows an Error without a message", fault.Nothing),
		deviation("no-message-every-fourth-time", ids(errorMessage), "shows every fourth Error without a message",
			fault.Counting(fault.Refused, fault.Every(4), fault.Body(fault.Drop("message")))),
		deviation("no-message-without-gzip", ids(errorMessage), "shows those who do not accept gzip an Error without a message",
			fault.When(fault.Both(fault.Refused, fault.Not(fault.SentField("Accept-Encoding", fault.Contains("gzip")))), fault.Body(fault.Drop("message")))).shows(`{"id":7}`, "Accept-Encoding: "),
		text("null-for-message", "shows null for the message", fault.Constant("null")),
		text("number-for-message", "shows a number for the message", fault.Constant("400")),
		text("message-in-list", "shows a list of messages", fault.InTurn(fault.Prefixed("["), fault.Suffixed("]"))),
		text("message-in-object", "shows an object of messages by language", fault.InTurn(fault.Prefixed(`{"en":`), fault.Suffixed("}"))),
		deviation("message-in-wrong-case", ids(errorMessage), "shows the message as Message",
			shownError(fault.Renamed("message", "Message"))).warns(errorUndeclared),
		deviation("message-misspelt", ids(errorMessage), "shows the message as msg if the body is malformed",
			fault.When(fault.SentMalformed, fault.Body(fault.Renamed("message", "msg")))).warns(errorUndeclared),

		deviation("error-wrapped", both400, "shows number and message inside of error",
			shownError(fault.Renamed("error", "code"), fault.Prefixed(`{"error":`), fault.Suffixed("}"))),
		deviation("error-of-framework", both400, "shows a list of details, as a framework does",
			fault.When(fault.Refused, fault.Answering(http.StatusBadRequest, json, `{"detail":[{"loc":["body"],"msg":"field required"}]}`))).warns(errorUndeclared),
		deviation("problem-details", append(both400, errorMediaType), "rejects with problem details",
			fault.When(fault.Refused, fault.Answering(http.StatusBadRequest, "application/problem+json", `{"type":"about:blank","title":"Bad Request","status":400}`))).warns(errorUndeclared),
		deviation("trace-in-error", nil, "shows where in the code an Error comes from",
			shownError(fault.Add("trace", `"plants.go:7"`))).warns(errorUndeclared),
	}
}
