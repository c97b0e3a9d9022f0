package parcels

import (
	"net/http"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/suites/internal/services"
)

// wrongAnswers returns deviations with a wrong response to valid requests.
func wrongAnswers() []services.Deviation {
	rateOf, insured := rateFor(goodPath, "weight=2"), rateFor(goodPath, "weight=2&insured=true")
	all, quotation, kept, checked, scanned := find(""), quoteOf(jsonType, goodQuote), labelOf(part("copies", "", "2")), noteOf("ring twice"), scanOf("x")
	rates := func(name, part, says string, shows services.Probe, edits ...fault.Edit) services.Deviation {
		return answers(name, "getRate", http.StatusOK, part, says, shows, edits...)
	}
	quotes := func(name, part, says string, shows services.Probe, edits ...fault.Edit) services.Deviation {
		return answers(name, "quoteParcel", http.StatusOK, part, says, shows, edits...)
	}
	depots := func(name, part, says string, from int, shows services.Probe, edit fault.TextEdit) services.Deviation {
		return answers(name, "findDepots", http.StatusOK, part, says, shows, fault.Body(fault.ItemsFrom(from, edit)))
	}
	labels := func(name, part, says string, shows services.Probe, edits ...fault.Edit) services.Deviation {
		return answers(name, "uploadLabel", http.StatusCreated, part, says, shows, edits...)
	}
	accepts := func(name, operation, says string, from, to int, shows services.Probe) services.Deviation {
		return row(name, operation+"/accepts", says, fault.When(fault.HasStatus(from), fault.Status(to)), shows).If(in(operation))
	}
	position := func(edit fault.TextEdit) fault.TextEdit { return fault.PropertyOf("position", edit) }
	return append([]services.Deviation{
		rates("rate-header-missing", "header/X-Valid-Until", "does not tell how long a rate is valid", rateOf.WithRight("X-Valid-Until"), fault.Header("X-Valid-Until")),
		rates("rate-header-format", "header/X-Valid-Until", "tells in words how long a rate is valid", rateOf.WithWrong("next year"), fault.Header("X-Valid-Until", "next year")),
		rates("rate-text", "media-type", "shows a rate as text/json", rateOf.WithWrong("text/json"), fault.MediaType("text/json")),
		rates("rate-malformed", "body", "shows a rate in single quotes", rateOf.WithWrong("'"), fault.Body(fault.Replacing(`"`, "'"))),
		rates("rate-duplicate-key", "body", "shows the price of a rate twice", rateOf.WithWrong(`{"price":"1.00 EUR",`), fault.Body(fault.Replacing(`^\{`, `{"price":"1.00 EUR",`))),
		rates("rate-price-missing", "body/price", "shows a rate without its price", rateOf.WithRight(`"price"`), fault.Body(fault.Drop("price"))),
		rates("rate-price-form", "body/price", "shows a price with a comma", rateOf.WithWrong(`"5,70 EUR"`), fault.Body(fault.Set("price", `"5,70 EUR"`))),
		rates("rate-service-other", "body/service", "shows a service that is not declared", rateOf.WithWrong(`"overnight"`), fault.Body(fault.Set("service", `"overnight"`))),
		rates("rate-route-text", "body/route", "shows the route as text", rateOf.WithWrong(`"3-5"`), fault.Body(fault.Set("route", `"3-5"`))),
		rates("rate-route-short", "body/route", "shows a route of one zone", rateOf.WithWrong(`"route":[3]`), fault.Body(fault.Set("route", `[3]`))),
		rates("rate-route-zone", "body/route", "shows a zone that is not declared", rateOf.WithWrong(`[3,10]`), fault.Body(fault.Set("route", `[3,10]`))),
		answers("depots-object", "findDepots", http.StatusOK, "body", "shows an object instead of a list", all.WithWrong(`{"depots"`), fault.Body(fault.Prefixed(`{"depots":`), fault.Suffixed("}"))),
		answers("depots-null", "findDepots", http.StatusOK, "body", "shows null instead of a list", all.WithWrong("null\n"), fault.Body(fault.Constant("null\n"))),
		answers("depots-html", "findDepots", http.StatusOK, "media-type", "shows depots as text/html", all.WithWrong("text/html"), fault.MediaType("text/html")),
		depots("depot-code-form", "body/*/code", "shows a code of another form", 0, all.WithWrong(`"100"`), fault.Set("code", `"100"`)),
		depots("depot-open-missing", "body/*/open", "does not show whether a depot is open", 0, all.WithRight(`"open"`), fault.Drop("open")),
		depots("depot-open-text", "body/*/open", "shows as text whether a depot is open", 0, all.WithWrong(`"open":"true"`), fault.PropertyOf("open", fault.AsString)),
		depots("depot-lat-large", "body/*/position/lat", "shows a latitude of 180", 0, all.WithWrong(`"lat":180`), position(fault.Set("lat", "180"))),
		depots("depot-lng-missing", "body/*/position/lng", "shows a position without its longitude", 0, all.WithRight(`"lng"`), position(fault.Drop("lng"))),
		depots("depot-kind-null", "body/*/kind", "shows null as the kind", 0, all.WithWrong(`"kind":null`), fault.Set("kind", "null")),
		quotes("quote-price-number", "body/price", "shows a price as a number", quotation.WithWrong(`"price":5.15`), fault.Body(fault.Set("price", "5.15"))),
		quotes("quote-days-zero", "body/days", "shows a quote for 0 days", quotation.WithWrong(`"days":0`), fault.Body(fault.Set("days", "0"))),
		quotes("quote-days-fraction", "body/days", "shows a quote for 1.5 days", quotation.WithWrong(`"days":1.5`), fault.Body(fault.Set("days", "1.5"))),
		quotes("quote-to-missing", "body/to", "shows a quote without the postcode", quotation.WithRight(`"to"`), fault.Body(fault.Drop("to"))),
		quotes("quote-empty", "body", "answers a quote without a body", quotation.WithRight("{"), fault.Body(fault.Nothing)),
		labels("label-location-missing", "header/Location", "does not tell where a label is", kept.WithRight("Location"), fault.Header("Location")),
		labels("label-location-form", "header/Location", "tells another place of a label", kept.WithWrong("/label?id="), fault.Header("Location", "/label?id=7")),
		labels("label-bytes-text", "body/bytes", "shows the size of a label as text", kept.WithWrong(`"bytes":"8"`), fault.Body(fault.PropertyOf("bytes", fault.AsString))),
		labels("label-bytes-negative", "body/bytes", "shows a negative size", kept.WithWrong(`"bytes":-1`), fault.Body(fault.Set("bytes", "-1"))),
		labels("label-reference-lower", "body/reference", "shows the reference in lower case", kept.WithWrong(`"de123456"`), fault.Body(fault.PropertyOf("reference", strings.ToLower))),
		accepts("label-200", "uploadLabel", "answers 200 to a label", http.StatusCreated, http.StatusOK, kept.WithWrong("200 OK")),
		accepts("note-204", "checkNote", "answers 204 to a note", http.StatusOK, http.StatusNoContent, checked.WithWrong("204 No Content")),
		accepts("rate-redirected", "getRate", "answers 202 to a request for a rate", http.StatusOK, http.StatusAccepted, rateOf.WithWrong("202 Accepted")),
		answers("note-json", "checkNote", http.StatusOK, "media-type", "shows a note as JSON", checked.WithWrong(`"ring twice"`), fault.MediaType("application/json"), fault.Body(fault.AsString)),
		answers("note-length-missing", "checkNote", http.StatusOK, "header/X-Length", "does not tell the length of a note", checked.WithRight("X-Length"), fault.Header("X-Length")),
		answers("note-length-large", "checkNote", http.StatusOK, "header/X-Length", "tells a length of 201", checked.WithWrong("X-Length: 201"), fault.Header("X-Length", "201")),
		answers("scan-bytes-missing", "readScan", http.StatusOK, "body/bytes", "does not tell the size of a scan", scanned.WithRight(`"bytes"`), fault.Body(fault.Drop("bytes"))),
		answers("scan-code-number", "readScan", http.StatusOK, "body/code", "shows a code as a number", scanned.WithWrong(`"code":7`), fault.Body(fault.Set("code", "7"))),
		fails("rate-fails", "getRate", "fails for a service that is not known", fault.Not(at("/rates/(express|economy|sameday)/")), rateFor("overnight/.3.5/;length=30;width=20", "weight=2")),
		fails("filter-fails", "findDepots", "fails for a filter that is not JSON", func(r *fault.Request, _ fault.Answer) bool {
			return r.URL.Query().Has("filter") && !fault.IsJSON(r.URL.Query().Get("filter"))
		}, find("filter=%7B")),
		fails("form-fails", "quoteParcel", "fails for a form without a weight", fault.Both(fault.SentField("Content-Type", fault.Contains("form")), fault.Not(fault.Sent(fault.Contains("weight=")))), quoteOf(formType, "to=DE-10115")),
		fails("multipart-fails", "uploadLabel", "fails for a label without a file", fault.Not(fault.Sent(fault.Contains(`name="label"`))), labelOf("without label")),
		fails("page-fails", "findDepots", "fails for a page that is not a number", fault.SentField("Cookie", fault.Matches(`page=[^0-9-]`)), find("", "Cookie: page=x")),
		fails("note-fails", "checkNote", "fails for notes that are not ASCII", fault.Sent(fault.BeyondASCII), noteOf("läuten")),
		row("scan-hangs-up", "readScan/answers", "closes the connection if the scan is empty", fault.When(fault.SentNoBody, fault.Delivered(fault.HangUp)), scanOf("")).If(in("readScan")),
	}, services.Conditional(
		rates("insurance-number", "body/insurance", "shows the insurance as a number", insured.WithWrong(`"insurance":2.5`), fault.Body(fault.PropertyOf("insurance", fault.Where(fault.AString.Include, fault.Constant("2.5"))))),
		depots("depot-since-later", "body/*/since", "shows a year instead of a date, after the first depot", 1, all.WithWrong(`"since":2019`), fault.Set("since", "2019")),
		depots("depot-services-later", "body/*/services", "shows a service twice, after the first depot", 1, all.WithWrong(`["express","express"]`), fault.Set("services", `["express","express"]`)),
		answers("depots-closed-malformed", "findDepots", http.StatusOK, "body", "shows closed depots with a comma too many", find("open=false").WithWrong(",]"), fault.Body(fault.Replacing(`\]\s*$`, ",]"))).If(asked("open=false")),
		quotes("quote-pickup-time", "body/pickup", "shows the day of pickup with a time", quoteFor(`"pickup":"2026-05-04"`).WithWrong("T00:00:00Z"), fault.Body(fault.PropertyOf("pickup", fault.Replacing(`"$`, `T00:00:00Z"`)))),
		quotes("quote-of-form-days", "body/days", "shows the days of a form as text", quoteOf(formType, "to=DE-10115&weight=2.5").WithWrong(`"days":"2"`), fault.Body(fault.PropertyOf("days", fault.AsString))).If(fault.SentField("Content-Type", fault.Contains("form"))),
		labels("label-copies-text", "body/copies", "shows the copies as text", kept.WithWrong(`"copies":"2"`), fault.Body(fault.PropertyOf("copies", fault.AsString))),
		answers("scan-code-of-png", "readScan", http.StatusOK, "body/code", "shows an empty code of a PNG", scanOf("\x89PNG").With("Content-Type: image/png").WithWrong(`"code":""`), fault.Body(fault.Set("code", `""`))).If(fault.SentField("Content-Type", fault.Contains("png"))),
	)...)
}

