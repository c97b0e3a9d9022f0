package services

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/reference/fault"
	"github.com/plantstore/conformance/spec/lists"
)

// A Fault is one place in a request that violates the document.
type Fault struct {
	Place string `json:"place"` // such as "body/price/amount", "query/limit", "credential"; * means the items of a list
	Rule  string `json:"rule"`  // the violated keyword, such as "maximum", or a word such as "syntax"
	Index int    `json:"-"`     // of the item in the innermost list
}

// A Report collects the faults of one request.
type Report struct {
	Faults    []Fault
	overlooks func(f Fault) bool
}

// Add adds a fault, unless the service ignores it. It reports whether it was added.
func (r *Report) Add(place, rule string) bool { return r.add(Fault{Place: place, Rule: rule}) }

func (r *Report) add(f Fault) bool {
	if r.overlooks(f) {
		return false
	}
	r.Faults = append(r.Faults, f)
	return true
}

// Empty reports whether no fault was added.
func (r *Report) Empty() bool { return len(r.Faults) == 0 }

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

// JSONObject reads the JSON object in the body. If the body does not contain one, it adds
// a fault to the report.
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

// ParseJSON parses a text that must be one JSON value in UTF-8.
func ParseJSON(text []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if !utf8.Valid(text) || decoder.Decode(&value) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return value, err == io.EOF
}

// Literal returns the number or the boolean that a text represents, or else the text
// itself.
func Literal(text string) any {
	if value, ok := ParseJSON([]byte(text)); ok && text == strings.TrimSpace(text) {
		switch value.(type) {
		case json.Number, bool:
			return value
		}
	}
	return text
}

// Refuse responds to the requests that match the condition. The service does not see these
// requests.
func Refuse(such fault.Condition, instead func() fault.Answer) fault.Change {
	return fault.Replying(instead).If(such)
}

// To returns a condition that holds for requests with this method and path prefix.
func To(method, prefix string) fault.Condition {
	return func(r *fault.Request, _ fault.Answer) bool {
		return r.Method == method && strings.HasPrefix(r.URL.Path, prefix)
	}
}

// Query reads the query of a request.
func (r *Report) Query(request *fault.Request) url.Values {
	sent, err := url.ParseQuery(request.URL.RawQuery)
	if err != nil {
		r.Add("query", "syntax")
	}
	return sent
}

// Header returns an Object with the header field of this name.
func (r *Report) Header(request *fault.Request, name string) *Object {
	values := map[string]any{}
	if sent := request.Header.Values(name); len(sent) > 0 {
		values[name] = sent[0]
	}
	return r.Object("header", values)
}

// Parameters are the parameters of a request in one place, by name.
type Parameters map[string]any

// Text adds parameters that are strings.
func (p Parameters) Text(sent url.Values, names ...string) {
	p.take(sent, names, func(text string) any { return text })
}

// Literal adds parameters that are numbers or booleans.
func (p Parameters) Literal(sent url.Values, names ...string) { p.take(sent, names, Literal) }

func (p Parameters) take(sent url.Values, names []string, value func(text string) any) {
	for _, name := range names {
		if sent.Has(name) {
			p[name] = value(sent.Get(name))
		}
	}
}

// Exploded adds a list of strings that is sent as several parameters.
func (p Parameters) Exploded(sent url.Values, name string) {
	if sent.Has(name) {
		p[name] = Texts(sent[name])
	}
}

// Delimited adds a list that is sent as one parameter. If the delimiter is a space, the
// items are strings, otherwise numbers.
func (p Parameters) Delimited(sent url.Values, name, delimiter string) {
	if !sent.Has(name) {
		return
	}
	parts := strings.Split(sent.Get(name), delimiter)
	if p[name] = Literals(parts); delimiter == " " {
		p[name] = Texts(parts)
	}
}

// Deep adds an object that is sent as parameters like near[lat].
func (p Parameters) Deep(sent url.Values, name string) {
	object := map[string]any{}
	for key := range sent {
		inner, ok := strings.CutPrefix(key, name+"[")
		if property, closed := strings.CutSuffix(inner, "]"); ok && closed {
			object[property] = Literal(sent.Get(key))
		}
	}
	if len(object) > 0 {
		p[name] = object
	}
}

// Texts returns a JSON list of strings.
func Texts(texts []string) []any {
	return lists.Map(texts, func(text string) any { return text })
}

// Literals returns a JSON list of numbers or booleans.
func Literals(texts []string) []any { return lists.Map(texts, Literal) }
