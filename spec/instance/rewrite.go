package instance

// Rewrite is a value with other keys, and with other values in place of its texts. The
// value itself stays as it is, and so do its keys if key is nil.
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
