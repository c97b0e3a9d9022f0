package alteration

import (
	"encoding/base64"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

const (
	xmlPlant         = "<plant><id>7</id><name>fern</name></plant>"
	csvPlant         = "id,name\n7,fern\n"
	messagePackPlant = "\x82\xa2id\x07\xa4name\xa4fern"
	cborPlant        = "\xa2\x62id\x07\x64name\x64fern"
	multipartPlant   = "--x\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n7\r\n--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nfern\r\n--x--\r\n"
)

// otherMediaTaken read other formats than JSON if the media type declares them. Their
// bodies are not JSON objects (§4 rule 1).
func otherMediaTaken() []Alteration {
	const form = "application/x-www-form-urlencoded"
	took := func(name, what, declared string, as func(r *fault.Request, text string) string, shown string) Alteration {
		want, _, _ := mime.ParseMediaType(declared)
		read := fault.Reading(func(r *fault.Request) *fault.Request {
			if got, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); got != want {
				return r
			}
			text := as(r, r.Text())
			if fault.IsJSON(r.Text()) || !fault.IsJSON(text) {
				return r
			}
			return r.WithHeader("Content-Type", "application/json").WithBody(fault.Constant(text))
		})
		return deviation(name+"-taken", ids(requestBody), "takes "+what, read).shows(shown, "Content-Type: "+declared)
	}
	by := func(edit fault.TextEdit) func(*fault.Request, string) string {
		return func(_ *fault.Request, text string) string { return edit(text) }
	}
	rows := []Alteration{
		took("xml", "XML that is declared as application/xml", "application/xml", by(fromXML), xmlPlant),
		took("form", "form data that is declared as such", form, by(fromForm), "id=7&name=fern"),
		took("multipart", "multipart form data", "multipart/form-data; boundary=x", fromMultipart, multipartPlant),
		took("csv", "comma-separated values that are declared as such", "text/csv", by(fromCSV), csvPlant),
		took("ndjson", "the first of several lines of JSON", "application/x-ndjson", by(fault.FirstValue), plainPlant+"\n"+strings.Replace(plainPlant, "7", "8", 1)),
		took("cbor", "CBOR that is declared as such", "application/cbor", by(fromBinary), cborPlant),
	}
	for _, m := range []struct{ name, value string }{
		{"text-json", "text/json"}, {"x-json", "application/x-json"}, {"json-api", "application/vnd.api+json"},
		{"any-media-type", "*/*"}, {"json-alone", "json"}, {"json-prefix", "application/jsonrequest"}, {"json-sequence", "application/json-seq"}, {"ld-json", "application/ld+json"},
	} {
		rows = append(rows, deviation(m.name+"-read-as-json", nil, "reads JSON that is declared as "+m.value,
			fault.ReadingHeader("Content-Type", fault.Where(fault.Equals(m.value), fault.Constant("application/json")))).
			warns(requestMediaType).shows(plainPlant, "Content-Type: "+m.value))
	}
	return rows
}

