package books

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// bodiesLetThrough returns deviations that accept invalid books.
func bodiesLetThrough() []services.Deviation {
	return []services.Deviation{
		body("title-missing", "title", "required", "accepts a book without a title", without("title")),
		body("title-empty", "title", "minLength", "accepts an empty title", create(`"title":""`)),
		body("title-long", "title", "maxLength", "accepts a title of more than 120 characters", create(`"title":"`+strings.Repeat("t", 121)+`"`)),
		body("title-type", "title", "type", "accepts a title that is not a string", create(`"title":7`)),
		body("subtitle-long", "subtitle", "maxLength", "accepts a subtitle of more than 120 characters", create(`"subtitle":"`+strings.Repeat("ü", 121)+`"`)),
		body("author-missing", "author", "required", "accepts a book without an author", without("author")),
		body("author-null", "author", "null", "accepts null as the author", create(`"author":null`)),
		body("language-unknown", "language", "enum", "accepts any language", create(`"language":"xx"`)),
		body("isbn-pattern", "isbn", "pattern", "accepts any ISBN", create(`"isbn":"9780441478125"`)),
		body("price-missing", "price", "required", "accepts a book without a price", without("price")),
		body("price-open", "price", "additionalProperties", "accepts an unknown property of the price", create(`"price":{"amount":9.95,"currency":"GBP","tax":0.2}`)),
		body("amount-missing", "price/amount", "required", "accepts a price without an amount", create(`"price":{"currency":"GBP"}`)),
		body("amount-negative", "price/amount", "minimum", "accepts a negative amount", create(`"price":{"amount":-0.01,"currency":"GBP"}`)),
		body("amount-large", "price/amount", "maximum", "accepts an amount of 10000", create(`"price":{"amount":10000,"currency":"GBP"}`)),
		body("amount-fraction", "price/amount", "multipleOf", "accepts an amount with three decimal places", create(`"price":{"amount":9.955,"currency":"GBP"}`)),
		body("currency-unknown", "price/currency", "enum", "accepts any currency", create(`"price":{"amount":9.95,"currency":"USD"}`)),
		body("edition-missing", "edition", "required", "accepts a book without an edition", without("edition")),
		body("edition-kind-unknown", "edition/kind", "enum", "accepts any kind of edition", create(`"edition":{"kind":"scroll","pages":1}`)),
		body("edition-kind-missing", "edition/kind", "required", "accepts an edition without a kind", create(`"edition":{"pages":304}`)),
		body("pages-missing", "edition/pages", "required", "accepts a paper edition without its pages", create(`"edition":{"kind":"paper"}`)),
		body("pages-zero", "edition/pages", "minimum", "accepts a paper edition without pages", create(`"edition":{"kind":"paper","pages":0}`)),
		body("pages-many", "edition/pages", "maximum", "accepts a paper edition of 20001 pages", create(`"edition":{"kind":"paper","pages":20001}`)),
		body("binding-unknown", "edition/binding", "enum", "accepts any binding", create(`"edition":{"kind":"paper","pages":304,"binding":"spiral"}`)),
		body("size-short", "edition/size", "minItems", "accepts a size of two numbers", create(`"edition":{"kind":"paper","pages":304,"size":[1,2]}`)),
		body("size-long", "edition/size", "maxItems", "accepts a size of four numbers", create(`"edition":{"kind":"paper","pages":304,"size":[1,2,3,4]}`)),
		body("size-zero", "edition/size/*", "exclusiveMinimum", "accepts a size of zero", create(`"edition":{"kind":"paper","pages":304,"size":[0,2,3]}`)),
		body("minutes-many", "edition/minutes", "maximum", "accepts an audio edition of 10001 minutes", create(`"edition":{"kind":"audio","minutes":10001,"narrator":null}`)),
		body("narrator-missing", "edition/narrator", "required", "accepts an audio edition without its narrator", create(`"edition":{"kind":"audio","minutes":90}`)),
		body("abridged-type", "edition/abridged", "type", "accepts an audio edition that is abridged \"yes\"", create(`"edition":{"kind":"audio","minutes":90,"narrator":null,"abridged":"yes"}`)),
		body("tags-empty", "tags", "minItems", "accepts an empty list of tags", create(`"tags":[]`)),
		body("tags-many", "tags", "maxItems", "accepts nine tags", create(`"tags":["aa","bb","cc","dd","ee","ff","gg","hh","ii"]`)),
		body("tags-repeated", "tags", "uniqueItems", "accepts the same tag twice", create(`"tags":["fiction","fiction"]`)),
		body("tag-pattern", "tags/*", "pattern", "accepts any tag", create(`"tags":["Fiction 1"]`)),
		body("tag-type", "tags/*", "type", "accepts a number as a tag", create(`"tags":[7]`)),
		body("published-format", "published", "format", "accepts a date that does not exist", create(`"published":"1969-02-30"`)),
		body("rating-large", "rating", "maximum", "accepts a rating of 5.5", create(`"rating":5.5`)),
		body("rating-negative", "rating", "minimum", "accepts a negative rating", create(`"rating":-0.5`)),
		body("rating-step", "rating", "multipleOf", "accepts a rating of 4.3", create(`"rating":4.3`)),
		body("stock-negative", "stock", "minimum", "accepts a negative stock", create(`"stock":-1`)),
		body("stock-int32", "stock", "format", "accepts a stock beyond int32", create(`"stock":2147483648`)),
		body("stock-fraction", "stock", "type", "accepts a stock of 1.5", create(`"stock":1.5`)),
		body("barcode-int64", "barcode", "format", "accepts a barcode beyond int64", create(`"barcode":9223372036854775808`)),
		body("series-empty", "series", "minLength", "accepts an empty series", create(`"series":""`)),
		body("volume-zero", "volume", "exclusiveMinimum", "accepts volume 0", create(`"series":"Hainish","volume":0`)),
		body("volume-thousand", "volume", "exclusiveMaximum", "accepts volume 1000", create(`"series":"Hainish","volume":1000`)),
		row("volume-alone", "createBook/request/body/series", "accepts a volume without a series", services.Overlook("body", "dependentRequired").If(services.To(http.MethodPost, collection)), create(`"volume":4`)).MayBlame("createBook/request/body", "createBook/request/body/volume"),
		body("publisher-type", "publisher", "type", "accepts a publisher that is not an object", create(`"publisher":"Ace"`)),
		body("publisher-name-missing", "publisher/name", "required", "accepts a publisher without a name", create(`"publisher":{"email":"post@gee.example"}`)),
		body("publisher-email", "publisher/email", "format", "accepts any text as an email address", create(`"publisher":{"name":"Ace","email":"ace.example"}`)),
		body("publisher-website", "publisher/website", "format", "accepts a website without a scheme", create(`"publisher":{"name":"Ace","website":"ace.example/books"}`)),
		body("titles-many", "titles", "maxProperties", "accepts titles in four languages", create(`"titles":{"a":"1","b":"2","c":"3","d":"4"}`)),
		body("titles-empty", "titles/*", "minLength", "accepts an empty title in another language", create(`"titles":{"de":""}`)),
		body("purchase-note-long", "purchaseNote", "maxLength", "accepts a purchase note of 201 characters", create(`"purchaseNote":"`+strings.Repeat("n", 201)+`"`)),
	}
}

