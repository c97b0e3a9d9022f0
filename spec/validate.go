package spec

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/spec/document"
)

// checkVersion refuses what is no OpenAPI 3.0 or 3.1 document. kin-openapi
// would take "4.0.0" for 3.0.
func checkVersion(at document.Place) error {
	version := at.Get("openapi")
	switch {
	case at.Get("swagger") != nil:
		return at.To("swagger").Errorf("a Swagger 2.0 document; convert it to OpenAPI 3.0 first")
	case version == nil:
		return at.Errorf("no OpenAPI document: it has no key openapi")
	case version.Kind != document.String:
		return at.To("openapi").Errorf("openapi must be a string such as '3.0.3', found %s", version.Kind)
	case !isVersion(version.Literal, "3.0") && !isVersion(version.Literal, "3.1"):
		return at.To("openapi").Errorf("OpenAPI %s is not supported; 3.0 and 3.1 are", version.Literal)
	}
	return nil
}

func isVersion(literal, minor string) bool {
	return literal == minor || strings.HasPrefix(literal, minor+".")
}

// validateDocument refuses a document that breaks OpenAPI's own rules.
//
// Defaults, examples and patterns are left alone: no response is judged by
// the first two, and patterns are compiled where one is.
func validateDocument(top document.Place) error {
	doc := &openapi3.T{}
	if err := json.Unmarshal(top.JSON(), doc); err != nil {
		return misbuilt(top, err)
	}
	loader := openapi3.NewLoader()
	if err := loader.ResolveRefsIn(doc, nil); err != nil {
		return referring(top, err.Error()).Errorf("%s", err)
	}
	err := doc.Validate(loader.Context,
		openapi3.DisableExamplesValidation(),
		openapi3.DisableSchemaDefaultsValidation(),
		openapi3.DisableSchemaPatternValidation(),
		openapi3.AllowExtraSiblingFields("pathItems"), // OpenAPI 3.1 has them among the components
	)
	if err == nil {
		return nil
	}
	at, cause := blamed(top, err)
	var unknown *openapi3.ExtraSiblingFieldsError
	var foreign *openapi3.FieldVersionMismatchError
	switch {
	case errors.As(cause, &unknown):
		return only(at, unknown.Fields[0]).Errorf("unknown key %s", strings.Join(unknown.Fields, ", "))
	case errors.As(cause, &foreign):
		at = only(at, foreign.Field)
	}
	sentence, _, _ := strings.Cut(cause.Error(), "\n") // below it stand dumps of schema and value
	return at.Errorf("%s", sentence)
}
