package alteration

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/plantstore/conformance/reference/fault"
)

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

// unaskedBytes send more or less than one complete response, but §4 requires one for every request.
// They write to the connection themselves.
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
		// Only for rejections: on a busy machine, a late plant could be taken for the answer to any
		// request.
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
		raw("space-before-colon", "sends a header line with white space before its colon", fault.Accepted, fault.Message("HTTP/1.1 %d OK", "X-Plant : 7")),
		raw("lines-end-with-lf", "sends header lines that end with LF, not with CR LF", fault.Accepted, func(a fault.Answer) string {
			return strings.ReplaceAll(ok(a), "\r\n", "\n")
		}),
		raw("no-status-line", "sends the body of a plant and nothing before it", fault.Accepted, func(a fault.Answer) string { return string(a.Body) }),
	}
}
