package parcels

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// parametersLetThrough returns deviations that accept invalid parameters.
func parametersLetThrough() []services.Deviation {
	path := func(name, place, rule, says, path string) services.Deviation {
		return ignores(name, "getRate", "path/"+place, rule, says, rateFor(path, "weight=2"))
	}
	query := func(name, place, rule, says, q string) services.Deviation {
		return ignores(name, "findDepots", "query/"+place, rule, says, find(q))
	}
	return []services.Deviation{
		path("service-unknown", "service", "enum", "accepts any service", "overnight/.3.5/;length=30;width=20"),
		path("route-short", "route", "minItems", "accepts a route of one zone", "express/.3/;length=30;width=20"),
		path("route-long", "route", "maxItems", "accepts a route of six zones", "express/.1.2.3.4.5.6/;length=30;width=20"),
		path("route-zone-zero", "route/*", "minimum", "accepts zone 0 on a route", "express/.0.5/;length=30;width=20"),
		path("route-zone-text", "route/*", "type", "accepts a zone that is not an integer", "express/.a.b/;length=30;width=20"),
		path("box-length-missing", "box/length", "required", "accepts a box without its length", "express/.3.5/;width=20"),
		path("box-width-large", "box/width", "maximum", "accepts a box of 101 in width", "express/.3.5/;length=30;width=101"),
		path("box-length-zero", "box/length", "minimum", "accepts a box of no length", "express/.3.5/;length=0;width=20"),
		ignores("weight-missing", "getRate", "query/weight", "required", "accepts a rate without a weight", rateFor(goodPath, "insured=true")),
		ignores("weight-zero", "getRate", "query/weight", "exclusiveMinimum", "accepts a weight of 0", rateFor(goodPath, "weight=0")),
		ignores("weight-large", "getRate", "query/weight", "maximum", "accepts a weight of 31.6", rateFor(goodPath, "weight=31.6")),
		ignores("weight-text", "getRate", "query/weight", "type", "accepts a weight that is not a number", rateFor(goodPath, "weight=heavy")),
		ignores("insured-text", "getRate", "query/insured", "type", "accepts any text as a boolean", rateFor(goodPath, "weight=2&insured=maybe")),
		query("services-unknown", "service/*", "enum", "accepts any service in an exploded list", "service=overnight"),
		query("services-repeated", "service", "uniqueItems", "accepts the same service twice", "service=express&service=express"),
		query("services-many", "service", "maxItems", "accepts three services", "service=express&service=economy&service=sameday"),
		query("zone-large", "zone/*", "maximum", "accepts zone 10", "zone=10"),
		query("zone-text", "zone/*", "type", "accepts a zone that is not an integer", "zone=north"),
		query("zones-many", "zone", "maxItems", "accepts five zones", "zone=1,2,3,4,5"),
		query("day-unknown", "days/*", "enum", "accepts any day", "days=someday"),
		query("days-repeated", "days", "uniqueItems", "accepts the same day twice", "days=mon%20mon"),
		query("hours-one", "hours", "minItems", "accepts one hour", "hours=9"),
		query("hours-three", "hours", "maxItems", "accepts three hours", "hours=9%7C12%7C17"),
		query("hour-25", "hours/*", "maximum", "accepts hour 25", "hours=9%7C25"),
		query("near-lat-missing", "near/lat", "required", "accepts a place without its latitude", "near%5Blng%5D=13.4"),
		query("near-lat-large", "near/lat", "maximum", "accepts a latitude of 91", "near%5Blat%5D=91&near%5Blng%5D=13.4"),
		query("near-lng-text", "near/lng", "type", "accepts a longitude that is not a number", "near%5Blat%5D=52&near%5Blng%5D=east"),
		query("near-open", "near", "additionalProperties", "accepts an unknown property of a place", "near%5Blat%5D=52&near%5Blng%5D=13&near%5Balt%5D=9"),
		query("near-radius-zero", "near/radius", "minimum", "accepts a radius of 0", "near%5Blat%5D=52&near%5Blng%5D=13&near%5Bradius%5D=0"),
		query("filter-malformed", "filter", "syntax", "ignores a filter that is not JSON", "filter=%7Bkind"),
		query("filter-type", "filter", "type", "ignores a filter that is not an object", "filter=7"),
		query("filter-kind-missing", "filter/kind", "required", "accepts a filter without a kind", "filter=%7B%22capacity%22%3A3%7D"),
		query("filter-kind-unknown", "filter/kind", "enum", "accepts any kind in a filter", "filter=%7B%22kind%22%3A%22van%22%7D"),
		query("filter-capacity-text", "filter/capacity", "type", "accepts a capacity as a string", "filter=%7B%22kind%22%3A%22shop%22%2C%22capacity%22%3A%223%22%7D"),
		query("path-pattern", "path", "pattern", "accepts any part of an address", "path=berlin"),
		query("path-long", "path", "maxLength", "accepts 41 characters of an address", "path=/"+strings.Repeat("b", 40)),
		query("open-text", "open", "type", "accepts any text as a boolean", "open=yes"),
		query("on-format", "on", "format", "accepts a date that does not exist", "on=2026-02-30"),
		ignores("region-unknown", "findDepots", "header/X-Regions/*", "enum", "accepts any region", find("", "X-Regions: north,centre")),
		ignores("regions-many", "findDepots", "header/X-Regions", "maxItems", "accepts four regions", find("", "X-Regions: north,east,south,west")),
		ignores("locale-pattern", "findDepots", "cookie/locale", "pattern", "accepts any locale in a cookie", find("", "Cookie: locale=DEU")),
		ignores("page-zero", "findDepots", "cookie/page", "minimum", "accepts page 0 in a cookie", find("", "Cookie: page=0")),
		ignores("page-text", "findDepots", "cookie/page", "type", "accepts a page that is not an integer in a cookie", find("", "Cookie: page=first")),
		ignores("scanner-missing", "readScan", "header/X-Scanner", "required", "reads a scan without X-Scanner", scanOf("x").With("X-Scanner:")),
		ignores("scanner-pattern", "readScan", "header/X-Scanner", "pattern", "accepts any scanner", scanOf("x").With("X-Scanner: DOCK 7")),
	}
}

