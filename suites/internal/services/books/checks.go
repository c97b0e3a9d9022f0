package books

import (
	"regexp"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

const (
	int32Most = "2147483647"
	priceMost = "9999.99"
)

func readBook(r *fault.Request, report *services.Report) map[string]any {
	report.MediaType(r, "application/json")
	o := report.JSONObject(r)
	if !report.Empty() {
		return nil
	}
	o.Require("title", "author", "language", "price", "edition")
	if o.Has("volume") && !o.Has("series") && !o.FailWhole("dependentRequired") {
		delete(o.Values, "volume")
	}
	checkTitles(o)
	o.Text("author", services.Length(1, 80))
	o.Text("language", services.OneOf("en", "de", "fr", "cy"))
	o.Text("isbn", services.Pattern(isbnForm))
	o.Inner("edition", checkEdition)
	o.List("tags", services.Items{Min: 1, Max: 8, Unique: true}, checkTag)
	o.Text("published", services.Date)
	checkNumbers(o)
	o.Integer("barcode", services.Int64)
	o.Text("series", services.Length(1, 0))
	o.Integer("volume", services.Above("0"), services.Below("1000"))
	if !o.Has("series") { // a response must not show a volume without a series
		delete(o.Values, "volume")
	}
	o.Inner("publisher", checkPublisher)
	o.Inner("titles", func(titles *services.Object) {
		titles.Every(func(title *services.Object, name string) { title.Text(name, services.Length(1, 0)) })
		if len(titles.Values) > 3 && !titles.FailWhole("maxProperties") {
			clear(titles.Values)
		}
	})
	o.Text("purchaseNote", services.Length(0, 200))
	o.Keep("title", "subtitle", "author", "language", "isbn", "price", "edition", "tags", "published", "rating",
		"stock", "barcode", "series", "volume", "publisher", "titles", "purchaseNote")
	return o.Values
}

func readChanges(r *fault.Request, report *services.Report) map[string]any {
	report.MediaType(r, "application/merge-patch+json")
	o := report.JSONObject(r)
	if !report.Empty() {
		return nil
	}
	o.Close("title", "subtitle", "price", "stock", "rating")
	if len(o.Values) == 0 {
		o.FailWhole("minProperties")
	}
	checkTitles(o)
	checkNumbers(o)
	return o.Values
}

func checkTitles(o *services.Object) {
	o.Text("title", services.Length(1, 120))
	if !o.IsNull("subtitle") {
		o.Text("subtitle", services.Length(0, 120))
	}
}

func checkNumbers(o *services.Object) {
	o.Inner("price", checkPrice)
	o.Integer("stock", services.Int32, services.AtLeast("0"))
	if !o.IsNull("rating") {
		o.Number("rating", services.AtLeast("0"), services.AtMost("5"), services.MultipleOf("0.5"))
	}
}

func checkPrice(price *services.Object) {
	price.Require("amount", "currency")
	price.Close("amount", "currency")
	price.Number("amount", services.AtLeast("0"), services.AtMost(priceMost), services.MultipleOf("0.01"))
	price.Text("currency", services.OneOf("EUR", "GBP", "CHF"))
}

// checkEdition checks the branch that the kind selects.
func checkEdition(edition *services.Object) {
	edition.Require("kind")
	switch edition.Text("kind", services.OneOf("paper", "audio")); edition.Values["kind"] {
	case "paper":
		edition.Require("pages")
		edition.Integer("pages", services.AtLeast("1"), services.AtMost("20000"))
		edition.Text("binding", services.OneOf("hardcover", "paperback"))
		edition.List("size", services.Items{Min: 3, Max: 3}, func(length *services.Object, name string) {
			length.Number(name, services.Above("0"))
		})
		edition.Keep("kind", "pages", "binding", "size")
	case "audio":
		edition.Require("minutes", "narrator")
		edition.Integer("minutes", services.AtLeast("1"), services.AtMost("10000"))
		if !edition.IsNull("narrator") {
			edition.Text("narrator", services.Length(1, 0))
		}
		edition.Boolean("abridged")
		edition.Keep("kind", "minutes", "narrator", "abridged")
	default: // the kind is missing or wrong, and the service ignores that
		edition.Keep()
	}
}

func checkPublisher(publisher *services.Object) {
	publisher.Require("name")
	publisher.Text("name", services.Length(1, 0))
	publisher.Text("email", services.Email)
	publisher.Text("website", services.URI)
	publisher.Keep("name", "email", "website")
}

func checkTag(tag *services.Object, name string) { tag.Text(name, services.Pattern(tagPattern)) }

func checkChannel(r *fault.Request, report *services.Report) {
	report.Header(r, "X-Channel").Text("X-Channel", services.OneOf("web", "till", "import"))
}

func readQuery(r *fault.Request, report *services.Report) map[string]any {
	sent, values := report.Query(r), services.Parameters{}
	values.Text(sent, "sort", "published-after")
	values.Literal(sent, "limit", "offset", "max-price", "in-stock")
	values.Exploded(sent, "tag")
	q := report.Object("query", values)
	q.Integer("limit", services.AtLeast("1"), services.AtMost("100"))
	q.Integer("offset", services.AtLeast("0"), services.AtMost(int32Most))
	q.Text("sort", services.OneOf("title", "author", "-title", "-author"))
	q.List("tag", services.Items{Min: 1, Max: 4, Unique: true}, checkTag)
	q.Text("published-after", services.Date)
	q.Number("max-price", services.Above("0"), services.AtMost(priceMost))
	q.Boolean("in-stock")
	return values
}

// The formats of texts.
var (
	tagPattern = regexp.MustCompile("^[a-z][a-z-]{1,19}$")
	isbnForm   = regexp.MustCompile("^97[89]-[0-9]{10}$")
)
