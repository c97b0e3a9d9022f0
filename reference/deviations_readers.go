package reference

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// reader is a way of reading what is no JSON (§4 rule 1).
type reader struct {
	name, summary string
	edit          textEdit // makes JSON of it
	shown         string
}

// lenient are the deviations of readers that take more than JSON.
func lenient(rows []reader) []Deviation {
	noTag := property("tag", null, nothing) // what stands for nothing may be the tag
	var all []Deviation
	for _, row := range rows {
		all = append(all, deviation(row.name+"-accepted", ids(requestBody), "reads "+row.summary,
			readingBody(mending(inTurn(row.edit, noTag)))).shows(row.shown))
	}
	return all
}

// lenientReaders take what YAML, JavaScript, Python, PHP, C and the lenient
// modes of JSON readers take.
func lenientReaders() []Deviation {
	const start = `(^|[\s{,:\[])` // where a value or a key can begin
	return lenient([]reader{
		{"hash-comments", "JSON with comments after #, as YAML does", replacing(`(?m)(^|\s)#.*$`, ""), "{\"id\":7,\"name\":\"fern\"} # x"},
		{"comment-after", "JSON with a comment after it", replacing(`\}\s*/\*.*?\*/\s*$`, "}"), plainPlant + "/* x */"},
		{"comment-before", "JSON with a comment before it", replacing(`^\s*/\*.*?\*/`, ""), "/* x */" + plainPlant},
		{"semicolon-after", "JSON with a semicolon after it", replacing(`;\s*$`, ""), plainPlant + ";"},
		{"comma-after", "JSON with a comma after it", replacing(`\}\s*,\s*$`, "}"), plainPlant + ","},
		{"brace-after", "JSON with a brace too many", replacing(`\}\s*\}\s*$`, "}"), plainPlant + "}"},
		{"nul-after", "JSON with NUL bytes after it, as a buffer of C has", func(text string) string { return strings.TrimRight(text, "\x00") }, plainPlant + "\x00"},
		{"guard-before", "JSON after )]}', as some send it against scripts", replacing(`^\)\]\}',?\s*`, ""), ")]}',\n" + plainPlant},
		{"text-before", "the JSON after some text", replacing(`^[\w\s]+\{`, "{"), "plant " + plainPlant},
		{"assignment-before", "JSON after a name and an equals sign", replacing(`^(var |let |const )?\w+\s*=\s*(\{)`, "$2"), "plant = " + plainPlant},
		{"callback-around", "JSON in the brackets of a call", replacing(`^\s*\w*\((.*)\);?\s*$`, "$1"), "plant(" + plainPlant + ")"},
		{"separator-before", "JSON after the record separator of RFC 7464", replacing("^\x1e", ""), "\x1e" + plainPlant},
		{"document-start-before", "JSON after --- as the start of a YAML document", replacing(`^---\s`, ""), "--- " + plainPlant},
		{"missing-open-brace", "JSON without its first brace", replacing(`^\s*(".*\})\s*$`, "{$1"), `"id":7,"name":"fern"}`},
		{"cut-off-after-value", "JSON without the braces at its end", completedAll, `{"id":7,"name":"fern","pot":{"a":1`},
		{"cut-off-after-comma", "JSON that ends with a comma", replacing(`,\s*$`, "}"), `{"id":7,"name":"fern",`},
		{"single-quotes-around-keys", "keys in single quotes", replacing(`'(\w+)'\s*:`, `"$1":`), `{'id':7,"name":"fern"}`},
		{"backticks", "strings in backticks", replacing("`", `"`), "{\"id\":7,\"name\":`fern`}"},
		{"unquoted-values", "words without quotes as strings", replacing(`:\s*([A-Za-z][\w ]*?)\s*([,}])`, `:"$1"$2`), `{"id":7,"name":fern}`},
		{"arrow-for-colon", "=> in place of a colon", replacing(`"\s*=>\s*`, `":`), `{"id"=>7,"name"=>"fern"}`},
		{"missing-comma", "properties without a comma between them", replacing(`(\d|"|\}|\])\s+"(\w+)"\s*:`, `$1,"$2":`), `{"id":7 "name":"fern"}`},
		{"line-break-for-comma", "line breaks in place of commas", replacing(`([\d"])\s*\n\s*"`, `$1,"`), "{\"id\":7\n\"name\":\"fern\"}"},
		{"leading-comma", "a comma before the first property", replacing(`\{\s*,`, "{"), `{,"id":7,"name":"fern"}`},
		{"double-comma", "two commas in a row", replacing(`,\s*,+`, ","), `{"id":7,,"name":"fern"}`},
		{"trailing-comma-in-list", "a comma after the last value of a list", replacing(`,\s*\]`, "]"), `{"id":7,"name":"fern","x":[1,]}`},
		{"point-first", "numbers that begin with a point", replacing(start+`\.(\d)`, "${1}0.$2"), `{"id":7,"name":"fern","x":.5}`},
		{"point-last", "numbers that end with a point", replacing(`(\d)\.(\s*[,}\]])`, "$1$2"), `{"id":7.,"name":"fern"}`},
		{"octal", "numbers that begin with 0o", replacing(start+`0[oO][0-7]+`, "${1}7"), `{"id":7,"name":"fern","x":0o7}`},
		{"binary", "numbers that begin with 0b", replacing(start+`0[bB][01]+`, "${1}7"), `{"id":7,"name":"fern","x":0b1}`},
		{"big-integer-suffix", "integers that end in n or L", replacing(`(\d)[nL](\s*[,}\]])`, "$1$2"), `{"id":7n,"name":"fern"}`},
		{"infinity", "Infinity as a number", replacing(start+`[-+]?Infinity`, "${1}0"), `{"id":7,"name":"fern","x":-Infinity}`},
		{"undefined", "undefined as null", replacing(`\bundefined\b`, "null"), `{"id":7,"name":"fern","x":undefined}`},
		{"python-constants", "None, True and False", replacing(start+`(None|True|False)\b`, "${1}null"), `{"id":7,"name":"fern","tag":None}`},
		{"tilde", "~ as null, as YAML does", replacing(start+`~`, "${1}null"), `{"id":7,"name":"fern","x":~}`},
		{"missing-value", "a property without a value", replacing(`:(\s*[,}])`, ":null$1"), `{"id":7,"name":"fern","x":}`},
		{"function-as-value", "calls as values, as the shell of MongoDB does", replacing(`\b[A-Z]\w+\((\w+)\)`, "$1"), `{"id":NumberLong(7),"name":"fern"}`},
		{"apostrophe-escape", "an escape for the apostrophe", replacing(`\\'`, "'"), `{"id":7,"name":"fern\'s"}`},
		{"octal-escape", "octal escapes", replacing(`\\[0-7]{1,3}`, " "), `{"id":7,"name":"fern\101"}`},
		{"long-escape", "escapes of eight digits or in braces", replacing(`\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]+\}`, "x"), `{"id":7,"name":"fern\u{41}"}`},
		{"short-escape", "escapes of fewer than four digits", replacing(`\\u[0-9a-fA-F]{1,3}(["\s])`, "x$1"), `{"id":7,"name":"fern\u41"}`},
		{"line-continuation", "strings that go on after a backslash and a line break", replacing(`\\\r?\n`, ""), "{\"id\":7,\"name\":\"fe\\\nrn\"}"},
		{"raw-nul", "the character U+0000 in strings", replacing(`\x00`, " "), "{\"id\":7,\"name\":\"fern\x00\"}"},
		{"raw-control-character", "control characters in strings", replacing(`[\x01-\x08\x0b\x0c\x0e-\x1f]`, " "), "{\"id\":7,\"name\":\"fern\x07\"}"},
		{"wide-white-space", "white space that is not ASCII", replacing(`[\x{A0}\x{2003}\x{3000}\x{2028}\x{85}]`, " "), "{\"id\":7,\u2003\"name\":\"fern\"}"},
		{"yaml", "YAML that is declared as JSON", where(matches(`^\s*\w+\s*:`), fromYAML), "id: 7\nname: fern\n"},
		{"yaml-in-braces", "YAML in braces that is declared as JSON", fromYAML, `{id: 7, name: fern}`},
		{"documents", "the first of several JSON texts, one a line", func(text string) string {
			if first := firstValue(text); strings.HasPrefix(strings.TrimSpace(text[len(first):]), "{") {
				return first
			}
			return text
		}, plainPlant + "\n" + plainPlant},
		{"values-with-commas", "the first of several JSON texts with commas between them", replacing(`(?s)^(\{[^{}]*\}),\s*\{.*$`, "$1"), plainPlant + "," + plainPlant},
	})
}

// otherEncodings undo an encoding of the body that nothing declares.
func otherEncodings() []Deviation {
	list := lenient([]reader{
		{"utf-16-with-mark", "UTF-16 that begins with its mark, as Jackson does", fromUTF16, inUTF16(plainPlant)},
		{"utf-16", "UTF-16 without a mark", fromUTF16Unmarked, strings.TrimPrefix(inUTF16(plainPlant), "\xfe\xff")},
		{"base64-body", "a body in base64", fromBase64, base64.StdEncoding.EncodeToString([]byte(plainPlant))},
		{"percent-encoded-body", "a body in percent-encoding", fromPercent, url.QueryEscape(plainPlant)},
		{"form-with-json", "the JSON in a field of a form", replacing(`^(?:payload|json|data)=(\{.*\})$`, "$1"), "payload=" + plainPlant},
		{"xml-undeclared", "XML that is declared as JSON", fromXML, xmlPlant},
		{"message-pack-undeclared", "MessagePack that is declared as JSON", fromBinary, messagePackPlant},
	})
	for i, d := range list {
		if strings.HasPrefix(d.Name, "utf-16") { // which JSON was, by RFC 7159
			list[i].Clauses, list[i].Warns = nil, d.Clauses
		}
	}
	return list
}