// bodiesLetThrough returns deviations that accept invalid bodies.
func bodiesLetThrough() []services.Deviation {
	json := func(name, place, rule, says string, shows services.Probe) services.Deviation {
		return ignoresBody(name, "quoteParcel", "body/"+place, rule, says, shows)
	}
	form := func(name, place, rule, says, text string) services.Deviation {
		return ignoresBody(name, "quoteParcel", "form/"+place, rule, says, quoteOf(formType, text))
	}
	label := func(name, place, rule, says string, parts ...string) services.Deviation {
		return ignoresBody(name, "uploadLabel", "part/"+place, rule, says, labelOf(parts...))
	}
	reading := func(operation string, edit fault.TextEdit) fault.Change {
		return fault.ReadingBody(edit).If(in(operation))
	}
	quote, cutOff := fault.Constant(goodQuote), labelOf()
	cutOff.Body = strings.TrimSuffix(cutOff.Body, "undary--\r\n")
	return []services.Deviation{
		json("to-missing", "to", "required", "quotes without a postcode", quoteOf(jsonType, `{"weight":2.5}`)),
		json("to-pattern", "to", "pattern", "accepts any postcode", quoteFor(`"to":"10115"`)),
		json("to-null", "to", "null", "accepts null as a postcode", quoteFor(`"to":null`)),
		json("json-weight-zero", "weight", "exclusiveMinimum", "accepts a weight of 0 in JSON", quoteFor(`"weight":0`)),
		json("json-weight-large", "weight", "maximum", "accepts a weight of 31.6 in JSON", quoteFor(`"weight":31.6`)),
		json("boxes-empty", "boxes", "minItems", "accepts an empty list of boxes", quoteFor(`"boxes":[]`)),
		json("boxes-many", "boxes", "maxItems", "accepts four boxes", quoteFor(`"boxes":[{"length":1,"width":1},{"length":1,"width":1},{"length":1,"width":1},{"length":1,"width":1}]`)),
		json("boxes-length-missing", "boxes/*/length", "required", "accepts a box in a list without its length", quoteFor(`"boxes":[{"width":1}]`)),
		json("boxes-width-large", "boxes/*/width", "maximum", "accepts a box of 101 in width in a list", quoteFor(`"boxes":[{"length":1,"width":101}]`)),
		json("boxes-type", "boxes/*", "type", "accepts a box that is not an object", quoteFor(`"boxes":["small"]`)),
		json("pickup-format", "pickup", "format", "accepts any text as a day of pickup", quoteFor(`"pickup":"tomorrow"`)),
		json("insured-null", "insured", "null", "accepts null as a boolean", quoteFor(`"insured":null`)),
		json("insured-number", "insured", "type", "accepts 1 as a boolean", quoteFor(`"insured":1`)),
		ignoresBody("contact-both", "quoteParcel", "body/contact", "oneOf", "accepts two contacts at once", quoteFor(`"contact":{"email":"a@b.example","phone":"+4930123456"}`)).MayBlame("quoteParcel/request/body/contact/email", "quoteParcel/request/body/contact/phone"),
		json("contact-email", "contact/email", "format", "accepts any email address", quoteFor(`"contact":{"email":"nobody"}`)).MayBlame("quoteParcel/request/body/contact"),
		json("contact-phone", "contact/phone", "pattern", "accepts any telephone number", quoteFor(`"contact":{"phone":"030 123456"}`)).MayBlame("quoteParcel/request/body/contact"),
		json("customs-format", "customs", "format", "accepts text that is not base64", quoteFor(`"customs":"*"`)),
		json("customs-long", "customs", "maxLength", "accepts 404 characters of base64", quoteFor(`"customs":"`+strings.Repeat("QUJD", 101)+`"`)),
		json("value-negative", "value", "minimum", "accepts a negative value", quoteFor(`"value":-1`)),
		json("value-int64", "value", "format", "accepts a value beyond int64", quoteFor(`"value":9223372036854775808`)),
		ignoresBody("quote-open", "quoteParcel", "body", "additionalProperties", "accepts unknown properties", quoteFor(`"colour":"red"`)),
		form("form-to-missing", "to", "required", "quotes a form without a postcode", "weight=2.5"),
		form("form-to-pattern", "to", "pattern", "accepts any postcode in a form", "to=10115&weight=2.5"),
		form("form-weight-text", "weight", "type", "accepts a weight in a form that is not a number", "to=DE-10115&weight=heavy"),
		form("form-weight-large", "weight", "maximum", "accepts a weight of 31.6 in a form", "to=DE-10115&weight=31.6"),
		form("form-insured-text", "insured", "type", "accepts any text as a boolean in a form", "to=DE-10115&weight=2.5&insured=on"),
		form("form-option-unknown", "options/*", "enum", "accepts any option", "to=DE-10115&weight=2.5&options=fast"),
		form("form-options-repeated", "options", "uniqueItems", "accepts the same option twice", "to=DE-10115&weight=2.5&options=evening&options=evening"),
		label("reference-missing", "reference", "required", "keeps a label without a reference", "without reference"),
		label("reference-pattern", "reference", "pattern", "accepts any reference", part("reference", "", "123")),
		label("copies-zero", "copies", "minimum", "accepts 0 copies", part("copies", "", "0")),
		label("copies-many", "copies", "maximum", "accepts 11 copies", part("copies", "", "11")),
		label("copies-text", "copies", "type", "accepts copies that are not an integer", part("copies", "", "two")),
		label("label-missing", "label", "required", "keeps a label without a file", "without label"),
		label("sender-name-missing", "sender/name", "required", "accepts a sender without a name", part("sender", jsonType, `{}`)),
		label("sender-email", "sender/email", "format", "accepts any email address of a sender", part("sender", jsonType, `{"name":"A","email":"a"}`)),
		ignoresBody("label-malformed", "uploadLabel", "body", "syntax", "accepts parts without a last boundary", cutOff),
		label("sender-type", "sender", "type", "accepts a sender that is not JSON", part("sender", jsonType, "A")),
		ignoresBody("note-long", "checkNote", "body", "maxLength", "accepts a note of 201 characters", noteOf(strings.Repeat("é", 201))),
		ignoresBody("note-empty", "checkNote", "body", "required", "accepts an empty note", noteOf("")),
		row("scan-empty", "readScan/request/body", "reads an empty scan", reading("readScan", fault.Where(fault.Equals(""), fault.Constant("x"))), scanOf("")),
		row("quote-malformed", "quoteParcel/request/body", "accepts malformed JSON", reading("quoteParcel", fault.Where(fault.Matches(`^\s*[^a-z\s]`), fault.Mending(quote))), quoteOf(jsonType, `{"to":`)),
		row("quote-missing", "quoteParcel/request/body", "quotes without a body", reading("quoteParcel", fault.Where(fault.Equals(""), quote)).If(fault.SentField("Content-Type", fault.Contains("json"))), quoteOf(jsonType, "")),
		row("weight-string", "quoteParcel/request/body/weight", "accepts a weight as a string", reading("quoteParcel", fault.Property("weight", fault.AString, fault.FromString)), quoteFor(`"weight":"2.5"`)),
		row("quote-media-type", "quoteParcel/request/media-type", "quotes for JSON as text/plain", fault.ReadingHeader("Content-Type", fault.Replacing("^text/plain", jsonType)).If(in("quoteParcel")),
			quoteOf("text/plain", goodQuote)),
		row("note-media-type", "checkNote/request/media-type", "accepts a note of any media type", services.Overlook("media-type").If(in("checkNote")), noteOf("ring twice").With("Content-Type: text/html")),
	}
}

