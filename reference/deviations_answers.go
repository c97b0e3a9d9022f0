package reference

import "net/http"

// failures answer with a status that neither accepts nor rejects (§4).
func failures() []Alteration {
	crash := answering(http.StatusInternalServerError, "text/plain; charset=utf-8", "Internal Server Error\n")
	page := answering(http.StatusInternalServerError, "text/html", "<!doctype html><title>500</title><h1>Something went wrong</h1>\n")
	return []Alteration{
		deviation("rejects-with-500", ids(answers), "rejects with 500 instead of 400",
			when(refusal, status(http.StatusInternalServerError))),
		deviation("unavailable", ids(answers), "answers every request with 503 and does not say when to come again",
			always(status(http.StatusServiceUnavailable))),
		deviation("fails-without-body", ids(answers), "fails with 500 if there is no body", when(sentNoBody, crash)),
		deviation("fails-on-null", ids(answers), "fails with 500 if the body is null", when(sent(null.include), crash)),
		deviation("fails-on-malformed-json", ids(answers), "fails with 500 and a page in HTML if the body is not JSON",
			when(sentMalformed, page)),
		deviation("fails-without-name", ids(answers), "fails with 500 if the name is missing",
			when(sentProperty("name", absent), crash)),
		deviation("fails-beyond-int64", ids(answers), "fails with 500 if the id is a number but not an int64",
			when(both(refusalOf("id"), sentProperty("id", aNumber), not(sentTaken)), crash)),
		deviation("fails-without-credential", ids(answers), "fails with 500 if there is no Authorization field",
			when(func(r *request, _ answer) bool { return r.Header.Get("Authorization") == "" }, crash)),
		deviation("fails-on-same-id", ids(answers), "fails with 500 if the id is taken", when(sentTaken, crash)),
		deviation("fails-beyond-bmp", ids(answers), "fails with 500 if the name has a character of four bytes in UTF-8",
			when(sentName(beyondBMP), crash)),
		deviation("fails-on-nul", ids(answers), "fails with 500 if the name has the character U+0000",
			when(sentName(contains("\x00")), crash)),
		deviation("fails-on-deep-nesting", ids(answers), "fails with 500 if lists are nested deeply",
			when(sent(contains("[[[[")), crash)),
		deviation("fails-every-seventh-time", ids(answers), "fails with 502 every seventh time",
			counting(anything, every(7), status(http.StatusBadGateway))),
		deviation("fails-at-first", ids(answers), "answers the first request with 503",
			counting(anything, first, status(http.StatusServiceUnavailable))),
		deviation("fails-after-sixty", ids(answers), "answers sixty requests and then fails with 500",
			counting(anything, after(60), crash)),
		deviation("redirects-to-slash", ids(answers), "redirects every request to /plants/ with 308",
			always(answering(http.StatusPermanentRedirect, "", ""), header("Location", "/plants/"))),
		deviation("redirects-to-login", ids(answers), "redirects those without a credential to a login page with 302",
			when(refusalOf("Authorization"), answering(http.StatusFound, "text/html", "<a href=\"/login\">Found</a>.\n"), header("Location", "/login"))),
		deviation("switches-protocols", ids(answers), "says 101 to a plant that is created",
			when(acceptance, status(http.StatusSwitchingProtocols))).wire(),
		deviation("status-999", ids(answers), "rejects those without a credential with status 999",
			when(refusalOf("Authorization"), status(999))),
	}
}

// undeliveredAnswers do not arrive, or not as one complete response (§4).
func undeliveredAnswers() []Alteration {
	tagged := sentProperty("tag", present)
	aListSent := sent(aList.include)
	rows := []Alteration{
		deviation("hangs-up", ids(answers), "closes every connection without an answer", always(delivered(hangUp))),
		deviation("hangs-up-on-malformed-json", ids(answers), "closes the connection if the body is not JSON",
			when(sentMalformed, delivered(hangUp))),
		deviation("resets-on-list", ids(answers), "resets the connection if the body is a list",
			when(aListSent, delivered(reset))),
		deviation("stalls", ids(answers), "never answers", always(delivered(stall))).hangs(),
		deviation("stalls-without-body", ids(answers), "waits forever if there is no body",
			when(sentNoBody, delivered(stall))).hangs(),
		deviation("drips", ids(answers), "sends white space forever if a list is sent for an object",
			when(aListSent, delivered(drip))).hangs(),
		deviation("cuts-off-plants", ids(answers), "breaks off in the middle of a plant, after a Content-Length for all of it",
			when(acceptance, delivered(cutOff))),
		deviation("cuts-off-chunks", ids(answers), "breaks off a chunked Error before its last chunk",
			when(refusal, delivered(cutOffChunks))),
		deviation("cuts-off-every-fifth-time", ids(answers), "breaks off every fifth answer in its middle",
			counting(anything, every(5), delivered(cutOff))),
		deviation("hints-alone", ids(answers), "sends 103 to those without a credential and no answer after it",
			when(refusalOf("Authorization"), delivered(hintAlone))),
		deviation("answers-in-prose", ids(answers), "answers malformed JSON with a line of text that is not HTTP",
			when(sentMalformed, delivered(verbatim(func(answer) string { return "ERR malformed JSON\r\n" })))),
		deviation("two-content-lengths", ids(answers), "sends a plant with a tag with two lengths that contradict each other",
			when(both(acceptance, tagged), delivered(verbatim(message("HTTP/1.1 %d OK", "Content-Length: 1"))))),
		deviation("answers-twice", ids(answers), "sends every answer twice",
			always(delivered(verbatim(func(a answer) string {
				once := message("HTTP/1.1 %d OK")(a)
				return once + once
			})))),
		deviation("gzip-in-name-only", ids(answers), "calls a plant gzip that is not",
			when(acceptance, header("Content-Encoding", "gzip"))),
	}
	for i := range rows {
		rows[i].Wire = true
	}
	return rows
}
