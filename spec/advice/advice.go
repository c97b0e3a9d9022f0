// Package advice reports where a document breaks the rules of OpenAPI, according to kin-openapi.
// Its interface has no types of kin-openapi, and no verdict depends on it.
package advice

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
)

// Of returns where a document breaks the rules of OpenAPI, as far as kin-openapi reports it: it
// stops at a part that it cannot read. The document must be OpenAPI 3.0 or 3.1 in one file.
//
// Defaults, examples and patterns are not checked. No verdict depends on the first two, and package
// pattern compiles the patterns.
func Of(top document.Place) []error {
	doc := &openapi3.T{}
	if err := json.Unmarshal(top.JSON(), doc); err != nil {
		return []error{misbuilt(top, err)}
	}
	loader := openapi3.NewLoader()
	if err := loader.ResolveRefsIn(doc, nil); err != nil {
		at := top // or the first $ref that the error quotes
		refs := search(top, "$ref")
		if i := slices.IndexFunc(refs, func(ref document.Place) bool { return strings.Contains(err.Error(), strconv.Quote(ref.Text())) }); i >= 0 {
			at = refs[i]
		}
		return []error{at.Errorf("%s", err)}
	}
	err := doc.Validate(loader.Context,
		openapi3.EnableMultiError(),
		openapi3.DisableExamplesValidation(),
		openapi3.DisableSchemaDefaultsValidation(),
		openapi3.DisableSchemaPatternValidation(),
		openapi3.AllowExtraSiblingFields("pathItems"), // OpenAPI 3.1 has them among the components
	)
	return lists.Map(each(err), func(one error) error { return located(top, one) })
}

// each returns the single errors of a kin-openapi error.
func each(err error) []error {
	several, ok := err.(openapi3.MultiError) //nolint:errorlint // which is not wrapped
	if !ok && err != nil {
		return []error{err}
	}
	return slices.Concat(lists.Map(several, each)...)
}

// located returns an error with its place in the document.
func located(top document.Place, err error) error {
	at, cause := blamed(top, err)
	var unknown *openapi3.ExtraSiblingFieldsError
	var foreign *openapi3.FieldVersionMismatchError
	switch {
	case errors.As(cause, &unknown):
		return only(at, unknown.Fields[0]).Errorf("unknown key %s", strings.Join(unknown.Fields, ", "))
	case errors.As(cause, &foreign):
		at = only(at, foreign.Field)
	}
	sentence, _, _ := strings.Cut(cause.Error(), "\n") // the other lines are dumps of schema and value
	return at.Errorf("%s", sentence)
}

// The functions below find the places of kin-openapi's errors. An error does not name its place,
// but often the field, the reference, the operation or the component.

// misfit matches the error of the decoder about a value of the wrong kind, which has no type with
// this data.
var misfit = regexp.MustCompile(`cannot unmarshal (\w+)(?: (\S+))? into field \w+\.(\S+) of type`)

// misbuilt returns the error about a value of the wrong kind.
func misbuilt(root document.Place, err error) error {
	said := misfit.FindStringSubmatch(err.Error())
	if said == nil {
		return root.Errorf("the document is not built as OpenAPI says: %s", err)
	}
	kinds := map[string]document.Kind{
		"object": document.Object, "array": document.Array, "string": document.String,
		"number": document.Number, "bool": document.Bool,
	}
	kind, number, key := kinds[said[1]], said[2], said[3]
	found := slices.DeleteFunc(search(root, key), func(l document.Place) bool {
		return l.Kind != kind || number != "" && l.Literal != number
	})
	if len(found) != 1 {
		return root.Errorf("some %s has a value of the wrong kind: %s", key, err)
	}
	return found[0].Errorf("%s must not be %s", key, cmp.Or(number, kind.String()))
}

// only returns the value of that key somewhere below l. It returns l if there are none or several,
// because a wider place is better than a wrong one.
func only(l document.Place, key string) document.Place {
	if found := search(l, key); len(found) == 1 {
		return found[0]
	}
	return l
}

func search(l document.Place, key string) (found []document.Place) {
	for _, item := range l.List() {
		found = append(found, search(item, key)...)
	}
	for _, m := range l.All() {
		if m.Key == key {
			found = append(found, l.To(key))
		}
		found = append(found, search(l.To(m.Key), key)...)
	}
	return found
}

// blamed returns the place of an error of kin-openapi, as exact as possible, and the rest of the
// error.
func blamed(root document.Place, err error) (document.Place, error) {
	at := root
	for {
		var next document.Place
		var cause error
		switch e := err.(type) { //nolint:errorlint // each layer by itself: errors.As would skip some
		case *openapi3.SectionValidationError:
			next, cause = root.To(e.Section), e.Cause
		case *openapi3.PathValidationError:
			next, cause = at.To(e.Path), e.Cause
		case *openapi3.OperationValidationError:
			next, cause = at.To(strings.ToLower(e.Method)), e.Cause
		case *openapi3.ComponentValidationError:
			sections := at.All()
			stem := strings.TrimSuffix(strings.ReplaceAll(e.Section, " ", ""), "y") // it says "request body" for requestBodies
			if i := slices.IndexFunc(sections, func(m *document.Member) bool { return strings.HasPrefix(strings.ToLower(m.Key), stem) }); i >= 0 {
				next, cause = at.To(sections[i].Key, e.Name), e.Cause
			}
		}
		if next.Node == nil {
			return at, err
		}
		at, err = next, cause
	}
}