// parametersLetThrough returns deviations that accept invalid parameters.
func parametersLetThrough() []services.Deviation {
	header := func(name, field, rule, says string, shows services.Probe) services.Deviation {
		return row(name, "createBook/request/header/"+field, says, services.Overlook("header/"+field, rule).If(services.To(http.MethodPost, collection)), shows)
	}
	return []services.Deviation{
		header("request-id-missing", "X-Request-Id", "required", "creates a book without X-Request-Id", createdBy(paperBook).With("X-Request-Id:")),
		header("request-id-format", "X-Request-Id", "format", "accepts any text as X-Request-Id", createdBy(paperBook).With("X-Request-Id: 12")),
		header("channel-unknown", "X-Channel", "enum", "accepts any channel for a new book", createdBy(paperBook, "X-Channel: fax")),
		row("list-channel-unknown", "listBooks/request/header/X-Channel", "accepts any channel for a list", services.Overlook("header/X-Channel").If(services.To(http.MethodGet, collection)),
			services.Probe{Method: http.MethodGet, Target: collection, Header: []string{keyLine, "X-Channel: fax"}}),
		query("limit-zero", "limit", "minimum", "accepts a limit of 0", "limit=0"),
		query("limit-large", "limit", "maximum", "accepts a limit of 101", "limit=101"),
		query("limit-type", "limit", "type", "accepts a limit that is not an integer", "limit=many"),
		query("offset-negative", "offset", "minimum", "accepts a negative offset", "offset=-1"),
		query("offset-int32", "offset", "maximum", "accepts an offset beyond int32", "offset=2147483648"),
		query("sort-unknown", "sort", "enum", "accepts any order", "sort=price"),
		query("tag-filter-pattern", "tag/*", "pattern", "accepts any tag in a query", "tag=A"),
		query("tag-filter-many", "tag", "maxItems", "accepts five tags in a query", "tag=aa&tag=bb&tag=cc&tag=dd&tag=ee"),
		query("tag-filter-repeated", "tag", "uniqueItems", "accepts the same tag twice in a query", "tag=aa&tag=aa"),
		query("published-after-format", "published-after", "format", "accepts any text as a date in a query", "published-after=yesterday"),
		query("max-price-zero", "max-price", "exclusiveMinimum", "accepts a maximum price of 0", "max-price=0"),
		query("max-price-large", "max-price", "maximum", "accepts a maximum price of 10000", "max-price=10000"),
		query("in-stock-type", "in-stock", "type", "accepts any text as a boolean", "in-stock=perhaps"),
		row("book-id-format", "getBook/request/path/bookId", "shows the first book for an id that is not a UUID",
			fault.ReadingPath(fault.Replacing(`^/books/[^-/]*$`, collection+"/"+firstID)).If(services.To(http.MethodGet, collection)),
			services.Probe{Method: http.MethodGet, Target: collection + "/seven", Header: []string{keyLine}}),
	}
}