// credentialsLetThrough returns deviations that accept requests without the required credentials.
func credentialsLetThrough() []services.Deviation {
	anybody := services.Overlook("credential")
	open := func(name, operation, says string, shows services.Probe) services.Deviation {
		return row(name, operation+"/request/credential", says, anybody.If(in(operation)), shows)
	}
	unauthorized := func(p services.Probe) services.Probe { return p.With("Authorization:") }
	noTerminal := func(p services.Probe) services.Probe {
		p.Target, _, _ = strings.Cut(p.Target, "?")
		return p
	}
	only := func(has func(r *fault.Request) bool) fault.Condition {
		return func(r *fault.Request, _ fault.Answer) bool { return has(r) }
	}
	return []services.Deviation{
		open("quote-credential", "quoteParcel", "quotes for anybody", unauthorized(quoteOf(jsonType, goodQuote))),
		open("label-credential", "uploadLabel", "keeps labels of anybody", unauthorized(labelOf())),
		open("note-credential", "checkNote", "checks notes of anybody", unauthorized(noteOf("ring twice"))),
		open("scan-credential", "readScan", "reads scans of anybody", unauthorized(noTerminal(scanOf("x")))),
		row("scan-customer-only", "readScan/request/credential", "reads scans of customers without a terminal", anybody.If(fault.Both(in("readScan"), only(isCustomer))), noTerminal(scanOf("x"))),
		row("scan-terminal-only", "readScan/request/credential", "reads scans of terminals without a customer", anybody.If(fault.Both(in("readScan"), only(isTerminal))), unauthorized(scanOf("x"))),
	}
}

