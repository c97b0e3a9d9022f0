package alteration

import (
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/plantstore/conformance/reference/fault"
)

// orderDependent answer correctly to the first request, and wrongly to a later one.
func orderDependent() []Alteration {
	const anonymous, other = "Authorization: ", `{"id":8,"name":"moss"}`
	all := checks()
	admitted, anyName, anyTag, anyBody, anyID := all["credential"].skipped, all["name"].skipped, all["tag-type"].skipped, all["json"].skipped, all["id-type"].skipped
	crash := fault.AsText(http.StatusInternalServerError)
	taken := func(skipped fault.Change) fault.Change {
		return fault.AfterSuch(fault.Accepted, byID, fault.Together(fault.When(sentTaken, acceptAsRead), skipped))
	}
	return []Alteration{
		deviation("connection-trusted-after-token", ids(requestCredential), "asks for the credential once on each connection",
			fault.AfterSuch(fault.Accepted, fault.ByConnection, admitted)).wire().shows(plainPlant).shows(other, anonymous),
		deviation("connection-trusted-after-plant", ids(requestName), "does not ask for names on a connection that has created a plant",
			fault.AfterSuch(fault.Accepted, fault.ByConnection, anyName)).wire().shows(plainPlant).shows(`{"id":8}`),
		deviation("tags-unchecked-after-plant", ids(requestTag), "does not check tags on a connection that has created a plant",
			fault.AfterSuch(fault.Accepted, fault.ByConnection, anyTag)).wire().shows(plainPlant).shows(`{"id":8,"name":"moss","tag":7}`),
		deviation("json-unchecked-after-plant", ids(requestBody), "takes anything for JSON on a connection that has created a plant",
			fault.AfterSuch(fault.Accepted, fault.ByConnection, anyBody)).wire().maybe(requestBody).shows(plainPlant).shows(`{"id":8,"name":"moss",}`),
		deviation("everybody-trusted-after-plant", ids(requestCredential), "asks for no credential once a plant was created",
			fault.AfterSuch(fault.Accepted, fault.ForAll, admitted)).shows(plainPlant).shows(other, anonymous),
		deviation("ids-unchecked-after-plant", ids(requestID), "does not check the type of ids once a plant was created",
			fault.AfterSuch(fault.Accepted, fault.ForAll, anyID)).shows(plainPlant).shows(`{"id":"8","name":"moss"}`),
		deviation("json-unchecked-after-rejection", ids(requestBody), "rejects the first malformed body on each connection alone",
			fault.AfterSuch(fault.RefusedFor("body"), fault.ByConnection, anyBody)).wire().maybe(requestBody).shows(`{"id":7,}`).shows(`{"id":8,"name":"moss",}`),
		deviation("credential-asked-once", ids(requestCredential), "asks for a missing credential once on each connection",
			fault.AfterSuch(fault.RefusedFor("Authorization"), fault.ByConnection, admitted)).wire().shows(plainPlant, anonymous).shows(plainPlant, anonymous),
		deviation("name-asked-once", ids(requestName), "asks for a missing name once for each id",
			fault.AfterSuch(fault.RefusedFor("name"), byID, anyName)).shows(`{"id":7}`).shows(`{"id":7}`),
		deviation("rejected-plants-kept", nil, "keeps the id of a plant that it rejects, and answers 409 to the valid one",
			fault.AfterSuch(fault.RefusedFor("name", "tag"), byID, fault.When(fault.Accepted, refuse(http.StatusConflict, "id", "is taken")))).
			warns(accepts).shows(`{"id":7}`).shows(plainPlant),
		deviation("rejected-callers-kept", nil, "keeps the id of a plant before it looks at the credential, and answers 400 to the next one",
			fault.AfterSuch(fault.RefusedFor("Authorization"), byID, fault.When(fault.Accepted, refuse(http.StatusBadRequest, "id", "is taken")))).
			warns(accepts).shows(plainPlant, anonymous).shows(plainPlant),
		deviation("repeated-bytes-admitted", ids(requestCredential), "keeps answers by their body and shows them to those without a credential",
			fault.Remembered(fault.ByBytes, fault.RefusedFor("Authorization"))).shows(plainPlant).shows(plainPlant, anonymous),
		deviation("repeated-key-admitted", ids(requestCredential), "keeps answers by their Idempotency-Key and shows them to those without a credential",
			fault.Remembered(func(r *fault.Request) string { return r.Header.Get("Idempotency-Key") },
				fault.Both(fault.RefusedFor("Authorization"), fault.SentField("Idempotency-Key", fault.NotEmpty)))).
			shows(plainPlant, "Idempotency-Key: 7").shows(plainPlant, "Idempotency-Key: 7", anonymous),
		deviation("repeated-bytes-unchecked", ids(requestCredential), "asks for no credential if it has seen the body before",
			fault.AfterSuch(fault.Anything, fault.ByBytes, admitted)).shows(plainPlant, anonymous).shows(plainPlant, anonymous),
		deviation("update-without-name", ids(requestName), "updates a plant that exists without a name",
			taken(anyName)).shows(plainPlant).shows(`{"id":7}`),
		deviation("update-with-any-tag", ids(requestTag), "updates a plant that exists with a tag of any type",
			taken(anyTag)).shows(plainPlant).shows(`{"id":7,"name":"fern","tag":7}`),
		deviation("update-with-any-name", ids(requestName), "updates a plant that exists with a name of any type",
			taken(all["name-type"].skipped)).shows(plainPlant).shows(`{"id":7,"name":7}`),
		deviation("update-without-credential", ids(requestCredential), "updates a plant that exists for those without a credential",
			taken(admitted)).shows(plainPlant).shows(plainPlant, anonymous),
		deviation("last-body-for-none", ids(requestBody), "takes the last plant of all for a missing body", lastBody).
			shows(plainPlant).shows(""),
		deviation("fails-on-repeated-rejection", ids(answers), "fails with 500 if the same bytes are rejected again",
			fault.Repeated(fault.ByBytes, fault.RefusedFor("body", "name", "id", "tag"), crash)).shows(`{"id":7}`).shows(`{"id":7}`),
		deviation("fails-on-third-use-of-id", ids(answers), "fails with 500 if an id is sent for the third time",
			fault.AfterSuch(sentTaken, byID, fault.When(sentTaken, crash))).shows(plainPlant).shows(plainPlant).shows(plainPlant),
		deviation("fails-after-rejection", ids(answers), "fails with 500 for the first request after a rejection on the same connection",
			fault.WhenPrevious(fault.Refused, crash)).wire().shows(`{"id":7}`).shows(plainPlant),
		deviation("fails-at-once", ids(answers), "fails with 500 if two requests with one id arrive at once",
			fault.AtOnce(byID, crash)).wire(),
		deviation("hangs-up-at-once", ids(answers), "closes the connection if two requests with one id arrive at once",
			fault.AtOnce(byID, fault.Delivered(fault.HangUp))).maybe(answers).wire(),
		deviation("plants-confused-at-once", nil, "shows the plant of another request that is there at once", fault.Shared).warns(plantEcho).wire(),
	}
}

