package alteration

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/plantstore/conformance/reference/fault"
)

// refused returns a rejection (§7) with this status, because of that part of the request.
func refused(status int, part, problem string) fault.Answer {
	a := fault.JSON(status, map[string]any{"error": status, "message": part + " " + problem})
	a.Rejected = part
	return a
}

// refuse returns an edit that answers with a rejection.
func refuse(status int, part, problem string) fault.Edit {
	return func(*fault.Request, fault.Answer) fault.Answer { return refused(status, part, problem) }
}

// rejecting rejects with 400 if the condition holds and the service would accept.
func rejecting(holds fault.Condition, part, problem string) fault.Change {
	return fault.When(fault.Both(fault.Accepted, holds), refuse(http.StatusBadRequest, part, problem))
}

func acceptAsRead(r *fault.Request, _ fault.Answer) fault.Answer {
	o := r.Object()
	maps.DeleteFunc(o, func(name string, _ jsontext.Value) bool { return name != "name" && name != "tag" })
	return fault.JSON(http.StatusOK, o)
}

func shownPlant(edits ...fault.TextEdit) fault.Change {
	return fault.When(fault.Accepted, fault.Body(edits...))
}

func shownError(edits ...fault.TextEdit) fault.Change {
	return fault.When(fault.Refused, fault.Body(edits...))
}

// shownMessage replaces the message of Errors.
func shownMessage(text string) fault.Change {
	return shownError(fault.Set("message", fault.AsString(text)))
}

// readsEdited edits a body that is not I-JSON before the service reads it, so that the service
// accepts it.
func readsEdited(edit fault.TextEdit) fault.Change { return fault.ReadingBody(fault.Mending(edit)) }

// shownAsSent adds a property of the request to a plant that does not show it.
func shownAsSent(name string) fault.Change {
	return fault.When(fault.Both(fault.Accepted, fault.SentProperty(name, fault.Present)), func(r *fault.Request, a fault.Answer) fault.Answer {
		return fault.Body(fault.Add(name, string(r.Object()[name])))(r, a)
	})
}

// idIn returns the id of the plant in a text, if the contract permits the plant.
func idIn(text string) (id int64, ok bool) {
	o, _ := fault.ParseObject(text)
	n, ok := new(big.Rat).SetString(string(o["id"]))
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		return 0, false
	}
	return n.Num().Int64(), fault.ANumber.Include(string(o["id"])) && fault.AString.Include(string(o["name"])) && (fault.AString + fault.Absent).Include(string(o["tag"]))
}

// padded reports whether a text has white space around it.
func padded(text string) bool { return strings.TrimSpace(text) != text }

// sentTaken holds if another plant has the id of the request.
func sentTaken(r *fault.Request, a fault.Answer) bool {
	_, ok := idIn(r.Text())
	return a.Rejected == "id" && ok
}

// acceptedWithTag holds if a plant with a tag is accepted.
func acceptedWithTag() fault.Condition {
	return fault.Both(fault.Accepted, fault.SentProperty("tag", fault.Present))
}

// sentUnknownProperty holds if the request has a property that NewPlant does not list.
func sentUnknownProperty(r *fault.Request, _ fault.Answer) bool {
	isUnknown := func(name string) bool { return !slices.Contains([]string{"name", "id", "tag"}, name) }
	return slices.ContainsFunc(slices.Collect(maps.Keys(r.Object())), isUnknown)
}

// byID returns the same key for requests with the same id, as it is written.
func byID(r *fault.Request) string { return string(r.Object()["id"]) }

// plainPlant is the body of a probe that needs no particular body.
const plainPlant = `{"id":7,"name":"fern"}`

func plantWith(property, value string) string {
	o := fault.Object{"id": jsontext.Value("7"), "name": jsontext.Value(`"fern"`)}
	o[property] = jsontext.Value(value)
	return o.Text()
}

// The functions below convert another format to the JSON of a plant. They return the text unchanged
// if they cannot.

