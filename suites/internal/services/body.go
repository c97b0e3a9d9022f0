package services

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/reference/fault"
)

// MediaType checks that the body has one of the media types. It returns the media type in
// lower case, and its parameters.
func (r *Report) MediaType(q *fault.Request, declared ...string) (mediaType string, parameters map[string]string) {
	fields := q.Header.Values("Content-Type")
	mediaType, parameters, err := mime.ParseMediaType(strings.Join(fields, ", "))
	if err != nil || !slices.Contains(declared, mediaType) {
		r.Add("media-type", "enum")
	}
	return mediaType, parameters
}

// Body reads the body and checks that there is one.
func (r *Report) Body(q *fault.Request) []byte {
	body, err := q.ReadBody()
	switch {
	case err != nil:
		r.Add("body", "size")
	case len(body) == 0:
		r.Add("body", "required")
	}
	return body
}

// JSONObject reads the JSON object in the body. The faults are in the report if there is
// none.
func (r *Report) JSONObject(q *fault.Request) *Object {
	var value any
	if body := r.Body(q); len(body) > 0 && r.Empty() {
		var ok bool
		if value, ok = ParseJSON(body); !ok {
			r.Add("body", "syntax")
		}
	}
	values, ok := value.(map[string]any)
	if !ok && r.Empty() {
		r.Add("body", "type")
	}
	if values == nil {
		values = map[string]any{}
	}
	return r.Object("body", values)
}

// ParseJSON reads a text that is one JSON value in UTF-8.
func ParseJSON(text []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if !utf8.Valid(text) || decoder.Decode(&value) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return value, err == io.EOF
}

// Literal is the number or the boolean that a text stands for. Other texts stay as they
// are.
func Literal(text string) any {
	switch text {
	case "true", "false":
		return text == "true"
	}
	if value, ok := ParseJSON([]byte(text)); ok && text == strings.TrimSpace(text) {
		if number, isNumber := value.(json.Number); isNumber {
			return number
		}
	}
	return text
}

// Refuse refuses requests that the condition holds for with that answer. The service does
// not see them.
func Refuse(such fault.Condition, instead func() fault.Answer) How {
	return Do(fault.InCompany(such, fault.Replying(instead)))
}

// To holds for requests with that method whose path has the prefix.
func To(method, prefix string) fault.Condition {
	return func(r *fault.Request, _ fault.Answer) bool {
		return r.Method == method && strings.HasPrefix(r.URL.Path, prefix)
	}
}
