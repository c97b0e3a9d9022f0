package reference

import (
	"net/http"
	"strings"
)

// wrongAcceptances reject what meets the contract, or accept it in another way
// than with 200 (§4 rule 2).
func wrongAcceptances() []Alteration {
	rejecting := func(holds condition, part, problem string) change {
		return when(both(acceptance, holds), refuse(http.StatusBadRequest, part, problem))
	}
	padded := func(text string) bool { return strings.TrimSpace(text) != text }
	idLast := func(text string) bool { return strings.Index(text, `"id"`) > strings.Index(text, `"name"`) }
	without := func(field, part string) condition {
		return func(r *request, _ answer) bool { return !strings.Contains(r.Header.Get(field), part) }
	}
	return []Alteration{
		deviation("created", ids(accepts), "accepts with 201", when(acceptance, status(http.StatusCreated))),
		deviation("created-when-tagged", ids(accepts), "accepts a plant with a tag with 201",
			when(both(acceptance, sentProperty("tag", present)), status(http.StatusCreated))),
		deviation("accepts-for-later", ids(accepts), "accepts with 202 and no body",
			when(acceptance, answering(http.StatusAccepted, "", ""))),
		deviation("no-content", ids(accepts), "accepts with 204", when(acceptance, status(http.StatusNoContent))),
		deviation("int32-ids", ids(accepts), "rejects ids beyond an int32",
			rejecting(anything, "id", "is too large")),
		deviation("tag-demanded", ids(accepts), "rejects a plant without a tag",
			rejecting(sentProperty("tag", absent), "tag", "is missing")),
		deviation("tag-refused", nil, "rejects a plant with a tag as having an unknown property",
			rejecting(sentProperty("tag", present), "tag", "is unknown")).warns(accepts),
		deviation("ascii-alone", ids(accepts), "rejects a plant with text beyond ASCII",
			rejecting(sent(beyondASCII), "body", "must be ASCII")),
		deviation("escapes-refused", ids(accepts), "rejects JSON with escapes for characters",
			rejecting(sent(contains(`\u`)), "body", "must have no escapes")),
		deviation("white-space-refused", ids(accepts), "rejects JSON with white space around it",
			rejecting(sent(padded), "body", "must begin with {")),
		deviation("id-first", ids(accepts), "rejects a plant whose id does not come first",
			rejecting(sent(idLast), "id", "must come first")),
		deviation("charset-demanded", ids(accepts), "rejects JSON without a charset parameter with 415",
			when(both(acceptance, without("Content-Type", "charset")), refuse(http.StatusUnsupportedMediaType, "Content-Type", "has no charset"))),
		deviation("accept-demanded", ids(accepts), "rejects clients that do not ask for JSON with 406",
			when(both(acceptance, without("Accept", "json")), refuse(http.StatusNotAcceptable, "Accept", "is missing"))),
		deviation("full-after-three", ids(accepts), "keeps three plants and rejects any more",
			counting(acceptance, after(3), refuse(http.StatusBadRequest, "store", "is full"))).maybe(accepts),
		deviation("not-found", ids(accepts), "answers every request with 404 as if there were no such path",
			always(answering(http.StatusNotFound, "text/plain", "404 page not found\n"))),
		deviation("rejects-everything", ids(accepts), "answers every request with the same valid Error",
			always(refuse(http.StatusBadRequest, "request", "is invalid"))),
	}
}

// answersToEverything are given whatever was asked.
func answersToEverything() []Alteration {
	everyCheck := ids(requestCredential, requestBody, requestName, requestTag, requestID)
	return []Alteration{
		deviation("same-plant-always", everyCheck, "answers every request with the same valid Plant",
			always(answering(http.StatusOK, "application/json", `{"name":"fern"}`))).
			warns(requestMediaType, requestBody, requestID, plantEcho),
		deviation("empty-object-always", append(everyCheck, plantName), "answers every request with 200 and {}",
			always(answering(http.StatusOK, "application/json", `{}`))).
			warns(requestMediaType, requestBody, requestID, plantEcho),
		deviation("nothing-always", append(everyCheck, plantMediaType, plantForm), "answers every request with 200 and nothing",
			always(answering(http.StatusOK, "", ""))).
			warns(requestMediaType, requestBody, requestID),
		deviation("rejects-with-200", append(everyCheck, plantName), "rejects with 200 and an Error",
			when(refusal, status(http.StatusOK))).
			warns(requestMediaType, requestBody, requestID, plantUndeclared, plantEcho),
		deviation("rejects-with-204", append(everyCheck, accepts), "rejects with 204",
			when(refusal, status(http.StatusNoContent))).
			warns(requestMediaType, requestBody, requestID),
	}
}
