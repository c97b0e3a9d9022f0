package reference

import (
	"net/http"
	"strconv"
	"strings"
	"unicode"
)

// crashes answer with a status that neither accepts nor rejects (§4) what a
// parser, a database or a template cannot take, be it valid or not.
func crashes() []Alteration {
	crash := answering(http.StatusInternalServerError, "text/plain; charset=utf-8", "Internal Server Error\n")
	on := func(name, where string, holds condition, body string, lines ...string) Alteration {
		return deviation("fails-on-"+name, ids(answers), "fails with 500 if "+where, when(holds, crash)).shows(body, lines...)
	}
	named := func(name string) string { return `{"id":7,"name":` + asString(name) + `}` }
	key := func(key string) condition {
		return sent(func(text string) bool {
			o, ok := parseObject(text)
			return ok && o[key] != nil
		})
	}
	with := func(key, value string) string { return `{"id":7,"name":"fern",` + asString(key) + `:` + value + `}` }
	loneHigh := func(text string) bool { return matches(`\\u[dD][89abAB]`)(text) && !isJSON(text) }
	const digits, depth, many, large = 5_000, 2_000, 1_000, 8 << 10
	nonASCII := func(value string) bool { return beyondASCII(value) || beyondUTF8(value) }
	return []Alteration{
		on("lone-surrogate", "a lone surrogate is escaped", sent(loneHigh), `{"id":7,"name":"a\ud800b"}`),
		on("non-ascii-token", "the credential has a byte that is not ASCII", sentField("Authorization", nonASCII), plainPlant, "Authorization: Bearer \xff\xfe"),
		on("long-id", "the id has more than 4,300 digits", sent(inRun(4300, unicode.IsDigit)), `{"id":`+strings.Repeat("7", digits)+`,"name":"fern"}`),
		on("utf-16", "the body is UTF-16", sent(func(text string) bool { return fromUTF16(text) != text }), inUTF16(plainPlant)),
		on("byte-order-mark", "the body begins with a byte order mark", sent(matches("^\ufeff")), "\ufeff"+plainPlant),
		on("invalid-utf-8", "the body is not UTF-8", sent(beyondUTF8), "{\"id\":7,\"name\":\"\xff\"}"),
		on("other-charset", "the charset of the media type is not UTF-8", sentField("Content-Type", allOf(contains("charset="), noneOf(matches(`(?i)charset="?utf-?8`)))), plainPlant, "Content-Type: application/json; charset=utf-16"),
		on("missing-media-type", "there is no media type", func(r *request, _ answer) bool { return r.Header.Get("Content-Type") == "" }, plainPlant, "Content-Type: "),
		on("very-deep-nesting", "values are nested 1,000 deep", sent(contains(strings.Repeat("[", many))), with("x", strings.Repeat("[", depth)+strings.Repeat("]", depth))),
		on("percent-sign", "the name has a percent sign before a letter", sentName(matches(`%[sdnx]`)), named("%s%n")),
		on("braces", "the name has braces of a template", sentName(contains("{{")), named("{{7*7}}")),
		on("dollar-brace", "the name has a placeholder", sentName(contains("${")), named("${jndi:ldap://x}")),
		on("apostrophe", "the name has an apostrophe", sentName(contains("'")), named("O'Hara")),
		on("backslash", "the name has a backslash", sentName(contains(`\`)), named(`a\b`)),
		on("long-name", "the name is longer than 255 characters", sentName(longer(255)), named(strings.Repeat("f", 256))),
		on("long-tag", "the tag is longer than 255 characters", sentTagText(longer(255)), with("tag", asString(strings.Repeat("f", 256)))),
		on("empty-name", "the name is empty", sentName(equals("")), named("")),
		on("constructor", "there is a property constructor", key("constructor"), with("constructor", `{"prototype":{}}`)),
		on("reference", "there is a property $ref", key("$ref"), with("$ref", `"#"`)),
		on("nul-in-key", "a key has the character U+0000", sent(matches(`\\u0000[^"]*"\s*:`)), with("a\x00", "1")),
		on("duplicate-key", "a key is duplicated", sent(func(text string) bool { return !isJSON(text) && lastOfDuplicates(text) != text }), `{"id":7,"name":"a","name":"b"}`),
		on("long-header", "a header field is longer than 8 KiB", func(r *request, _ answer) bool {
			for _, values := range r.Header {
				if len(strings.Join(values, "")) > large {
					return true
				}
			}
			return false
		}, plainPlant, "X-Long: "+strings.Repeat("x", large+1)),
		on("one-word-credential", "Authorization is one word", sentField("Authorization", matches(`^\S+$`)), plainPlant, "Authorization: Bearer"),
		on("unknown-coding", "the content coding is unknown", sentField("Content-Encoding", matches(`bogus|x-|zstd|br`)), plainPlant, "Content-Encoding: bogus"),
		on("unknown-accept", "Accept names no media type that it can write", sentField("Accept", matches(`xml|bogus`)), plainPlant, "Accept: application/bogus"),
		on("list-by-position", "the body is a list of values", sent(allOf(aList.include, noneOf(contains("{")))), `[7,"Monstera"]`),
		on("object-as-id", "the id is an object", sentProperty("id", anObject), `{"id":{},"name":"fern"}`),
		deviation("chunked-refused", nil, "does not read a chunked body and says that the name is missing",
			when(both(acceptance, sentChunked), refuse(http.StatusBadRequest, "name", "is missing"))).warns(accepts).wire().shows(plainPlant, chunkedLine),
		deviation("fails-on-chunked", ids(answers), "fails with 500 if the body is chunked", when(sentChunked, crash)).wire().shows(plainPlant, chunkedLine),
		deviation("fails-on-acceptance-with-502", ids(answers), "has a proxy that answers 502 to an answer with a tag beyond ASCII",
			when(both(acceptance, sentTagText(beyondASCII)), answering(http.StatusBadGateway, "text/html", "<h1>502 Bad Gateway</h1>\n"))).shows(with("tag", `"grün"`)),
	}
}

// inRun: so many such characters stand in a row.
func inRun(n int, such func(c rune) bool) func(text string) bool {
	return func(text string) bool {
		run := 0
		for _, c := range text {
			if run++; !such(c) {
				run = 0
			}
			if run == n {
				return true
			}
		}
		return false
	}
}

// manyKeys is an object of so many properties.
func manyKeys(n int) string {
	o := object{}
	for i := range n {
		o[strconv.Itoa(i)] = []byte("1")
	}
	return o.text()
}
