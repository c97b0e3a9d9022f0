package spec

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/plantstore/conformance/spec/document"
)

// The places that kin-openapi's complaints are about. It names none, but says
// enough to find most: the field, the reference, the operation, the component.

// misfit is what the decoder says of a value of another kind than a field's;
// it has no type that could be asked instead.
var misfit = regexp.MustCompile(`cannot unmarshal (\w+)(?: (\S+))? into field \w+\.(\S+) of type`)

// misbuilt tells of a value of another kind than OpenAPI has in its place.
func misbuilt(root located, err error) error {
	said := misfit.FindStringSubmatch(err.Error())
	if said == nil {
		return root.fail("the document is not built as OpenAPI says: %s", err)
	}
	kinds := map[string]document.Kind{
		"object": document.Object, "array": document.Array, "string": document.String,
		"number": document.Number, "bool": document.Bool,
	}
	kind, number, key := kinds[said[1]], said[2], said[3]
	found := slices.DeleteFunc(root.search(key), func(l located) bool {
		return l.Kind != kind || number != "" && l.Literal != number
	})
	if len(found) != 1 {
		return root.fail("some %s has a value of the wrong kind: %s", key, err)
	}
	return found[0].fail("%s must not be %s", key, cmp.Or(number, kind.String()))
}

// referring is the first $ref that a complaint quotes, or l.
func referring(l located, complaint string) located {
	for _, ref := range l.search("$ref") {
		if strings.Contains(complaint, strconv.Quote(ref.Text())) {
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
		switch e := err.(type) { //nolint:errorlint // each layer by itself: errors.As would skip some
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
	parts := strings.Fields(words)
	for i, word := range parts[min(1, len(parts)):] {
		parts[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	key := strings.Join(parts, "")
	if stem, ok := strings.CutSuffix(key, "y"); ok {
		return stem + "ies"
	}
	return key + "s"
}
