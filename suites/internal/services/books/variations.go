package books

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// variations returns all variations.
func variations() []services.Variation {
	return slices.Concat(variedStatuses(), variedConditions(), variedBodies(), variedDelivery())
}

func variation(name, says string, how services.How, shows services.Probe) services.Variation {
	return services.Variation{Name: name, Says: says, How: how, Shows: shows}
}

// having holds for answers with that status.
func having(status int) fault.Condition {
	return func(_ *fault.Request, a fault.Answer) bool { return a.Status == status }
}

// withBody is how answers with a body are edited.
func withBody(edits ...fault.Edit) services.How {
	return services.Do(fault.When(func(_ *fault.Request, a fault.Answer) bool { return len(a.Body) > 0 }, edits...))
}

// variedStatuses reject requests with other statuses.
func variedStatuses() []services.Variation {
	unkeyed := replaced(createdBy(paperBook), "X-Shop-Key", "")
	instead := func(name, says string, from int, shows services.Probe, edits ...fault.Edit) services.Variation {
		return variation(name, says, services.Do(fault.When(having(from), edits...)), shows)
	}
	text := func(status int) fault.Edit {
		return fault.Answering(status, "text/plain; charset=utf-8", http.StatusText(status)+"\n")
	}
	mistyped := services.Probe{Method: http.MethodGet, Target: collection + "/seven", Header: []string{keyLine}}
	return []services.Variation{
		instead("forbidden", "answers 403 to a request without a key, as text", http.StatusUnauthorized, unkeyed, text(http.StatusForbidden)),
		instead("challenge", "sends WWW-Authenticate with a 401", http.StatusUnauthorized, unkeyed, fault.Header("Www-Authenticate", `ApiKey realm="bookshop"`)),
		instead("invalid-400", "answers 400 instead of 422", http.StatusUnprocessableEntity, create(`"title":""`), fault.Status(http.StatusBadRequest),
			fault.Body(fault.PropertyOf("status", fault.Constant("400")))),
		instead("invalid-409", "answers 409 instead of 422, without a body", http.StatusUnprocessableEntity, create(`"title":""`), fault.Answering(http.StatusConflict, "", "")),
		instead("query-422", "answers 422 to an invalid query, where it is not declared", http.StatusBadRequest, list("limit=0"), text(http.StatusUnprocessableEntity)),
		instead("media-type-400", "answers 400 to another media type", http.StatusUnsupportedMediaType, replaced(createdBy(paperBook), "Content-Type", "Content-Type: text/plain"), fault.Status(http.StatusBadRequest)),
		variation("book-id-404", "answers 404 to an id that is not a UUID",
			services.Do(fault.When(fault.Both(fault.RefusedFor("path/bookId"), having(http.StatusBadRequest)), fault.Status(http.StatusNotFound))), mistyped),
		instead("method-404", "answers 404 to other methods", http.StatusMethodNotAllowed, services.Probe{Method: http.MethodPut, Target: collection, Header: []string{keyLine}}, text(http.StatusNotFound)),
		variation("limited-once", "answers 429 to the first request, to be sent again at once", services.Do(fault.Counting(fault.Anything, fault.First,
			fault.Answering(http.StatusTooManyRequests, "text/plain", "slower"), fault.Header("Retry-After", "0"))), list("")),
		variation("unavailable-once", "answers 503 with Retry-After to the first request", services.Do(fault.Counting(fault.Anything, fault.First,
			fault.Answering(http.StatusServiceUnavailable, "text/plain", "later"), fault.Header("Retry-After", "0"))), list("")),
	}
}

