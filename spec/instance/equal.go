package instance

import (
	"encoding/json"
	"reflect"
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
		if !ok || len(a) != len(list) {
			return false
		}
		for i := range a {
			if !Equal(a[i], list[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := b.(map[string]any)
		if !ok || len(a) != len(object) {
			return false
		}
		for key := range a {
			other, present := object[key]
			if !present || !Equal(a[key], other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
