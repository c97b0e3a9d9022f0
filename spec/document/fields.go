package document

import (
	"slices"
	"strings"
)

// Fields is an object of which every key is known.
type Fields struct{ node *Node }

// Fields gives the object's fields, or an [Error] when the node is no object
// or has a key that is not among known.
func (n *Node) Fields(known ...string) (Fields, error) {
	if n.Kind != Object {
		return Fields{}, n.Errorf("expected a mapping with %s, found %s", strings.Join(known, ", "), n.Kind)
	}
	for _, m := range n.Members {
		if !slices.Contains(known, m.Key) {
			return Fields{}, m.Errorf("unknown key %q; known are %s", m.Key, strings.Join(known, ", "))
		}
	}
	return Fields{n}, nil
}

// Node is the object itself, for errors about the whole.
func (f Fields) Node() *Node { return f.node }

// Get is the value of the key, or nil where it is absent.
func (f Fields) Get(key string) *Node { return f.node.Get(key) }

// String is the text of an optional string field, "" where it is absent.
func (f Fields) String(key string) (string, error) {
	value := f.Get(key)
	switch {
	case value == nil:
		return "", nil
	case value.Kind != String:
		return "", value.Errorf("%s must be a string, found %s; quote it if it is text", key, value.Kind)
	}
	return value.Literal, nil
}

// Required is the text of a string field that must be there and not be empty.
func (f Fields) Required(key string) (string, error) {
	if f.Get(key) == nil {
		return "", f.node.Errorf("%s is missing", key)
	}
	text, err := f.String(key)
	if err == nil && strings.TrimSpace(text) == "" {
		return "", f.Get(key).Errorf("%s is empty", key)
	}
	return text, err
}

// OneOf is the text of an optional string field with a closed set of values.
func (f Fields) OneOf(key string, allowed ...string) (string, error) {
	text, err := f.String(key)
	if err == nil && f.Get(key) != nil && !slices.Contains(allowed, text) {
		return "", f.Get(key).Errorf("%s is %q; it must be one of %s", key, text, strings.Join(allowed, ", "))
	}
	return text, err
}