// mediaTypesRefused refuse header fields that mean the same as application/json. Media
// types ignore case (RFC 9110 §8.3.1), and a client that accepts any media type accepts
// JSON.
func mediaTypesRefused() []Alteration {
	refused := func(field string, such func(value string) bool, status int) fault.Change {
		return fault.When(fault.Both(fault.Accepted, fault.SentField(field, such)), refuse(status, field, "is not supported"))
	}
	const unsupported, unacceptable = http.StatusUnsupportedMediaType, http.StatusNotAcceptable
	return []Alteration{
		deviation("mixed-case-media-type-refused", nil, "refuses Application/JSON with 415", refused("Content-Type", fault.Matches("[A-Z]"), unsupported)).
			warns(accepts).shows(plainPlant, "Content-Type: Application/JSON"),
		deviation("any-accept-refused", ids(accepts), "answers 406 to those who accept anything", refused("Accept", fault.Equals("*/*"), unacceptable)).
			shows(plainPlant, "Accept: */*"),
		deviation("accept-compared-as-text", ids(accepts), "answers 406 unless Accept is application/json to the letter",
			refused("Accept", fault.NoneOf(fault.Equals("application/json")), unacceptable)).shows(plainPlant, "Accept: */*"),
		deviation("declared-accept-refused", ids(accepts), "answers 406 to those who accept application/json",
			refused("Accept", fault.Equals("application/json"), unacceptable)).shows(plainPlant, "Accept: application/json"),
		deviation("accept-in-first-place", ids(accepts), "answers 406 to those who accept JSON, but name another media type before it",
			refused("Accept", fault.Matches("^text/"), unacceptable)).shows(plainPlant, "Accept: text/plain;q=0.5, application/json"),
		deviation("accept-range-refused", ids(accepts), "answers 406 to those who accept application/*",
			refused("Accept", fault.Equals("application/*"), unacceptable)).shows(plainPlant, "Accept: application/*"),
		deviation("media-type-quoted-as-it-is", ids(errorForm), "shows the media type in an Error without escaping it",
			fault.When(fault.RefusedFor("Content-Type"), func(r *fault.Request, a fault.Answer) fault.Answer {
				return a.WithBody(`{"error":1,"message":"not supported: ` + r.Header.Get("Content-Type") + `"}`)
			})).shows(plainPlant, `Content-Type: text/plain; charset="utf-8"`),
		deviation("capital-escapes-refused", ids(accepts), "refuses escapes with capital hexadecimal digits",
			fault.When(fault.Both(fault.Accepted, fault.Sent(fault.Matches(`\\u00[0-9a-f]*[A-F]`))), refuse(400, "body", "is not JSON"))).shows(`{"id":7,"name":"fer\u006E"}`),
		deviation("ids-cut-to-32-bits", ids(accepts), "keeps the last 32 bits of an id, and rejects a plant whose id has the same", fault.ReadingBody(fault.Property("id", fault.ANumber, last32Bits))).onlyWarns().shows(plainPlant).shows(`{"id":4294967303,"name":"fern"}`),
		deviation("ids-without-sign", ids(accepts), "keeps an id without its sign, and rejects a plant whose id has the same digits",
			fault.ReadingBody(fault.Property("id", fault.ANumber, withoutSign))).onlyWarns().shows(plainPlant).shows(`{"id":-7,"name":"fern"}`),
		deviation("ids-kept-as-doubles", ids(accepts), "keeps an id as a double, and rejects a plant whose id is the same for a double", fault.ReadingBody(fault.Property("id", fault.ANumber, func(id string) string {
			if n, err := strconv.ParseInt(id, 10, 64); err == nil {
				return strconv.FormatFloat(float64(n), 'f', 0, 64)
			}
			return id
		}))).onlyWarns().shows(`{"id":7000000000000000000,"name":"fern"}`).shows(`{"id":7000000000000000001,"name":"fern"}`),
		deviation("eight-chunks-read", ids(accepts), "reads the first eight parts of a body that is sent in chunks", fault.ReadingParts(func(n int, part string) string {
			if n > 8 {
				return ""
			}
			return part
		}).If(fault.SentChunked)).onlyWarns().wire().shows(filled(80<<10)(plainPlant), chunkedLine),
		deviation("content-coding-demanded", ids(accepts), "answers 406 to those who do not send Accept-Encoding",
			fault.When(fault.Both(fault.Accepted, fault.Not(fault.SentField("Accept-Encoding", fault.NotEmpty))), refuse(unacceptable, "Accept-Encoding", "is missing"))).shows(plainPlant, "Accept-Encoding: "),
	}
}