func wrongErrors() []services.Deviation {
	badRate, badDepots, badQuote := rateFor(goodPath, "weight=0"), find("open=yes"), quoteFor(`"weight":0`)
	unknown := quoteOf(jsonType, goodQuote).With("Authorization:")
	return []services.Deviation{
		answers("error-text", "getRate", http.StatusBadRequest, "media-type", "reports an invalid rate as text", badRate.WithWrong("text/plain"), fault.Answering(http.StatusBadRequest, "text/plain", "invalid")).MayBlame("getRate/400/body"),
		answers("error-code-other", "getRate", http.StatusBadRequest, "body/code", "reports a code that is not declared", badRate.WithWrong(`"E17"`), fault.Body(fault.Set("code", `"E17"`))),
		answers("error-message-missing", "findDepots", http.StatusBadRequest, "body/message", "reports an invalid search without a message", badDepots.WithRight(`"message"`), fault.Body(fault.Drop("message"))),
		answers("error-message-empty", "findDepots", http.StatusBadRequest, "body/message", "reports an invalid search with an empty message", badDepots.WithWrong(`"message":""`), fault.Body(fault.Set("message", `""`))),
		answers("error-where-list", "quoteParcel", http.StatusBadRequest, "body/where", "reports several places", badQuote.WithWrong(`["weight"]`), fault.Body(fault.Set("where", `["weight"]`))),
		answers("error-wrapped", "quoteParcel", http.StatusBadRequest, "body", "reports a list of errors", badQuote.WithWrong(`[{`), fault.Body(fault.Prefixed("["), fault.Suffixed("]"))),
		answers("error-code-number", "quoteParcel", http.StatusBadRequest, "body/code", "reports a number as the code", badQuote.WithWrong(`"code":400`), fault.Body(fault.Set("code", "400"))),
		answers("unauthorized-unchallenged", "quoteParcel", http.StatusUnauthorized, "header/WWW-Authenticate", "does not tell the scheme with a 401", unknown.WithRight("Www-Authenticate"), fault.Header("Www-Authenticate")),
		answers("unauthorized-html", "quoteParcel", http.StatusUnauthorized, "media-type", "reports a missing credential as HTML", unknown.WithWrong("text/html"), fault.MediaType("text/html")),
		answers("unauthorized-code", "readScan", http.StatusUnauthorized, "body/code", "reports a missing credential without a code", scanOf("x").With("Authorization:").WithRight(`"code"`), fault.Body(fault.Drop("code"))),
		answers("note-error-empty", "checkNote", http.StatusBadRequest, "body", "reports an invalid note without a body", noteOf(strings.Repeat("n", 201)).WithRight("{"), fault.Body(fault.Nothing)),
		answers("label-error-malformed", "uploadLabel", http.StatusBadRequest, "body", "reports an invalid label with malformed JSON", labelOf(part("reference", "", "1")).WithWrong(`"invalid",,`), fault.Body(fault.Replacing(`"invalid",`, `"invalid",,`))),
	}
}
