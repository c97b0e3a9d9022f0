package books

import (
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// refusals refuse requests that the document permits.
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
