package alteration

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/plantstore/conformance/reference/fault"
)

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
		deviation("answers-twice-late", ids(answers), "answers a second time a moment after the first answer",
			fault.Always(fault.Delivered(late(ok)))).wire().shows(plainPlant),
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