// letThroughInCompany returns deviations that accept invalid values only in some requests.
func letThroughInCompany() []services.Deviation {
	later := func(operation, place, rule string) fault.Change {
		return services.OverlookSuch(func(f services.Fault) bool { return f.Place == place && f.Rule == rule && f.Index > 0 }).If(in(operation))
	}
	field := func(name, part string) fault.Condition { return fault.SentField(name, fault.Contains(part)) }
	query := func(name, place, rule, says, q string, holds fault.Condition) services.Deviation {
		return ignores(name, "findDepots", "query/"+place, rule, says, find(q)).If(holds)
	}
	json := func(name, place, rule, says string, shows services.Probe, holds fault.Condition) services.Deviation {
		return ignoresBody(name, "quoteParcel", "body/"+place, rule, says, shows).If(holds)
	}
	charset := jsonType + "; charset=utf-8"
	return []services.Deviation{
		row("zone-second", "findDepots/request/query/zone", "checks only the first zone of a list", later("findDepots", "query/zone/*", "maximum"), find("zone=1,10")),
		row("services-second", "findDepots/request/query/service", "checks only the first service of an exploded list", later("findDepots", "query/service/*", "enum"), find("service=express&service=fast")),
		row("days-second", "findDepots/request/query/days", "checks only the first day of a list", later("findDepots", "query/days/*", "enum"), find("days=mon%20someday")),
		row("hours-second", "findDepots/request/query/hours", "checks only the first hour", later("findDepots", "query/hours/*", "maximum"), find("hours=9%7C25")),
		row("route-second", "getRate/request/path/route", "checks only the first zone of a route", later("getRate", "path/route/*", "maximum"), rateFor("express/.3.10/;length=30;width=20", "weight=2")),
		row("region-second", "findDepots/request/header/X-Regions", "checks only the first region", later("findDepots", "header/X-Regions/*", "enum"), find("", "X-Regions: north,centre")),
		row("boxes-second", "quoteParcel/request/body/boxes/*/width", "checks only the first box", later("quoteParcel", "body/boxes/*/width", "maximum"), quoteFor(`"boxes":[{"length":1,"width":1},{"length":1,"width":101}]`)),
		query("lat-with-radius", "near/lat", "maximum", "does not check the latitude of a place with a radius", "near%5Blat%5D=91&near%5Blng%5D=13&near%5Bradius%5D=5", asked("radius")),
		query("on-with-open", "on", "format", "does not check the date beside a boolean", "on=today&open=true", asked("(^|&)open=")),
		query("zone-with-service", "zone/*", "maximum", "does not check zones beside services", "zone=10&service=express", asked("(^|&)service=")),
		query("path-with-filter", "path", "pattern", "does not check an address beside a filter", "path=berlin&filter=%7B%22kind%22%3A%22shop%22%7D", asked("(^|&)filter=")),
		ignores("page-with-locale", "findDepots", "cookie/page", "minimum", "does not check a page beside a locale", find("", "Cookie: locale=de; page=0")).If(field("Cookie", "locale=")),
		ignores("weight-when-insured", "getRate", "query/weight", "maximum", "does not check the weight of insured parcels", rateFor(goodPath, "weight=40&insured=true")).If(asked("insured=true")),
		ignores("box-by-economy", "getRate", "path/box/length", "maximum", "does not check the length of a box by economy", rateFor("economy/.3.5/;length=201;width=20", "weight=2")).If(at("/economy/")),
		json("to-with-charset", "to", "pattern", "does not check the postcode if the media type has a charset", quoteFor(`"to":"1"`).With("Content-Type: "+charset), field("Content-Type", "charset")),
		json("to-missing-in-chunks", "to", "required", "does not ask for a postcode in a chunked body", quoteOf(jsonType, `{"weight":2.5}`).InChunks(), fault.SentChunked),
		json("weight-in-large-body", "weight", "maximum", "does not check the weight in a body of more than 4 KiB", quoteOf(jsonType, `{"to":"DE-10115","weight":40`+strings.Repeat(" ", 5<<10)+"}"), fault.SentMore(4<<10)),
		json("phone-unchecked", "contact/phone", "pattern", "does not check the telephone number of insured parcels", quoteFor(`"insured":true,"contact":{"phone":"1"}`), fault.SentProperty("insured", fault.ABoolean)).
			MayBlame("quoteParcel/request/body/contact"),
		json("value-with-customs", "value", "minimum", "does not check the value beside customs data", quoteFor(`"value":-1,"customs":"QUJD"`), fault.SentProperty("customs", fault.Present)),
		json("weight-with-boxes", "weight", "maximum", "does not check the weight beside boxes", quoteFor(`"weight":40,"boxes":[{"length":1,"width":1}]`), fault.SentProperty("boxes", fault.Present)),
		json("to-with-contact", "to", "pattern", "does not check the postcode beside a contact", quoteFor(`"to":"1","contact":{"email":"a@b.example"}`), fault.SentProperty("contact", fault.Present)),
		json("pickup-with-boxes", "pickup", "format", "does not check the day of pickup of boxes", quoteFor(`"pickup":"1","boxes":[{"length":1,"width":1}]`), fault.SentProperty("boxes", fault.Present)),
		json("insured-without-value", "insured", "type", "does not check the type of a boolean without a value", quoteFor(`"insured":"yes"`), fault.SentProperty("value", fault.Absent)),
		json("weight-zero-without-pickup", "weight", "exclusiveMinimum", "does not check the least weight without a day of pickup", quoteFor(`"weight":0`), fault.SentProperty("pickup", fault.Absent)),
		query("hours-with-days", "hours", "maxItems", "does not check the number of hours beside days", "hours=9%7C12%7C17&days=mon", asked("(^|&)days=")),
		query("radius-with-zone", "near/radius", "maximum", "does not check the radius beside zones", "near%5Blat%5D=1&near%5Blng%5D=1&near%5Bradius%5D=501&zone=1", asked("(^|&)zone=")),
		query("capacity-of-lockers", "filter/capacity", "minimum", "does not check the capacity of lockers", "filter=%7B%22kind%22%3A%22locker%22%2C%22capacity%22%3A0%7D", asked("locker")),
		ignores("zone-of-long-route", "getRate", "path/route/*", "maximum", "does not check the zones of a route of five", rateFor("express/.1.2.3.4.10/;length=30;width=20", "weight=2")).If(at(`(\.\d+){5}`)),
		ignoresBody("form-weight-with-options", "quoteParcel", "form/weight", "maximum", "does not check the weight of a form with options", quoteOf(formType, "to=DE-10115&weight=40&options=evening")).If(fault.Sent(fault.Contains("options="))),
		ignoresBody("form-to-with-charset", "quoteParcel", "form/to", "pattern", "does not check the postcode of a form with a charset", quoteOf(formType+"; charset=utf-8", "to=1&weight=2")).If(field("Content-Type", "charset")),
		ignoresBody("reference-with-copies", "uploadLabel", "part/reference", "pattern", "does not check the reference beside copies", labelOf(part("reference", "", "1"), part("copies", "", "2"))).If(fault.Sent(fault.Contains(`"copies"`))),
		ignoresBody("copies-with-png", "uploadLabel", "part/copies", "maximum", "does not check the copies of a PNG", labelOf(part("copies", "", "11"), part("label", "image/png", "\x89PNG"))).If(fault.Sent(fault.Contains("image/png"))),
		ignoresBody("note-beyond-ascii", "checkNote", "body", "maxLength", "does not check the length of notes that are not ASCII", noteOf(strings.Repeat("é", 201))).If(fault.Sent(fault.BeyondASCII)),
		ignores("scanner-of-png", "readScan", "header/X-Scanner", "pattern", "does not check the scanner of a PNG", scanOf("\x89PNG").With("Content-Type: image/png", "X-Scanner: 7")).If(field("Content-Type", "png")),
	}
}

