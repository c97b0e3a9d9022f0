package instance

import (
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// Patched is a value after the operations of a JSON Patch (RFC 6902 §4) on properties of objects. ok is false
// if one of them cannot be applied. Then the value is what the operations before that one have made of it.
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

// pathOf is the path of a JSON pointer; nil if it is none.
func pathOf(pointer any) []string {
	text, isText := pointer.(string)
	if path := strings.Split(text, "/"); isText && path[0] == "" {
		for i := range path {
			path[i] = document.UnescapePointer(path[i])
		}
		return path[1:]
	}
	return nil
}
