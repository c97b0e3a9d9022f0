package schema

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/pattern"
)

// newCompiler returns a compiler of the schemas that the dialect translates.
//
// kin-openapi's validation uses float64 and accepts 2^63 as an int64. A JSON Schema implementation
// with exact rationals does not.
func newCompiler(d dialect) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	for _, f := range formats() {
		c.RegisterFormat(f)
	}
	c.UseRegexpEngine(pattern.Compile)
	c.UseLoader(jsonschema.SchemeURLLoader{scheme: d}) // no other URL can be loaded
	return c
}

// Each schema is a separate resource. Its URL has its JSON pointer as the query. So a
// schema is translated only when something refers to it, and the library does not
// copy the whole document for each place in it.
const scheme = "contract"

func resource(d Direction, pointer string) string {
	return fmt.Sprintf("%s:///%d?%s", scheme, d, url.QueryEscape(pointer))
}

// Load translates the schema that a URL refers to.
func (d dialect) Load(location string) (any, error) {
	pointer, _ := pointerOf(location)
	if at := document.Top(d.root).Follow(pointer); at.Node != nil {
		return d.schema(at.Node), nil
	}
	return nil, fmt.Errorf("there is no schema at %s", pointer)
}

// pointerOf returns the JSON pointer that a URL of the compiler refers to.
func pointerOf(location string) (pointer string, ok bool) {
	u, err := url.Parse(location)
	if err != nil || u.Scheme != scheme {
		return "", false
	}
	pointer, err = url.QueryUnescape(u.RawQuery)
	return pointer + u.Fragment, err == nil
}

// explainFlaw says in one line why the schema cannot be compiled. It names the place as closely as
// it can.
func explainFlaw(at document.Place, err error) error {
	var faults []Fault
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		faults = faultsOf(invalid.Err, faultTeller{})
		if pointer, ok := pointerOf(invalid.URL); ok && at.Root().Follow(pointer).Node != nil {
			at = at.Root().Follow(pointer)
		}
	}
	if len(faults) == 0 {
		return at.Errorf("the schema cannot be read: %s", locations.ReplaceAllStringFunc(err.Error(), func(location string) string {
			pointer, _ := pointerOf(location)
			return "#" + pointer
		}))
	}
	f := faults[0]
	for _, step := range f.Path {
		if inner := at.Follow("/" + document.EscapePointer(step)); inner.Node != nil {
			at = inner
		}
	}
	if _, err := pattern.Compile(at.Text()); err != nil && strings.HasSuffix(at.Pointer, "/pattern") {
		return at.Errorf("this pattern is not supported: %s", err)
	}
	return at.Errorf("%s %s; expected %s", cmp.Or(f.Pointer(), "the schema"), f.Message, f.Expected)
}

var locations = regexp.MustCompile(scheme + `:///\d\?[^\s"']*`)

// Compiled returns the schema in the form that validates values of that direction. It is nil if the
// document gives no schema, which allows anything. Package generate makes values from its parts. To
// validate a value, use [Schema.Faults].
//
// The error is that of [Schema.Compile].
func (s *Schema) Compiled(d Direction) (*jsonschema.Schema, error) {
	if err := s.Compile(d); err != nil || s.Place.Node == nil {
		return nil, err
	}
	return s.compiled[d].Schema, nil
}

// Source returns the place in the document from which a part of a compiled schema was translated.
// Its node is nil if the part is not from the document.
func (s *Schema) Source(part *jsonschema.Schema) document.Place {
	pointer, ok := pointerOf(part.Location)
	if !ok || s.Place.Node == nil {
		return document.Place{}
	}
	return s.Place.Root().Follow(pointer)
}

// ComponentAt returns the name of the component at a place. ok is false if no component is there.
func ComponentAt(at document.Place) (name string, ok bool) {
	for _, list := range []string{"/components/schemas/", "/definitions/"} {
		if name, ok = strings.CutPrefix(at.Pointer, list); ok {
			return document.UnescapePointer(name), !strings.Contains(name, "/")
		}
	}
	return "", false
}