// otherwiseLetThrough returns deviations that accept requests in a wrong form.
func otherwiseLetThrough() []services.Deviation {
	toCreate := services.To(http.MethodPost, collection)
	reading := func(edit fault.TextEdit) fault.Change { return fault.ReadingBody(edit).If(toCreate) }
	return []services.Deviation{
		row("create-credential-missing", "createBook/request/credential", "creates a book without a key", keyless().If(toCreate), createdBy(paperBook).With("X-Shop-Key:")),
		row("list-credential-missing", "listBooks/request/credential", "lists books without a key", keyless().If(services.To(http.MethodGet, collection)),
			services.Probe{Method: http.MethodGet, Target: collection}),
		row("body-malformed", "createBook/request/body", "accepts a body that is not JSON", reading(fault.Where(fault.NotEmpty, fault.Mending(fault.Constant(paperBook)))), createdBy(`{"title":`)),
		row("body-missing", "createBook/request/body", "accepts an empty body", reading(fault.Where(fault.Equals(""), fault.Constant(paperBook))), createdBy("")),
		row("body-list", "createBook/request/body", "accepts a list", reading(fault.Whole(fault.AList, fault.Constant(paperBook))), createdBy("["+paperBook+"]")),
		row("body-continued", "createBook/request/body", "ignores text after the JSON", reading(fault.Mending(fault.FirstValue)), createdBy(paperBook+" {}")),
		row("amount-text", "createBook/request/body/price/amount", "accepts an amount as a string", reading(fault.PropertyOf("price", fault.Property("amount", fault.AString, fault.FromString))),
			create(`"price":{"amount":"9.95","currency":"GBP"}`)),
		row("pages-text", "createBook/request/body/edition/pages", "accepts pages as a string", reading(fault.PropertyOf("edition", fault.Property("pages", fault.AString, fault.FromString))),
			create(`"edition":{"kind":"paper","pages":"304"}`)),
		row("tags-text", "createBook/request/body/tags", "accepts one string instead of a list of tags", reading(fault.Property("tags", fault.AString, func(text string) string { return "[" + text + "]" })),
			create(`"tags":"fiction"`)),
		row("media-type", "createBook/request/media-type", "ignores the media type of a new book", services.Overlook("media-type").If(toCreate),
			createdBy(paperBook).With("Content-Type: text/plain")),
	}
}

