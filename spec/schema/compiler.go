package schema

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/pattern"
)

// newCompiler makes a compiler of the schemas that the dialect translates.
//
// kin-openapi's own validation goes through float64 and lets 2^63 pass as an
// int64; a JSON Schema implementation with exact rationals does not.
func newCompiler(d dialect) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	for _, f := range formats() {
		c.RegisterFormat(f)
	}
	c.UseRegexpEngine(pattern.Compile)
	c.UseLoader(jsonschema.SchemeURLLoader{scheme: d}) // and nothing from anywhere else
	return c
}

// Each schema is a separate resource. Its URL has its JSON pointer as the query. So a
// schema is translated only when something refers to it, and the library does not
// copy the whole document for each place in it.
const scheme = "contract"

func resource(d Direction, pointer string) string {
	return fmt.Sprintf("%s:///%d?%s", scheme, d, url.QueryEscape(pointer))
}

// Load translates the schema that a URL means.
func (d dialect) Load(location string) (any, error) {
	pointer, _ := pointerOf(location)
	if at := document.Top(d.root).Follow(pointer); at.Node != nil {
		return d.schema(at.Node), nil
	}
	return nil, fmt.Errorf("there is no schema at %s", pointer)
}

// pointerOf is the place in the document that a URL of the compiler means.
func pointerOf(location string) (pointer string, ok bool) {
	u, err := url.Parse(location)
	if err != nil || u.Scheme != scheme {
		return "", false
	}
	pointer, err = url.QueryUnescape(u.RawQuery)
	return pointer + u.Fragment, err == nil
}

// explainFlaw says in one line why the schema cannot be judged by, and as
// closely as it can, where.
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
	return at.Errorf("%s %s; expected %s", orWhole(f.Pointer(), "the schema"), f.Message, f.Expected)
}

var locations = regexp.MustCompile(scheme + `:///\d\?[^\s"']*`)

// Compiled is the schema as the values of that direction are judged by it. It is
// nil where the document gives no schema, which allows anything. It is for package
// generate, which makes values from its parts; to judge a value, use
// [Schema.Faults].
//
// The error is that of [Schema.Compile].
func (s *Schema) Compiled(d Direction) (*jsonschema.Schema, error) {
	if err := s.Compile(d); err != nil || s.Place.Node == nil {
		return nil, err
	}
	return s.compiled[d].Schema, nil
}

// Source is the place in the document that a part of a compiled schema was
// translated from. Its node is nil if the part is not from the document.
func (s *Schema) Source(part *jsonschema.Schema) document.Place {
	pointer, ok := pointerOf(part.Location)
	if !ok || s.Place.Node == nil {
		return document.Place{}
	}
	return s.Place.Root().Follow(pointer)
}

// ComponentAt is the name of the component that stands at a place, if one does.
func ComponentAt(at document.Place) (name string, ok bool) {
	for _, list := range []string{"/components/schemas/", "/definitions/"} {
		if name, ok = strings.CutPrefix(at.Pointer, list); ok {
			return document.UnescapePointer(name), !strings.Contains(name, "/")
		}
	}
	return "", false
}
