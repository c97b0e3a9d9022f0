package reference

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
)

// mediaTypesOfPlants label a plant as something else (§4).
func mediaTypesOfPlants() []Alteration {
	const json = "application/json"
	labelled := func(values ...string) change { return when(acceptance, mediaType(values...)) }
	return []Alteration{
		deviation("plant-without-media-type", ids(plantMediaType), "shows a plant without a media type", labelled()),
		deviation("plant-with-empty-media-type", ids(plantMediaType), "shows a plant with an empty media type", labelled("")),
		deviation("plant-as-text", ids(plantMediaType), "shows a plant as text/plain", labelled("text/plain; charset=utf-8")),
		deviation("plant-with-suffix", ids(plantMediaType), "shows a plant as application/vnd.plant+json",
			labelled("application/vnd.plant+json")),
		deviation("plant-with-half-a-parameter", ids(plantMediaType), "shows a plant as application/json; charset",
			labelled(json+"; charset")),
		deviation("plant-with-two-in-one", ids(plantMediaType), "shows a plant as application/json, text/html in one field",
			labelled(json+", text/html")),
		deviation("plant-declared-twice", ids(plantMediaType), "shows a plant with two Content-Type fields",
			labelled(json, json)),
		deviation("tagged-plant-as-text", ids(plantMediaType), "shows a plant as text/plain when it has a tag",
			when(both(acceptance, sentProperty("tag", present)), mediaType("text/plain"))),
		deviation("every-third-plant-as-text", ids(plantMediaType), "shows every third plant as text/plain",
			counting(acceptance, every(3), mediaType("text/plain"))),
	}
}

// bodiesOfPlants are not one JSON object (§4 rule 2).
func bodiesOfPlants() []Alteration {
	shown := func(edits ...textEdit) change { return when(acceptance, body(edits...)) }
	return []Alteration{
		deviation("empty-plant", ids(plantForm), "shows nothing in place of a plant", shown(nothing)),
		deviation("null-for-plant", ids(plantForm), "shows null in place of a plant", shown(constant("null"))),
		deviation("plant-in-list", ids(plantForm), "shows a list of one plant", shown(prefixed("["), suffixed("]"))),
		deviation("plant-in-string", ids(plantForm), "shows a plant as JSON in a JSON string", shown(asString)),
		deviation("plant-twice", ids(plantForm), "shows the plant twice, one JSON object after the other",
			shown(func(text string) string { return text + text })),
		deviation("text-after-plant", ids(plantForm), "shows a line of text after the plant", shown(suffixed("created\n"))),
		deviation("bom-before-plant", ids(plantForm), "shows a byte order mark before the plant", shown(prefixed("\ufeff"))),
		deviation("plant-in-utf-16", ids(plantForm), "shows a plant in UTF-16", shown(inUTF16)),
		deviation("plant-in-latin-1", ids(plantForm), "shows a plant in Latin-1, with question marks for what that lacks",
			shown(inLatin1)).warns(plantEcho),
		deviation("lone-surrogates", nil, "shows one half of each surrogate pair",
			shown(replacing(`[\x{10000}-\x{10FFFF}]`, `\ud83c`))).warns(plantForm, plantEcho),
		deviation("control-characters-unescaped", ids(plantForm), "shows line breaks in a name without escapes",
			shown(replacing(`\\n`, "\n"))),
		deviation("comma-after-last-property", ids(plantForm), "shows a comma after the last property",
			shown(replacing(`}`, `,}`))),
		deviation("nan-in-plant", ids(plantForm), "shows a plant with a height that is not a number",
			shown(replacing(`^{`, `{"height":NaN,`))),
		deviation("name-twice", ids(plantForm), "shows the name twice", shown(replacing(`^{`, `{"name":"fern",`))),
		deviation("tag-twice", ids(plantForm), "shows the tag twice, at first as null",
			when(both(acceptance, sentProperty("tag", present)), body(replacing(`^{`, `{"tag":null,`)))),
		deviation("plant-cut-off", ids(plantForm), "shows a plant without its last brace", shown(replacing(`}\s*$`, ""))),
		deviation("plant-encoded-unasked", ids(plantForm), "shows a plant in a content coding that the client did not ask for",
			when(acceptance, header("Content-Encoding", "br"))).wire(),
	}
}

