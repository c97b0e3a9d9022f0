package spec

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/spec/document"
)

// resource is the name under which the document is known to the JSON Schema
// compiler; nothing is ever fetched from there.
const resource = "contract:///document"

// compiler compiles schemas of one document, each once.
//
// kin-openapi's own validation goes through float64 and lets 2^63 pass as an
// int64; a JSON Schema implementation with exact rationals does not.
type compiler struct {
	root *document.Node

	mu      sync.Mutex // fixtures may be loaded for one contract at the same time
	schemas *jsonschema.Compiler
	done    map[string]*jsonschema.Schema // by JSON pointer
}

// newCompiler takes a document, and the same as JSON data with its schemas in
// the dialect of JSON Schema 2020-12.
func newCompiler(root *document.Node, translated any) *compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	for _, bits := range []uint{32, 64} {
		c.RegisterFormat(intFormat(bits))
	}
	c.UseRegexpEngine(compilePattern)
	c.UseLoader(jsonschema.SchemeURLLoader{}) // no scheme: nothing is loaded from anywhere
	// Adding the document can fail only where it is not JSON data, and a
	// document.Node always is.
	_ = c.AddResource(resource, translated)
	return &compiler{root: root, schemas: c, done: map[string]*jsonschema.Schema{}}
}

func (c *compiler) compile(l located) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if schema := c.done[l.pointer]; schema != nil {
		return schema, nil
	}
	var fragment strings.Builder
	for _, token := range strings.Split(l.pointer, "/")[1:] {
		fragment.WriteString("/" + url.PathEscape(token))
	}
	schema, err := c.schemas.Compile(resource + "#" + fragment.String())
	if err != nil {
		return nil, c.explain(l, err)
	}
	c.done[l.pointer] = schema
	return schema, nil
}

// explain says in one line why the schema at l cannot be judged by, and as
// closely as it can, where.
func (c *compiler) explain(l located, err error) error {
	var invalid *jsonschema.SchemaValidationError
	var faults []fault
	if errors.As(err, &invalid) {
		faults = faultsOf(invalid.Err, nil, nil)
	}
	if len(faults) == 0 {
		return l.fail("the schema cannot be read: %s", strings.ReplaceAll(err.Error(), resource, ""))
	}
	f, at := faults[0], c.at(invalid.URL, l)
	for _, step := range f.path {
		at = at.down(step)
	}
	if _, err := compilePattern(at.Text()); err != nil && strings.HasSuffix(at.pointer, "/pattern") {
		return at.fail("this pattern is not supported: %s", err)
	}
	return at.fail("%s %s; expected %s", orWhole(f.pointer(), "the schema"), f.message, f.expected)
}

// at is the place that a location of the JSON Schema compiler means, or l.
func (c *compiler) at(location string, l located) located {
	pointer, err := url.PathUnescape(strings.TrimPrefix(location, resource+"#"))
	if n := c.root.At(pointer); err == nil && n != nil {
		return located{n, pointer}
	}
	return l
}

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
		n, ok := rational(value)
		if ok && (n.Cmp(lowest) < 0 || n.Cmp(highest) > 0) {
			return fmt.Errorf("from %s to %s", low, high)
		}
		return nil
	}}
}
