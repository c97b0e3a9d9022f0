package parcels

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// stylesRefused refuse valid parameters, or read them in another style.
func stylesRefused() []services.Deviation {
	query := func(name, says, expression, q string) services.Deviation {
		return refuses(name, "findDepots", says, asked(expression), find(q))
	}
	another := func(name, says string, edit fault.TextEdit, q string) services.Deviation {
		return row(name, "findDepots/accepts", says, services.Do(fault.ReadingQuery(edit)).If(in("findDepots")), find(q))
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

// bodiesRefused refuse valid bodies and credentials.
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
		refuses("scan-png-refused", "readScan", "refuses scans as PNG", field("Content-Type", "image/png"), scanOf("\x89PNG").With("Content-Type: image/png")),
	}
}