// propertiesOfPlants are missing or of another type (§2 rule 1).
func propertiesOfPlants() []Alteration {
	name := func(edit textEdit) change { return when(acceptance, body(property("name", present, edit))) }
	tag := func(of kinds, edit textEdit) change { return when(acceptance, body(property("tag", of, edit))) }
	inList := inTurn(prefixed("["), suffixed("]"))
	inObject := inTurn(prefixed(`{"value":`), suffixed("}"))
	return []Alteration{
		deviation("no-name", ids(plantName), "shows a plant without its name", name(nothing)).warns(plantEcho),
		deviation("no-name-when-tagged", ids(plantName), "shows a plant without its name when it has a tag",
			when(both(acceptance, sentProperty("tag", present)), body(property("name", present, nothing)))).warns(plantEcho),
		deviation("null-for-name", ids(plantName), "shows null for the name", name(constant("null"))).warns(plantEcho),
		deviation("null-for-odd-name", ids(plantName), "shows null for a name that is not ASCII",
			when(both(acceptance, sentName(beyondASCII)), body(property("name", present, constant("null"))))).warns(plantEcho),
		deviation("number-for-name", ids(plantName), "shows a number for the name", name(constant("7"))).warns(plantEcho),
		deviation("name-in-list", ids(plantName), "shows a list with the name in it", name(inList)).warns(plantEcho),
		deviation("name-in-object", ids(plantName), "shows an object with the name in it", name(inObject)).warns(plantEcho),
		deviation("name-in-wrong-case", ids(plantName), "shows the name as Name",
			when(acceptance, body(renamed("name", "Name")))).warns(plantUndeclared, plantEcho),
		deviation("plant-wrapped", ids(plantName), "shows the plant inside of another object",
			when(acceptance, body(prefixed(`{"plant":`), suffixed("}")))).warns(plantUndeclared, plantEcho),

		deviation("null-for-no-tag", ids(plantTag), "shows null for the tag of a plant without one",
			tag(absent, constant("null"))).warns(plantEcho),
		deviation("null-for-empty-tag", ids(plantTag), "shows null for a tag that is empty",
			tag(aString, where(equals(`""`), constant("null")))).warns(plantEcho),
		deviation("number-for-tag", ids(plantTag), "shows a number for the tag",
			tag(aString, constant("7"))).warns(plantEcho),
		deviation("number-for-tag-of-digits", ids(plantTag), "shows a number for a tag of digits",
			tag(aString, replacing(`^"(\d+)"$`, "$1"))).warns(plantEcho),
		deviation("tag-in-list", ids(plantTag), "shows a list with the tag in it", tag(aString, inList)).warns(plantEcho),
		deviation("tag-in-object", ids(plantTag), "shows an object with the tag in it",
			tag(aString, inObject)).warns(plantEcho),
	}
}

// otherPlants are valid, but not the one that was sent, or tell too much (§2
// rule 2).
func otherPlants() []Alteration {
	name := func(edit textEdit) change {
		return when(acceptance, body(property("name", present, func(value string) string { return asString(edit(fromString(value))) })))
	}
	return []Alteration{
		deviation("same-plant-shown", nil, "shows the same plant for every one it creates",
			when(acceptance, body(constant(`{"name":"fern"}`)))).warns(plantEcho),
		deviation("previous-plant-shown", nil, "shows the plant that was created before", previousShown).warns(plantEcho),
		deviation("name-trimmed", nil, "shows the name without white space at its ends",
			name(strings.TrimSpace)).warns(plantEcho),
		deviation("name-cut", nil, "shows the first 255 characters of a name",
			name(replacing(`(?s)^(.{255}).*$`, "$1"))).warns(plantEcho),
		deviation("name-composed", nil, "shows a composed character for a combining accent",
			name(replacing("e\u0301", "é"))).warns(plantEcho),
		deviation("name-in-question-marks", nil, "shows question marks for what is not ASCII",
			name(replacing(`[^\x00-\x7F]`, "?"))).warns(plantEcho),
		deviation("markup-escaped", nil, "shows a name as it must be written in HTML",
			name(replacing("<", "&lt;"))).warns(plantEcho),
		deviation("tag-dropped", nil, "shows no tag",
			when(acceptance, body(property("tag", present, nothing)))).warns(plantEcho),
		deviation("name-for-tag", nil, "shows the name in place of the tag",
			when(acceptance, body(property("tag", present, constant(`"conformance"`))))).warns(plantEcho),
		deviation("time-of-creation-shown", nil, "shows when the plant was created",
			when(acceptance, body(property("createdAt", absent, constant(`"2026-11-21T09:00:00Z"`))))).warns(plantUndeclared),
	}
}

// previousShown answers with the plant of the acceptance before, and the first
// with its own.
func previousShown(next decision, _ []string) decision {
	var mu sync.Mutex
	var last string
	return func(r *request) answer {
		a := next(r)
		if !acceptance(r, a) {
			return a
		}
		mu.Lock()
		defer mu.Unlock()
		shown := last
		if last = string(a.body); shown == "" {
			return a
		}
		return a.withBody(shown)
	}
}

// inUTF16 is the text in UTF-16, with its mark.
func inUTF16(text string) string {
	b := []byte{0xFE, 0xFF}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.BigEndian.AppendUint16(b, unit)
	}
	return string(b)
}

// inLatin1 is the text in Latin-1, with question marks for what that lacks.
func inLatin1(text string) string {
	var b []byte
	for _, c := range text {
		if c > unicode.MaxLatin1 {
			c = '?'
		}
		b = append(b, byte(c))
	}
	return string(b)
}
