package spec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/spec/document"
)

// validateDocument refuses what is no OpenAPI 3.0 or 3.1 document. kin-openapi
// alone would take "4.0.0" for 3.0 and ignore a second YAML document; the
// first is checked here, the second by the document package.
func validateDocument(contract Source, root *document.Node) error {
	version := root.Get("openapi")
	switch {
	case root.Get("swagger") != nil:
		return fmt.Errorf("%s is a Swagger 2.0 document; convert it to OpenAPI 3.0 first", contract.Name)
	case version == nil:
		return fmt.Errorf("%s is no OpenAPI document: it has no key openapi", contract.Name)
	case !isVersion(version.Literal, "3.0") && !isVersion(version.Literal, "3.1"):
		return fmt.Errorf("reading the contract: %w", version.Errorf("OpenAPI %s is not supported; 3.0 and 3.1 are", version.Literal))
	}
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(contract.Data)
	if err == nil {
		err = doc.Validate(loader.Context, openapi3.DisableExamplesValidation())
	}
	if err != nil {
		return fmt.Errorf("%s is no valid OpenAPI document: %w", contract.Name, firstLine(err))
	}
	return nil
}

func isVersion(literal, minor string) bool {
	return literal == minor || strings.HasPrefix(literal, minor+".")
}

// firstLine keeps the sentence and drops the dump of schema and value that
// the library puts below it.
func firstLine(err error) error {
	line, _, cut := strings.Cut(err.Error(), "\n")
	if !cut {
		return err
	}
	return errors.New(line)
}
