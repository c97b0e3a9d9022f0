package instance

// Rewrite is a value with other keys, and with other values in place of its texts. The
// value itself stays as it is.
func Rewrite(value any, key func(string) string, text func(string) any) any {
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

// SameKey is a key as it is, for [Rewrite].
func SameKey(key string) string { return key }

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
