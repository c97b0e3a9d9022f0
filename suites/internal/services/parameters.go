package services

import (
	"net/url"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// Query reads the query of a request.
func (r *Report) Query(request *fault.Request) url.Values {
	sent, err := url.ParseQuery(request.URL.RawQuery)
	if err != nil {
		r.Add("query", "syntax")
	}
	return sent
}

// Header reads the field of that name, to be checked.
func (r *Report) Header(request *fault.Request, name string) *Object {
	values := map[string]any{}
	if sent := request.Header.Values(name); len(sent) > 0 {
		values[name] = sent[0]
	}
	return r.Object("header", values)
}

// Parameters are the parameters of a request in one place, by name.
type Parameters map[string]any

// Text takes parameters that are strings.
func (p Parameters) Text(sent url.Values, names ...string) {
	for _, name := range names {
		if sent.Has(name) {
			p[name] = sent.Get(name)
		}
	}
}

// Literal takes parameters that are numbers or booleans.
func (p Parameters) Literal(sent url.Values, names ...string) {
	for _, name := range names {
		if sent.Has(name) {
			p[name] = Literal(sent.Get(name))
		}
	}
}

// Exploded takes a list of texts that is sent as several parameters.
func (p Parameters) Exploded(sent url.Values, name string) {
	if sent.Has(name) {
		p[name] = Texts(sent[name])
	}
}

// Delimited takes a list that is sent as one parameter. A list with spaces is one of texts,
// any other one of numbers.
func (p Parameters) Delimited(sent url.Values, name, delimiter string) {
	if !sent.Has(name) {
		return
	}
	parts := strings.Split(sent.Get(name), delimiter)
	if delimiter == " " {
		p[name] = Texts(parts)
		return
	}
	p[name] = Literals(parts)
}

// Deep takes an object that is sent as parameters like near[lat].
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

// Texts is a list of texts, as JSON has it.
func Texts(texts []string) []any {
	return listOf(texts, func(text string) any { return text })
}

// Literals is a list of numbers or booleans.
func Literals(texts []string) []any { return listOf(texts, Literal) }

func listOf(texts []string, value func(text string) any) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = value(text)
	}
	return values
}
