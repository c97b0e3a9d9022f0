package instance

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// Equal compares JSON values, numbers by their value.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		x, _ := Rational(a)
		y, ok := Rational(b)
		return ok && x.Cmp(y) == 0
	case []any:
		list, ok := b.([]any)
		return ok && slices.EqualFunc(a, list, Equal)
	case map[string]any:
		object, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, object, Equal)
	}
	return reflect.DeepEqual(a, b)
}