// variedConditions refuse or accept what the document leaves open.
func variedConditions() []services.Variation {
	known := []string{"limit", "offset", "sort", "tag", "published-after", "max-price", "in-stock"}
	unknownQuery := func(r *fault.Request, _ fault.Answer) bool {
		return r.URL.Path == collection && r.Method == http.MethodGet &&
			slices.ContainsFunc(slices.Collect(maps.Keys(r.URL.Query())), func(name string) bool { return !slices.Contains(known, name) })
	}
	duplicate := func(r *fault.Request, _ fault.Answer) bool {
		text := r.Text()
		return !fault.IsJSON(text) && fault.IsJSON(fault.LastOfDuplicates(text))
	}
	creating := services.To(http.MethodPost, collection)
	refusing := func(name, says string, status int, such fault.Condition, shows services.Probe) services.Variation {
		return variation(name, says, services.Refuse(such, func() fault.Answer { return problem(status) }), shows)
	}
	unknown := fault.Sent(func(text string) bool {
		o, ok := fault.ParseObject(text)
		full, _ := fault.ParseObject(fullBook)
		for name := range o {
			if _, found := full[name]; !found {
				return ok
			}
		}
		return false
	})
	title := func(r *fault.Request) string { return r.Property("title") }
	return []services.Variation{
		variation("any-key", "accepts any key that is not empty", services.Do(fault.ReadingHeader("X-Shop-Key", fault.Where(fault.NoneOf(fault.Equals("")), fault.Constant(key)))),
			replaced(list(""), "X-Shop-Key", "X-Shop-Key: another")),
		refusing("unknown-query-refused", "refuses unknown query parameters", http.StatusBadRequest, unknownQuery, list("colour=red")),
		refusing("unknown-property-refused", "refuses unknown properties of a book", http.StatusUnprocessableEntity, fault.Both(creating, unknown), create(`"colour":"red"`)),
		refusing("id-refused", "refuses a new book with an id, which is read-only", http.StatusUnprocessableEntity, fault.Both(creating, fault.SentProperty("id", fault.Present)), create(`"id":"`+firstID+`"`)),
		refusing("duplicate-key-refused", "refuses duplicate keys", http.StatusBadRequest, fault.Both(creating, duplicate), createdBy(`{"title":"a",`+paperBook[1:])),
		refusing("long-body-refused", "refuses bodies of more than 64 KiB", http.StatusRequestEntityTooLarge, fault.SentMore(64<<10), createdBy(paperBook+strings.Repeat(" ", 70<<10))),
		variation("same-title-refused", "answers 409 to a second book with the same title", services.Do(fault.Repeated(title, fault.Both(creating, having(http.StatusCreated)),
			fault.Answering(http.StatusConflict, "", ""))), twice(createdBy(paperBook))),
		refusing("malformed-first", "answers 400 to malformed JSON before it checks the key", http.StatusBadRequest, fault.Both(creating, fault.SentMalformed), replaced(createdBy("{"), "X-Shop-Key", "")),
		variation("array-brackets", "reads tag[] as tag, too", services.Do(services.ReadingQuery(fault.Replacing(`tag(\[\]|%5B%5D)=`, "tag="))), list("tag[]=fiction")),
		variation("title-trimmed", "removes white space around a title", createdWith("title", func(text string) string {
			if trimmed := strings.TrimSpace(fault.FromString(text)); trimmed != "" {
				return fault.AsString(trimmed)
			}
			return text
		}), create(`"title":" Momo "`)),
	}
}

func twice(p services.Probe) services.Probe {
	p.Twice = true
	return p
}

