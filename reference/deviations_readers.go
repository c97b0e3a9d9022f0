package reference

import (
	"encoding/base64"
	"strings"
)

// reader is a way of reading what is no JSON (§4 rule 1).
type reader struct {
	name, summary string
	edit          textEdit // makes JSON of it
	shown         string
}

// lenient are the deviations of readers that take more than JSON.
func lenient(rows []reader) []Alteration {
	noTag := property("tag", null, nothing) // what stands for nothing may be the tag
	var all []Alteration
	for _, row := range rows {
		all = append(all, deviation(row.name+"-accepted", ids(requestBody), "reads "+row.summary,
			readingBody(mending(inTurn(row.edit, noTag)))).shows(row.shown))
	}
	return all
}

// lenientReaders take what YAML, JavaScript, Python, PHP, C and the lenient
// modes of JSON readers take.
func lenientReaders() []Alteration {
	const start = `(^|[\s{,:\[])` // where a value or a key can begin
	return lenient([]reader{
		{"hash-comments", "JSON with comments after #, as YAML does", replacing(`(?m)(^|\s)#.*$`, ""), "{\"id\":7,\"name\":\"fern\"} # x"},
		{"comment-after", "JSON with a comment after it", replacing(`\}\s*/\*.*?\*/\s*$`, "}"), plainPlant + "/* x */"},
		{"semicolon-after", "JSON with a semicolon after it", replacing(`;\s*$`, ""), plainPlant + ";"},
		{"comma-after", "JSON with a comma after it", replacing(`\}\s*,\s*$`, "}"), plainPlant + ","},
		{"brace-after", "JSON with a brace too many", replacing(`\}\s*\}\s*$`, "}"), plainPlant + "}"},
		{"guard-before", "JSON after )]}', as some send it against scripts", replacing(`^\)\]\}',?\s*`, ""), ")]}',\n" + plainPlant},
		{"text-before", "the JSON after some text", replacing(`^[\w\s]+\{`, "{"), "plant " + plainPlant},
		{"assignment-before", "JSON after a name and an equals sign", replacing(`^(var |let |const )?\w+\s*=\s*(\{)`, "$2"), "plant = " + plainPlant},
		{"callback-around", "JSON in the brackets of a call", replacing(`^\s*\w*\((.*)\);?\s*$`, "$1"), "plant(" + plainPlant + ")"},
		{"document-start-before", "JSON after --- as the start of a YAML document", replacing(`^---\s`, ""), "--- " + plainPlant},
		{"missing-open-brace", "JSON without its first brace", replacing(`^\s*(".*\})\s*$`, "{$1"), `"id":7,"name":"fern"}`},
		{"cut-off-after-value", "JSON without the braces at its end", completedAll, `{"id":7,"name":"fern","pot":{"a":1`},
		{"single-quotes-around-keys", "keys in single quotes", replacing(`'(\w+)'\s*:`, `"$1":`), `{'id':7,"name":"fern"}`},
		{"unquoted-values", "words without quotes as strings", replacing(`:\s*([A-Za-z][\w ]*?)\s*([,}])`, `:"$1"$2`), `{"id":7,"name":fern}`},
		{"arrow-for-colon", "=> in place of a colon", replacing(`"\s*=>\s*`, `":`), `{"id"=>7,"name"=>"fern"}`},
		{"missing-comma", "properties without a comma between them", replacing(`(\d|"|\}|\])\s+"(\w+)"\s*:`, `$1,"$2":`), `{"id":7 "name":"fern"}`},
		{"leading-comma", "a comma before the first property", replacing(`\{\s*,`, "{"), `{,"id":7,"name":"fern"}`},
		{"double-comma", "two commas in a row", replacing(`,\s*,+`, ","), `{"id":7,,"name":"fern"}`},
		{"trailing-comma-in-list", "a comma after the last value of a list", replacing(`,\s*\]`, "]"), `{"id":7,"name":"fern","x":[1,]}`},
		{"point-last", "numbers that end with a point", replacing(`(\d)\.(\s*[,}\]])`, "$1$2"), `{"id":7.,"name":"fern"}`},
		{"octal", "numbers that begin with 0o", replacing(start+`0[oO][0-7]+`, "${1}7"), `{"id":7,"name":"fern","x":0o7}`},
		{"big-integer-suffix", "integers that end in n or L", replacing(`(\d)[nL](\s*[,}\]])`, "$1$2"), `{"id":7n,"name":"fern"}`},
		{"infinity", "Infinity as a number", replacing(start+`[-+]?Infinity`, "${1}0"), `{"id":7,"name":"fern","x":-Infinity}`},
		{"python-constants", "None, True and False", replacing(start+`(None|True|False)\b`, "${1}null"), `{"id":7,"name":"fern","tag":None}`},
		{"missing-value", "a property without a value", replacing(`:(\s*[,}])`, ":null$1"), `{"id":7,"name":"fern","x":}`},
		{"function-as-value", "calls as values, as the shell of MongoDB does", replacing(`\b[A-Z]\w+\((\w+)\)`, "$1"), `{"id":NumberLong(7),"name":"fern"}`},
		{"apostrophe-escape", "an escape for the apostrophe", replacing(`\\'`, "'"), `{"id":7,"name":"fern\'s"}`},
		{"long-escape", "escapes of eight digits or in braces", replacing(`\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]+\}`, "x"), `{"id":7,"name":"fern\u{41}"}`},
		{"short-escape", "escapes of fewer than four digits", replacing(`\\u[0-9a-fA-F]{1,3}(["\s])`, "x$1"), `{"id":7,"name":"fern\u41"}`},
		{"line-continuation", "strings that go on after a backslash and a line break", replacing(`\\\r?\n`, ""), "{\"id\":7,\"name\":\"fe\\\nrn\"}"},
		{"raw-control-character", "control characters in strings", replacing(`[\x01-\x08\x0b\x0c\x0e-\x1f]`, " "), "{\"id\":7,\"name\":\"fern\x07\"}"},
		{"yaml", "YAML that is declared as JSON", where(matches(`^\s*\w+\s*:`), fromYAML), "id: 7\nname: fern\n"},
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
func otherEncodings() []Alteration {
	list := lenient([]reader{
		{"utf-16-with-mark", "UTF-16 that begins with its mark, as Jackson does", fromUTF16, inUTF16(plainPlant)},
		{"utf-16", "UTF-16 without a mark", fromUTF16Unmarked, strings.TrimPrefix(inUTF16(plainPlant), "\xfe\xff")},
		{"base64-body", "a body in base64", fromBase64, base64.StdEncoding.EncodeToString([]byte(plainPlant))},
		{"form-with-json", "the JSON in a field of a form", replacing(`^(?:payload|json|data)=(\{.*\})$`, "$1"), "payload=" + plainPlant},
		{"message-pack-undeclared", "MessagePack that is declared as JSON", fromBinary, messagePackPlant},
	})
	for i, d := range list {
		if strings.HasPrefix(d.Name, "utf-16") { // which JSON was, by RFC 7159
			list[i].Clauses, list[i].Warns = nil, d.Clauses
		}
	}
	return list
}
