package document

import (
	"cmp"
	"slices"
	"strings"
)

// Fields is a mapping with a fixed set of keys. It keeps the first error, so a caller reads all
// fields and then checks [Fields.Err] once. A field that cannot be read is "", false or nil.
type Fields struct {
	node *Node
	err  error
}

// Fields returns the fields of a mapping; a nil node has none. It is an error if the node
// is not a mapping, or if it has a key that is not among known.
func (n *Node) Fields(known ...string) *Fields {
	f := &Fields{node: n}
	if n != nil && n.Kind != Object {
		f.Check(n.Errorf("expected a mapping with %s, found %s", strings.Join(known, ", "), n.Kind))
	}
	for _, m := range n.All() {
		if !slices.Contains(known, m.Key) {
			f.Check(m.Errorf("unknown key %q; known are %s", m.Key, strings.Join(known, ", ")))
		}
	}
	return f
}

// Err returns the first error, or nil.
func (f *Fields) Err() error { return f.err }

// Check records an error of the caller, unless there is an earlier one.
func (f *Fields) Check(err error) { f.err = cmp.Or(f.err, err) }

// Errorf records an error about the value of the key, unless there is an earlier error. The key
// must be present.
func (f *Fields) Errorf(key, format string, args ...any) {
	if f.err == nil {
		f.err = f.Get(key).Errorf(format, args...)
	}
}

// Node returns the mapping itself, for errors about it as a whole.
func (f *Fields) Node() *Node { return f.node }

// Get returns the value of the key, or nil if it is absent.
func (f *Fields) Get(key string) *Node { return f.node.Get(key) }

// String returns the text of an optional string field, or "" if it is absent.
func (f *Fields) String(key string) string {
	value := f.Get(key)
	if value != nil && value.Kind != String {
		f.Errorf(key, "%s must be a string, found %s; quote it if it is text", key, value.Kind)
	}
	return value.Text()
}

// Required returns the text of a string field that must be present and not empty.
func (f *Fields) Required(key string) string {
	if f.Get(key) == nil {
		f.Check(f.node.Errorf("%s is missing", key))
	}
	text := f.String(key)
	if strings.TrimSpace(text) == "" {
		f.Errorf(key, "%s is empty", key)
	}
	return text
}

// OneOf returns the text of an optional string field with a closed set of values.
func (f *Fields) OneOf(key string, allowed ...string) string {
	text := f.String(key)
	if f.Get(key) != nil && !slices.Contains(allowed, text) {
		f.Errorf(key, "%s is %q; it must be one of %s", key, text, strings.Join(allowed, ", "))
		return ""
	}
	return text
}

// Bool returns an optional boolean, or false if it is absent.
func (f *Fields) Bool(key string) bool { return f.of(Bool, key, "true or false").True() }

// of returns the value of an optional field, which must be of that kind.
func (f *Fields) of(kind Kind, key, words string) *Node {
	value := f.Get(key)
	if value != nil && value.Kind != kind {
		f.Errorf(key, "%s must be %s, found %s", key, words, value.Kind)
	}
	return value
}

// Members returns the members of an optional mapping from names to values.
func (f *Fields) Members(key string) []*Member {
	return f.of(Object, key, "a mapping from names to values").All()
}

// Names returns the items of an optional list of strings.
func (f *Fields) Names(key string) []*Node {
	value := f.of(Array, key, "a list of names")
	if value == nil {
		return nil
	}
	for _, item := range value.Items {
		if item.Kind != String {
			f.Check(item.Errorf("%s must be a list of names, found %s in it", key, item.Kind))
		}
	}
	return value.Items
}