// letThroughInCompany returns deviations that accept invalid values only in some requests.
func letThroughInCompany() []services.Deviation {
	creating := services.To(http.MethodPost, collection)
	field := func(name, part string) fault.Condition { return fault.SentField(name, fault.Contains(part)) }
	later := func(place, rule string) fault.Change {
		return services.OverlookSuch(func(f services.Fault) bool { return f.Place == place && f.Rule == rule && f.Index > 0 })
	}
	return []services.Deviation{
		row("tag-pattern-second", "createBook/request/body/tags", "checks only the first tag", later("body/tags/*", "pattern").If(creating), create(`"tags":["fiction","Sci Fi"]`)),
		row("size-zero-later", "createBook/request/body/edition/size", "checks only the first number of a size", later("body/edition/size/*", "exclusiveMinimum").If(creating), create(`"edition":{"kind":"paper","pages":304,"size":[9,0,9]}`)),
		row("tag-filter-second", "listBooks/request/query/tag", "checks only the first tag in a query", later("query/tag/*", "pattern"), list("tag=fiction&tag=A")),
		body("minutes-zero", "edition/minutes", "minimum", "accepts an abridged audio edition of no minutes", create(`"edition":{"kind":"audio","minutes":0,"narrator":null,"abridged":true}`)).If(fault.Sent(fault.Contains(`"abridged"`))),
		body("isbn-with-subtitle", "isbn", "pattern", "does not check the ISBN of a book with a subtitle", create(`"isbn":"978","subtitle":"A Novel"`)).If(fault.SentProperty("subtitle", fault.Present)),
		body("amount-large-with-rating", "price/amount", "maximum", "does not check the largest amount of a book with a rating", create(`"rating":4,"price":{"amount":10000,"currency":"EUR"}`)).If(fault.SentProperty("rating", fault.Present)),
		body("language-in-large-body", "language", "enum", "does not check the language in a body of more than 4 KiB", createdBy(paperWith(`"language":"xx"`)+strings.Repeat(" ", 5<<10))).If(fault.SentMore(4 << 10)),
		body("title-missing-with-charset", "title", "required", "does not ask for a title if the media type has a charset",
			without("title").With("Content-Type: application/json; charset=utf-8")).If(field("Content-Type", "charset")),
		body("author-missing-in-chunks", "author", "required", "does not ask for an author in a chunked body", without("author").InChunks()).If(fault.SentChunked),
		body("stock-negative-by-import", "stock", "minimum", "accepts a negative stock from the channel import", create(`"stock":-1`, "X-Channel: import")).If(field("X-Channel", "import")),
		body("currency-in-audio", "price/currency", "enum", "accepts any currency for audio editions", create(`"price":{"amount":1,"currency":"USD"},"edition":{"kind":"audio","minutes":9,"narrator":null}`)).If(fault.Sent(fault.Contains(`"audio"`))),
		body("publisher-email-with-website", "publisher/email", "format", "does not check the email address of a publisher with a website",
			create(`"publisher":{"name":"Ace","email":"ace","website":"https://ace.example"}`)).If(fault.Sent(fault.Contains(`"website"`))),
		body("pages-zero-with-binding", "edition/pages", "minimum", "accepts no pages if there is a binding", create(`"edition":{"kind":"paper","pages":0,"binding":"hardcover"}`)).If(fault.Sent(fault.Contains(`"binding"`))),
		query("limit-large-with-offset", "limit", "maximum", "does not check the largest limit of a list with an offset", "limit=101&offset=1").If(fault.SentQuery(fault.Contains("offset="))),
		row("published-after-sorted", "listBooks/request/query/published-after", "does not check the date of a sorted list", services.Overlook("query/published-after"), list("published-after=1&sort=title")).If(fault.SentQuery(fault.Contains("sort="))),
		row("isbn-part", "createBook/request/body/isbn", "accepts a text that contains an ISBN", fault.ReadingBody(fault.Property("isbn", fault.AString, fault.Replacing(`".*(97[89]-[0-9]{10}).*"`, `"$1"`))).If(creating),
			create(`"isbn":"x978-0441478125"`)),
	}
}