// plantOf returns the JSON of a plant with these values.
func plantOf(values map[string]string, text string) string {
	if !fault.IsJSON(values["id"]) {
		return text
	}
	o := fault.Object{"id": []byte(values["id"])}
	for _, key := range []string{"name", "tag"} {
		if value, found := values[key]; found {
			o[key] = []byte(fault.AsString(value))
		}
	}
	return o.Text()
}

func fromXML(text string) string {
	var plant struct {
		Attributes []xml.Attr `xml:",any,attr"`
		Elements   []struct {
			XMLName xml.Name
			Text    string `xml:",chardata"`
		} `xml:",any"`
	}
	if xml.Unmarshal([]byte(text), &plant) != nil {
		return text
	}
	values := map[string]string{}
	for _, a := range plant.Attributes {
		values[a.Name.Local] = a.Value
	}
	for _, e := range plant.Elements {
		values[e.XMLName.Local] = e.Text
	}
	return plantOf(values, text)
}

func fromCSV(text string) string {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) < 2 {
		return text
	}
	values := map[string]string{}
	for i, key := range lines[0] {
		values[key] = lines[1][i]
	}
	return plantOf(values, text)
}

func fromMultipart(r *fault.Request, text string) string {
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	values, parts := map[string]string{}, multipart.NewReader(strings.NewReader(text), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return plantOf(values, text)
		}
		value, _ := io.ReadAll(part)
		if fault.IsJSON(string(value)) && fault.AnObject.Include(string(value)) {
			return string(value)
		}
		values[part.FormName()] = string(value)
	}
}

// fromBinary replaces a map in MessagePack or CBOR by any plant.
func fromBinary(text string) string {
	if text != "" && (text[0]>>5 == 0b101 || text[0]>>4 == 0b1000) {
		return anyPlant(text)
	}
	return text
}

// fromForm reads a plant from form data.
func fromForm(text string) string {
	form, err := url.ParseQuery(text)
	if err != nil || !form.Has("id") {
		return text
	}
	return fmt.Sprintf(`{"id":%s,"name":%s}`, form.Get("id"), fault.AsString(form.Get("name")))
}

// anyPlant returns a plant that no client has sent.
func anyPlant(string) string { return fmt.Sprintf(`{"id":%s,"name":"unnamed"}`, anyID("")) }

// anyID returns an id that no client has sent.
func anyID(string) string { return strconv.FormatInt(rand.Int64(), 10) }

// mediaTypesOfPlants label a plant as something else (§4).
func mediaTypesOfPlants() []Alteration {
	row := breaking(plantMediaType)
	const json = "application/json"
	labelled := func(values ...string) fault.Change { return fault.When(fault.Accepted, fault.MediaType(values...)) }
	return []Alteration{
		row("plant-without-media-type", "shows a plant without a media type", labelled()),
		row("plant-with-empty-media-type", "shows a plant with an empty media type", labelled("")),
		row("plant-as-text", "shows a plant as text/plain", labelled("text/plain; charset=utf-8")),
		row("plant-with-suffix", "shows a plant as application/vnd.plant+json", labelled("application/vnd.plant+json")),
		row("plant-with-half-a-parameter", "shows a plant as application/json; charset", labelled(json+"; charset")),
		row("plant-with-two-in-one", "shows a plant as application/json, text/html in one field", labelled(json+", text/html")),
		row("plant-declared-twice", "shows a plant with two Content-Type fields", labelled(json, json)),
		row("tagged-plant-as-text", "shows a plant as text/plain when it has a tag",
			fault.When(acceptedWithTag(), fault.MediaType("text/plain"))),
		deviation("plant-as-script", ids(plantMediaType, plantForm), "shows a plant as a script if the query names a function",
			fault.When(fault.Both(fault.Accepted, fault.SentQuery(fault.Contains("callback="))),
				fault.MediaType("text/javascript"), fault.Body(fault.Replacing(`(?s)^(.*)$`, "f($1);")))).shows(plainPlant, "?callback=f"),
		row("every-third-plant-as-text", "shows every third plant as text/plain",
			fault.Counting(fault.Accepted, fault.Every(3), fault.MediaType("text/plain"))),
	}
}

