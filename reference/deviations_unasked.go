package reference

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// unaskedBytes send more than one complete response, or less, where §4 has
// every request answered by one. They write to the connection themselves.
func unaskedBytes() []Alteration {
	ok := message("HTTP/1.1 %d OK")
	raw := func(name, summary string, holds condition, format func(a answer) string) Alteration {
		return deviation(name, ids(answers), summary, when(holds, delivered(verbatim(format)))).wire().shows(plainPlant)
	}
	after := func(more func(a answer) string) func(a answer) string {
		return func(a answer) string { return ok(a) + more(a) }
	}
	late := func(more func(a answer) string) delivery { return inTwoParts(ok, more, 2*time.Millisecond) }
	constantly := func(text string) func(answer) string { return func(answer) string { return text } }
	another := func(answer) string { return ok(refused(http.StatusBadRequest, "request", "is late")) }
	chunks := func(body string) func(a answer) string {
		return func(a answer) string {
			return fmt.Sprintf("HTTP/1.1 %d OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", a.status) + strings.ReplaceAll(body, "$body", fmt.Sprintf("%x\r\n%s\r\n", len(a.body), a.body))
		}
	}
	return []Alteration{
		raw("plants-answered-twice", "answers twice if a plant is created", acceptance, after(ok)),
		raw("accepts-then-rejects", "rejects a plant that it has just accepted, in a second answer", acceptance, after(another)),
		raw("bytes-after-body", "sends a line of text after the end of the body", anything, after(constantly("\r\nnotice: done\r\n"))),
		raw("body-longer-than-told", "sends a body that is longer than its Content-Length", acceptance, after(constantly("}"))),
		deviation("answers-twice-late", ids(answers), "answers a second time a moment after the first answer",
			always(delivered(late(ok)))).wire().shows(plainPlant),
		deviation("log-on-connection", ids(answers), "writes a line of its log on the connection after a rejection",
			when(refusal, delivered(late(constantly("WARN plant refused\n"))))).wire().shows(""),
		raw("chunk-without-end", "sends a chunked plant without the last chunk", acceptance, chunks("$body")),
		raw("chunk-of-wrong-size", "sends a chunk of a plant with a size that is not a number", acceptance, chunks("zz\r\n$body0\r\n\r\n")),
		raw("bytes-after-chunks", "sends text after the last chunk", anything, chunks("$body0\r\n\r\nmore\r\n")),
		raw("negative-length", "sends a negative Content-Length", acceptance, func(a answer) string {
			return strings.Replace(ok(a), "content-length: ", "content-length: -", 1)
		}),
		raw("status-of-two-digits", "sends a plant with a status of two digits", acceptance, func(a answer) string {
			return strings.Replace(ok(a), "HTTP/1.1 200", "HTTP/1.1 20", 1)
		}),
		raw("field-without-colon", "sends a header line without a colon", acceptance, message("HTTP/1.1 %d OK", "X-Plant")),
		raw("no-status-line", "sends the body of a plant and nothing before it", acceptance, func(a answer) string { return string(a.body) }),
	}
}

// inTwoParts sends the answer, and after a pause something that nobody asked
// for.
func inTwoParts(format, more func(a answer) string, pause time.Duration) delivery {
	return func(w http.ResponseWriter, r *http.Request, a answer) {
		connection, out := takeOver(w, r)
		defer connection.Close()
		_, _ = out.WriteString(format(a))
		if out.Flush() != nil {
			return
		}
		time.Sleep(pause)
		_, _ = out.WriteString(more(a))
		_ = out.Flush()
	}
}