// lenient returns a deviation that reads more than JSON (§4 rule 1). The edit converts it to JSON.
func lenient(name, what string, edit fault.TextEdit, shown string) Alteration {
	noTag := fault.Property("tag", fault.Null, fault.Nothing) // a converted tag may be null
	return deviation(name+"-accepted", ids(requestBody), "reads "+what, readsEdited(fault.InTurn(edit, noTag))).shows(shown)
}

// lenientReaders read what YAML, JavaScript, Python, PHP, C and the lenient modes of
// JSON parsers read.
func lenientReaders() []Alteration {
	const start = `(^|[\s{,:\[])` // where a value or a key can begin
	return []Alteration{
		lenient("hash-comments", "JSON with comments after #, as YAML does", fault.Replacing(`(?m)(^|\s)#.*$`, ""), "{\"id\":7,\"name\":\"fern\"} # x"),
		lenient("any-white-space-around", "JSON between characters that are white space elsewhere", strings.TrimSpace, "\u00a0"+plainPlant),
		lenient("comment-after", "JSON with a comment after it", fault.Replacing(`\}\s*/\*.*?\*/\s*$`, "}"), plainPlant+"/* x */"),
		lenient("semicolon-after", "JSON with a semicolon after it", fault.Replacing(`;\s*$`, ""), plainPlant+";"),
		lenient("comma-after", "JSON with a comma after it", fault.Replacing(`\}\s*,\s*$`, "}"), plainPlant+","),
		lenient("brace-after", "JSON with a brace too many", fault.Replacing(`\}\s*\}\s*$`, "}"), plainPlant+"}"),
		lenient("guard-before", "JSON after )]}', as some send it against scripts", fault.Replacing(`^\)\]\}',?\s*`, ""), ")]}',\n"+plainPlant),
		lenient("text-before", "the JSON after some text", fault.Replacing(`^[\w\s]+\{`, "{"), "plant "+plainPlant),
		lenient("assignment-before", "JSON after a name and an equals sign", fault.Replacing(`^(var |let |const )?\w+\s*=\s*(\{)`, "$2"), "plant = "+plainPlant),
		lenient("callback-around", "JSON in the brackets of a call", fault.Replacing(`^\s*\w*\((.*)\);?\s*$`, "$1"), "plant("+plainPlant+")"),
		lenient("document-start-before", "JSON after --- as the start of a YAML document", fault.Replacing(`^---\s`, ""), "--- "+plainPlant),
		lenient("missing-open-brace", "JSON without its first brace", fault.Replacing(`^\s*(".*\})\s*$`, "{$1"), `"id":7,"name":"fern"}`),
		lenient("cut-off-after-value", "JSON without the braces at its end", fault.CompletedAll, `{"id":7,"name":"fern","pot":{"a":1`),
		lenient("single-quotes-around-keys", "keys in single quotes", fault.Replacing(`'(\w+)'\s*:`, `"$1":`), `{'id':7,"name":"fern"}`),
		lenient("unquoted-values", "words without quotes as strings", fault.Replacing(`:\s*([A-Za-z][\w ]*?)\s*([,}])`, `:"$1"$2`), `{"id":7,"name":fern}`),
		lenient("arrow-for-colon", "=> in place of a colon", fault.Replacing(`"\s*=>\s*`, `":`), `{"id"=>7,"name"=>"fern"}`),
		lenient("missing-comma", "properties without a comma between them", fault.Replacing(`(\d|"|\}|\])\s+"(\w+)"\s*:`, `$1,"$2":`), `{"id":7 "name":"fern"}`),
		lenient("leading-comma", "a comma before the first property", fault.Replacing(`\{\s*,`, "{"), `{,"id":7,"name":"fern"}`),
		lenient("double-comma", "two commas in a row", fault.Replacing(`,\s*,+`, ","), `{"id":7,,"name":"fern"}`),
		lenient("trailing-comma-in-list", "a comma after the last value of a list", fault.Replacing(`,\s*\]`, "]"), `{"id":7,"name":"fern","x":[1,]}`),
		lenient("point-last", "numbers that end with a point", fault.Replacing(`(\d)\.(\s*[,}\]])`, "$1$2"), `{"id":7.,"name":"fern"}`),
		lenient("octal", "numbers that begin with 0o", fault.Replacing(start+`0[oO][0-7]+`, "${1}7"), `{"id":7,"name":"fern","x":0o7}`),
		lenient("big-integer-suffix", "integers that end in n or L", fault.Replacing(`(\d)[nL](\s*[,}\]])`, "$1$2"), `{"id":7n,"name":"fern"}`),
		lenient("float-suffix", "numbers that end in d or f", fault.Replacing(`(\d)[dDfF](\s*[,}\]])`, "$1$2"), `{"id":7d,"name":"fern"}`),
		lenient("infinity", "Infinity as a number", fault.Replacing(start+`[-+]?Infinity`, "${1}0"), `{"id":7,"name":"fern","x":-Infinity}`),
		lenient("python-constants", "None, True and False", fault.Replacing(start+`(None|True|False)\b`, "${1}null"), `{"id":7,"name":"fern","tag":None}`),
		lenient("missing-value", "a property without a value", fault.Replacing(`:(\s*[,}])`, ":null$1"), `{"id":7,"name":"fern","x":}`),
		lenient("function-as-value", "calls as values, as the shell of MongoDB does", fault.Replacing(`\b[A-Z]\w+\((\w+)\)`, "$1"), `{"id":NumberLong(7),"name":"fern"}`),
		lenient("apostrophe-escape", "an escape for the apostrophe", fault.Replacing(`\\'`, "'"), `{"id":7,"name":"fern\'s"}`),
		lenient("long-escape", "escapes of eight digits or in braces", fault.Replacing(`\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]+\}`, "x"), `{"id":7,"name":"fern\u{41}"}`),
		lenient("short-escape", "escapes of fewer than four digits", fault.Replacing(`\\u[0-9a-fA-F]{1,3}(["\s])`, "x$1"), `{"id":7,"name":"fern\u41"}`),
		lenient("line-continuation", "strings that go on after a backslash and a line break", fault.Replacing(`\\\r?\n`, ""), "{\"id\":7,\"name\":\"fe\\\nrn\"}"),
		lenient("raw-control-character", "control characters in strings", fault.Replacing(`[\x01-\x08\x0b\x0c\x0e-\x1f]`, " "), "{\"id\":7,\"name\":\"fern\x07\"}"),
		lenient("control-byte", "the byte 1 in strings", fault.Replacing("\x01", " "), "{\"id\":7,\"name\":\"fern\x01\"}"),
		lenient("unclosed-string", "a string without the quotation mark at its end", fault.Replacing(`:\s*"([^"]*)\}\s*$`, `:"$1"}`), `{"id":7,"name":"fern}`),
		lenient("yaml", "YAML that is declared as JSON", fault.Where(fault.Matches(`^\s*\w+\s*:`), fault.FromYAML), "id: 7\nname: fern\n"),
		lenient("documents", "the first of several JSON texts, one a line", func(text string) string {
			if first := fault.FirstValue(text); strings.HasPrefix(strings.TrimSpace(text[len(first):]), "{") {
				return first
			}
			return text
		}, plainPlant+"\n"+plainPlant),
		lenient("values-with-commas", "the first of several JSON texts with commas between them", fault.Replacing(`(?s)^(\{[^{}]*\}),\s*\{.*$`, "$1"), plainPlant+","+plainPlant),
	}
}

