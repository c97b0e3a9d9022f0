package reference

import (
	"net/http"
	"strings"
	"time"
)

// formVariations: RFC 9110 §8.3.1 and RFC 8259 leave several ways of writing
// the same media type and the same JSON.
func formVariations() []Alteration {
	acceptedAs := func(value string) change { return when(acceptance, mediaType(value)) }
	return []Alteration{
		variation("media-type-in-capitals", plantMediaType, "calls JSON Application/JSON",
			always(mediaType("Application/JSON"))),
		variation("media-type-with-charset", plantMediaType, "calls JSON application/json;charset=UTF-8",
			acceptedAs("application/json;charset=UTF-8")),
		variation("media-type-with-parameters", plantMediaType, "adds parameters to the media type, as oddly as HTTP lets it",
			acceptedAs(`application/json ; profile="a;b\"c" ;; v=1;`)),
		variation("error-media-type-with-charset", errorMediaType, "calls the JSON of an Error application/json; charset=utf-8",
			when(refusal, mediaType("application/json; charset=utf-8"))),

		variation("pretty-json", plantForm, "indents its JSON and ends its lines with CR LF", always(body(indented))),
		variation("escaped-json", plantForm, "escapes all that it may in its JSON, property names included",
			always(body(escaped))),
		variation("white-space-around-json", plantForm, "writes white space around its JSON",
			always(body(prefixed(" \r\n\t"), suffixed(" \r\n\t")))),
		variation("plant-in-another-order", plantForm, "shows the tag before the name",
			when(acceptance, body(replacing(`(?s)^{("name":.*),("tag":.*)}`, "{$2,$1}")))),
		variation("error-in-another-order", errorForm, "shows the message before error",
			when(refusal, body(replacing(`(?s)^{("error":\d+),("message":.*)}`, "{$2,$1}")))),
	}
}

// contentVariations: what is shown beside what must be.
func contentVariations() []Alteration {
	message := func(text string) change {
		return when(refusal, body(property("message", present, constant(asString(text)))))
	}
	const long = 20_000
	return []Alteration{
		variation("id-echoed", plantUndeclared, "shows the id of the plant as well",
			when(acceptance, withSentID)).warns(plantUndeclared),
		variation("more-properties", errorUndeclared, "shows links with a plant and details with an Error", together(
			when(acceptance, body(property("_links", absent, constant(`{"self":{"href":"/plants/7"}}`)))),
			when(refusal, body(property("details", absent, constant(`[{"message":null}]`)))),
		)).warns(plantUndeclared, errorUndeclared),
		variation("empty-tag-left-out", plantTag, "leaves out a tag that is empty",
			when(acceptance, body(property("tag", aString, where(equals(`""`), nothing))))).warns(plantEcho),
		variation("missing-tag-empty", plantTag, "shows an empty tag if there is none",
			when(acceptance, body(property("tag", absent, constant(`""`))))).warns(plantEcho),
		variation("empty-message", errorMessage, "shows an empty message", message("")),
		variation("long-message", errorMessage, "shows a message of 20,000 characters", message(strings.Repeat("x", long))),
		variation("message-in-another-language", errorMessage, "shows a message with characters of all sorts",
			message("✗ Ungültig 植物 🌵 \u0000\t\"\\ </script>")),
	}
}

// wireVariations: HTTP leaves several ways of sending the same answer.
func wireVariations() []Alteration {
	const late = 10 * time.Millisecond
	rows := []Alteration{
		variation("tls", answers, "speaks HTTP/1.1 over TLS", unchanged).overTLS("http/1.1"),
		variation("http-2", answers, "speaks HTTP/2", unchanged).overTLS("h2", "http/1.1"),
		variation("http-1-0", answers, "speaks HTTP/1.0 and ends a body by closing the connection",
			always(header("Content-Length"), delivered(verbatim(message("HTTP/1.0 %d"))))),
		variation("no-reason-phrase", answers, "sends a status without a reason phrase and fields in lower case",
			always(delivered(verbatim(message("HTTP/1.1 %d ", "connection: close"))))),
		variation("connection-closed", answers, "closes the connection after every answer and does not say so",
			always(delivered(verbatim(message("HTTP/1.1 %d OK"))))),
		variation("connection-close", answers, "closes the connection after every answer, and says so",
			always(header("Connection", "close"))),
		variation("chunked", answers, "sends a body in chunks of one byte", always(delivered(inParts))),
		variation("trailers", answers, "sends a field after the body", always(delivered(trailing))),
		variation("identity-coding", answers, "says that its answers are not compressed",
			always(header("Content-Encoding", "identity"))),
		variation("gzip", answers, "compresses its answers for those who take it", always(delivered(compressed(100)))),
		variation("early-hints", answers, "sends 103 first", always(delivered(hinting(http.StatusEarlyHints)))),
		variation("still-processing", answers, "sends 102 several times first",
			always(delivered(hinting(http.StatusProcessing, http.StatusProcessing, http.StatusEarlyHints)))),
		variation("slow", answers, "takes its time for every answer", always(delivered(lateBy(late)))),
		variation("many-fields", answers, "sends many header fields, some of them twice",
			always(header("Set-Cookie", "a=1", "b=2"), header("X-Trace", strings.Repeat("x", 8<<10)), header("Date"))),
	}
	for i := range rows {
		rows[i].Wire = true
	}
	return rows
}