// stylesRefused returns deviations that reject valid parameters, or read them in another style.
func stylesRefused() []services.Deviation {
	query := func(name, says, expression, q string) services.Deviation {
		return refuses(name, "findDepots", says, asked(expression), find(q))
	}
	another := func(name, says string, edit fault.TextEdit, q string) services.Deviation {
		return row(name, "findDepots/accepts", says, fault.ReadingQuery(edit).If(in("findDepots")), find(q))
	}
	const comma, space, pipe = `(,|%2C)`, `(\+|%20)`, `(\||%7C)`
	return []services.Deviation{
		refuses("sameday-refused", "getRate", "refuses the service sameday", at("/sameday/"), rateFor("sameday/.3.5/;length=30;width=20", "weight=2")),
		refuses("route-of-three-refused", "getRate", "refuses a route of three zones", at(`/\.\d+\.\d+\.\d+`), rateFor("express/.3.4.5/;length=30;width=20", "weight=2")),
		refuses("widest-box-refused", "getRate", "refuses a box of 100 in width", at(`width=100\b`), rateFor("express/.3.5/;length=30;width=100", "weight=2")),
		refuses("longest-box-refused", "getRate", "refuses a box of 200 in length", at(`length=200\b`), rateFor("express/.3.5/;length=200;width=20", "weight=2")),
		refuses("heaviest-refused", "getRate", "refuses the greatest weight", asked(`weight=31\.5`), rateFor(goodPath, "weight=31.5")),
		refuses("uninsured-refused", "getRate", "refuses insured=false", asked(`insured=false`), rateFor(goodPath, "weight=2&insured=false")),
		another("services-exploded-refused", "expects services in one parameter, and takes several for one", fault.Replacing(`service=([a-z]+)&service=`, "service=$1,"), "service=express&service=economy"),
		another("zones-joined-refused", "expects zones exploded, and takes 1,2 for one zone", fault.Replacing(`(zone=\d)(,|%2C)`, "${1}x"), "zone=1,2"),
		another("days-joined-refused", "expects days exploded, and takes \"mon tue\" for one day", fault.Replacing(`(days=[a-z]+)(\+|%20)`, "${1}x"), "days=mon%20tue"),
		another("hours-commas-only", "expects commas between hours", fault.Replacing(`(hours=\d+)(\||%7C)`, "${1}x"), "hours=9%7C17"),
		another("near-json-only", "expects a place as JSON", fault.Replacing(`near(\[|%5B)lat(\]|%5D)=[^&]*`, ""), "near%5Blat%5D=52.5&near%5Blng%5D=13.4"),
		another("filter-escaped-twice", "expects a filter that is escaped twice", fault.Replacing(`filter=(%7B|\{)`, "filter="), "filter=%7B%22kind%22%3A%22shop%22%7D"),
		query("three-zones-refused", "refuses three zones", `zone=\d+`+comma+`\d+`+comma, "zone=1,2,3"),
		query("one-zone-refused", "refuses a list of one zone", `(^|&)zone=\d+(&|$)`, "zone=1"),
		query("three-days-refused", "refuses three days", `days=[a-z]+`+space+`[a-z]+`+space, "days=mon%20tue%20wed"),
		query("midnight-refused", "refuses hour 24", `hours=\d+`+pipe+`24`, "hours=9%7C24"),
		query("pole-refused", "refuses a latitude of 90", `lat(\]|%5D)=90(\.0)?(&|$)`, "near%5Blat%5D=90&near%5Blng%5D=0"),
		query("radius-refused", "refuses a place with a radius", `radius`, "near%5Blat%5D=52&near%5Blng%5D=13&near%5Bradius%5D=5"),
		query("locker-refused", "refuses a filter for lockers", `locker`, "filter=%7B%22kind%22%3A%22locker%22%7D"),
		query("closed-refused", "refuses open=false", `(^|&)open=false`, "open=false"),
		query("no-parameters-refused", "refuses a search without parameters", `^$`, ""),
		query("reserved-refused", "refuses a slash that is not escaped", `(^|&)path=/`, "path=/de/berlin"),
		refuses("two-regions-refused", "findDepots", "refuses two regions", fault.SentField("X-Regions", fault.Contains(",")), find("", "X-Regions: north,east")),
		refuses("last-page-refused", "findDepots", "refuses page 1000 in a cookie", fault.SentField("Cookie", fault.Matches(`page=1000\b`)), find("", "Cookie: page=1000")),
		refuses("scanner-long-refused", "readScan", "refuses a scanner with four digits", fault.SentField("X-Scanner", fault.Matches(`\d{4}$`)), scanOf("x").With("X-Scanner: dock-1234")),
	}
}

