package reference

import (
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"
)

// gatewayVariations are what proxies and servers answer by themselves to a
// request that is unusual: §7 does not show other statuses, §8 no limits.
func gatewayVariations() []Alteration {
	conditions, sizes := silent("rejection-conditions"), silent("size-limits")
	page := func(status int, title string) edit {
		return answering(status, "text/html", "<html><head><title>"+title+"</title></head><body><center><h1>"+title+"</h1></center><hr><center>nginx</center></body></html>\n")
	}
	gunicorn := answering(http.StatusBadRequest, "text/html", "<html>\n  <head>\n    <title>Bad Request</title>\n  </head>\n  <body>\n    <h1><p>Bad Request</p></h1>\n  </body>\n</html>\n")
	field := sentField
	anyField := func(such func(name, value string) bool) condition {
		return func(r *request, _ answer) bool {
			for name, values := range r.Header {
				for _, value := range values {
					if such(name, value) {
						return true
					}
				}
			}
			return false
		}
	}
	long := anyField(func(_, value string) bool { return len(value) > 4<<10 })
	charset := matches(`(?i)charset\s*=`)
	inner := anyField(func(name, _ string) bool {
		return strings.HasPrefix(name, "X-Forwarded-") || name == "X-Real-Ip" || name == "Forwarded" || name == "X-Original-Url" || name == "X-Rewrite-Url"
	})
	return []Alteration{
		variation("long-header-431", sizes, "has a server that answers 431 to a header field of more than 4 KiB", when(long, page(431, "431 Request Header Fields Too Large"))).
			shows(plainPlant, "X-Long: "+strings.Repeat("x", 5<<10)),
		variation("long-header-400", sizes, "has a server that answers 400 and a page to a header field of more than 4 KiB", when(long, page(400, "400 Request Header Or Cookie Too Large"))).
			shows(plainPlant, "X-Long: "+strings.Repeat("x", 5<<10)),
		variation("chunked-411", conditions, "has a server that asks for the length of a chunked body with 411", when(sentChunked, page(411, "411 Length Required"))).
			warns(accepts).wire().shows(plainPlant, chunkedLine),
		variation("large-bodies-413-with-page", sizes, "has a server that answers 413 and a page to more than 8 KiB", when(sentMore(8<<10), page(413, "413 Request Entity Too Large"))).
			shows(filled(9 << 10)(plainPlant)),
		variation("long-query-414", sizes, "has a server that answers 414 to a query of more than 1 KiB",
			when(func(r *request, _ answer) bool { return len(r.URL.RawQuery) > 1<<10 }, page(414, "414 Request-URI Too Large"))).
			shows(plainPlant, "?x="+strings.Repeat("x", 2<<10)),
		variation("queries-404", conditions, "has a router that knows no address with a query", when(sentQuery, page(404, "404 Not Found"))).
			shows(plainPlant, "?x=1"),
		variation("charset-415", conditions, "answers 415 and no body to a charset", when(field("Content-Type", charset), answering(415, "", ""))).
			shows(plainPlant, "Content-Type: application/json; charset=utf-8"),
		variation("other-charset-415", conditions, "answers 415 to any charset but UTF-8",
			when(field("Content-Type", allOf(charset, noneOf(matches(`(?i)charset\s*=\s*"?utf-?8"?`)))), page(415, "415 Unsupported Media Type"))).
			shows(plainPlant, "Content-Type: application/json; charset=bogus"),
		variation("any-coding-415", conditions, "answers 415 and problem details to any Content-Encoding",
			when(field("Content-Encoding", noneOf(equals(""))), answering(415, "application/problem+json", `{"title":"Unsupported Media Type","status":415}`))).
			shows(plainPlant, "Content-Encoding: identity"),
		variation("expectation-417", conditions, "answers 417 to an expectation", when(field("Expect", noneOf(equals(""))), answering(417, "", ""))).
			shows(plainPlant, "Expect: 100-continue"),
		variation("forwarded-403", conditions, "answers 403 to those who claim an address inside", when(inner, page(403, "403 Forbidden"))).
			shows(plainPlant, "X-Forwarded-For: 127.0.0.1"),
		variation("forwarded-host-421", conditions, "answers 421 to those who name another host",
			when(field("X-Forwarded-Host", noneOf(equals(""))), answering(421, "text/plain", "Misdirected Request\n"))).shows(plainPlant, "X-Forwarded-Host: localhost"),
		variation("method-override-405", conditions, "heeds X-HTTP-Method-Override and answers 405",
			when(field("X-Http-Method-Override", noneOf(equals("POST"))), refuse(405, "method", "is not defined"))).shows(plainPlant, "X-HTTP-Method-Override: PUT"),
		variation("bad-field-400", conditions, "has a server that answers 400 and its own page to a field beyond ASCII",
			when(anyField(func(_, value string) bool { return beyondASCII(value) || !utf8.ValidString(value) }), gunicorn)).
			shows(plainPlant, "Authorization: Bearer \xff"),
		variation("two-media-types-400", conditions, "has a server that answers 400 and its own page to two Content-Type fields",
			when(func(r *request, _ answer) bool { return len(r.Header.Values("Content-Type")) > 1 }, gunicorn)).
			shows(plainPlant, "Content-Type: application/json", "+Content-Type: text/plain"),
		variation("two-credentials-400", conditions, "has a server that answers 400 and its own page to two Authorization fields",
			when(func(r *request, _ answer) bool { return len(r.Header.Values("Authorization")) > 1 }, gunicorn)).
			shows(plainPlant, "+Authorization: Bearer x"),
		variation("cookies-400", conditions, "refuses cookies", when(both(acceptance, field("Cookie", noneOf(equals("")))), refuse(400, "Cookie", "is not used here"))).
			shows(plainPlant, "Cookie: a=1"),
		variation("origin-403", conditions, "answers 403 to requests that a page of another origin sends", when(field("Origin", noneOf(equals(""))), answering(403, "text/plain", "Invalid CORS request"))).
			shows(plainPlant, "Origin: http://localhost"),
		variation("health-check-403", conditions, "has a firewall that answers 403 to health checks from outside",
			when(field("User-Agent", matches(`(?i)kube-probe|HealthChecker`)), page(403, "403 Forbidden"))).shows(plainPlant, "User-Agent: kube-probe/1.34"),
		variation("token-in-address-400", conditions, "answers 400 to a token in the query, for it would be logged",
			when(func(r *request, _ answer) bool { return matches(`(?i)(token|key|auth|jwt)=`)(r.URL.RawQuery) }, refuse(400, "query", "must not hold a token"))).
			shows(plainPlant, "?access_token=x"),
		variation("other-media-406", conditions, "answers 406 and a page to other media types", when(refusalOf("Content-Type"), page(406, "406 Not Acceptable"))).
			shows(plainPlant, "Content-Type: text/plain"),
		variation("accept-without-json-406", conditions, "answers 406 to clients that take no JSON",
			when(both(acceptance, field("Accept", noneOf(matches(`json|\*/\*|application/\*`)))), answering(406, "", ""))).shows(plainPlant, "Accept: text/html"),
		variation("unknown-fields-refused", conditions, "refuses header fields that begin with X-",
			when(both(acceptance, anyField(func(name, _ string) bool { return strings.HasPrefix(name, "X-") })), refuse(400, "header", "has an unknown field"))).
			shows(plainPlant, "X-Plant: 1"),
		variation("proto-property-403", conditions, "has a firewall that answers 403 to the keys of JavaScript's prototypes",
			when(sent(matches(`"(__proto__|constructor|prototype)"\s*:`)), page(403, "403 Forbidden"))).shows(`{"id":7,"name":"fern","__proto__":{}}`),
		variation("many-properties-refused", sizes, "refuses more than 50 properties",
			when(both(acceptance, sent(func(text string) bool { return strings.Count(text, `":`) > 50 })), refuse(400, "body", "has too many properties"))).
			shows(`{"id":7,"name":"fern","x":` + manyKeys(60) + `}`),
		variation("nesting-413", sizes, "answers 413 to JSON that is nested more than 20 deep",
			when(sent(contains(strings.Repeat("[", 20))), answering(413, "", ""))).
			shows(`{"id":7,"name":"fern","x":` + strings.Repeat("[", 30) + strings.Repeat("]", 30) + `}`),
		variation("duplicates-kept-first", conditions, "takes the first of two properties of the same name",
			readingBody(mending(firstOfDuplicates))).shows(`{"id":7,"name":"a","name":"b"}`),
		variation("lone-surrogates-replaced", conditions, "reads a lone surrogate as U+FFFD",
			readingBody(mending(replacing(`\\u[dD][89a-fA-F][0-9a-fA-F]{2}`, `\ufffd`)))).shows(`{"id":7,"name":"a\ud800b"}`),
		variation("gunzips", conditions, "reads a body in gzip that is declared as such", reading(func(r *request) *request {
			if r.Header.Get("Content-Encoding") != "gzip" {
				return r
			}
			if text := r.text(); fromGzip(text) == text {
				return r
			}
			return r.withBody(fromGzip).withHeader("Content-Encoding", "")
		})).shows(inGzip(plainPlant), "Content-Encoding: gzip"),
	}
}