// bodiesOfPlants answer with a body that is not one JSON object (§4 rule 2).
func bodiesOfPlants() []Alteration {
	row := breaking(plantForm)
	return []Alteration{
		row("empty-plant", "shows nothing in place of a plant", shownPlant(fault.Nothing)),
		row("null-for-plant", "shows null in place of a plant", shownPlant(fault.Constant("null"))),
		row("plant-in-list", "shows a list of one plant", shownPlant(fault.Prefixed("["), fault.Suffixed("]"))),
		row("plant-in-string", "shows a plant as JSON in a JSON string", shownPlant(fault.AsString)),
		row("plant-twice", "shows the plant twice, one JSON object after the other",
			shownPlant(func(text string) string { return text + text })),
		row("text-after-plant", "shows a line of text after the plant", shownPlant(fault.Suffixed("created\n"))),
		row("bom-before-plant", "shows a byte order mark before the plant", shownPlant(fault.Prefixed("\ufeff"))),
		row("plant-in-utf-16", "shows a plant in UTF-16", shownPlant(fault.InUTF16)),
		row("plant-in-latin-1", "shows a plant in Latin-1, with question marks for what that lacks",
			shownPlant(fault.InLatin1)).warns(plantEcho),
		deviation("plant-in-latin-1-as-asked", ids(plantForm), "shows a plant in Latin-1 if Accept-Charset names that",
			shownPlant(fault.InLatin1).If(fault.SentField("Accept-Charset", fault.Contains("8859-1")))).shows(`{"id":7,"name":"grün"}`, "Accept-Charset: iso-8859-1"),
		deviation("lone-surrogates", nil, "shows one half of each surrogate pair",
			shownPlant(fault.Replacing(`[\x{10000}-\x{10FFFF}]`, `\ud83c`))).warns(plantForm, plantEcho),
		row("control-characters-unescaped", "shows line breaks in a name without escapes", shownPlant(fault.Replacing(`\\n`, "\n"))),
		row("comma-after-last-property", "shows a comma after the last property", shownPlant(fault.Replacing(`}`, `,}`))),
		row("nan-in-plant", "shows a plant with a height that is not a number", shownPlant(fault.Replacing(`^{`, `{"height":NaN,`))),
		row("name-twice", "shows the name twice", shownPlant(fault.Replacing(`^{`, `{"name":"fern",`))),
		row("tag-twice", "shows the tag twice, at first as null",
			fault.When(acceptedWithTag(), fault.Body(fault.Replacing(`^{`, `{"tag":null,`)))),
		row("plant-cut-off", "shows a plant without its last brace", shownPlant(fault.Replacing(`}\s*$`, ""))),
		row("plant-encoded-unasked", "shows a plant in a content coding that the client did not ask for",
			fault.When(fault.Accepted, fault.Header("Content-Encoding", "br"))).wire(),
	}
}