// bodiesRefused returns deviations that reject valid bodies and credentials.
func bodiesRefused() []services.Deviation {
	sent := func(expression string) fault.Condition { return fault.Sent(fault.Matches(expression)) }
	field := func(name, part string) fault.Condition { return fault.SentField(name, fault.Contains(part)) }
	quote := func(name, says string, such fault.Condition, shows services.Probe) services.Deviation {
		return refuses(name, "quoteParcel", says, such, shows)
	}
	terminalAlone := noteOf("ring twice").With("Authorization:")
	terminalAlone.Target += "?terminal=" + terminal
	return []services.Deviation{
		row("form-refused", "quoteParcel/accepts", "refuses forms", refused("quoteParcel", http.StatusUnsupportedMediaType, field("Content-Type", "form")), quoteOf(formType, "to=DE-10115&weight=2.5")),
		quote("form-options-refused", "refuses two options of a form", sent(`options=.*options=`), quoteOf(formType, "to=DE-10115&weight=2.5&options=evening&options=saturday")),
		quote("form-insured-refused", "refuses insured=true in a form", sent(`insured=true`), quoteOf(formType, "to=DE-10115&weight=2.5&insured=true")),
		quote("pickup-null-refused", "refuses null as the day of pickup", fault.SentProperty("pickup", fault.Null), quoteFor(`"pickup":null`)),
		quote("pickup-left-out-refused", "refuses quotes without a day of pickup", fault.Both(field("Content-Type", "json"), fault.SentProperty("pickup", fault.Absent)), quoteOf(jsonType, goodQuote)),
		quote("three-boxes-refused", "refuses three boxes", fault.SentValue("boxes", func(value string) bool { return len(fault.ListOf(value)) > 2 }),
			quoteFor(`"boxes":[{"length":1,"width":1},{"length":1,"width":1},{"length":1,"width":1}]`)),
		quote("phone-refused", "refuses a telephone number as a contact", sent(`"phone"`), quoteFor(`"contact":{"phone":"+4930123456"}`)),
		quote("email-refused", "refuses an email address as a contact", sent(`"email"`), quoteFor(`"contact":{"email":"a@b.example"}`)),
		quote("value-zero-refused", "refuses a value of 0", fault.SentValue("value", fault.Equals("0")), quoteFor(`"value":0`)),
		quote("not-insured-refused", "refuses false", fault.SentValue("insured", fault.Equals("false")), quoteFor(`"insured":false`)),
		refuses("png-refused", "uploadLabel", "refuses labels as PNG", sent(`image/png`), labelOf(part("label", "image/png", "\x89PNG"))),
		refuses("copies-refused", "uploadLabel", "refuses ten copies", sent(`"copies"(\r\n[^\r\n]+)*\r\n\r\n10\r\n`), labelOf(part("copies", "", "10"))),
		refuses("sender-refused", "uploadLabel", "refuses labels with a sender", sent(`"sender"`), labelOf(part("sender", jsonType, `{"name":"A"}`))),
		refuses("note-longest-refused", "checkNote", "refuses a note of 200 characters", fault.Sent(fault.Longer(199)), noteOf(strings.Repeat("n", 200))),
		refuses("note-terminal-refused", "checkNote", "refuses notes of terminals without a customer", fault.Not(field("Authorization", "Basic")), terminalAlone),
	}
}

