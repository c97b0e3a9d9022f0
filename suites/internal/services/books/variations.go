package books

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// variedStatuses returns variations that reject requests with other statuses.
func variedStatuses() []services.Variation {
	unkeyed := createdBy(paperBook).With("X-Shop-Key:")
	mistyped := services.Probe{Method: http.MethodGet, Target: collection + "/seven", Header: []string{keyLine}}
	return []services.Variation{
		services.Instead("forbidden", "answers 403 to a request without a key, as text", http.StatusUnauthorized, unkeyed, fault.AsText(http.StatusForbidden)),
		services.Instead("challenge", "sends WWW-Authenticate with a 401", http.StatusUnauthorized, unkeyed, fault.Header("Www-Authenticate", `ApiKey realm="bookshop"`)),
		services.Instead("invalid-400", "answers 400 instead of 422", http.StatusUnprocessableEntity, create(`"title":""`), fault.Status(http.StatusBadRequest),
			fault.Body(fault.Set("status", "400"))),
		services.Instead("invalid-409", "answers 409 instead of 422, without a body", http.StatusUnprocessableEntity, create(`"title":""`), fault.Answering(http.StatusConflict, "", "")),
		services.Varied("query-422", "answers 422 to an invalid query, where it is not declared",
			fault.When(fault.HasStatus(http.StatusBadRequest), fault.AsText(http.StatusUnprocessableEntity)).If(services.To(http.MethodGet, collection)), list("limit=0")),
		services.Instead("media-type-400", "answers 400 to another media type", http.StatusUnsupportedMediaType, createdBy(paperBook).With("Content-Type: text/plain"), fault.Status(http.StatusBadRequest)),
		services.Varied("book-id-404", "answers 404 to an id that is not a UUID",
			fault.When(fault.Both(fault.RefusedFor("path/bookId"), fault.HasStatus(http.StatusBadRequest)), fault.Status(http.StatusNotFound)), mistyped),
		services.Instead("method-404", "answers 404 to other methods", http.StatusMethodNotAllowed, services.Probe{Method: http.MethodPut, Target: collection, Header: []string{keyLine}}, fault.AsText(http.StatusNotFound)),
	}
}

// variedConditions returns variations that reject or accept requests where the document is silent.
func variedConditions() []services.Variation {
	unknownQuery := services.UnknownQuery("limit", "offset", "sort", "tag", "published-after", "max-price", "in-stock")
	duplicate := func(r *fault.Request, _ fault.Answer) bool {
		text := r.Text()
		return !fault.IsJSON(text) && fault.IsJSON(fault.LastOfDuplicates(text))
	}
	creating := services.To(http.MethodPost, collection)
	refusing := func(name, says string, status int, such fault.Condition, shows services.Probe) services.Variation {
		return services.Varied(name, says, services.Refuse(such, func() fault.Answer { return problem(status) }), shows)
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
		services.Varied("any-key", "accepts any key that is not empty", fault.ReadingHeader("X-Shop-Key", fault.Where(fault.NotEmpty, fault.Constant(key))),
			list("").With("X-Shop-Key: another")),
		refusing("unknown-query-refused", "refuses unknown query parameters", http.StatusBadRequest, fault.Both(services.To(http.MethodGet, collection), unknownQuery), list("colour=red")),
		refusing("unknown-property-refused", "refuses unknown properties of a book", http.StatusUnprocessableEntity, fault.Both(creating, unknown), create(`"colour":"red"`)),
		refusing("id-refused", "refuses a new book with an id, which is read-only", http.StatusUnprocessableEntity, fault.Both(creating, fault.SentProperty("id", fault.Present)), create(`"id":"`+firstID+`"`)),
		refusing("stock-most-refused", "refuses the greatest int32 as a stock", http.StatusUnprocessableEntity, fault.Both(creating, fault.SentValue("stock", fault.Equals("2147483647"))), create(`"stock":2147483647`)),
		refusing("barcode-least-refused", "refuses the least int64 as a barcode", http.StatusUnprocessableEntity, fault.Both(creating, fault.SentValue("barcode", fault.Equals("-9223372036854775808"))), create(`"barcode":-9223372036854775808`)),
		refusing("umlauts-refused", "refuses text that is not ASCII", http.StatusUnprocessableEntity, fault.Both(creating, fault.Sent(fault.BeyondASCII)), create(`"title":"Grün"`)),
		refusing("duplicate-key-refused", "refuses duplicate keys", http.StatusBadRequest, fault.Both(creating, duplicate), createdBy(`{"title":"a",`+paperBook[1:])),
		refusing("long-body-refused", "refuses bodies of more than 64 KiB", http.StatusRequestEntityTooLarge, fault.SentMore(64<<10), createdBy(paperBook+strings.Repeat(" ", 70<<10))),
		refusing("chunks-refused", "refuses bodies of which it does not know the length", http.StatusLengthRequired, fault.SentChunked, createdBy(paperBook).InChunks()),
		refusing("script-refused", "refuses requests that a script in a page sent", http.StatusForbidden, fault.SentField("X-Requested-With", fault.NotEmpty), createdBy(paperBook).With("X-Requested-With: XMLHttpRequest")),
		services.Varied("same-title-refused", "answers 409 to a second book with the same title", fault.Repeated(title, fault.Both(creating, fault.HasStatus(http.StatusCreated)),
			fault.Answering(http.StatusConflict, "", "")), createdBy(paperBook).SentTwice()),
		refusing("malformed-first", "answers 400 to malformed JSON before it checks the key", http.StatusBadRequest, fault.Both(creating, fault.SentMalformed), createdBy("{").With("X-Shop-Key:")),
		services.Varied("array-brackets", "reads tag[] as tag, too", fault.ReadingQuery(fault.Replacing(`tag(\[\]|%5B%5D)=`, "tag=")), list("tag[]=fiction")),
		services.Varied("title-trimmed", "removes white space around a title", createdWith("title", func(text string) string {
			if trimmed := strings.TrimSpace(fault.FromString(text)); trimmed != "" {
				return fault.AsString(trimmed)
			}
			return text
		}), create(`"title":" Momo "`)),
	}
}

