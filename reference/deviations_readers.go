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
		{"line-comments", "JSON with comments after //, as JSON5 does", replacing(`(?m)(^|[\s,{}])//.*$`, "$1"), "{\"id\":7, // x\n\"name\":\"fern\"}"},
		{"comment-after", "JSON with a comment after it", replacing(`\}\s*/\*.*?\*/\s*$`, "}"), plainPlant + "/* x */"},
		{"comment-before", "JSON with a comment before it", replacing(`^\s*/\*.*?\*/`, ""), "/* x */" + plainPlant},
		{"markup-comments", "JSON with comments of HTML", replacing(`<!--.*?-->`, ""), "<!-- x -->" + plainPlant},
		{"semicolon-after", "JSON with a semicolon after it", replacing(`;\s*$`, ""), plainPlant + ";"},
		{"comma-after", "JSON with a comma after it", replacing(`\}\s*,\s*$`, "}"), plainPlant + ","},
		{"brace-after", "JSON with a brace too many", replacing(`\}\s*\}\s*$`, "}"), plainPlant + "}"},
		{"nul-after", "JSON with NUL bytes after it, as a buffer of C has", func(text string) string { return strings.TrimRight(text, "\x00") }, plainPlant + "\x00"},
		{"guard-before", "JSON after )]}', as some send it against scripts", replacing(`^\)\]\}',?\s*`, ""), ")]}',\n" + plainPlant},
		{"loop-before", "JSON after while(1);", replacing(`^(while\(1\)|for\(;;\));`, ""), "while(1);" + plainPlant},
		{"text-before", "the JSON after some text", replacing(`^[\w\s]+\{`, "{"), "plant " + plainPlant},
		{"assignment-before", "JSON after a name and an equals sign", replacing(`^(var |let |const )?\w+\s*=\s*(\{)`, "$2"), "plant = " + plainPlant},
		{"callback-around", "JSON in the brackets of a call", replacing(`^\s*\w*\((.*)\);?\s*$`, "$1"), "plant(" + plainPlant + ")"},
		{"fence-around", "JSON in a code block of Markdown", replacing("(?s)^```\\w*\\s(.*?)```\\s*$", "$1"), "```json\n" + plainPlant + "\n```"},
		{"separator-before", "JSON after the record separator of RFC 7464", replacing("^\x1e", ""), "\x1e" + plainPlant},
		{"document-start-before", "JSON after --- as the start of a YAML document", replacing(`^---\s`, ""), "--- " + plainPlant},
		{"missing-open-brace", "JSON without its first brace", replacing(`^\s*(".*\})\s*$`, "{$1"), `"id":7,"name":"fern"}`},
		{"missing-braces", "the properties of an object without its braces", replacing(`^\s*("\w+"\s*:[^{}]*)$`, "{$1}"), `"id":7,"name":"fern"`},
		{"cut-off-after-value", "JSON without the braces at its end", completedAll, `{"id":7,"name":"fern","pot":{"a":1`},
		{"cut-off-after-comma", "JSON that ends with a comma", replacing(`,\s*$`, "}"), `{"id":7,"name":"fern",`},
		{"single-quotes-around-values", "values in single quotes", replacing(`:\s*'([^']*)'`, `:"$1"`), `{"id":7,"name":'fern'}`},
		{"single-quotes-around-keys", "keys in single quotes", replacing(`'(\w+)'\s*:`, `"$1":`), `{'id':7,"name":"fern"}`},
		{"backticks", "strings in backticks", replacing("`", `"`), "{\"id\":7,\"name\":`fern`}"},
		{"unquoted-values", "words without quotes as strings", replacing(`:\s*([A-Za-z][\w ]*?)\s*([,}])`, `:"$1"$2`), `{"id":7,"name":fern}`},
		{"equals-for-colon", "an equals sign in place of a colon", replacing(`"\s*=\s*`, `":`), `{"id"=7,"name"="fern"}`},
		{"arrow-for-colon", "=> in place of a colon", replacing(`"\s*=>\s*`, `":`), `{"id"=>7,"name"=>"fern"}`},
		{"semicolon-for-comma", "semicolons in place of commas", replacing(`;(\s*")`, `,$1`), `{"id":7;"name":"fern"}`},
		{"missing-comma", "properties without a comma between them", replacing(`(\d|"|\}|\])\s+"(\w+)"\s*:`, `$1,"$2":`), `{"id":7 "name":"fern"}`},
		{"line-break-for-comma", "line breaks in place of commas", replacing(`([\d"])\s*\n\s*"`, `$1,"`), "{\"id\":7\n\"name\":\"fern\"}"},
		{"leading-comma", "a comma before the first property", replacing(`\{\s*,`, "{"), `{,"id":7,"name":"fern"}`},
		{"double-comma", "two commas in a row", replacing(`,\s*,+`, ","), `{"id":7,,"name":"fern"}`},
		{"trailing-comma-in-list", "a comma after the last value of a list", replacing(`,\s*\]`, "]"), `{"id":7,"name":"fern","x":[1,]}`},
		{"plus-sign", "numbers with a plus sign", replacing(start+`\+(\d)`, "$1$2"), `{"id":+7,"name":"fern"}`},
		{"point-first", "numbers that begin with a point", replacing(start+`\.(\d)`, "${1}0.$2"), `{"id":7,"name":"fern","x":.5}`},
		{"point-last", "numbers that end with a point", replacing(`(\d)\.(\s*[,}\]])`, "$1$2"), `{"id":7.,"name":"fern"}`},
		{"hexadecimal", "hexadecimal numbers", replacing(start+`0[xX][0-9a-fA-F]+`, "${1}7"), `{"id":7,"name":"fern","x":0x7}`},
		{"octal", "numbers that begin with 0o", replacing(start+`0[oO][0-7]+`, "${1}7"), `{"id":7,"name":"fern","x":0o7}`},
		{"binary", "numbers that begin with 0b", replacing(start+`0[bB][01]+`, "${1}7"), `{"id":7,"name":"fern","x":0b1}`},
		{"digit-separators", "numbers with underscores", replacing(`(\d)_(\d)`, "$1$2"), `{"id":1_000,"name":"fern"}`},
		{"big-integer-suffix", "integers that end in n or L", replacing(`(\d)[nL](\s*[,}\]])`, "$1$2"), `{"id":7n,"name":"fern"}`},
		{"infinity", "Infinity as a number", replacing(start+`[-+]?Infinity`, "${1}0"), `{"id":7,"name":"fern","x":-Infinity}`},
		{"nan-in-small-letters", "nan and inf as numbers", replacing(start+`-?(nan|inf)\b`, "${1}0"), `{"id":7,"name":"fern","x":nan}`},
		{"undefined", "undefined as null", replacing(`\bundefined\b`, "null"), `{"id":7,"name":"fern","x":undefined}`},
		{"python-constants", "None, True and False", replacing(start+`(None|True|False)\b`, "${1}null"), `{"id":7,"name":"fern","tag":None}`},
		{"capital-constants", "NULL, TRUE and FALSE", replacing(start+`(NULL|TRUE|FALSE)\b`, "${1}null"), `{"id":7,"name":"fern","x":TRUE}`},
		{"tilde", "~ as null, as YAML does", replacing(start+`~`, "${1}null"), `{"id":7,"name":"fern","x":~}`},
		{"missing-value", "a property without a value", replacing(`:(\s*[,}])`, ":null$1"), `{"id":7,"name":"fern","x":}`},
		{"python-string-prefix", "strings with a prefix, as Python 2 writes them", replacing(start+`[ub](["'])`, "$1$2"), `{"id":7,"name":u"fern"}`},
		{"function-as-value", "calls as values, as the shell of MongoDB does", replacing(`\b[A-Z]\w+\((\w+)\)`, "$1"), `{"id":NumberLong(7),"name":"fern"}`},
		{"apostrophe-escape", "an escape for the apostrophe", replacing(`\\'`, "'"), `{"id":7,"name":"fern\'s"}`},
		{"escape-character-escape", "an escape for the character ESC", replacing(`\\e`, `\u001b`), `{"id":7,"name":"fern\e"}`},
		{"octal-escape", "octal escapes", replacing(`\\[0-7]{1,3}`, " "), `{"id":7,"name":"fern\101"}`},
		{"other-control-escapes", "escapes for the characters BEL and VT", replacing(`\\[av]`, " "), `{"id":7,"name":"fern\v"}`},
		{"long-escape", "escapes of eight digits or in braces", replacing(`\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]+\}`, "x"), `{"id":7,"name":"fern\u{41}"}`},
		{"short-escape", "escapes of fewer than four digits", replacing(`\\u[0-9a-fA-F]{1,3}(["\s])`, "x$1"), `{"id":7,"name":"fern\u41"}`},
		{"unknown-escape", "an escape for any character", replacing(`\\([^"\\/bfnrtu])`, "$1"), `{"id":7,"name":"fern\q"}`},
		{"line-continuation", "strings that go on after a backslash and a line break", replacing(`\\\r?\n`, ""), "{\"id\":7,\"name\":\"fe\\\nrn\"}"},
		{"raw-tab", "tabs in strings", replacing(`\t`, " "), "{\"id\":7,\"name\":\"fern\t\"}"},
		{"raw-nul", "the character U+0000 in strings", replacing(`\x00`, " "), "{\"id\":7,\"name\":\"fern\x00\"}"},
		{"raw-control-character", "control characters in strings", replacing(`[\x01-\x08\x0b\x0c\x0e-\x1f]`, " "), "{\"id\":7,\"name\":\"fern\x07\"}"},
		{"form-feed", "a form feed as white space", replacing(`[\f\v]`, " "), "{\"id\":7,\f\"name\":\"fern\"}"},
		{"wide-white-space", "white space that is not ASCII", replacing(`[\x{A0}\x{2003}\x{3000}\x{2028}\x{85}]`, " "), "{\"id\":7,\u2003\"name\":\"fern\"}"},
		{"zero-width-white-space", "zero-width characters as white space", replacing(`[\x{200B}\x{2060}]`, ""), "{\"id\":7,\u200b\"name\":\"fern\"}"},
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
	return lenient([]reader{
		{"utf-16-with-mark", "UTF-16 that begins with its mark, as Jackson does", fromUTF16, inUTF16(plainPlant)},
		{"utf-16", "UTF-16 without a mark", fromUTF16Unmarked, strings.TrimPrefix(inUTF16(plainPlant), "\xfe\xff")},
		{"utf-7", "UTF-7", replacing(`\+ACI-`, `"`), `{+ACI-id+ACI-:7,+ACI-name+ACI-:+ACI-fern+ACI-}`},
		{"base64-body", "a body in base64", fromBase64, base64.StdEncoding.EncodeToString([]byte(plainPlant))},
		{"percent-encoded-body", "a body in percent-encoding", fromPercent, url.QueryEscape(plainPlant)},
		{"escaped-quotes", "JSON whose quotes are escaped once too often", replacing(`\\"`, `"`), `{\"id\":7,\"name\":\"fern\"}`},
		{"form-with-json", "the JSON in a field of a form", replacing(`^(?:payload|json|data)=(\{.*\})$`, "$1"), "payload=" + plainPlant},
		{"gzip-undeclared", "gzip that nothing declares", fromGzip, inGzip(plainPlant)},
		{"xml-undeclared", "XML that is declared as JSON", fromXML, xmlPlant},
		{"message-pack-undeclared", "MessagePack that is declared as JSON", fromBinary, messagePackPlant},
	})
}