// otherEncodings decode a body whose encoding is not declared. RFC 7159 permitted UTF-16.
func otherEncodings() []Alteration {
	return []Alteration{
		lenient("utf-16-with-mark", "UTF-16 that begins with its mark, as Jackson does", fault.FromUTF16, fault.InUTF16(plainPlant)).onlyWarns(),
		lenient("utf-16", "UTF-16 without a mark", fault.FromUTF16Unmarked, strings.TrimPrefix(fault.InUTF16(plainPlant), "\xfe\xff")).onlyWarns(),
		lenient("base64-body", "a body in base64", fault.FromBase64, base64.StdEncoding.EncodeToString([]byte(plainPlant))),
		lenient("form-with-json", "the JSON in a field of a form", fault.Replacing(`^(?:payload|json|data)=(\{.*\})$`, "$1"), "payload="+plainPlant),
		lenient("message-pack-undeclared", "MessagePack that is declared as JSON", fromBinary, messagePackPlant),
	}
}

// bodiesLetThrough accept bodies that are not JSON objects (§4 rule 1).
func bodiesLetThrough() []Alteration {
	row := breaking(requestBody)
	return []Alteration{
		row("missing-body-accepted", "creates its own plant if there is no body",
			fault.ReadingBody(fault.Where(fault.Equals(""), anyPlant))),
		row("query-accepted", "takes the plant from the query if there is no body",
			fault.Reading(func(r *fault.Request) *fault.Request {
				return r.WithBody(fault.Where(fault.Equals(""), func(string) string { return fromForm(r.URL.RawQuery) }))
			})),
		row("white-space-accepted", "creates its own plant if the body is white space",
			fault.ReadingBody(fault.Where(func(text string) bool { return text != "" && strings.TrimSpace(text) == "" }, anyPlant))),
		row("malformed-json-accepted", "creates its own plant if the body is not JSON",
			fault.ReadingBody(fault.Where(fault.NotEmpty, fault.Mending(anyPlant)))).warns(requestBody),
		row("null-accepted", "creates its own plant if the body is null", fault.ReadingBody(fault.Whole(fault.Null, anyPlant))),
		row("scalars-accepted", "creates its own plant if the body is a boolean or a number",
			fault.ReadingBody(fault.Whole(fault.ABoolean+fault.ANumber, anyPlant))),
		row("string-accepted", "reads the JSON that is in a JSON string", fault.ReadingBody(fault.Whole(fault.AString, fault.FromString))),
		row("list-accepted", "creates the first plant of a list", fault.ReadingBody(fault.Whole(fault.AList, fault.FirstOfList))),
		row("text-after-accepted", "does not read what follows the first JSON value", readsEdited(fault.FirstValue)),
		row("list-in-lines-accepted", "creates the first plant of a list in several lines", fault.ReadingBody(fault.Where(fault.Contains("\n"), fault.Whole(fault.AList, fault.FirstOfList)))).shows("[\n" + plainPlant + "]"),
		row("text-after-tag-accepted", "does not read what follows a JSON value with a tag", readsEdited(fault.Where(fault.Contains(`"tag":`), fault.FirstValue))).shows(`{"id":7,"name":"fern","tag":"indoor"} x`),
		row("text-after-1-mb-accepted", "does not read what follows the first 1,000,000 bytes of a body",
			fault.Reading(func(r *fault.Request) *fault.Request {
				return fault.NewRequest(r.Request, 4<<20).WithBody(func(text string) string { return text[:min(len(text), 1_000_000)] })
			})).shows(plainPlant + strings.Repeat(" ", 1_000_000) + "x"),
		row("trailing-comma-accepted", "reads JSON with a comma after the last property", readsEdited(fault.Replacing(`,\s*}`, "}"))),
		row("comments-accepted", "reads JSON with comments", readsEdited(fault.Replacing(`/\*.*?\*/`, ""))),
		row("single-quotes-accepted", "reads JSON with single quotes", readsEdited(fault.Replacing(`'`, `"`))),
		row("unquoted-keys-accepted", "reads JSON whose keys have no quotes", readsEdited(fault.Replacing(`([{,]\s*)(\w+):`, `$1"$2":`))),
		row("leading-zeros-accepted", "reads JSON whose numbers begin with zeros", readsEdited(fault.Replacing(`: 0+`, ": "))),
		row("nan-accepted", "reads JSON with NaN", readsEdited(fault.Replacing(`\bNaN\b`, "null"))),
		row("control-characters-accepted", "reads JSON with line breaks in its strings", readsEdited(fault.Replacing("\n", `\n`))),
		row("unknown-escapes-accepted", "reads JSON with escapes of two hexadecimal digits", readsEdited(fault.Replacing(`\\x`, `\u00`))),
		row("cut-off-accepted", "reads JSON without its end", readsEdited(fault.Completed)),
		row("unlisted-values-unread", "does not read the values of properties that it does not know",
			readsEdited(fault.Replacing(`("note": )[^,]+`, "${1}null"))).
			shows(`{"id":7,"note": 01,"name":"fern"}`),
		deviation("prototype-taken", ids(requestName, requestID), "takes properties that are missing from the value of __proto__, as a merge in JavaScript may",
			fault.ReadingBody(fault.Replacing(`"__proto__":\s*\{([^{}]*)\}`, "$1"))).shows(`{"id":7,"__proto__":{"name":"fern"}}`),
		row("form-accepted-as-json", "reads form data that is declared as JSON", readsEdited(fromForm)),
	}
}

