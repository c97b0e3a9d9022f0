package reference

import (
	"mime"
	"net/http"
	"strings"
)

const (
	xmlPlant         = "<plant><id>7</id><name>fern</name></plant>"
	csvPlant         = "id,name\n7,fern\n"
	messagePackPlant = "\x82\xa2id\x07\xa4name\xa4fern"
	cborPlant        = "\xa2\x62id\x07\x64name\x64fern"
	multipartPlant   = "--x\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n7\r\n--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nfern\r\n--x--\r\n"
)

// otherMediaTaken read other formats than JSON where they are declared. Their
// bodies are no JSON objects (§4 rule 1).
func otherMediaTaken() []Alteration {
	const form = "application/x-www-form-urlencoded"
	took := func(name, what, declared string, as func(r *request, text string) string, shown string) Alteration {
		return deviation(name+"-taken", ids(requestBody), "takes "+what, inMedia(declared, as)).
			shows(shown, "Content-Type: "+declared)
	}
	by := func(edit textEdit) func(*request, string) string {
		return func(_ *request, text string) string { return edit(text) }
	}
	rows := []Alteration{
		took("xml", "XML that is declared as application/xml", "application/xml", by(fromXML), xmlPlant),
		took("form", "form data that is declared as such", form, by(fromForm), "id=7&name=fern"),
		took("multipart", "multipart form data", "multipart/form-data; boundary=x", fromMultipart, multipartPlant),
		took("csv", "comma-separated values that are declared as such", "text/csv", by(fromCSV), csvPlant),
		took("ndjson", "the first of several lines of JSON", "application/x-ndjson", by(firstValue), plainPlant+"\n"+strings.Replace(plainPlant, "7", "8", 1)),
		took("cbor", "CBOR that is declared as such", "application/cbor", by(fromBinary), cborPlant),
	}
	for _, m := range []struct{ name, value string }{
		{"text-json", "text/json"}, {"x-json", "application/x-json"}, {"json-api", "application/vnd.api+json"},
		{"any-media-type", "*/*"}, {"json-alone", "json"}, {"json-prefix", "application/jsonrequest"}, {"json-sequence", "application/json-seq"}, {"ld-json", "application/ld+json"},
	} {
		rows = append(rows, deviation(m.name+"-read-as-json", nil, "reads JSON that is declared as "+m.value,
			readingHeader("Content-Type", where(equals(m.value), constant("application/json")))).
			warns(requestMediaType).shows(plainPlant, "Content-Type: "+m.value))
	}
	return rows
}

// inMedia reads bodies that are declared as such, and are no JSON.
func inMedia(declared string, as func(r *request, text string) string) change {
	want, _, _ := mime.ParseMediaType(declared)
	return reading(func(r *request) *request {
		if got, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); got != want {
			return r
		}
		text := as(r, r.text())
		if isJSON(r.text()) || !isJSON(text) {
			return r
		}
		return r.withHeader("Content-Type", "application/json").withBody(constant(text))
	})
}

// mediaTypesRefused refuse what means the same as application/json: media types
// have no case (RFC 9110 §8.3.1), and a client that takes any media type takes
// JSON.
func mediaTypesRefused() []Alteration {
	refused := func(field string, such func(value string) bool, status int) change {
		return when(both(acceptance, sentField(field, such)), refuse(status, field, "is not supported"))
	}
	const unsupported, unacceptable = http.StatusUnsupportedMediaType, http.StatusNotAcceptable
	return []Alteration{
		deviation("mixed-case-media-type-refused", nil, "refuses Application/JSON with 415", refused("Content-Type", matches("[A-Z]"), unsupported)).
			warns(accepts).shows(plainPlant, "Content-Type: Application/JSON"),
		deviation("any-accept-refused", ids(accepts), "answers 406 to those who accept anything", refused("Accept", equals("*/*"), unacceptable)).
			shows(plainPlant, "Accept: */*"),
		deviation("accept-compared-as-text", ids(accepts), "answers 406 unless Accept is application/json to the letter",
			refused("Accept", noneOf(equals("application/json")), unacceptable)).shows(plainPlant, "Accept: */*"),
	}
}
