package books

import (
	"net/http"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// wrongBooks returns deviations with a wrong response to the creation of a book.
func wrongBooks() []services.Deviation {
	const in201 = "createBook/201/"
	paper, full := createdBy(paperBook), createdBy(fullBook)
	value := fault.Constant
	with := func(name, property, json, says string) services.Deviation {
		return row(name, in201+"body/"+property, says, createdWith(property, value(json)), full.WithWrong(`"`+property+`":`+json))
	}
	priced := func(name, inner, json, says string) services.Deviation {
		return row(name, in201+"body/price/"+inner, says, createdWith("price", fault.PropertyOf(inner, value(json))), full.WithWrong(`"`+inner+`":`+json))
	}
	failing := func(name, says string, such fault.Condition, shows services.Probe) services.Deviation {
		return row(name, "createBook/answers", says, refused(http.MethodPost, http.StatusInternalServerError, such), shows)
	}
	return append([]services.Deviation{
		row("created-200", "createBook/accepts", "answers 200 to a new book", created(fault.Status(http.StatusOK)), paper.WithWrong("200 OK")),
		row("location-missing", in201+"header/Location", "does not tell where a new book is", created(fault.Header("Location")), paper.WithRight("Location")),
		row("etag-missing", in201+"header/ETag", "does not tell the version of a new book", created(fault.Header("Etag")), paper.WithRight("Etag")),
		row("etag-weak", in201+"header/ETag", "tells a weak version of a new book", created(fault.Header("Etag", `W/"12345678"`)), paper.WithWrong("W/")),
		row("created-text", in201+"media-type", "shows a new book as text/plain", created(fault.MediaType("text/plain")), paper.WithWrong("text/plain")),
		row("created-empty", in201+"body", "does not show a new book", created(fault.Body(fault.Nothing)), paper.WithRight("{")),
		row("created-list", in201+"body", "shows a list with the new book", created(fault.Body(fault.Prefixed("["), fault.Suffixed("]"))), paper.WithWrong("[{")),
		row("created-malformed", in201+"body", "shows a new book with a comma too many", created(fault.Body(fault.Replacing(`\}\s*$`, ",}"))), paper.WithWrong(",}")),
		row("created-twice", in201+"body", "shows a new book twice", created(fault.Body(fault.Replacing(`(?s)^(.*)$`, "$1$1"))), paper.WithWrong("}\n{")),
		row("created-duplicate-key", in201+"body", "shows the title of a new book twice", created(fault.Body(fault.Replacing(`^\{`, `{"title":"Momo",`))), paper.WithWrong(`{"title":"Momo",`)),
		row("id-missing", in201+"body/id", "shows a new book without its id", createdWith("id", fault.Nothing), paper.WithRight(`"id"`)),
		with("id-number", "id", "7", "shows a number as the id"),
		with("id-short", "id", `"7"`, "shows an id that is not a UUID"),
		with("title-null", "title", "null", "shows null as the title"),
		with("title-without-text", "title", `""`, "shows an empty title"),
		with("subtitle-number", "subtitle", "7", "shows a number as the subtitle"),
		with("language-other", "language", `"xx"`, "shows a language that is not declared"),
		with("isbn-short", "isbn", `"978"`, "shows an ISBN without its form"),
		priced("amount-string", "amount", `"9.95"`, "shows the amount as a string"),
		priced("amount-below", "amount", "-1", "shows a negative amount"),
		priced("amount-precise", "amount", "0.333", "shows an amount with three decimal places"),
		priced("currency-other", "currency", `"USD"`, "shows a currency that is not declared"),
		row("price-with-tax", in201+"body/price/undeclared", "shows a property of the price that is not declared", createdWith("price", fault.Add("tax", "0.2")), full.WithWrong(`"tax"`)),
		row("kind-other", in201+"body/edition/kind", "shows a kind of edition that is not declared", createdWith("edition", fault.PropertyOf("kind", value(`"scroll"`))), full.WithWrong("scroll")),
		row("pages-string", in201+"body/edition/pages", "shows the pages as a string", createdWith("edition", fault.PropertyOf("pages", fault.AsString)), full.WithWrong(`"pages":"191"`)),
		with("tags-null", "tags", "null", "shows null instead of tags"),
		with("tags-same", "tags", `["fiction","fiction"]`, "shows the same tag twice"),
		with("published-local", "published", `"01.11.1961"`, "shows a date that is not a full-date"),
		with("rating-beyond", "rating", "5.5", "shows a rating of 5.5"),
		row("stock-missing", in201+"body/stock", "shows a new book without its stock", createdWith("stock", fault.Nothing), paper.WithRight(`"stock"`)),
		with("stock-beyond", "stock", "2147483648", "shows a stock beyond int32"),
		with("barcode-beyond", "barcode", "9223372036854775808", "shows a barcode beyond int64"),
		row("series-forgotten", in201+"body/series", "shows a volume without its series", createdWith("series", fault.Nothing), full.WithRight(`"series"`)).MayBlame(in201+"body", in201+"body/volume"),
		row("publisher-nameless", in201+"body/publisher/name", "shows a publisher without its name", createdWith("publisher", fault.Drop("name")), full.WithRight("Gwasg Gee")),
		row("publisher-mailless", in201+"body/publisher/email", "shows an email address without @", createdWith("publisher", fault.PropertyOf("email", value(`"post"`))), full.WithWrong(`"post"`)),
		with("created-date", "created", `"2026-03-01"`, "shows a date instead of a date-time"),
		row("note-shown", in201+"body/purchaseNote", "shows the purchase note", created(fault.Body(fault.Add("purchaseNote", `"cheap"`))), paper.WithWrong("purchaseNote")),
		failing("audio-failure", "fails for audio editions without a narrator", fault.Sent(fault.Matches(`"narrator":\s*null`)), createdBy(audioBook)),
		failing("deep-failure", "fails for titles beyond the basic multilingual plane", fault.Sent(fault.BeyondBMP), create(`"title":"📖"`)),
		failing("empty-failure", "fails for an empty body", fault.SentNoBody, createdBy("")),
		failing("list-failure", "fails for a list", fault.Sent(fault.Matches(`^\s*\[`)), createdBy("[]")),
		row("hang-up", "createBook/answers", "closes the connection if the JSON is malformed", fault.When(fault.SentMalformed, fault.Delivered(fault.HangUp)).If(services.To(http.MethodPost, collection)), createdBy("{")),
	}, services.Conditional(
		row("binding-other", in201+"body/edition/binding", "shows another binding for hardcovers", createdWith("edition", fault.PropertyOf("binding", fault.Where(fault.Equals(`"hardcover"`), value(`"hard"`)))), full.WithWrong(`"hard"`)),
		row("abridged-string", in201+"body/edition/abridged", "shows a string if an audio edition is abridged", createdWith("edition", fault.PropertyOf("abridged", fault.Where(fault.Equals("true"), value(`"yes"`)))),
			create(`"edition":{"kind":"audio","minutes":9,"narrator":null,"abridged":true}`).WithWrong(`"yes"`)),
		row("rating-null-text", in201+"body/rating", "shows a text if the rating is null", createdWith("rating", fault.Where(fault.Equals("null"), value(`"none"`))), create(`"rating":null`).WithWrong("none")),
	)...)
}

// wrongLists returns deviations with a wrong response to requests for lists.
func wrongLists() []services.Deviation {
	const in200 = "listBooks/200/"
	all := list("limit=100")
	book := func(name, property, json, says string) services.Deviation {
		return row(name, in200+"body/items/*/"+property, says, listed(items(0, fault.Set(property, json))), all.WithWrong(`"`+property+`":`+json))
	}
	return append([]services.Deviation{
		row("count-missing", in200+"header/X-Total-Count", "does not tell how many books there are", listed(fault.Header("X-Total-Count")), all.WithRight("X-Total-Count")),
		row("count-words", in200+"header/X-Total-Count", "tells in words how many books there are", listed(fault.Header("X-Total-Count", "three")), all.WithWrong("three")),
		row("list-html", in200+"media-type", "lists books as text/html", listed(fault.MediaType("text/html")), all.WithWrong("text/html")),
		row("items-missing", in200+"body/items", "answers a list without its books", listed(fault.Body(fault.Drop("items"))), all.WithRight("items")),
		row("items-object", in200+"body/items", "answers an object instead of a list of books", listed(fault.Body(fault.Set("items", "{}"))), all.WithWrong(`"items":{}`)),
		row("list-bare", in200+"body", "answers only the list of books", listed(fault.Body(func(text string) string {
			page, _ := fault.ParseObject(text)
			return string(page["items"])
		})), all.WithRight("items")),
		row("total-string", in200+"body/total", "shows the number of books as a string", listed(fault.Body(fault.PropertyOf("total", fault.AsString))), all.WithWrong(`"total":"`)),
		row("next-number", in200+"body/next", "shows a number as the next page", listed(fault.Body(fault.Set("next", "2"))), all.WithWrong(`"next":2`)),
		book("listed-title-null", "title", "null", "lists books without a title"),
		book("listed-language-other", "language", `"xx"`, "lists books in a language that is not declared"),
		row("list-failure-limit", "listBooks/answers", "fails for a limit that is not a number",
			refused(http.MethodGet, http.StatusInternalServerError, fault.SentQuery(fault.Matches(`(^|&)limit=[^0-9-]`))), list("limit=x")),
	}, services.Conditional(
		row("second-id-missing", in200+"body/items/*/id", "lists the id of only the first book", listed(items(1, fault.Drop("id"))), all.WithRight(`000000000002"`)),
		row("second-amount-string", in200+"body/items/*/price/amount", "lists amounts as strings after the first book", listed(items(1, fault.PropertyOf("price", fault.PropertyOf("amount", fault.AsString)))), all.WithWrong(`"amount":"20"`)),
		row("listed-in-stock-negative", in200+"body/items/*/stock", "lists a negative stock if only books in stock are asked for",
			listed(items(0, fault.Set("stock", "-1"))).If(fault.SentQuery(fault.Contains("in-stock=true"))), list("in-stock=true").WithWrong(`"stock":-1`)),
	)...)
}

func wrongErrors() []services.Deviation {
	const in401, in422, in400, in404 = "createBook/401/", "createBook/422/", "listBooks/400/", "getBook/404/"
	unkeyed, invalid, badLimit := createdBy(paperBook).With("X-Shop-Key:"), create(`"title":""`), list("limit=0")
	absent := item(http.MethodGet, "00000000-0000-4000-8000-ffffffffffff", "application/json", "")
	on401 := func(edits ...fault.Edit) fault.Change {
		return edited(http.MethodPost, http.StatusUnauthorized, edits...)
	}
	on422 := func(edit fault.TextEdit) fault.Change {
		return edited(http.MethodPost, http.StatusUnprocessableEntity, fault.Body(edit))
	}
	on400 := func(edits ...fault.Edit) fault.Change {
		return edited(http.MethodGet, http.StatusBadRequest, edits...).If(func(r *fault.Request, _ fault.Answer) bool { return r.URL.Path == collection })
	}
	on404 := func(edits ...fault.Edit) fault.Change {
		return edited(http.MethodGet, http.StatusNotFound, edits...)
	}
	return []services.Deviation{
		row("unauthorized-json", in401+"media-type", "reports a missing key as application/json", on401(fault.MediaType("application/json")), unkeyed.WithWrong("application/json")),
		row("unauthorized-text", in401+"media-type", "reports a missing key as text", on401(fault.Answering(http.StatusUnauthorized, "text/plain", "no key")), unkeyed.WithWrong("text/plain")).MayBlame(in401 + "body"),
		row("unauthorized-empty", in401+"body", "reports a missing key without a body", on401(fault.Body(fault.Nothing)), unkeyed.WithRight("{")),
		row("invalid-status-missing", in422+"body/status", "reports an invalid book without the status", on422(fault.Drop("status")), invalid.WithRight(`"status"`)),
		row("invalid-status-string", in422+"body/status", "reports the status as a string", on422(fault.Set("status", `"422"`)), invalid.WithWrong(`"status":"422"`)),
		row("invalid-status-200", in422+"body/status", "reports 200 as the status", on422(fault.Set("status", "200")), invalid.WithWrong(`"status":200`)),
		row("invalid-title-missing", in422+"body/title", "reports an invalid book without a title", on422(fault.Drop("title")), invalid.WithRight(`"title"`)),
		row("invalid-errors-object", in422+"body/errors", "reports one error instead of a list", on422(fault.PropertyOf("errors", fault.FirstOfList)), invalid.WithWrong(`"errors":{`)),
		row("invalid-rule-missing", in422+"body/errors/*/rule", "reports errors without the rule", on422(fault.Set("errors", `[{"place":"body"}]`)), invalid.WithRight(`"rule"`)),
		row("query-title-empty", in400+"body/title", "reports an invalid query with an empty title", on400(fault.Body(fault.Set("title", `""`))), badLimit.WithWrong(`"title":""`)),
		row("query-html", in400+"media-type", "reports an invalid query as HTML", on400(fault.Answering(http.StatusBadRequest, "text/html", "<h1>Bad Request</h1>")), badLimit.WithWrong("<h1>")).MayBlame(in400 + "body"),
		row("query-detail-null", in400+"body/detail", "reports null as the detail", on400(fault.Body(fault.Add("detail", "null"))), badLimit.WithWrong(`"detail":null`)),
		row("not-found-html", in404+"media-type", "reports a missing book as HTML", on404(fault.Answering(http.StatusNotFound, "text/html", "<h1>Not Found</h1>")), absent.WithWrong("<h1>")).MayBlame(in404 + "body"),
		row("not-found-failure", "getBook/answers", "fails for a book that does not exist", on404(fault.Status(http.StatusInternalServerError)), absent),
		row("not-found-malformed", in404+"body", "reports a missing book with malformed JSON", on404(fault.Body(fault.Replacing(`"`, `'`))), absent.WithWrong("'")),
	}
}

func onOneBook() []services.Deviation {
	change := func(text string) services.Probe {
		return item(http.MethodPatch, firstID, "application/merge-patch+json", text)
	}
	replace := func(text string) services.Probe { return item(http.MethodPut, firstID, "application/json", text) }
	one := item(http.MethodGet, firstID, "application/json", "")
	patching, putting := services.To(http.MethodPatch, collection), services.To(http.MethodPut, collection)
	reading := func(edits ...fault.Edit) fault.Change {
		return edited(http.MethodGet, http.StatusOK, edits...).If(services.To(http.MethodGet, collection+"/"))
	}
	bodied := func(a fault.Answer) string {
		return fault.Message("HTTP/1.1 %d No Content", "content-type: text/plain", "content-length: 4", "connection: close")(a.WithBody("gone"))
	}
	return []services.Deviation{
		row("get-etag-missing", "getBook/200/header/ETag", "does not tell the version of a book", reading(fault.Header("Etag")), one.WithRight("Etag")),
		row("get-id-missing", "getBook/200/body/id", "shows a book without its id", reading(fault.Body(fault.Drop("id"))), one.WithRight(`"id"`)),
		row("get-author-null", "getBook/200/body/author", "shows null as the author", reading(fault.Body(fault.Set("author", "null"))), one.WithWrong(`"author":null`)),
		row("replace-title-missing", "replaceBook/request/body/title", "replaces a book by one without a title", services.Overlook("body/title", "required").If(putting), replace(without("title").Body)),
		row("replace-currency-unknown", "replaceBook/request/body/price/currency", "replaces a book with any currency", services.Overlook("body/price/currency", "enum").If(putting),
			replace(create(`"price":{"amount":9.95,"currency":"USD"}`).Body)),
		row("replace-201", "replaceBook/accepts", "answers 201 to a replaced book", edited(http.MethodPut, http.StatusOK, fault.Status(http.StatusCreated)), replace(paperBook).WithWrong("201 Created")),
		row("update-empty", "updateBook/request/body", "accepts no changes", services.Overlook("body", "minProperties").If(patching), change("{}")),
		row("update-unknown", "updateBook/request/body", "accepts changes of unknown properties", services.Overlook("body", "additionalProperties").If(patching), change(`{"stock":1,"author":"A"}`)),
		row("update-stock-negative", "updateBook/request/body/stock", "changes the stock to a negative one", services.Overlook("body/stock", "minimum").If(patching), change(`{"stock":-1}`)),
		row("update-rating-null-refused", "updateBook/accepts", "refuses to remove a rating", refused(http.MethodPatch, http.StatusUnprocessableEntity, fault.SentProperty("rating", fault.Null)), change(`{"rating":null}`)),
		row("update-credential-missing", "updateBook/request/credential", "changes a book without a key",
			keyless().If(patching), change(`{"stock":1}`).With("X-Shop-Key:")),
		row("get-credential-missing", "getBook/request/credential", "shows a book without a key",
			keyless().If(services.To(http.MethodGet, collection+"/")), one.With("X-Shop-Key:")),
		row("delete-credential-missing", "deleteBook/request/credential", "removes a book without a key",
			keyless().If(services.To(http.MethodDelete, collection)),
			item(http.MethodDelete, firstID, "application/json", "").With("X-Shop-Key:")),
		row("delete-200", "deleteBook/accepts", "answers 200 to a removal", edited(http.MethodDelete, http.StatusNoContent, fault.Status(http.StatusOK)), item(http.MethodDelete, firstID, "text/plain", "").WithWrong("200 OK")),
		row("delete-body", "deleteBook/204/body", "answers a removal with 204 and a body", edited(http.MethodDelete, http.StatusNoContent, fault.Delivered(fault.Verbatim(bodied))),
			item(http.MethodDelete, firstID, "text/plain", "").WithWrong("Content-Length: 4")).MayBlame("deleteBook/answers").WithConnection(),
	}
}