// crossTalk answers a request with values of another request.
func crossTalk() []Alteration {
	return []Alteration{
		deviation("tag-left-over", nil, "shows the tag of the request before on the connection if there is none",
			fault.LeftOver("tag", fault.Accepted, fault.ByConnection)).warns(plantEcho).wire().shows(`{"id":7,"name":"fern","tag":"a"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("tag-of-anybody-left-over", nil, "shows the tag of the request before if there is none",
			fault.LeftOver("tag", fault.Accepted, fault.ForAll)).warns(plantEcho).shows(`{"id":7,"name":"fern","tag":"a"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("name-of-rejected-shown", nil, "shows the name of the rejected request before on the connection",
			fault.ShownFromRejected("name", fault.ByConnection)).warns(plantEcho).wire().shows(`{"id":"7","name":"fern"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("name-of-anybody-rejected-shown", nil, "shows the name of the rejected request before",
			fault.ShownFromRejected("name", fault.ForAll)).warns(plantEcho).shows(`{"id":"7","name":"fern"}`).shows(`{"id":8,"name":"moss"}`),
		deviation("plant-of-same-tag-shown", nil, "keeps answers by their tag and shows the first plant of each",
			fault.Cached(func(r *fault.Request) string { return r.Property("tag") })).warns(plantEcho).shows(`{"id":7,"name":"fern","tag":"a"}`).shows(`{"id":8,"name":"moss","tag":"a"}`),
		deviation("plant-of-same-32-bits-shown", nil, "shows the first plant whose id has the same last 32 bits",
			fault.Cached(func(r *fault.Request) string { return last32Bits(string(r.Object()["id"])) })).warns(plantEcho).shows(plainPlant).shows(`{"id":4294967303,"name":"moss"}`),
		deviation("plant-of-same-digits-shown", nil, "shows the first plant whose id has the same digits, with a minus sign or without",
			fault.Cached(func(r *fault.Request) string { return withoutSign(string(r.Object()["id"])) })).warns(plantEcho).shows(plainPlant).shows(`{"id":-7,"name":"moss"}`),
		deviation("plant-of-same-length-shown", nil, "keeps answers by the length of the body and shows the first plant of each",
			fault.Cached(func(r *fault.Request) string { return strconv.FormatInt(r.ContentLength, 10) })).warns(plantEcho).wire().shows(plainPlant).shows(`{"id":8,"name":"moss"}`),
		deviation("rejection-for-next", ids(accepts), "gives the first good request after a bad one on a connection the same rejection",
			fault.StaleRejection).wire().maybe(accepts).shows(`{"id":7}`).shows(`{"id":8,"name":"moss"}`),
	}
}

// lastBody replaces a missing body by the body of the last created plant, with another id.
func lastBody(next fault.Decision, tokens []string) fault.Decision {
	var last atomic.Value
	read := fault.ReadingBody(fault.Where(fault.Equals(""), func(string) string {
		body, _ := last.Load().(string)
		return fault.PropertyOf("id", anyID)(body)
	}))(next, tokens)
	return func(r *fault.Request) fault.Answer {
		a := read(r)
		if body := r.Text(); fault.Accepted(r, a) && body != "" {
			last.Store(body)
		}
		return a
	}
}
