package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec/lists"
)

// Kind says what a [Node] is.
type Kind uint8

// The kinds of node, named as JSON names them.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the kind in messages.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "a mapping"}[k]
}

// Node is one value of a document.
type Node struct {
	Kind         Kind
	NotANumber   bool      // a String that is a number in YAML, but not in JSON, see ParseFiles
	Literal      string    // of a Bool, Number or String; a Number as JSON writes it
	Items        []*Node   // of an Array
	Members      []*Member // of an Object, in the order written
	Line, Column int       // where the value starts, counting from 1
	source       *source
	byKey        map[string]*Member // of an object with many members
	origin       string             // see Place.Origin; "" if it is the pointer to the node
}

// Member is one key and value of an object.
type Member struct {
	Key          string
	Value        *Node
	Line, Column int // where the key starts
}

// File returns the name of the value's file in errors.
func (n *Node) File() string { return n.source.file }

// Document returns the place of the root of the value's file.
func (n *Node) Document() Place { return Top(n.source.root) }

// Errorf returns an [Error] about this value.
func (n *Node) Errorf(format string, args ...any) error {
	return n.source.error(n.Line, n.Column, fmt.Sprintf(format, args...))
}

// Release frees the text of the document whose root is n, and the parts that are not in use. Errors
// about the other parts have no excerpt then. It returns an empty object at the same place.
func (n *Node) Release() *Node {
	top := &Node{Kind: Object, Line: n.Line, Column: n.Column, source: n.source}
	n.source.data, n.source.root = nil, top
	return top
}

// Errorf returns an [Error] about this key.
func (m *Member) Errorf(format string, args ...any) error {
	return m.Value.source.error(m.Line, m.Column, fmt.Sprintf(format, args...))
}

// Member returns the member of the object with that key, or nil.
func (n *Node) Member(key string) *Member {
	if n == nil {
		return nil
	}
	if n.byKey != nil {
		return n.byKey[key]
	}
	for _, m := range n.Members {
		if m.Key == key {
			return m
		}
	}
	return nil
}

// manyMembers is the number of members from which an object has an index of its keys.
const manyMembers = 16

// add adds a member. It returns false if the object has that key already.
func (n *Node) add(m *Member) bool {
	if n.Member(m.Key) != nil {
		return false
	}
	n.Members = append(n.Members, m)
	if len(n.Members) == manyMembers {
		n.byKey = make(map[string]*Member, 2*manyMembers)
		for _, m := range n.Members {
			n.byKey[m.Key] = m
		}
	} else if n.byKey != nil {
		n.byKey[m.Key] = m
	}
	return true
}

// All returns the members of the object, or none if the node is nil.
func (n *Node) All() []*Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// List returns the items of an array, or else the node itself as the only item.
func (n *Node) List() []*Node {
	if n.Kind == Array {
		return n.Items
	}
	return []*Node{n}
}

// Get returns the value of that key, or nil. It may be called on nil, so that calls can be chained
// without a check at each step.
func (n *Node) Get(key string) *Node {
	if m := n.Member(key); m != nil {
		return m.Value
	}
	return nil
}

// Text returns the literal of a string, and "" for anything else.
func (n *Node) Text() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Literal
}

// True reports whether the node is the boolean true.
func (n *Node) True() bool { return n != nil && n.Kind == Bool && n.Literal == "true" }

// At returns the value at a JSON pointer (RFC 6901), or nil.
func (n *Node) At(pointer string) *Node {
	tokens := strings.Split(pointer, "/")
	if tokens[0] != "" {
		return nil
	}
	for _, token := range tokens[1:] {
		n = n.step(token)
	}
	return n
}

// step follows one token of a JSON pointer.
func (n *Node) step(token string) *Node {
	token = UnescapePointer(token)
	switch {
	case n == nil:
		return nil
	case n.Kind == Object:
		return n.Get(token)
	case n.Kind == Array:
		i, _ := strconv.Atoi(token)
		if strconv.Itoa(i) == token && i >= 0 && i < len(n.Items) { // RFC 6901 §4 allows neither signs nor leading zeros
			return n.Items[i]
		}
	}
	return nil
}

var (
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1") //nolint:gochecknoglobals // never written, like a regexp
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~") //nolint:gochecknoglobals // as above
)

// EscapePointer returns a key as one token of a JSON pointer (RFC 6901 §3).
func EscapePointer(key string) string { return pointerEscapes.Replace(key) }

// UnescapePointer undoes [EscapePointer].
func UnescapePointer(token string) string {
	if strings.IndexByte(token, '~') < 0 {
		return token // the replacer would copy it
	}
	return pointerUnescapes.Replace(token)
}

// Value returns the node as encoding/json would decode it with UseNumber: nil, bool, json.Number,
// string, []any or map[string]any.
func (n *Node) Value() any {
	switch n.Kind {
	case Bool:
		return n.Literal == "true"
	case Number:
		return json.Number(n.Literal)
	case String:
		return n.Literal
	case Array:
		return lists.Map(n.Items, (*Node).Value)
	case Object:
		object := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			object[m.Key] = m.Value.Value()
		}
		return object
	default:
		return nil
	}
}

// plain matches a text that YAML reads as a string without quotes. word matches the exceptions,
// which YAML reads as booleans or null.
var (
	plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*( [A-Za-z0-9_./,()-]+)*$`)
	word  = regexp.MustCompile(`(?i)^(true|false|null|yes|no|on|off|y|n)$`)
)

// YAML returns the node in one line of YAML. That is JSON, which YAML includes, or a text without
// quotes if it needs none.
func (n *Node) YAML() string {
	if n.Kind == String && plain.MatchString(n.Literal) && !word.MatchString(n.Literal) {
		return n.Literal
	}
	return string(n.JSON())
}

// JSON returns the node as compact JSON. It keeps the order of keys and the literals of numbers.
func (n *Node) JSON() []byte {
	var b bytes.Buffer
	n.writeJSON(&b)
	return b.Bytes()
}

func (n *Node) writeJSON(b *bytes.Buffer) {
	switch n.Kind {
	case Null:
		b.WriteString("null")
	case Bool, Number:
		b.WriteString(n.Literal)
	case String:
		writeString(b, n.Literal)
	case Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, m.Key)
			b.WriteByte(':')
			m.Value.writeJSON(b)
		}
		b.WriteByte('}')
	}
}

// writeString does not escape < > &, so that a request looks like the text in the file.
func writeString(b *bytes.Buffer, s string) {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string into memory: neither can fail
	b.Truncate(b.Len() - 1)
}
