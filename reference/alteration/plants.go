package alteration

import (
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// mediaTypesOfPlants label a plant as something else (§4).
func mediaTypesOfPlants() []Alteration {
	const json = "application/json"
	labelled := func(values ...string) fault.Change { return fault.When(fault.Accepted, fault.MediaType(values...)) }
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
			fault.When(fault.Both(fault.Accepted, fault.SentProperty("tag", fault.Present)), fault.MediaType("text/plain"))),
		deviation("every-third-plant-as-text", ids(plantMediaType), "shows every third plant as text/plain",
			fault.Counting(fault.Accepted, fault.Every(3), fault.MediaType("text/plain"))),
	}
}

// bodiesOfPlants answer with a body that is not one JSON object (§4 rule 2).
func bodiesOfPlants() []Alteration {
	shown := func(edits ...fault.TextEdit) fault.Change { return fault.When(fault.Accepted, fault.Body(edits...)) }
	return []Alteration{
		deviation("empty-plant", ids(plantForm), "shows nothing in place of a plant", shown(fault.Nothing)),
		deviation("null-for-plant", ids(plantForm), "shows null in place of a plant", shown(fault.Constant("null"))),
		deviation("plant-in-list", ids(plantForm), "shows a list of one plant", shown(fault.Prefixed("["), fault.Suffixed("]"))),
		deviation("plant-in-string", ids(plantForm), "shows a plant as JSON in a JSON string", shown(fault.AsString)),
		deviation("plant-twice", ids(plantForm), "shows the plant twice, one JSON object after the other",
			shown(func(text string) string { return text + text })),
		deviation("text-after-plant", ids(plantForm), "shows a line of text after the plant", shown(fault.Suffixed("created\n"))),
		deviation("bom-before-plant", ids(plantForm), "shows a byte order mark before the plant", shown(fault.Prefixed("\ufeff"))),
		deviation("plant-in-utf-16", ids(plantForm), "shows a plant in UTF-16", shown(fault.InUTF16)),
		deviation("plant-in-latin-1", ids(plantForm), "shows a plant in Latin-1, with question marks for what that lacks",
			shown(fault.InLatin1)).warns(plantEcho),
		deviation("lone-surrogates", nil, "shows one half of each surrogate pair",
			shown(fault.Replacing(`[\x{10000}-\x{10FFFF}]`, `\ud83c`))).warns(plantForm, plantEcho),
		deviation("control-characters-unescaped", ids(plantForm), "shows line breaks in a name without escapes",
			shown(fault.Replacing(`\\n`, "\n"))),
		deviation("comma-after-last-property", ids(plantForm), "shows a comma after the last property",
			shown(fault.Replacing(`}`, `,}`))),
		deviation("nan-in-plant", ids(plantForm), "shows a plant with a height that is not a number",
			shown(fault.Replacing(`^{`, `{"height":NaN,`))),
		deviation("name-twice", ids(plantForm), "shows the name twice", shown(fault.Replacing(`^{`, `{"name":"fern",`))),
		deviation("tag-twice", ids(plantForm), "shows the tag twice, at first as null",
			fault.When(fault.Both(fault.Accepted, fault.SentProperty("tag", fault.Present)), fault.Body(fault.Replacing(`^{`, `{"tag":null,`)))),
		deviation("plant-cut-off", ids(plantForm), "shows a plant without its last brace", shown(fault.Replacing(`}\s*$`, ""))),
		deviation("plant-encoded-unasked", ids(plantForm), "shows a plant in a content coding that the client did not ask for",
			fault.When(fault.Accepted, fault.Header("Content-Encoding", "br"))).wire(),
	}
}

