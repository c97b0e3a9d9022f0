package alteration

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

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
			fault.AfterSuch(fault.Accepted, fault.ByConnection, anyBody)).wire().shows(plainPlant).shows(`{"id":8,"name":"moss",}`),
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

// lastBody replaces a missing body by that of the last plant that was created, with
// another id.
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

// connectionVariations close kept connections, which a server may do at any time (RFC
// 9112 §9.5), or write the same answer in another way that HTTP/1.1 permits.
func connectionVariations() []Alteration {
	const brief = 2 * time.Millisecond
	silently := fault.Delivered(fault.Verbatim(fault.Message("HTTP/1.1 %d OK")))
	closing := func(name, summary string, c fault.Change) Alteration {
		return variation("closes-"+name, answers, "closes the connection "+summary, c).maybe(answers).wire().shows(plainPlant).shows(`{"id":8,"name":"moss"}`)
	}
	written := func(name, summary string, format func(a fault.Answer) string) Alteration {
		return variation(name, answers, summary, fault.Always(fault.Delivered(fault.Verbatim(format)))).wire().shows(plainPlant)
	}
	head := func(a fault.Answer, lines string) string {
		return fmt.Sprintf("HTTP/1.1 %d OK\r\n", a.Status) + "Content-Type:" + strings.Join(a.Header["Content-Type"], ",") + "\r\n" + lines + "\r\n"
	}
	chunked := func(format string) func(a fault.Answer) string {
		return func(a fault.Answer) string {
			half := len(a.Body) / 2
			return head(a, "Transfer-Encoding: chunked\r\nConnection: close\r\n") + fmt.Sprintf(format, half, a.Body[:half], len(a.Body)-half, a.Body[half:])
		}
	}
	said := fault.Header("Connection", "close")
	closes := []Alteration{
		closing("after-each-rejection", "after every rejection without saying so", fault.When(fault.Refused, silently)).shows(`{"id":9}`),
		closing("after-each-plant", "after every plant without saying so", fault.When(fault.Accepted, silently)),
		closing("on-rejections-saying-so", "after every rejection, and says so", fault.When(fault.Refused, said)).shows(`{"id":9}`),
		closing("a-moment-after", "2 ms after every answer without saying so", fault.Always(fault.Delivered(fault.ClosedAfter(brief)))),
		closing("a-moment-after-some", "2 ms after every third answer without saying so", fault.Counting(fault.Anything, fault.Every(3), fault.Delivered(fault.ClosedAfter(brief)))).shows(`{"id":9,"name":"ivy"}`),
		closing("by-reset", "with a reset after every fifth answer of all", fault.Counting(fault.Anything, fault.Every(5), fault.Delivered(fault.ResetAfter))).
			shows(`{"id":9,"name":"a"}`).shows(`{"id":10,"name":"a"}`).shows(`{"id":11,"name":"a"}`),
	}
	for _, n := range []int64{2, 5, 7, 20} {
		silent := closing(fmt.Sprintf("after-%d", n), fmt.Sprintf("after %d answers without saying so", n), fault.OnConnection(n, silently))
		for id := range n {
			silent = silent.shows(fmt.Sprintf(`{"id":%d,"name":"a"}`, 100+id))
		}
		closes = append(closes, silent)
	}
	told := closing("after-3-saying-so", "after 3 answers, and says so", fault.OnConnection(3, said)).shows(`{"id":9,"name":"a"}`)
	return append(closes, told,
		written("http-1-0-kept", "speaks HTTP/1.0 and says that it keeps connections, which it does not", fault.Message("HTTP/1.0 %d OK", "Connection: keep-alive")),
		written("chunk-extensions", "sends chunks with extensions", chunked("%x;a=1;b=\"x;y\"\r\n%s\r\n%x;c\r\n%s\r\n0;end\r\n\r\n")),
		written("chunks-with-zeros", "sends chunks whose sizes have leading zeros and capital letters", chunked("0000%X\r\n%s\r\n00%X\r\n%s\r\n000\r\n\r\n")),
		written("chunks-with-trailer", "sends fields after the last chunk that nothing announces", chunked("%x\r\n%s\r\n%x\r\n%s\r\n0\r\nX-Sum: 7\r\nServer-Timing: db\r\n\r\n")),
		written("length-with-zeros", "sends a Content-Length with leading zeros", func(a fault.Answer) string {
			return head(a, fmt.Sprintf("Content-Length: 000%d\r\nConnection: close\r\n", len(a.Body))) + string(a.Body)
		}),
		written("length-twice", "sends the same Content-Length twice", func(a fault.Answer) string {
			return head(a, strings.Repeat(fmt.Sprintf("Content-Length: %d\r\n", len(a.Body)), 2)+"Connection: close\r\n") + string(a.Body)
		}),
		written("no-blank-after-colon", "sends fields without a blank after the colon, or with tabs", func(a fault.Answer) string {
			return head(a, fmt.Sprintf("content-length:\t%d\t \r\nCONNECTION:close\r\nX-None:\r\n", len(a.Body))) + string(a.Body)
		}),
		written("odd-reason-phrase", "sends a reason phrase in another language", fault.Message("HTTP/1.1 %d Tout va très bien", "Connection: close")),
		written("until-close", "sends no length and ends the body by closing", func(a fault.Answer) string { return head(a, "Connection: close\r\n") + string(a.Body) }),
		variation("timeout-after-answer", answers, "sends 408 a moment after every answer, and closes the connection",
			fault.Always(fault.Delivered(fault.InTwoParts(fault.Message("HTTP/1.1 %d OK"), func(fault.Answer) string {
				return "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
			}, brief)))).maybe(answers).wire().shows(plainPlant),
		variation("unknown-1xx", answers, "sends 100 and 199 first", fault.Always(fault.Delivered(fault.Hinting(http.StatusContinue, 199)))).wire().shows(plainPlant),
		variation("body-later", answers, "sends the body a moment after the header", fault.Always(fault.Delivered(fault.LaterBody(brief)))).wire().shows(plainPlant),
		variation("http-2-alone", answers, "speaks HTTP/2 and nothing else", fault.Unchanged).overTLS("h2"),
	)
}

