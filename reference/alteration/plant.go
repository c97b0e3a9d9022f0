package alteration

import (
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

// refused is a rejection (§7) with this status, because of that part of the
// request.
func refused(status int, part, problem string) fault.Answer {
	a := fault.JSON(status, map[string]any{"error": status, "message": part + " " + problem})
	a.Rejected = part
	return a
}

// refuse answers with a rejection.
func refuse(status int, part, problem string) fault.Edit {
	return func(*fault.Request, fault.Answer) fault.Answer { return refused(status, part, problem) }
}

// acceptAsRead accepts the plant in the request.
func acceptAsRead(r *fault.Request, _ fault.Answer) fault.Answer {
	o := r.Object()
	maps.DeleteFunc(o, func(name string, _ jsontext.Value) bool { return name != "name" && name != "tag" })
	return fault.JSON(http.StatusOK, o)
}

// withSentID adds the id of the request to a plant.
func withSentID(r *fault.Request, a fault.Answer) fault.Answer {
	return fault.Body(fault.Property("id", fault.Absent, fault.Constant(string(r.Object()["id"]))))(r, a)
}

// idIn is the id of the plant in a text, if it is one that the contract permits.
func idIn(text string) (id int64, ok bool) {
	o, _ := fault.ParseObject(text)
	n, ok := new(big.Rat).SetString(string(o["id"]))
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		return 0, false
	}
	return n.Num().Int64(), fault.ANumber.Include(string(o["id"])) && fault.AString.Include(string(o["name"])) && (fault.AString + fault.Absent).Include(string(o["tag"]))
}

// sentTaken holds if another plant has the id of the request.
func sentTaken(r *fault.Request, a fault.Answer) bool {
	_, ok := idIn(r.Text())
	return a.Rejected == "id" && ok
}

// sentUnknownProperty holds if the request has a property that NewPlant does not list.
func sentUnknownProperty(r *fault.Request, _ fault.Answer) bool {
	for name := range r.Object() {
		if !slices.Contains([]string{"name", "id", "tag"}, name) {
			return true
		}
	}
	return false
}

// byID is the same key for requests with the same id, as it is written.
func byID(r *fault.Request) string { return string(r.Object()["id"]) }

// plainPlant is the body of probes that need no particular one.
const plainPlant = `{"id":7,"name":"fern"}`

// plantWith is a plant with a property of that value.
func plantWith(property, value string) string {
	o := fault.Object{"id": jsontext.Value("7"), "name": jsontext.Value(`"fern"`)}
	o[property] = jsontext.Value(value)
	return o.Text()
}

// The functions below make the JSON of a plant out of another format. They return the
// text unchanged if they cannot.

// plantOf is the JSON of a plant with these values.
func plantOf(values map[string]string, text string) string {
	if values["id"] == "" {
		return text
	}
	o := fault.Object{"id": []byte(values["id"])}
	for _, key := range []string{"name", "tag"} {
		if value, found := values[key]; found {
			o[key] = []byte(fault.AsString(value))
		}
	}
	if !fault.IsJSON(values["id"]) {
		return text
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
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r", "")), "\n")
	if len(lines) < 2 {
		return text
	}
	values, cells := map[string]string{}, strings.Split(lines[1], ",")
	for i, key := range strings.Split(lines[0], ",") {
		if i < len(cells) {
			values[strings.Trim(key, `" `)] = strings.Trim(cells[i], `" `)
		}
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

// fromForm reads a plant out of form data.
func fromForm(text string) string {
	form, err := url.ParseQuery(text)
	if err != nil || !form.Has("id") {
		return text
	}
	return fmt.Sprintf(`{"id":%s,"name":%s}`, form.Get("id"), fault.AsString(form.Get("name")))
}

// anyPlant is a plant that no client has sent.
func anyPlant(string) string { return fmt.Sprintf(`{"id":%s,"name":"unnamed"}`, anyID("")) }

// anyID is an id that no client has sent.
func anyID(string) string { return strconv.FormatInt(rand.Int64(), 10) }