// refusals returns deviations that reject valid requests.
func refusals() []services.Deviation {
	has := func(expression string) fault.Condition { return fault.Sent(fault.Matches(expression)) }
	return []services.Deviation{
		refuses("language-refused", "refuses books in Welsh", fault.SentText("language", fault.Equals("cy")), create(`"language":"cy"`)),
		refuses("subtitle-null-refused", "refuses null as a subtitle", fault.SentProperty("subtitle", fault.Null), create(`"subtitle":null`)),
		refuses("rating-null-refused", "refuses null as a rating", fault.SentProperty("rating", fault.Null), create(`"rating":null`)),
		refuses("title-longest-refused", "refuses a title of 120 characters", fault.SentText("title", fault.Longer(119)), create(`"title":"`+strings.Repeat("t", 120)+`"`)),
		refuses("title-short-refused", "refuses a title of one character", fault.SentText("title", fault.NoneOf(fault.Longer(1))), create(`"title":"t"`)),
		refuses("pages-most-refused", "refuses a paper edition of 20000 pages", has(`"pages":\s*20000\b`), create(`"edition":{"kind":"paper","pages":20000}`)),
		refuses("free-refused", "refuses a book that costs nothing", has(`"amount":\s*0(\.0*)?\s*[,}]`), create(`"price":{"amount":0,"currency":"EUR"}`)),
		refuses("price-most-refused", "refuses an amount of 9999.99", has(`"amount":\s*9999\.99`), create(`"price":{"amount":9999.99,"currency":"EUR"}`)),
		refuses("francs-refused", "refuses prices in CHF", has(`"CHF"`), create(`"price":{"amount":1,"currency":"CHF"}`)),
		refuses("audio-refused", "refuses audio editions", has(`"audio"`), createdBy(audioBook)),
		refuses("narrator-refused", "refuses audio editions with a narrator", has(`"narrator":\s*"`), create(`"edition":{"kind":"audio","minutes":9,"narrator":"Ann"}`)),
		refuses("tags-left-out-refused", "refuses books without tags", fault.SentProperty("tags", fault.Absent), createdBy(paperBook)),
		refuses("tags-most-refused", "refuses eight tags", fault.SentValue("tags", func(value string) bool { return len(fault.ListOf(value)) > 7 }), create(`"tags":["aa","bb","cc","dd","ee","ff","gg","hh"]`)),
		refuses("rating-half-refused", "refuses ratings that are not integers", fault.SentValue("rating", fault.Contains(".5")), create(`"rating":0.5`)),
		refuses("volume-999-refused", "refuses volume 999", fault.SentValue("volume", fault.Equals("999")), create(`"series":"s","volume":999`)),
		refuses("series-alone-refused", "refuses a series without a volume", fault.Both(fault.SentProperty("series", fault.Present), fault.SentProperty("volume", fault.Absent)), create(`"series":"s"`)),
		refuses("publisher-short-refused", "refuses a publisher without an email address", fault.Both(has(`"publisher"`), fault.Not(has(`"email"`))), create(`"publisher":{"name":"Ace"}`)),
		refuses("channel-refused", "refuses new books from the channel import", fault.SentField("X-Channel", fault.Equals("import")), createdBy(paperBook, "X-Channel: import")),
		refusesQuery("limit-most-refused", "refuses a limit of 100", `(^|&)limit=100(&|$)`, "limit=100"),
		refusesQuery("sort-refused", "refuses the order -author", `(^|&)sort=-author(&|$)`, "sort=-author"),
		refusesQuery("two-tags-refused", "refuses two tags in a query", `(^|&)tag=.*&tag=`, "tag=fiction&tag=classic"),
		refusesQuery("not-in-stock-refused", "refuses false in a query", `(^|&)in-stock=false`, "in-stock=false"),
		refusesQuery("no-query-refused", "refuses a list without a limit", `^([^l]|l[^i])*$`, "sort=title"),
	}
}

