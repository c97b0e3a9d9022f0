package spec

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/spec/document"
)

// checkVersion refuses what is no OpenAPI 3.0 or 3.1 document. kin-openapi
// would take "4.0.0" for 3.0.
func checkVersion(root *document.Node) error {
	version := root.Get("openapi")
	at := located{root, ""}
	switch {
	case root.Get("swagger") != nil:
		return at.get("swagger").fail("a Swagger 2.0 document; convert it to OpenAPI 3.0 first")
	case version == nil:
		return at.fail("no OpenAPI document: it has no key openapi")
	case version.Kind != document.String:
		return at.get("openapi").fail("openapi must be a string such as '3.0.3', found %s", version.Kind)
	case !isVersion(version.Literal, "3.0") && !isVersion(version.Literal, "3.1"):
		return at.get("openapi").fail("OpenAPI %s is not supported; 3.0 and 3.1 are", version.Literal)
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
func validateDocument(root *document.Node) error {
	doc := &openapi3.T{}
	if err := json.Unmarshal(root.JSON(), doc); err != nil {
		return located{root, ""}.fail("the document is not built as OpenAPI says: %s", err)
	}
	loader := openapi3.NewLoader()
	if err := loader.ResolveRefsIn(doc, nil); err != nil {
		return referring(located{root, ""}, err.Error()).fail("%s", err)
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
	at, cause := blamed(located{root, ""}, err)
	var unknown *openapi3.ExtraSiblingFieldsError
	var foreign *openapi3.FieldVersionMismatchError
	switch {
	case errors.As(cause, &unknown):
		return at.only(unknown.Fields[0]).fail("unknown key %s", strings.Join(unknown.Fields, ", "))
	case errors.As(cause, &foreign):
		at = at.only(foreign.Field)
	}
	sentence, _, _ := strings.Cut(cause.Error(), "\n") // below it stand dumps of schema and value
	return at.fail("%s", sentence)
}

// referring is the first $ref that a complaint quotes, or l.
func referring(l located, complaint string) located {
	for _, ref := range l.search("$ref") {
		if text := ref.Text(); text != "" && strings.Contains(complaint, strconv.Quote(text)) {
			return ref
		}
	}
	return l
}

// only is the value of that key somewhere below l, or l where there is none or
// several: a place that may be wrong is worse than a wider one.
func (l located) only(key string) located {
	if found := l.search(key); len(found) == 1 {
		return found[0]
	}
	return l
}

func (l located) search(key string) []located {
	var found []located
	for i := range l.Items {
		found = append(found, l.item(i).search(key)...)
	}
	for _, m := range l.Members {
		if m.Key == key {
			found = append(found, l.get(key))
		}
		found = append(found, l.get(m.Key).search(key)...)
	}
	return found
}

// blamed is the place that an error of kin-openapi is about, as far as it
// says, and what is left to say.
func blamed(root located, err error) (located, error) {
	at := root
	for {
		var next located
		var cause error
		switch e := err.(type) { // each layer by itself: errors.As would skip some
		case *openapi3.SectionValidationError:
			next, cause = root.get(e.Section), e.Cause
		case *openapi3.PathValidationError:
			next, cause = at.get(e.Path), e.Cause
		case *openapi3.OperationValidationError:
			next, cause = at.get(strings.ToLower(e.Method)), e.Cause
		case *openapi3.ComponentValidationError:
			next, cause = at.get(componentKey(e.Section), e.Name), e.Cause
		}
		if next.Node == nil {
			return at, err
		}
		at, err = next, cause
	}
}

// componentKey is the key of the components that kin-openapi calls by the
// words in the singular.
func componentKey(words string) string {
	key := ""
	for i, word := range strings.Fields(words) {
		if i > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		key += word
	}
	return key + "s"
}