// propertiesOfPlants answer with plants whose properties are missing or of another type
// (§2 rule 1).
func propertiesOfPlants() []Alteration {
	name := func(name, summary string, edit fault.TextEdit) Alteration {
		return deviation(name, ids(plantName), summary, shownPlant(fault.PropertyOf("name", edit))).warns(plantEcho)
	}
	tag := func(name, summary string, of fault.Kinds, edit fault.TextEdit) Alteration {
		return deviation(name, ids(plantTag), summary, shownPlant(fault.Property("tag", of, edit))).warns(plantEcho)
	}
	inList := fault.InTurn(fault.Prefixed("["), fault.Suffixed("]"))
	inObject := fault.InTurn(fault.Prefixed(`{"value":`), fault.Suffixed("}"))
	return []Alteration{
		name("no-name", "shows a plant without its name", fault.Nothing),
		deviation("no-name-when-tagged", ids(plantName), "shows a plant without its name when it has a tag",
			fault.When(acceptedWithTag(), fault.Body(fault.Drop("name")))).warns(plantEcho),
		name("null-for-name", "shows null for the name", fault.Constant("null")),
		deviation("null-for-odd-name", ids(plantName), "shows null for a name that is not ASCII",
			fault.When(fault.Both(fault.Accepted, fault.SentText("name", fault.BeyondASCII)), fault.Body(fault.Set("name", "null")))).warns(plantEcho),
		name("number-for-name", "shows a number for the name", fault.Constant("7")),
		name("name-in-list", "shows a list with the name in it", inList),
		name("name-in-object", "shows an object with the name in it", inObject),
		deviation("null-for-tag-in-chunks", ids(plantTag), "shows null for a tag that came in chunks",
			fault.When(fault.Both(acceptedWithTag(), fault.SentChunked), fault.Body(fault.Set("tag", "null")))).warns(plantEcho).wire(),
		deviation("name-in-wrong-case", ids(plantName), "shows the name as Name",
			shownPlant(fault.Renamed("name", "Name"))).warns(plantUndeclared, plantEcho),
		deviation("plant-wrapped", ids(plantName), "shows the plant inside of another object",
			shownPlant(fault.Prefixed(`{"plant":`), fault.Suffixed("}"))).warns(plantUndeclared, plantEcho),

		tag("null-for-no-tag", "shows null for the tag of a plant without one", fault.Absent, fault.Constant("null")),
		tag("null-for-empty-tag", "shows null for a tag that is empty",
			fault.AString, fault.Where(fault.Equals(`""`), fault.Constant("null"))),
		tag("number-for-tag", "shows a number for the tag", fault.AString, fault.Constant("7")),
		tag("number-for-tag-of-digits", "shows a number for a tag of digits", fault.AString, fault.Replacing(`^"(\d+)"$`, "$1")),
		tag("tag-in-list", "shows a list with the tag in it", fault.AString, inList),
		tag("tag-in-object", "shows an object with the tag in it", fault.AString, inObject),
	}
}

// otherPlants answer with a valid plant that is not the one that was sent, or with more
// properties (§2 rule 2).
func otherPlants() []Alteration {
	name := func(name, summary string, edit fault.TextEdit) Alteration {
		text := func(value string) string { return fault.AsString(edit(fault.FromString(value))) }
		return deviation(name, nil, summary, shownPlant(fault.PropertyOf("name", text))).warns(plantEcho)
	}
	return []Alteration{
		deviation("same-plant-shown", nil, "shows the same plant for every one it creates",
			shownPlant(fault.Constant(`{"name":"fern"}`))).warns(plantEcho),
		deviation("previous-plant-shown", nil, "shows the plant that was created before", fault.PreviousShown).warns(plantEcho),
		name("name-trimmed", "shows the name without white space at its ends", strings.TrimSpace),
		name("name-cut", "shows the first 255 characters of a name", fault.Replacing(`(?s)^(.{255}).*$`, "$1")),
		name("name-composed", "shows a composed character for a combining accent", fault.Replacing("e\u0301", "é")),
		name("name-in-question-marks", "shows question marks for what is not ASCII", fault.Replacing(`[^\x00-\x7F]`, "?")),
		deviation("letters-decoded-by-part", ids(plantEcho), "decodes each part of a body by itself, so that a letter in two parts is two replacement characters",
			fault.ReadingParts(func(_ int, part string) string { return strings.ToValidUTF8(part, "\ufffd") })).onlyWarns().wire().shows(`{"id":7,"name":"x` + strings.Repeat("ü", 3000) + `"}`),
		name("markup-escaped", "shows a name as it must be written in HTML", fault.Replacing("<", "&lt;")),
		deviation("tag-dropped", nil, "shows no tag",
			shownPlant(fault.Drop("tag"))).warns(plantEcho),
		deviation("name-for-tag", nil, "shows the name in place of the tag",
			shownPlant(fault.Set("tag", `"conformance"`))).warns(plantEcho),
		deviation("time-of-creation-shown", nil, "shows when the plant was created",
			shownPlant(fault.Add("createdAt", `"2026-11-21T09:00:00Z"`))).warns(plantUndeclared),
	}
}
