package alteration

import (
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/reference/fault"
)

// gatewayVariations answer to unusual requests as proxies and servers do, before the
// service sees the request. §7 does not show other statuses, and §8 shows no limits.
func gatewayVariations() []Alteration {
	conditions, sizes := silent("rejection-conditions"), silent("size-limits")
	page := func(status int, title string) fault.Edit {
		return fault.Answering(status, "text/html", "<html><head><title>"+title+"</title></head><body><center><h1>"+title+"</h1></center><hr><center>nginx</center></body></html>\n")
	}
	gunicorn := fault.Answering(http.StatusBadRequest, "text/html", "<html>\n  <head>\n    <title>Bad Request</title>\n  </head>\n  <body>\n    <h1><p>Bad Request</p></h1>\n  </body>\n</html>\n")
	field := fault.SentField
	long := sentAnyField(func(_, value string) bool { return len(value) > 4<<10 })
	charset := fault.Matches(`(?i)charset\s*=`)
	inner := sentAnyField(func(name, _ string) bool {
		return strings.HasPrefix(name, "X-Forwarded-") || name == "X-Real-Ip" || name == "Forwarded" || name == "X-Original-Url" || name == "X-Rewrite-Url"
	})
	return []Alteration{
		variation("long-header-431", sizes, "has a server that answers 431 to a header field of more than 4 KiB", fault.When(long, page(431, "431 Request Header Fields Too Large"))).
			shows(plainPlant, "X-Long: "+strings.Repeat("x", 5<<10)),
		variation("long-header-400", sizes, "has a server that answers 400 and a page to a header field of more than 4 KiB", fault.When(long, page(400, "400 Request Header Or Cookie Too Large"))).
			shows(plainPlant, "X-Long: "+strings.Repeat("x", 5<<10)),
		variation("chunked-411", conditions, "has a server that asks for the length of a chunked body with 411", fault.When(fault.SentChunked, page(411, "411 Length Required"))).
			warns(accepts).wire().shows(plainPlant, chunkedLine),
		variation("chunks-unread", conditions, "misses the body that comes in chunks, and takes the chunks for the next request",
			fault.When(fault.SentChunked, fault.Answering(http.StatusBadRequest, "application/json", `{"error":400,"message":"there is no body"}`),
				fault.Delivered(fault.Verbatim(func(a fault.Answer) string {
					return fault.Message("HTTP/1.1 %d Bad Request")(a) + "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
				})))).
			warns(accepts, answers).wire().shows(plainPlant, chunkedLine),
		variation("large-bodies-413-with-page", sizes, "has a server that answers 413 and a page to more than 8 KiB", fault.When(fault.SentMore(8<<10), page(413, "413 Request Entity Too Large"))).
			shows(filled(9 << 10)(plainPlant)),
		variation("long-query-414", sizes, "has a server that answers 414 to a query of more than 1 KiB",
			fault.When(fault.SentQuery(fault.Longer(1<<10)), page(414, "414 Request-URI Too Large"))).
			shows(plainPlant, "?x="+strings.Repeat("x", 2<<10)),
		variation("query-beyond-utf-8-400", conditions, "has a server that answers 400 and a page to a query that is not UTF-8",
			fault.When(fault.SentQuery(fault.Contains("%FF")), page(400, "400 Bad Request"))).
			shows(plainPlant, "?x=%FF"),
		variation("queries-404", conditions, "has a router that knows no address with a query", fault.When(fault.SentQuery(fault.NotEmpty), page(404, "404 Not Found"))).
			shows(plainPlant, "?x=1"),
		variation("charset-415", conditions, "answers 415 and no body to a charset", fault.When(field("Content-Type", charset), fault.Answering(415, "", ""))).
			shows(plainPlant, "Content-Type: application/json; charset=utf-8"),
		variation("other-charset-415", conditions, "answers 415 to any charset but UTF-8",
			fault.When(field("Content-Type", fault.AllOf(charset, fault.NoneOf(fault.Matches(`(?i)charset\s*=\s*"?utf-?8"?`)))), page(415, "415 Unsupported Media Type"))).
			shows(plainPlant, "Content-Type: application/json; charset=bogus"),
		variation("any-coding-415", conditions, "answers 415 and problem details to any Content-Encoding",
			fault.When(field("Content-Encoding", fault.NotEmpty), fault.Answering(415, "application/problem+json", `{"title":"Unsupported Media Type","status":415}`))).
			shows(plainPlant, "Content-Encoding: identity"),
		variation("expectation-417", conditions, "answers 417 to an expectation", fault.When(field("Expect", fault.NotEmpty), fault.Answering(417, "", ""))).
			shows(plainPlant, "Expect: 100-continue"),
		variation("forwarded-403", conditions, "answers 403 to those who claim an address inside", fault.When(inner, page(403, "403 Forbidden"))).
			shows(plainPlant, "X-Forwarded-For: 127.0.0.1"),
		variation("forwarded-host-421", conditions, "answers 421 to those who name another host",
			fault.When(field("X-Forwarded-Host", fault.NotEmpty), fault.Answering(421, "text/plain", "Misdirected Request\n"))).shows(plainPlant, "X-Forwarded-Host: localhost"),
		variation("method-override-405", conditions, "heeds X-HTTP-Method-Override and answers 405",
			fault.When(field("X-Http-Method-Override", fault.NoneOf(fault.Equals("POST"))), refuse(405, "method", "is not defined"))).shows(plainPlant, "X-HTTP-Method-Override: PUT"),
		variation("bad-field-400", conditions, "has a server that answers 400 and its own page to a field beyond ASCII",
			fault.When(sentAnyField(func(_, value string) bool { return fault.BeyondASCII(value) || !utf8.ValidString(value) }), gunicorn)).
			shows(plainPlant, "Authorization: Bearer \xff"),
		variation("two-media-types-400", conditions, "has a server that answers 400 and its own page to two Content-Type fields",
			fault.When(func(r *fault.Request, _ fault.Answer) bool { return len(r.Header.Values("Content-Type")) > 1 }, gunicorn)).
			shows(plainPlant, "Content-Type: application/json", "+Content-Type: text/plain"),
		variation("two-credentials-400", conditions, "has a server that answers 400 and its own page to two Authorization fields",
			fault.When(func(r *fault.Request, _ fault.Answer) bool { return len(r.Header.Values("Authorization")) > 1 }, gunicorn)).
			shows(plainPlant, "+Authorization: Bearer x"),
		variation("upgrade-403", accepts, "has a proxy that refuses to switch protocols", fault.When(fault.SentField("Upgrade", fault.NotEmpty), page(403, "403 Forbidden"))).
			warns(accepts).wire().shows(plainPlant, "Connection: Upgrade", "Upgrade: h2c"),
		variation("cookies-400", conditions, "refuses cookies", rejecting(field("Cookie", fault.NotEmpty), "Cookie", "is not used here")).
			shows(plainPlant, "Cookie: a=1"),
		variation("origin-403", conditions, "answers 403 to requests that a page of another origin sends", fault.When(field("Origin", fault.NotEmpty), fault.Answering(403, "text/plain", "Invalid CORS request"))).
			shows(plainPlant, "Origin: http://localhost"),
		variation("health-check-403", conditions, "has a firewall that answers 403 to health checks from outside",
			fault.When(field("User-Agent", fault.Matches(`(?i)kube-probe|HealthChecker`)), page(403, "403 Forbidden"))).shows(plainPlant, "User-Agent: kube-probe/1.34"),
		variation("no-agent-403", conditions, "has a firewall that answers 403 to clients that do not say what they are",
			fault.When(fault.Not(field("User-Agent", fault.NotEmpty)), page(403, "403 Forbidden"))).shows(plainPlant, "User-Agent: "),
		variation("no-agent-400", conditions, "has a server that answers 400 and its own page to clients that do not say what they are",
			fault.When(fault.Not(field("User-Agent", fault.NotEmpty)), gunicorn)).shows(plainPlant, "User-Agent: "),
		variation("browsers-400-as-page", conditions, "answers 400 and a page to those who accept HTML, if the request is rejected",
			fault.When(fault.Both(fault.Refused, field("Accept", fault.Contains("text/html"))), page(400, "400 Bad Request"))).shows(`{"id":7}`, "Accept: text/html"),
		variation("token-in-address-400", conditions, "answers 400 to a token in the query, for it would be logged",
			fault.When(fault.SentQuery(fault.Matches(`(?i)(token|key|auth|jwt)=`)), refuse(400, "query", "must not hold a token"))).
			shows(plainPlant, "?access_token=x"),
		variation("other-media-406", conditions, "answers 406 and a page to other media types", fault.When(fault.RefusedFor("Content-Type"), page(406, "406 Not Acceptable"))).
			shows(plainPlant, "Content-Type: text/plain"),
		variation("accept-without-json-406", conditions, "answers 406 to clients that take no JSON",
			fault.When(fault.Both(fault.Accepted, field("Accept", fault.NoneOf(fault.Matches(`json|\*/\*|application/\*`)))), fault.Answering(406, "", ""))).shows(plainPlant, "Accept: text/html"),
		variation("malformed-accept-400", conditions, "has a server that answers 400 and its own page to a quality that is not a number",
			fault.When(field("Accept", fault.Matches(`;q=[^0-9.]`)), gunicorn)).shows(plainPlant, "Accept: */*;q=high"),
		variation("unknown-fields-refused", conditions, "refuses header fields that begin with X-",
			rejecting(sentAnyField(func(name, _ string) bool { return strings.HasPrefix(name, "X-") }), "header", "has an unknown field")).
			shows(plainPlant, "X-Plant: 1"),
		variation("idempotency-key-refused", conditions, "refuses the field Idempotency-Key",
			rejecting(field("Idempotency-Key", fault.NotEmpty), "Idempotency-Key", "is not used here")).shows(plainPlant, "Idempotency-Key: 7"),
		variation("proto-property-403", conditions, "has a firewall that answers 403 to the keys of JavaScript's prototypes",
			fault.When(fault.Sent(fault.Matches(`"(__proto__|constructor|prototype)"\s*:`)), page(403, "403 Forbidden"))).shows(`{"id":7,"name":"fern","__proto__":{}}`),
		variation("many-properties-refused", sizes, "refuses more than 50 properties",
			rejecting(fault.Sent(func(text string) bool { return strings.Count(text, `":`) > 50 }), "body", "has too many properties")).
			shows(`{"id":7,"name":"fern","x":[` + strings.Repeat(`{"a":1},`, 60) + `{}]}`),
		variation("nesting-413", sizes, "answers 413 to JSON that is nested more than 20 deep",
			fault.When(fault.Sent(fault.Contains(strings.Repeat("[", 20))), fault.Answering(413, "", ""))).
			shows(`{"id":7,"name":"fern","x":` + strings.Repeat("[", 30) + strings.Repeat("]", 30) + `}`),
		variation("duplicates-kept-first", conditions, "takes the first of two properties of the same name",
			readsEdited(fault.Replacing(`^(\{.*"name"\s*:\s*[^,{}]*),\s*"name"\s*:\s*[^,{}]*`, "$1"))).shows(`{"id":7,"name":"a","name":"b"}`),
		variation("lone-surrogates-replaced", conditions, "reads a lone surrogate as U+FFFD",
			readsEdited(fault.Replacing(`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`, `\ufffd`))).shows(`{"id":7,"name":"a\ud800b"}`),
		variation("gunzips", conditions, "reads a body in gzip that is declared as such", gunzips).shows(fault.InGzip(plainPlant), "Content-Encoding: gzip"),
	}
}