// variedStatuses returns variations that reject requests with other statuses.
func variedStatuses() []services.Variation {
	badPath := rateFor("overnight/.3.5/;length=30;width=20", "weight=2")
	inPath := func(_ *fault.Request, a fault.Answer) bool { return strings.HasPrefix(a.Rejected, "path/") }
	unknown := quoteOf(jsonType, goodQuote).With("Authorization:")
	return []services.Variation{
		services.Varied("path-404", "answers 404 to a path that it does not know", fault.When(inPath, fault.Status(http.StatusNotFound), fault.Body(fault.Set("code", `"unknown"`))), badPath),
		services.Varied("path-410", "answers 410 to a path that it does not know, without a body", fault.When(inPath, fault.Answering(http.StatusGone, "", "")), badPath),
		services.Instead("invalid-422", "answers 422 instead of 400, as text", http.StatusBadRequest, quoteFor(`"weight":0`), fault.AsText(http.StatusUnprocessableEntity)),
		services.Instead("forbidden", "answers 403 instead of 401, as HTML", http.StatusUnauthorized, unknown, fault.Answering(http.StatusForbidden, "text/html", "<h1>Forbidden</h1>")),
		services.Instead("challenges", "tells two schemes with a 401", http.StatusUnauthorized, unknown, fault.Header("Www-Authenticate", `Bearer realm="parcels"`, `Basic realm="parcels", charset="UTF-8"`)),
		services.Instead("media-type-400", "answers 400 to another media type", http.StatusUnsupportedMediaType, quoteOf("text/plain", goodQuote), fault.Status(http.StatusBadRequest)),
		services.Instead("media-type-406", "answers 406 to another media type, without a body", http.StatusUnsupportedMediaType, quoteOf("text/plain", goodQuote), fault.Answering(http.StatusNotAcceptable, "", "")),
		services.Instead("method-404", "answers 404 to other methods", http.StatusMethodNotAllowed, services.Probe{Method: http.MethodPost, Target: "/depots"}, fault.AsText(http.StatusNotFound)),
	}
}