// orderVariations check in another order than the reference. §5 and §7 tell of
// none.
func orderVariations() []Alteration {
	conditions := silent("rejection-conditions")
	bodyFirst := func(r *request, a answer) answer {
		if _, ok := idIn(r.text()); ok {
			return refuse(401, "Authorization", "is missing")(r, a)
		}
		return refused(422, "body", "is no plant")
	}
	unused := func(r *request, a answer) answer {
		declared, _, err := mime.ParseMediaType(strings.Join(r.Header.Values("Content-Type"), ","))
		if err != nil || declared != "application/json" || r.Header.Get("Content-Encoding") != "" {
			return answering(415, "", "")(r, a)
		}
		return refuse(401, "Authorization", "is missing")(r, a)
	}
	upsert := func(status int) edit {
		return answering(status, "application/problem+json", `{"title":"Conflict","detail":"the plant exists"}`)
	}
	return []Alteration{
		variation("body-before-credential", conditions, "looks at the body first and answers 422, then at the credential and answers 401",
			when(refusalOf("Authorization"), bodyFirst)).shows(`{"id":7}`, "Authorization: "),
		variation("media-type-before-credential", conditions, "looks at the media type first and answers 415, then at the credential and answers 401",
			when(refusalOf("Authorization"), unused)).shows(plainPlant, "Authorization: ", "Content-Type: text/plain"),
		variation("credential-407", silent("credential-missing"), "has a proxy that asks for a credential with 407",
			when(refusalOf("Authorization"), answering(407, "text/html", "<h1>Proxy Authentication Required</h1>\n"), header("Proxy-Authenticate", "Basic realm=x"))).
			shows(plainPlant, "Authorization: "),
		variation("same-id-422", silent("same-id"), "rejects a second plant with the same id with 422 and problem details",
			when(sentTaken, upsert(422))).shows(plainPlant).shows(plainPlant),
		variation("same-id-403", silent("same-id"), "rejects a second plant with the same id with 403", when(sentTaken, upsert(403))).
			shows(plainPlant).shows(plainPlant),
		variation("unknown-properties-shown", silent("unknown-properties"), "shows properties that NewPlant does not list",
			when(both(acceptance, sentUnknownProperty), shownUnknown)).warns(plantUndeclared).shows(`{"id":7,"name":"fern","height":1}`),
	}
}