// propertiesOfPlants answer with plants whose properties are missing or of another type
// (§2 rule 1).
func propertiesOfPlants() []Alteration {
	name := func(edit fault.TextEdit) fault.Change {
		return fault.When(fault.Accepted, fault.Body(fault.Property("name", fault.Present, edit)))
	}
	tag := func(of fault.Kinds, edit fault.TextEdit) fault.Change {
		return fault.When(fault.Accepted, fault.Body(fault.Property("tag", of, edit)))
	}
	inList := fault.InTurn(fault.Prefixed("["), fault.Suffixed("]"))
	inObject := fault.InTurn(fault.Prefixed(`{"value":`), fault.Suffixed("}"))
	return []Alteration{
		deviation("no-name", ids(plantName), "shows a plant without its name", name(fault.Nothing)).warns(plantEcho),
		deviation("no-name-when-tagged", ids(plantName), "shows a plant without its name when it has a tag",
			fault.When(fault.Both(fault.Accepted, fault.SentProperty("tag", fault.Present)), fault.Body(fault.Property("name", fault.Present, fault.Nothing)))).warns(plantEcho),
		deviation("null-for-name", ids(plantName), "shows null for the name", name(fault.Constant("null"))).warns(plantEcho),
		deviation("null-for-odd-name", ids(plantName), "shows null for a name that is not ASCII",
			fault.When(fault.Both(fault.Accepted, fault.SentText("name", fault.BeyondASCII)), fault.Body(fault.Property("name", fault.Present, fault.Constant("null"))))).warns(plantEcho),
		deviation("number-for-name", ids(plantName), "shows a number for the name", name(fault.Constant("7"))).warns(plantEcho),
		deviation("name-in-list", ids(plantName), "shows a list with the name in it", name(inList)).warns(plantEcho),
		deviation("name-in-object", ids(plantName), "shows an object with the name in it", name(inObject)).warns(plantEcho),
		deviation("name-in-wrong-case", ids(plantName), "shows the name as Name",
			fault.When(fault.Accepted, fault.Body(fault.Renamed("name", "Name")))).warns(plantUndeclared, plantEcho),
		deviation("plant-wrapped", ids(plantName), "shows the plant inside of another object",
			fault.When(fault.Accepted, fault.Body(fault.Prefixed(`{"plant":`), fault.Suffixed("}")))).warns(plantUndeclared, plantEcho),

		deviation("null-for-no-tag", ids(plantTag), "shows null for the tag of a plant without one",
			tag(fault.Absent, fault.Constant("null"))).warns(plantEcho),
		deviation("null-for-empty-tag", ids(plantTag), "shows null for a tag that is empty",
			tag(fault.AString, fault.Where(fault.Equals(`""`), fault.Constant("null")))).warns(plantEcho),
		deviation("number-for-tag", ids(plantTag), "shows a number for the tag",
			tag(fault.AString, fault.Constant("7"))).warns(plantEcho),
		deviation("number-for-tag-of-digits", ids(plantTag), "shows a number for a tag of digits",
			tag(fault.AString, fault.Replacing(`^"(\d+)"$`, "$1"))).warns(plantEcho),
		deviation("tag-in-list", ids(plantTag), "shows a list with the tag in it", tag(fault.AString, inList)).warns(plantEcho),
		deviation("tag-in-object", ids(plantTag), "shows an object with the tag in it",
			tag(fault.AString, inObject)).warns(plantEcho),
	}
}

// otherPlants answer with a valid plant that is not the one that was sent, or with more
// properties (§2 rule 2).
func otherPlants() []Alteration {
	name := func(edit fault.TextEdit) fault.Change {
		return fault.When(fault.Accepted, fault.Body(fault.Property("name", fault.Present, func(value string) string { return fault.AsString(edit(fault.FromString(value))) })))
	}
	return []Alteration{
		deviation("same-plant-shown", nil, "shows the same plant for every one it creates",
			fault.When(fault.Accepted, fault.Body(fault.Constant(`{"name":"fern"}`)))).warns(plantEcho),
		deviation("previous-plant-shown", nil, "shows the plant that was created before", fault.PreviousShown).warns(plantEcho),
		deviation("name-trimmed", nil, "shows the name without white space at its ends",
			name(strings.TrimSpace)).warns(plantEcho),
		deviation("name-cut", nil, "shows the first 255 characters of a name",
			name(fault.Replacing(`(?s)^(.{255}).*$`, "$1"))).warns(plantEcho),
		deviation("name-composed", nil, "shows a composed character for a combining accent",
			name(fault.Replacing("e\u0301", "é"))).warns(plantEcho),
		deviation("name-in-question-marks", nil, "shows question marks for what is not ASCII",
			name(fault.Replacing(`[^\x00-\x7F]`, "?"))).warns(plantEcho),
		deviation("markup-escaped", nil, "shows a name as it must be written in HTML",
			name(fault.Replacing("<", "&lt;"))).warns(plantEcho),
		deviation("tag-dropped", nil, "shows no tag",
			fault.When(fault.Accepted, fault.Body(fault.Property("tag", fault.Present, fault.Nothing)))).warns(plantEcho),
		deviation("name-for-tag", nil, "shows the name in place of the tag",
			fault.When(fault.Accepted, fault.Body(fault.Property("tag", fault.Present, fault.Constant(`"conformance"`))))).warns(plantEcho),
		deviation("time-of-creation-shown", nil, "shows when the plant was created",
			fault.When(fault.Accepted, fault.Body(fault.Property("createdAt", fault.Absent, fault.Constant(`"2026-11-21T09:00:00Z"`))))).warns(plantUndeclared),
	}
}
