package schema

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
)

// newCompiler makes a compiler of the schemas that the dialect translates.
//
// kin-openapi's own validation goes through float64 and lets 2^63 pass as an
// int64; a JSON Schema implementation with exact rationals does not.
func newCompiler(d dialect) *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	for _, bits := range []uint{32, 64} {
		c.RegisterFormat(intFormat(bits))
	}
	c.UseRegexpEngine(compilePattern)
	c.UseLoader(jsonschema.SchemeURLLoader{scheme: loader(d)}) // and nothing from anywhere else
	return c
}

// A schema is a resource of its own, by a URL that has its JSON pointer as the
// query. So it is translated when it is first referred to, and only then; and
// the library, which copies a resource for each place in it that it is asked
// for, copies none.
const scheme = "contract"

func resource(d Direction, pointer string) string {
	return fmt.Sprintf("%s:///%d?%s", scheme, d, url.QueryEscape(pointer))
}

// loader translates the schema that a URL means.
type loader dialect

func (l loader) Load(location string) (any, error) {
	pointer, _ := pointerOf(location)
	if n := l.root.At(pointer); n != nil {
		return dialect(l).schema(n), nil
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

func compile(c *jsonschema.Compiler, d Direction, at document.Place) (*jsonschema.Schema, error) {
	schema, err := c.Compile(resource(d, at.Pointer))
	if err != nil {
		return nil, explainFlaw(at, err)
	}
	return schema, nil
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
	if _, err := compilePattern(at.Text()); err != nil && strings.HasSuffix(at.Pointer, "/pattern") {
		return at.Errorf("this pattern is not supported: %s", err)
	}
	return at.Errorf("%s %s; expected %s", orWhole(f.Pointer(), "the schema"), f.Message, f.Expected)
}

var locations = regexp.MustCompile(scheme + `:///\d\?[^\s"']*`)

// pattern is a regular expression as the document writes it. ECMA-262, the
// dialect of patterns (OpenAPI 3.0.3, Schema Object), has an escape that Go
// writes differently.
type pattern struct {
	*regexp.Regexp
	text string
}

func (p pattern) String() string { return p.text }

var escapes = regexp.MustCompile(`\\(?:u[0-9A-Fa-f]{4}|.)`)

func compilePattern(text string) (jsonschema.Regexp, error) {
	compiled, err := regexp.Compile(escapes.ReplaceAllStringFunc(text, func(escape string) string {
		if len(escape) == len(`\u0000`) {
			return `\x{` + escape[2:] + `}`
		}
		return escape
	}))
	return pattern{compiled, text}, err
}

// assertedFormats are the string formats that are judged: those of OpenAPI
// and those of which one RFC says what they are. Any other is an open value
// (OpenAPI 3.0.3, Data Types) and limits nothing; duration and time are among
// them, because ISO 8601 and RFC 3339 disagree.
func assertedFormats() []string {
	return []string{"date", "date-time", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid"}
}

func isAsserted(format string) bool {
	return format == "int32" || format == "int64" || slices.Contains(assertedFormats(), format)
}

// intFormat is int32 or int64 as OpenAPI means it: a signed integer of that
// width. The number's type is the business of the keyword type.
func intFormat(bits uint) *jsonschema.Format {
	limit := new(big.Int).Lsh(big.NewInt(1), bits-1)
	low, high := new(big.Int).Neg(limit), new(big.Int).Sub(limit, big.NewInt(1))
	lowest, highest := new(big.Rat).SetInt(low), new(big.Rat).SetInt(high)
	return &jsonschema.Format{Name: fmt.Sprintf("int%d", bits), Validate: func(value any) error {
		n, ok := instance.Rational(value)
		if ok && (n.Cmp(lowest) < 0 || n.Cmp(highest) > 0) {
			return fmt.Errorf("from %s to %s", low, high)
		}
		return nil
	}}
}
