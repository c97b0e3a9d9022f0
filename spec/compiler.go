package spec

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"

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
	schemas *jsonschema.Compiler
}

func newCompiler(root *document.Node) *compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	for _, bits := range []uint{32, 64} {
		c.RegisterFormat(intFormat(bits))
	}
	c.UseLoader(jsonschema.SchemeURLLoader{}) // no scheme: nothing is loaded from anywhere
	translate := dialect31
	if isVersion(root.Get("openapi").Literal, "3.0") {
		translate = newDialect30(root).document
	}
	// Adding the document can fail only where it is not JSON data, and a
	// document.Node always is.
	_ = c.AddResource(resource, translate(root))
	return &compiler{schemas: c}
}

func dialect31(root *document.Node) any { return root.Value() }

func (c *compiler) compile(l located) (*jsonschema.Schema, error) {
	var fragment strings.Builder
	for _, token := range strings.Split(l.pointer, "/")[1:] {
		fragment.WriteString("/" + url.PathEscape(token))
	}
	schema, err := c.schemas.Compile(resource + "#" + fragment.String())
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", l.Errorf("schema: %s", compileReason(err)))
	}
	return schema, nil
}

func compileReason(err error) string {
	var invalid *jsonschema.SchemaValidationError
	if errors.As(err, &invalid) {
		err = invalid.Err
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), resource, "")), " ")
}

// assertedFormats are the string formats that are judged. Others are open
// values by OpenAPI 3.0.3, Data Types, and limit nothing.
func assertedFormats() []string {
	return []string{"date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid"}
}

// intFormat is int32 or int64 as OpenAPI means it: a signed integer of that
// width. The number's type is the business of the keyword type.
func intFormat(bits uint) *jsonschema.Format {
	limit := new(big.Int).Lsh(big.NewInt(1), bits-1)
	low, high := new(big.Int).Neg(limit), new(big.Int).Sub(limit, big.NewInt(1))
	name := fmt.Sprintf("int%d", bits)
	return &jsonschema.Format{Name: name, Validate: func(value any) error {
		n, ok := rational(value)
		if !ok {
			return nil
		}
		if n.Cmp(new(big.Rat).SetInt(low)) < 0 || n.Cmp(new(big.Rat).SetInt(high)) > 0 {
			return fmt.Errorf("must lie between %s and %s", low, high)
		}
		return nil
	}}
}