// gunzips reads a gzip body if Content-Encoding declares it.
func gunzips(next fault.Decision, tokens []string) fault.Decision {
	return fault.Reading(func(r *fault.Request) *fault.Request {
		if r.Header.Get("Content-Encoding") != "gzip" {
			return r
		}
		if text := r.Text(); fault.FromGzip(text) == text {
			return r
		}
		return r.WithBody(fault.FromGzip).WithHeader("Content-Encoding", "")
	})(next, tokens)
}

// sentAnyField holds if such returns true for a header field of the request.
func sentAnyField(such func(name, value string) bool) fault.Condition {
	return func(r *fault.Request, _ fault.Answer) bool {
		for name, values := range r.Header {
			if slices.ContainsFunc(values, func(value string) bool { return such(name, value) }) {
				return true
			}
		}
		return false
	}
}

// orderVariations check in another order than the reference. §5 and §7 define no
// order.
func orderVariations() []Alteration {
	conditions := silent("rejection-conditions")
	bodyFirst := func(r *fault.Request, a fault.Answer) fault.Answer {
		if _, ok := idIn(r.Text()); ok {
			return refuse(401, "Authorization", "is missing")(r, a)
		}
		return refused(422, "body", "is no plant")
	}
	unused := func(r *fault.Request, a fault.Answer) fault.Answer {
		declared, _, err := mime.ParseMediaType(strings.Join(r.Header.Values("Content-Type"), ","))
		if err != nil || declared != "application/json" || r.Header.Get("Content-Encoding") != "" {
			return fault.Answering(415, "", "")(r, a)
		}
		return refuse(401, "Authorization", "is missing")(r, a)
	}
	upsert := func(status int) fault.Edit {
		return fault.Answering(status, "application/problem+json", `{"title":"Conflict","detail":"the plant exists"}`)
	}
	shownUnknown := func(r *fault.Request, a fault.Answer) fault.Answer {
		for key, value := range r.Object() {
			if key != "id" && key != "name" && key != "tag" {
				a = fault.Body(fault.Add(key, string(value)))(r, a)
			}
		}
		return a
	}
	return []Alteration{
		variation("body-before-credential", conditions, "looks at the body first and answers 422, then at the credential and answers 401",
			fault.When(fault.RefusedFor("Authorization"), bodyFirst)).shows(`{"id":7}`, "Authorization: "),
		variation("media-type-before-credential", conditions, "looks at the media type first and answers 415, then at the credential and answers 401",
			fault.When(fault.RefusedFor("Authorization"), unused)).shows(plainPlant, "Authorization: ", "Content-Type: text/plain"),
		variation("credential-407", silent("credential-missing"), "has a proxy that asks for a credential with 407",
			fault.When(fault.RefusedFor("Authorization"), fault.Answering(407, "text/html", "<h1>Proxy Authentication Required</h1>\n"), fault.Header("Proxy-Authenticate", "Basic realm=x"))).
			shows(plainPlant, "Authorization: "),
		variation("same-id-422", silent("same-id"), "rejects a second plant with the same id with 422 and problem details",
			fault.When(sentTaken, upsert(422))).shows(plainPlant).shows(plainPlant),
		variation("same-id-403", silent("same-id"), "rejects a second plant with the same id with 403", fault.When(sentTaken, upsert(403))).
			shows(plainPlant).shows(plainPlant),
		variation("unknown-properties-shown", silent("unknown-properties"), "shows properties that NewPlant does not list",
			fault.When(fault.Both(fault.Accepted, sentUnknownProperty), shownUnknown)).warns(plantUndeclared).shows(`{"id":7,"name":"fern","height":1}`),
	}
}