// unaskedBytes send more than one complete response, or less, where §4 has
// every request answered by one. They write to the connection themselves.
func unaskedBytes() []Alteration {
	ok := fault.Message("HTTP/1.1 %d OK")
	raw := func(name, summary string, holds fault.Condition, format func(a fault.Answer) string) Alteration {
		return deviation(name, ids(answers), summary, fault.When(holds, fault.Delivered(fault.Verbatim(format)))).wire().shows(plainPlant)
	}
	after := func(more func(a fault.Answer) string) func(a fault.Answer) string {
		return func(a fault.Answer) string { return ok(a) + more(a) }
	}
	late := func(more func(a fault.Answer) string) fault.Delivery {
		return fault.InTwoParts(ok, more, 2*time.Millisecond)
	}
	constantly := func(text string) func(fault.Answer) string { return func(fault.Answer) string { return text } }
	another := func(fault.Answer) string { return ok(refused(http.StatusBadRequest, "request", "is late")) }
	chunks := func(body string) func(a fault.Answer) string {
		return func(a fault.Answer) string {
			return fmt.Sprintf("HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", a.Status) + strings.ReplaceAll(body, "$body", fmt.Sprintf("%x\r\n%s\r\n", len(a.Body), a.Body))
		}
	}
	return []Alteration{
		raw("plants-answered-twice", "answers twice if a plant is created", fault.Accepted, after(ok)),
		raw("accepts-then-rejects", "rejects a plant that it has just accepted, in a second answer", fault.Accepted, after(another)),
		raw("bytes-after-body", "sends a line of text after the end of the body", fault.Anything, after(constantly("\r\nnotice: done\r\n"))),
		raw("body-longer-than-told", "sends a body that is longer than its Content-Length", fault.Accepted, after(constantly("}"))),
		// Only rejections: a plant that comes late may be taken for the answer to any request on a busy machine.
		deviation("answers-twice-late", ids(answers), "answers a second time a moment after a rejection",
			fault.When(fault.Refused, fault.Delivered(late(ok)))).wire().maybe(accepts).shows(""),
		deviation("log-on-connection", ids(answers), "writes a line of its log on the connection after a rejection",
			fault.When(fault.Refused, fault.Delivered(late(constantly("WARN plant refused\n"))))).wire().shows(""),
		raw("chunk-without-end", "sends a chunked plant without the last chunk", fault.Accepted, chunks("$body")),
		raw("chunk-of-wrong-size", "sends a chunk of a plant with a size that is not a number", fault.Accepted, chunks("zz\r\n$body0\r\n\r\n")),
		raw("bytes-after-chunks", "sends text after the last chunk", fault.Anything, chunks("$body0\r\n\r\nmore\r\n")),
		raw("negative-length", "sends a negative Content-Length", fault.Accepted, func(a fault.Answer) string {
			return strings.Replace(ok(a), "content-length: ", "content-length: -", 1)
		}),
		raw("status-of-two-digits", "sends a plant with a status of two digits", fault.Accepted, func(a fault.Answer) string {
			return strings.Replace(ok(a), "HTTP/1.1 200", "HTTP/1.1 20", 1)
		}),
		raw("field-without-colon", "sends a header line without a colon", fault.Accepted, fault.Message("HTTP/1.1 %d OK", "X-Plant")),
		raw("no-status-line", "sends the body of a plant and nothing before it", fault.Accepted, func(a fault.Answer) string { return string(a.Body) }),
	}
}
