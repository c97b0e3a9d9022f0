package reference

import (
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"unicode/utf16"

	"github.com/goccy/go-yaml"
)

// Each function here makes the JSON of a plant out of another format, and
// returns the text as it is where it cannot.

// plantOf is the JSON of a plant in texts, and the text where there is none.
func plantOf(values map[string]string, text string) string {
	if values["id"] == "" {
		return text
	}
	o := object{"id": []byte(values["id"])}
	for _, key := range []string{"name", "tag"} {
		if value, found := values[key]; found {
			o[key] = []byte(asString(value))
		}
	}
	if !isJSON(values["id"]) {
		return text
	}
	return o.text()
}

func fromYAML(text string) string {
	var values any
	if yaml.Unmarshal([]byte(text), &values) != nil {
		return text
	}
	converted, err := json.Marshal(values)
	if err != nil {
		return text
	}
	return string(converted)
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

func fromMultipart(r *request, text string) string {
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	values, parts := map[string]string{}, multipart.NewReader(strings.NewReader(text), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return plantOf(values, text)
		}
		value, _ := io.ReadAll(part)
		if isJSON(string(value)) && anObject.include(string(value)) {
			return string(value)
		}
		values[part.FormName()] = string(value)
	}
}

// fromBinary creates a plant of its own of a map in MessagePack or CBOR.
func fromBinary(text string) string {
	if text != "" && (text[0]>>5 == 0b101 || text[0]>>4 == 0b1000) {
		return anyPlant(text)
	}
	return text
}

func fromGzip(text string) string {
	in, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		return text
	}
	const limit = 1 << 20 // bytes, against gzip bombs
	decoded, err := io.ReadAll(io.LimitReader(in, limit))
	if err != nil {
		return text
	}
	return string(decoded)
}

func inGzip(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// fromUTF16 reads UTF-16 that begins with its mark.
func fromUTF16(text string) string {
	switch {
	case strings.HasPrefix(text, "\xfe\xff"):
		return decodeUTF16(text[2:], 0)
	case strings.HasPrefix(text, "\xff\xfe"):
		return decodeUTF16(text[2:], 1)
	}
	return text
}

// fromUTF16Unmarked tells the order of bytes by the zero next to the first
// brace, as RFC 4627 did.
func fromUTF16Unmarked(text string) string {
	switch {
	case strings.HasPrefix(text, "\x00{"):
		return decodeUTF16(text, 0)
	case strings.HasPrefix(text, "{\x00"):
		return decodeUTF16(text, 1)
	}
	return text
}

// decodeUTF16 reads pairs of bytes, of which the one at the offset is the
// higher.
func decodeUTF16(text string, high int) string {
	var units []uint16
	for ; len(text) >= 2; text = text[2:] {
		units = append(units, uint16(text[high])<<8|uint16(text[1-high]))
	}
	return string(utf16.Decode(units))
}

// completedAll closes as many braces as are open.
func completedAll(text string) string {
	if open := strings.Count(text, "{") - strings.Count(text, "}"); open > 0 {
		return text + strings.Repeat("}", open)
	}
	return text
}
