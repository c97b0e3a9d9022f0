package books

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// company is a feature of a request besides its fault.
type company struct {
	name, where string
	holds       fault.Condition
	skips       string // the checks that are left out there, one deviation each
	properties  string // that a book needs to have the feature
	edit        func(p services.Probe) services.Probe
}

// checksSkippedInCompany skip a check if the book has another feature.
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