// company is a feature of a request in addition to its fault.
type company struct {
	name, where string
	holds       fault.Condition
	skips       string // the checks that are skipped there, one deviation each
	properties  string // the properties that give a book the feature
	edit        func(p services.Probe) services.Probe
}

// checksSkippedInCompany returns deviations that skip a check if the book has another feature.
func checksSkippedInCompany() []services.Deviation {
	type check struct{ place, rule, properties string }
	checks := map[string]check{
		"title":     {"title", "minLength", `"title":""`},
		"author":    {"author", "maxLength", `"author":"` + strings.Repeat("a", 81) + `"`},
		"language":  {"language", "enum", `"language":"xx"`},
		"amount":    {"price/amount", "maximum", `"price":{"amount":10000,"currency":"EUR"}`},
		"currency":  {"price/currency", "enum", `"price":{"amount":1,"currency":"USD"}`},
		"price":     {"price", "additionalProperties", `"price":{"amount":1,"currency":"EUR","tax":1}`},
		"tag":       {"tags/*", "pattern", `"tags":["A"]`},
		"published": {"published", "format", `"published":"1969"`},
		"stock":     {"stock", "minimum", `"stock":-1`},
		"isbn":      {"isbn", "pattern", `"isbn":"978"`},
	}
	has := func(name string) fault.Condition { return fault.SentProperty(name, fault.Present) }
	same := func(p services.Probe) services.Probe { return p }
	companies := []company{
		{"tags", "there are tags", has("tags"), "title stock", `"tags":["fiction"]`, same},
		{"rating-null", "the rating is null", fault.SentProperty("rating", fault.Null), "isbn amount", `"rating":null`, same},
		{"barcode", "there is a barcode", has("barcode"), "isbn language", `"barcode":7`, same},
		{"series", "there is a series", has("series"), "published price", `"series":"s","volume":1`, same},
		{"publisher", "there is a publisher", has("publisher"), "currency author", `"publisher":{"name":"Ace"}`, same},
		{"titles", "there are titles in other languages", has("titles"), "language title", `"titles":{"de":"Momo"}`, same},
		{"purchase-note", "there is a purchase note", has("purchaseNote"), "amount tag", `"purchaseNote":"n"`, same},
		{"audio", "it is an audio edition", fault.Sent(fault.Matches(`"kind":\s*"audio"`)), "published stock", `"edition":{"kind":"audio","minutes":9,"narrator":null}`, same},
		{"channel", "there is a channel", fault.SentField("X-Channel", fault.NotEmpty), "tag price", "", func(p services.Probe) services.Probe { return p.With("X-Channel: web") }},
		{"charset", "the media type has a charset", fault.SentField("Content-Type", fault.Contains("charset")), "currency isbn", "", func(p services.Probe) services.Probe { return p.With(jsonLine + ";charset=UTF-8") }},
		{"chunks", "the body is chunked", fault.SentChunked, "title language", "", services.Probe.InChunks},
		{"16-kib", "the body has more than 16 KiB", fault.SentMore(16 << 10), "amount published", "", func(p services.Probe) services.Probe {
			p.Body += strings.Repeat(" ", 17<<10)
			return p
		}},
	}
	var rows []services.Deviation
	for _, c := range companies {
		for name := range strings.FieldsSeq(c.skips) {
			skipped := checks[name]
			shows := create(strings.Trim(c.properties+","+skipped.properties, ","))
			rows = append(rows, body(name+"-unchecked-with-"+c.name, skipped.place, skipped.rule, "does not check "+name+" ("+skipped.rule+") if "+c.where,
				c.edit(shows)).If(fault.Both(services.To(http.MethodPost, collection), c.holds)))
		}
	}
	return rows
}