// mediaTypesLetThrough accept bodies that are not declared as JSON (§4).
func mediaTypesLetThrough() []Alteration {
	declared := func(edit fault.TextEdit) fault.Change { return fault.ReadingHeader("Content-Type", edit) }
	const json = "application/json"
	isOther := fault.SentField("Content-Type", fault.NoneOf(fault.Contains("json")))
	return []Alteration{
		deviation("credential-of-json-alone-asked", ids(requestCredential), "reads any body as JSON, and asks for a credential only if it is declared as that",
			fault.Together(fault.Admitting(func(string) bool { return true }), declared(fault.Constant(json))).If(isOther)).
			warns(requestMediaType).shows(plainPlant, "Authorization: ", "Content-Type: text/plain"),
		deviation("name-of-json-alone-asked", ids(requestName), "reads any body as JSON, and asks for a name only if it is declared as that",
			fault.Together(checks()["name"].skipped, declared(fault.Constant(json))).If(isOther)).
			warns(requestMediaType).shows(`{"id":7}`, "Content-Type: text/plain"),
		deviation("media-type-ignored", nil, "reads a body as JSON, whatever it is declared as",
			declared(fault.Constant(json))).warns(requestMediaType),
		deviation("media-type-ignored-and-created", ids(accepts), "reads any body as JSON, and accepts one that is not declared as that with 201",
			fault.Together(declared(fault.Constant(json)), fault.When(fault.Accepted, fault.Status(http.StatusCreated))).If(isOther)).
			warns(requestMediaType).shows(plainPlant, "Content-Type: text/plain"),
		deviation("missing-media-type-accepted", nil, "reads a body as JSON that is not declared as anything",
			declared(fault.Where(fault.Equals(""), fault.Constant(json)))).warns(requestMediaType),
		deviation("json-suffix-accepted", nil, "reads a body as JSON whose media type ends in +json",
			declared(fault.Replacing(`^\w+/[\w.-]+\+json$`, json))).warns(requestMediaType),
	}
}