// variedBodies show books and errors in other forms.
func variedBodies() []services.Variation {
	full, all := createdBy(fullBook), list("limit=100")
	absolute := func(r *fault.Request, a fault.Answer) fault.Answer {
		u := url.URL{Scheme: "http", Host: r.Host, Path: a.Header.Get("Location")}
		a.Header.Set("Location", u.String())
		return a
	}
	return []services.Variation{
		variation("subtitle-absent", "leaves a subtitle out that is null", createdWith("subtitle", fault.Where(fault.Equals("null"), fault.Nothing)), full),
		variation("subtitle-null", "shows null for a subtitle that a book does not have", created(fault.Body(added("subtitle", "null"))), createdBy(paperBook)),
		variation("minimal", "shows only what every book has", created(fault.Body(func(text string) string {
			for _, name := range []string{"subtitle", "isbn", "tags", "published", "rating", "barcode", "volume", "series", "publisher", "titles"} {
				text = fault.PropertyOf(name, fault.Nothing)(text)
			}
			return text
		})), full),
		variation("publisher-added", "shows a publisher that was not sent", created(fault.Body(added("publisher", `{"name":"Unknown","website":"urn:isbn:9780441478125"}`))), createdBy(paperBook)),
		variation("more-properties", "shows properties that are not declared", created(fault.Body(added("links", `{"self":"/books/1"}`), added("version", "7"))), full),
		variation("id-upper-case", "shows ids in upper case", createdWith("id", strings.ToUpper), create(`"stock":1`)),
		variation("location-absolute", "sends an absolute Location", created(absolute), full),
		variation("amount-exponent", "writes amounts with an exponent", createdWith("price", fault.PropertyOf("amount", fault.Suffixed("e0"))), full),
		variation("integers-with-point", "writes integers with a decimal point", createdWith("stock", fault.Suffixed(".0")), full),
		variation("created-offset", "shows times with fractions and an offset", createdWith("created", fault.Constant(`"2026-03-01T10:30:00.125+01:00"`)), full),
		variation("indented", "indents JSON", withBody(fault.Body(fault.Indented)), full),
		variation("escaped", "escapes characters that are not ASCII", created(fault.Body(fault.Replacing(`ü`, `\u00fc`))), create(`"title":"Grün"`)),
		variation("catalogue-empty", "has no books to list", listed(fault.Header("X-Total-Count", "0"), fault.Body(fault.Constant(`{"items":[],"total":0,"next":null}`))), all),
		variation("next-absent", "leaves the next page out", listed(fault.Body(fault.PropertyOf("next", fault.Nothing))), all),
		variation("errors-absent", "reports errors without a list", services.Do(fault.When(fault.Refused, fault.Body(fault.PropertyOf("errors", fault.Nothing)))), create(`"title":""`)),
		variation("errors-detailed", "reports errors with all properties, and others", services.Do(fault.When(fault.Refused,
			fault.Body(added("type", `"about:blank"`), added("detail", `"see errors"`), added("instance", `"/log/7"`)))), create(`"title":""`)),
	}
}

// variedDelivery sends answers in other ways.
func variedDelivery() []services.Variation {
	const pause = 3 * time.Millisecond
	full := createdBy(fullBook)
	always := func(name, says string, edits ...fault.Edit) services.Variation {
		return variation(name, says, withBody(edits...), full)
	}
	has := func(mediaType string) fault.Condition {
		return func(_ *fault.Request, a fault.Answer) bool { return a.Header.Get("Content-Type") == mediaType }
	}
	gzipped := full
	gzipped.Header = append(slices.Clone(full.Header), "Accept-Encoding: gzip")
	return []services.Variation{
		always("more-headers", "sends more header fields", fault.Header("X-Served-By", "till-3"), fault.Header("Cache-Control", "no-store"), fault.Header("Vary", "Accept", "Origin")),
		variation("charset", "sends the media type with a charset", services.Do(fault.When(has("application/json"), fault.MediaType("application/json; charset=utf-8"))), full),
		variation("media-type-case", "writes the media type in upper case", services.Do(fault.Together(
			fault.When(has("application/json"), fault.MediaType("Application/JSON")),
			fault.When(has("application/problem+json"), fault.MediaType("Application/Problem+JSON;charset=\"UTF-8\"")))), full),
		always("chunks", "sends bodies in chunks", fault.Delivered(fault.InParts)),
		variation("gzip", "compresses bodies for clients that accept it", withBody(fault.Delivered(fault.Compressed)), gzipped),
		variation("slow", "answers a little later", services.Do(fault.Always(fault.Delivered(fault.LateBy(pause)))), services.Probe{}),
		always("close", "closes the connection after each answer", fault.Header("Connection", "close")),
		variation("hints", "sends an informational response first", services.Do(fault.Always(fault.Delivered(fault.Hinting(http.StatusEarlyHints)))), services.Probe{}),
		always("trailer", "sends a field after the body", fault.Delivered(fault.Trailing)),
	}
}