// rejectionForms reject with statuses that the document does not show (§7), and with
// other bodies than an Error.
func rejectionForms() []Alteration {
	other := silent("other-statuses")
	const problem = "application/problem+json"
	all := func(name, summary string, edits ...fault.Edit) Alteration {
		return variation(name, other, "rejects everything with "+summary, fault.When(fault.Refused, edits...)).shows(`{"id":7}`)
	}
	return []Alteration{
		all("rejections-422-empty", "422 and no body", fault.Answering(422, "", "")),
		all("rejections-422-as-problem", "422 and problem details", fault.Answering(422, problem, `{"type":"about:blank","title":"Unprocessable Content","status":422,"errors":{"name":["required"]}}`)),
		all("rejections-403-as-html", "403 and a page", fault.Answering(403, "text/html", "<!doctype html><title>403</title>\n")),
		all("rejections-424-as-xml", "424 and XML", fault.Answering(424, "application/xml", "<error/>")),
		variation("rejections-402-without-label", other, "rejects a bad plant with 402 and a body without a media type",
			fault.When(fault.RefusedFor("body", "name", "id", "tag"), fault.Answering(402, "", "pay first"))).shows(`{"id":7}`),
		variation("rejections-426", other, "rejects what is not JSON with 426 and Upgrade", fault.When(fault.RefusedFor("body"), fault.Answering(426, "", ""), fault.Header("Upgrade", "h2c"))).shows("["),
	}
}