// variedConditions returns variations that reject or accept requests where the document is silent.
func variedConditions() []services.Variation {
	refusing := func(name, says, operation string, status int, such fault.Condition, shows services.Probe) services.Variation {
		return services.Varied(name, says, refused(operation, status, such), shows)
	}
	unknownQuery := services.UnknownQuery("service", "zone", "days", "hours", "near[lat]", "near[lng]", "near[radius]", "filter", "path", "open", "on")
	anyBearer := fault.Where(fault.IsBearer, fault.Constant("Bearer "+token))
	repeated := func(r *fault.Request, _ fault.Answer) bool { return len(r.URL.Query()["zone"]) > 1 }
	return []services.Variation{
		refusing("unknown-query-refused", "refuses unknown query parameters", "findDepots", http.StatusBadRequest, unknownQuery, find("colour=red")),
		refusing("zone-repeated-refused", "refuses a list that is not exploded if it is sent twice", "findDepots", http.StatusBadRequest, repeated, find("zone=1&zone=2")),
		refusing("unknown-field-refused", "refuses unknown fields of a form", "quoteParcel", http.StatusBadRequest, fault.Sent(fault.Matches(`(^|&)colour=`)), quoteOf(formType, goodForm+"&colour=red")),
		refusing("value-most-refused", "refuses the greatest int64", "quoteParcel", http.StatusBadRequest, fault.Sent(fault.Matches(`"value":\s*9223372036854775807`)), quoteFor(`"value":9223372036854775807`)),
		refusing("scan-large-refused", "refuses scans of more than 8 bytes", "readScan", http.StatusBadRequest, fault.SentMore(8), scanOf("123456789")),
		refusing("scan-no-image-refused", "refuses a body that is not a PNG but is declared as one", "readScan", http.StatusBadRequest, fault.Both(fault.SentField("Content-Type", fault.Contains("png")), fault.Not(fault.Sent(fault.Contains("PNG")))), scanOf("text").With("Content-Type: image/png")),
		refusing("unknown-part-refused", "refuses unknown parts", "uploadLabel", http.StatusBadRequest, fault.Sent(fault.Contains(`name="colour"`)), labelOf(part("colour", "", "red"))),
		refusing("get-with-body-refused", "refuses a body where none is declared", "findDepots", http.StatusBadRequest, fault.Sent(fault.NotEmpty), services.Probe{Method: http.MethodGet, Target: "/depots", Body: "x"}),
		refusing("large-file-refused", "refuses bodies of more than 64 KiB", "uploadLabel", http.StatusRequestEntityTooLarge, fault.SentMore(64<<10), labelOf(part("label", "application/pdf", strings.Repeat("p", 70<<10)))),
		refusing("large-scan-refused", "refuses scans of more than 64 KiB", "readScan", http.StatusRequestEntityTooLarge, fault.SentMore(64<<10), scanOf(strings.Repeat("s", 70<<10))),
		services.Varied("any-token", "accepts any bearer token", fault.ReadingHeader("Authorization", anyBearer), labelOf().With("Authorization: Bearer another")),
		services.Varied("commas-too", "accepts commas between hours, too", fault.ReadingQuery(fault.Replacing(`hours=(\d+),(\d+)`, "hours=$1|$2")), find("hours=9,17")),
		services.Varied("label-any-file", "keeps labels of any file type", services.Overlook("part/label", "contentType"), labelOf(part("label", "text/plain", "x"))),
	}
}

// variedBodies returns variations that send responses in other forms.
func variedBodies() []services.Variation {
	shown := func(name, operation, says string, shows services.Probe, edits ...fault.TextEdit) services.Variation {
		return services.Varied(name, says, fault.When(fault.HasStatus(http.StatusOK), fault.Body(edits...)).If(in(operation)), shows)
	}
	reported := func(name, says string, edit fault.TextEdit) services.Variation {
		return services.Varied(name, says, fault.When(fault.Refused, fault.Body(edit)), quoteFor(`"weight":0`))
	}
	rateOf, all, quotation := rateFor(goodPath, "weight=2"), find(""), quoteOf(jsonType, goodQuote)
	return []services.Variation{
		shown("insurance-absent", "getRate", "leaves the insurance out if there is none", rateOf, fault.PropertyOf("insurance", fault.Where(fault.Equals("null"), fault.Nothing))),
		shown("rate-extended", "getRate", "shows properties of a rate that are not declared", rateOf, fault.Add("currency", `"EUR"`), fault.Add("taxes", `[{"name":"VAT","rate":0.19}]`)),
		shown("price-changes", "getRate", "shows other prices", rateOf, fault.Set("price", `"123456.00 EUR"`)),
		shown("depots-empty", "findDepots", "finds no depots", all, fault.Constant("[]")),
		shown("depots-minimal", "findDepots", "shows only what every depot has", all, fault.ItemsFrom(0, fault.InTurn(fault.Drop("since"), fault.Drop("services")))),
		shown("depots-integers", "findDepots", "shows whole degrees", all, fault.ItemsFrom(0, fault.PropertyOf("position", fault.Set("lat", "-9e1")))),
		reported("where-absent", "reports errors without the place", fault.Drop("where")),
		reported("errors-extended", "reports errors with more properties", fault.Add("trace", `"7f3a"`)),
		shown("pickup-shown", "quoteParcel", "shows null as the day of pickup", quotation, fault.Add("pickup", "null")),
		shown("note-upper-case", "checkNote", "shows notes in upper case", noteOf("ring twice"), strings.ToUpper),
		shown("days-with-point", "quoteParcel", "writes integers with a decimal point", quotation, fault.Set("days", "2.0")),
	}
}