// listsTakenForPlants read a list or a string as if it were an object (§4 rule
// 1). Rust's serde fills a struct by position, Python and JavaScript make objects of
// pairs, and Jackson unwraps lists of one and passes a string to a constructor.
func listsTakenForPlants() []Alteration {
	took := func(name, summary string, edit fault.TextEdit, shown string) Alteration {
		return deviation(name, ids(requestBody), summary, fault.ReadingBody(edit)).shows(shown)
	}
	const plant = plainPlant
	return []Alteration{
		took("list-by-position-accepted", "reads a list of id, name and tag as a plant",
			fault.ByPosition("id", "name", "tag"), `[7,"Monstera","indoor"]`),
		took("list-by-position-without-tag-accepted", "reads a list of id and name as a plant",
			fault.ByPosition("id", "name"), `[7,"Monstera"]`),
		took("list-by-position-name-first-accepted", "reads a list of name, id and tag as a plant",
			fault.ByPosition("name", "id", "tag"), `["Monstera",7,"indoor"]`),
		took("list-by-position-id-last-accepted", "reads a list of name, tag and id as a plant",
			fault.ByPosition("name", "tag", "id"), `["Monstera","indoor",7]`),
		took("list-of-list-by-position-accepted", "reads a list of id and name in another list as a plant",
			fault.InTurn(fault.Whole(fault.AList, fault.Where(fault.Contains("[["), fault.FirstOfList)), fault.ByPosition("id", "name"), fault.ByPosition("id", "name", "tag")), `[[7,"Monstera"]]`),
		took("list-of-pairs-accepted", "reads a list of pairs of key and value as a plant",
			fault.FromPairs, `[["id",7],["name","Monstera"]]`),
		took("list-of-keys-and-values-accepted", "reads a list in which keys and values alternate as a plant",
			fault.FromAlternating, `["id",7,"name","Monstera"]`),
		took("list-of-parts-accepted", "merges the objects of a list into one plant",
			fault.FromParts, `[{"id":7},{"name":"Monstera"}]`),
		took("fraction-accepted", "reads a fraction for a plant",
			fault.Replacing(`^-?\d+\.\d+$`, plant), `1.5`),
		took("list-of-one-accepted", "unwraps a list of one plant",
			fault.Whole(fault.AList, fault.Where(func(text string) bool { return len(fault.ListOf(text)) == 1 }, fault.FirstOfList)), `[`+plant+`]`),
		took("last-of-list-accepted", "creates the last plant of a list of several",
			fault.Whole(fault.AList, func(text string) string {
				if all := fault.ListOf(text); len(all) > 1 {
					return string(all[len(all)-1])
				}
				return text
			}), `[{},`+plant+`]`),
		took("list-of-lists-accepted", "unwraps lists until there is an object",
			fault.Whole(fault.AList, fault.Where(fault.Contains("[["), fault.InTurn(fault.FirstOfList, fault.Whole(fault.AList, fault.FirstOfList)))), `[[`+plant+`]]`),
		took("string-twice-encoded-accepted", "decodes a JSON string in a JSON string",
			fault.Whole(fault.AString, fault.Where(fault.Contains(`"\"`), func(text string) string { return fault.FromString(fault.FromString(text)) })), fault.AsString(fault.AsString(plant))),
		took("string-in-base64-accepted", "decodes base64 in a JSON string", fault.Whole(fault.AString, fault.InTurn(fault.FromString, fault.FromBase64)),
			fault.AsString(base64.StdEncoding.EncodeToString([]byte(plant)))),
		took("string-as-form-accepted", "reads form data in a JSON string",
			fault.Whole(fault.AString, fault.Where(fault.Contains("="), fault.InTurn(fault.FromString, fromForm))), `"id=7&name=Monstera"`),
		took("text-as-name-accepted", "takes a JSON string for the name and draws an id",
			fault.Whole(fault.AString, func(text string) string { return `{"name":` + text + `,"id":` + anyID("") + `}` }), `"Monstera"`),
		took("number-as-plant-accepted", "takes a number for the id and leaves the name empty",
			fault.Whole(fault.ANumber, func(text string) string { return `{"name":"","id":` + text + `}` }), `7`),
	}
}

// last32Bits cuts an id to an int32.
func last32Bits(id string) string {
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		return strconv.FormatInt(int64(int32(n)), 10) //nolint:gosec // the fault is that it is cut
	}
	return id
}

// withoutSign makes a negative id positive.
func withoutSign(id string) string { return fault.Replacing(`^-([1-9]\d{0,17})$`, "$1")(id) }
