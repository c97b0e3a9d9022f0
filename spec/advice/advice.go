// Package advice tells where a document breaks OpenAPI's own rules, as kin-openapi
// sees them. None of its types appears in this interface, and nothing is judged by
// what it says.
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

// Of gives where a document breaks OpenAPI's own rules, as far as kin-openapi finds
// out: it stops at what it cannot read. The document is of OpenAPI 3.0 or 3.1, and of
// one file.
//
// Defaults, examples and patterns are left alone: nothing is judged by the first
// two, and patterns are compiled elsewhere.
func Of(top document.Place) []error {
	doc := &openapi3.T{}
	if err := json.Unmarshal(top.JSON(), doc); err != nil {
		return []error{misbuilt(top, err)}
	}
	loader := openapi3.NewLoader()
	if err := loader.ResolveRefsIn(doc, nil); err != nil {
		at := top // or the first $ref that the complaint quotes
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

// each gives the complaints one by one.
func each(err error) (list []error) {
	several, ok := err.(openapi3.MultiError) //nolint:errorlint // which is not wrapped
	if !ok && err != nil {
		return []error{err}
	}
	for _, one := range several {
		list = append(list, each(one)...)
	}
	return list
}

// located is a complaint with the place that it is about.
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
	sentence, _, _ := strings.Cut(cause.Error(), "\n") // below it stand dumps of schema and value
	return at.Errorf("%s", sentence)
}

// The places that kin-openapi's complaints are about. It names none, but says
// enough to find most: the field, the reference, the operation, the component.

// misfit is what the decoder says of a value of another kind than a field's;
// it has no type that could be asked instead.
var misfit = regexp.MustCompile(`cannot unmarshal (\w+)(?: (\S+))? into field \w+\.(\S+) of type`)

// misbuilt tells of a value of another kind than OpenAPI has in its place.
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

// only is the value of that key somewhere below l, or l where there is none or
// several: a place that may be wrong is worse than a wider one.
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

// blamed is the place that an error of kin-openapi is about, as far as it
// says, and what is left to say.
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