// variedBodies returns variations that show books and errors in other forms.
func variedBodies() []services.Variation {
	full, all := createdBy(fullBook), list("limit=100")
	absolute := func(r *fault.Request, a fault.Answer) fault.Answer {
		u := url.URL{Scheme: "http", Host: r.Host, Path: a.Header.Get("Location")}
		a.Header.Set("Location", u.String())
		return a
	}
	return []services.Variation{
		services.Varied("subtitle-absent", "leaves a subtitle out that is null", createdWith("subtitle", fault.Where(fault.Equals("null"), fault.Nothing)), full),
		services.Varied("subtitle-null", "shows null for a subtitle that a book does not have", created(fault.Body(fault.Add("subtitle", "null"))), createdBy(paperBook)),
		services.Varied("minimal", "shows only what every book has", created(fault.Body(func(text string) string {
			for _, name := range []string{"subtitle", "isbn", "tags", "published", "rating", "barcode", "volume", "series", "publisher", "titles"} {
				text = fault.Drop(name)(text)
			}
			return text
		})), full),
		services.Varied("publisher-added", "shows a publisher that was not sent", created(fault.Body(fault.Add("publisher", `{"name":"Unknown","website":"urn:isbn:9780441478125"}`))), createdBy(paperBook)),
		services.Varied("more-properties", "shows properties that are not declared", created(fault.Body(fault.Add("links", `{"self":"/books/1"}`), fault.Add("version", "7"))), full),
		services.Varied("id-upper-case", "shows ids in upper case", createdWith("id", strings.ToUpper), create(`"stock":1`)),
		services.Varied("location-absolute", "sends an absolute Location", created(absolute), full),
		services.Varied("amount-exponent", "writes amounts with an exponent", createdWith("price", fault.PropertyOf("amount", fault.Suffixed("e0"))), full),
		services.Varied("integers-with-point", "writes integers with a decimal point", createdWith("stock", fault.Suffixed(".0")), full),
		services.Varied("created-offset", "shows times with fractions and an offset", createdWith("created", fault.Constant(`"2026-03-01T10:30:00.125+01:00"`)), full),
		services.Varied("escaped", "escapes characters that are not ASCII", created(fault.Body(fault.Replacing(`ü`, `\u00fc`))), create(`"title":"Grün"`)),
		services.Varied("catalogue-empty", "has no books to list", listed(fault.Header("X-Total-Count", "0"), fault.Body(fault.Constant(`{"items":[],"total":0,"next":null}`))), all),
		services.Varied("next-absent", "leaves the next page out", listed(fault.Body(fault.Drop("next"))), all),
		services.Varied("errors-absent", "reports errors without a list", fault.When(fault.Refused, fault.Body(fault.Drop("errors"))), create(`"title":""`)),
		services.Varied("errors-detailed", "reports errors with all properties, and others", fault.When(fault.Refused,
			fault.Body(fault.Add("type", `"about:blank"`), fault.Add("detail", `"see errors"`), fault.Add("instance", `"/log/7"`))), create(`"title":""`)),
	}
}