// shownUnknown adds the properties of the request that a plant does not have.
func shownUnknown(r *request, a answer) answer {
	for key, value := range r.object() {
		if key != "id" && key != "name" && key != "tag" {
			a = body(property(key, absent, constant(string(value))))(r, a)
		}
	}
	return a
}

// rejectionForms write rejections at statuses that the document does not show
// (§7) in other ways.
func rejectionForms() []Alteration {
	other := silent("other-statuses")
	const json, problem = "application/json", "application/problem+json"
	all := func(name, summary string, edits ...edit) Alteration {
		return variation(name, other, "rejects everything with "+summary, when(refusal, edits...)).shows(`{"id":7}`)
	}
	return []Alteration{
		all("rejections-422-empty", "422 and no body", answering(422, "", "")),
		all("rejections-422-as-problem", "422 and problem details", answering(422, problem, `{"type":"about:blank","title":"Unprocessable Content","status":422,"errors":{"name":["required"]}}`)),
		all("rejections-403-as-html", "403 and a page", answering(403, "text/html", "<!doctype html><title>403</title>\n")),
		all("rejections-424-as-xml", "424 and XML", answering(424, "application/xml", "<error/>")),
		variation("rejections-402-without-label", other, "rejects a bad plant with 402 and a body without a media type",
			when(refusalOf("body", "name", "id", "tag"), answering(402, "", "pay first"))).shows(`{"id":7}`),
		variation("rejections-426", other, "rejects what is not JSON with 426 and Upgrade", when(refusalOf("body"), answering(426, "", ""), header("Upgrade", "h2c"))).shows("["),
	}
}

// firstOfDuplicates keeps, of properties of the same name, the first.
func firstOfDuplicates(text string) string {
	return replacing(`^(\{.*"(?:name)"\s*:\s*[^,{}]*)(?:,\s*"name"\s*:\s*[^,{}]*)`, "$1")(text)
}
