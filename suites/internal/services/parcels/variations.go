package parcels

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// variedStatuses reject requests with other statuses.
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

// variedConditions refuse or accept what the document leaves open.
func variedConditions() []services.Variation {
	refusing := func(name, says, operation string, status int, such fault.Condition, shows services.Probe) services.Variation {
		return services.Varied(name, says, refused(operation, status, such), shows)
	}
	declared := []string{"service", "zone", "days", "hours", "near[lat]", "near[lng]", "near[radius]", "filter", "path", "open", "on"}
	unknownQuery := func(r *fault.Request, _ fault.Answer) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(r.URL.Query())), func(name string) bool { return !slices.Contains(declared, name) })
	}
	anyBearer := fault.Where(fault.IsBearer, fault.Constant("Bearer "+token))
	repeated := func(r *fault.Request, _ fault.Answer) bool { return len(r.URL.Query()["zone"]) > 1 }
	return []services.Variation{
		refusing("unknown-query-refused", "refuses unknown query parameters", "findDepots", http.StatusBadRequest, unknownQuery, find("colour=red")),
		refusing("zone-repeated-refused", "refuses a list that is not exploded if it is sent twice", "findDepots", http.StatusBadRequest, repeated, find("zone=1&zone=2")),
		refusing("unknown-field-refused", "refuses unknown fields of a form", "quoteParcel", http.StatusBadRequest, fault.Sent(fault.Matches(`(^|&)colour=`)), quoteOf(formType, goodForm+"&colour=red")),
		refusing("value-most-refused", "refuses the greatest int64", "quoteParcel", http.StatusBadRequest, fault.Sent(fault.Matches(`"value":\s*9223372036854775807`)), quoteFor(`"value":9223372036854775807`)),
		refusing("scan-large-refused", "refuses scans of more than 8 bytes", "readScan", http.StatusBadRequest, fault.SentMore(8), scanOf("123456789")),
		refusing("unknown-part-refused", "refuses unknown parts", "uploadLabel", http.StatusBadRequest, fault.Sent(fault.Contains(`name="colour"`)), labelOf(part("colour", "", "red"))),
		refusing("get-with-body-refused", "refuses a body where none is declared", "findDepots", http.StatusBadRequest, fault.Sent(fault.NotEmpty), services.Probe{Method: http.MethodGet, Target: "/depots", Body: "x"}),
		refusing("large-file-refused", "refuses bodies of more than 64 KiB", "uploadLabel", http.StatusRequestEntityTooLarge, fault.SentMore(64<<10), labelOf(part("label", "application/pdf", strings.Repeat("p", 70<<10)))),
		refusing("large-scan-refused", "refuses scans of more than 64 KiB", "readScan", http.StatusRequestEntityTooLarge, fault.SentMore(64<<10), scanOf(strings.Repeat("s", 70<<10))),
		services.Varied("any-token", "accepts any bearer token", fault.ReadingHeader("Authorization", anyBearer), labelOf().With("Authorization: Bearer another")),
		services.Varied("commas-too", "accepts commas between hours, too", fault.ReadingQuery(fault.Replacing(`hours=(\d+),(\d+)`, "hours=$1|$2")), find("hours=9,17")),
		services.Varied("label-any-file", "keeps labels of any file type", services.Overlook("part/label", "contentType"), labelOf(part("label", "text/plain", "x"))),
	}
}

// variedBodies show answers in other forms.
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
