package alteration

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// wrongAcceptances reject what meets the contract, or accept it in another way
// than with 200 (§4 rule 2).
func wrongAcceptances() []Alteration {
	rejecting := func(holds fault.Condition, part, problem string) fault.Change {
		return fault.When(fault.Both(fault.Accepted, holds), refuse(http.StatusBadRequest, part, problem))
	}
	padded := func(text string) bool { return strings.TrimSpace(text) != text }
	idLast := func(text string) bool { return strings.Index(text, `"id"`) > strings.Index(text, `"name"`) }
	without := func(field, part string) fault.Condition {
		return func(r *fault.Request, _ fault.Answer) bool { return !strings.Contains(r.Header.Get(field), part) }
	}
	return []Alteration{
		deviation("created", ids(accepts), "accepts with 201", fault.When(fault.Accepted, fault.Status(http.StatusCreated))),
		deviation("created-when-tagged", ids(accepts), "accepts a plant with a tag with 201",
			fault.When(fault.Both(fault.Accepted, fault.SentProperty("tag", fault.Present)), fault.Status(http.StatusCreated))),
		deviation("accepts-for-later", ids(accepts), "accepts with 202 and no body",
			fault.When(fault.Accepted, fault.Answering(http.StatusAccepted, "", ""))),
		deviation("no-content", ids(accepts), "accepts with 204", fault.When(fault.Accepted, fault.Status(http.StatusNoContent))),
		deviation("int32-ids", ids(accepts), "rejects ids beyond an int32",
			rejecting(fault.Anything, "id", "is too large")),
		deviation("tag-demanded", ids(accepts), "rejects a plant without a tag",
			rejecting(fault.SentProperty("tag", fault.Absent), "tag", "is missing")),
		deviation("tag-refused", nil, "rejects a plant with a tag as having an unknown property",
			rejecting(fault.SentProperty("tag", fault.Present), "tag", "is unknown")).warns(accepts),
		deviation("ascii-alone", ids(accepts), "rejects a plant with text beyond ASCII",
			rejecting(fault.Sent(fault.BeyondASCII), "body", "must be ASCII")),
		deviation("escapes-refused", ids(accepts), "rejects JSON with escapes for characters",
			rejecting(fault.Sent(fault.Contains(`\u`)), "body", "must have no escapes")),
		deviation("white-space-refused", ids(accepts), "rejects JSON with white space around it",
			rejecting(fault.Sent(padded), "body", "must begin with {")),
		deviation("id-first", ids(accepts), "rejects a plant whose id does not come first",
			rejecting(fault.Sent(idLast), "id", "must come first")),
		deviation("charset-demanded", ids(accepts), "rejects JSON without a charset parameter with 415",
			fault.When(fault.Both(fault.Accepted, without("Content-Type", "charset")), refuse(http.StatusUnsupportedMediaType, "Content-Type", "has no charset"))),
		deviation("accept-demanded", ids(accepts), "rejects clients that do not ask for JSON with 406",
			fault.When(fault.Both(fault.Accepted, without("Accept", "json")), refuse(http.StatusNotAcceptable, "Accept", "is missing"))),
		deviation("full-after-three", ids(accepts), "keeps three plants and rejects any more",
			fault.Counting(fault.Accepted, fault.After(3), refuse(http.StatusBadRequest, "store", "is full"))).maybe(accepts),
		deviation("not-found", ids(accepts), "answers every request with 404 as if there were no such path",
			fault.Always(fault.Answering(http.StatusNotFound, "text/plain", "404 page not found\n"))),
		deviation("rejects-everything", ids(accepts), "answers every request with the same valid Error",
			fault.Always(refuse(http.StatusBadRequest, "request", "is invalid"))),
	}
}

// answersToEverything are given whatever was asked.
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
