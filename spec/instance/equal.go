package instance

import (
	"encoding/json"
	"reflect"
)

// Rewrite is a value with other texts and keys; the value itself stays as it is.
func Rewrite(value any, key, text func(string) string) any {
	switch value := value.(type) {
	case string:
		return text(value)
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = Rewrite(item, key, text)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, inner := range value {
			object[key(name)] = Rewrite(inner, key, text)
		}
		return object
	}
	return value
}

// Same is the text itself, for [Rewrite].
func Same(text string) string { return text }

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
