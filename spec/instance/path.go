package instance

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
)

// Pointer returns the JSON pointer of a path.
func Pointer(path []string) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteString("/" + document.EscapePointer(step))
	}
	return b.String()
}

// Compact writes a value that came from JSON data back as JSON.
func Compact(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // for readability
	_ = encoder.Encode(value)    // JSON data into memory: neither can fail
	return strings.TrimSuffix(b.String(), "\n")
}

// TypeOf returns the type of a value as JSON Schema names it, "number" for all numbers.
func TypeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// Below returns a new path with one more step.
func Below(path []string, step string) []string { return append(slices.Clip(path), step) }

// Rewrite returns a copy of a value. key converts each key, and text converts each string. If key
// is nil, the keys do not change.
func Rewrite(value any, key func(string) string, text func(string) any) any {
	switch value := value.(type) {
	case string:
		return text(value)
	case []any:
		return lists.Map(value, func(item any) any { return Rewrite(item, key, text) })
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, inner := range value {
			if key != nil {
				name = key(name)
			}
			object[name] = Rewrite(inner, key, text)
		}
		return object
	}
	return value
}

// IsEmpty reports whether a value is a list or an object with nothing in it.
func IsEmpty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// At returns the value at a path in a value. present is false if there is none.
func At(value any, path []string) (inner any, present bool) {
	for _, step := range path {
		present = false
		switch container := value.(type) {
		case map[string]any:
			value, present = container[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(container) {
				value, present = container[i], true
			}
		}
		if !present {
			return nil, false
		}
	}
	return value, true
}

// PlaceIn returns the path in a body to the value that is at path in the resource itself. The body is
// the resource, or an object around it, as in {"status": "success", "data": {…}}. A body with an id is
// the resource.
func PlaceIn(body any, path []string) []string {
	object, _ := body.(map[string]any)
	_, isThere := At(body, path)
	_, hasID := object["id"]
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, isInside := At(object[name], path); isInside && !hasID && (!isThere || name == "data") {
			return slices.Concat([]string{name}, path)
		}
	}
	return path
}

// Put returns a copy of a value with inner at a path.
func Put(value any, path []string, inner any) any {
	if len(path) == 0 {
		return inner
	}
	switch value := value.(type) {
	case map[string]any:
		copied := maps.Clone(value)
		copied[path[0]] = Put(value[path[0]], path[1:], inner)
		return copied
	case []any:
		copied := slices.Clone(value)
		if i, err := strconv.Atoi(path[0]); err == nil && i < len(copied) {
			copied[i] = Put(copied[i], path[1:], inner)
		}
		return copied
	}
	return value
}

// Without returns a copy of a value without the property at that path. present is false if there is
// none.
func Without(value any, path []string) (left any, present bool) {
	if list, isList := value.([]any); isList && len(path) > 1 {
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(list) {
			return value, false
		}
		copied := slices.Clone(list)
		copied[i], present = Without(list[i], path[1:])
		return copied, present
	}
	object, ok := value.(map[string]any)
	inner, has := object[path[0]]
	if !ok || !has {
		return value, false
	}
	copied := maps.Clone(object)
	if len(path) == 1 {
		delete(copied, path[0])
		return copied, true
	}
	copied[path[0]], present = Without(inner, path[1:])
	return copied, present
}

// Merged returns the result of a merge patch of a value (RFC 7396 §2).
func Merged(value, patch any) any {
	changes, isObject := patch.(map[string]any)
	if !isObject {
		return patch
	}
	object, _ := value.(map[string]any)
	whole := map[string]any{}
	maps.Copy(whole, object)
	for name, change := range changes {
		if whole[name] = Merged(whole[name], change); change == nil {
			delete(whole, name)
		}
	}
	return whole
}

// Patched returns the result of a JSON Patch (RFC 6902 §4) of a value, for operations on properties
// of objects. ok is false if an operation cannot be applied. Then the result is that of the
// operations before it.
func Patched(value any, operations []any) (patched any, ok bool) {
	for _, operation := range operations {
		if patched, ok = operated(value, operation); !ok {
			return value, false
		}
		value = patched
	}
	return value, true
}

func operated(value, operation any) (changed any, ok bool) {
	one, _ := operation.(map[string]any)
	path, source := pathOf(one["path"]), pathOf(one["from"])
	if path == nil {
		return value, false
	}
	now, there := At(value, path)
	_, hasOuter := At(value, path[:max(0, len(path)-1)])
	with, hasValue := one["value"]
	switch one["op"] {
	case "test":
		return value, there && hasValue && Equal(now, with)
	case "remove":
		if len(path) == 0 {
			return nil, true
		}
		return Without(value, path)
	case "replace":
		return Put(value, path, with), there && hasValue
	case "add":
		return Put(value, path, with), hasOuter && hasValue
	case "copy", "move":
		from, hasFrom := At(value, source)
		if one["op"] == "move" && len(source) > 0 {
			value, _ = Without(value, source)
		}
		return Put(value, path, from), hasOuter && hasFrom && source != nil
	}
	return value, false
}

// pathOf returns the path of a JSON pointer, or nil if it is invalid.
func pathOf(pointer any) []string {
	text, isText := pointer.(string)
	if path := strings.Split(text, "/"); isText && path[0] == "" {
		return lists.Map(path[1:], document.UnescapePointer)
	}
	return nil
}
