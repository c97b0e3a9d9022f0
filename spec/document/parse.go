package document

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

const (
	// maxDepth limits the levels of nesting in a document, so that a hostile file causes an error
	// and not a stack overflow.
	maxDepth = 1000

	notEarlier = "the alias refers to no earlier anchor"

	tooManyMessage = "holds more than %d values"

	// maxSize limits the bytes of a document, and maxYAML those of one that is not JSON: the YAML
	// parser takes ten times their size, and ninety times if all values are short.
	maxSize = 64 << 20
	maxYAML = 16 << 20
)

// number is the JSON grammar of a number (RFC 8259 §6). The other spellings of YAML (0x10, 010,
// 1_000, .5, .inf) are not accepted as numbers, because their meaning depends on the YAML version.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Parse reads exactly one YAML or JSON document. file is its name in errors. Every error is an
// [Error], and its message repeats no value: the value may be a secret.
func Parse(file string, data []byte) (*Node, error) { return parse(&source{file: file}, data) }

func parse(src *source, data []byte) (root *Node, err error) {
	defer func() { src.root = root }()
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // YAML 1.2 §5.2 allows a byte order mark
	src.data = data
	if len(data) > maxSize {
		return nil, src.error(0, 0, fmt.Sprintf("is larger than %d MiB", maxSize>>20))
	}
	if !utf8.Valid(data) {
		return nil, src.error(0, 0, "is not UTF-8 text")
	}
	if first := bytes.TrimLeft(data, " \t\r\n"); bytes.HasPrefix(first, []byte("{")) || bytes.HasPrefix(first, []byte("[")) { // YAML may begin so, too
		if root, ok, err := parseJSON(src); ok {
			return root, err
		}
	}
	if len(data) > maxYAML {
		return nil, src.error(0, 0, fmt.Sprintf("is larger than %d MiB, the limit of YAML; convert it to JSON, which may be of %d MiB", maxYAML>>20, maxSize>>20))
	}
	b := builder{source: src, anchors: map[*yaml.Node]*Node{}}
	found, err := documents(b.hideLineBreaks(data), 2)
	switch {
	case err != nil:
		return nil, src.wrap(err)
	case len(found) > 1:
		return nil, src.error(found[1].Line, found[1].Column, "contains a second YAML document; put it into another file")
	case len(found) == 0:
		return nil, src.error(0, 0, "is empty")
	}
	return b.build(found[0], 0)
}

// ReadFile reads a file that was just opened, and closes it. It reads at most one byte more than [Parse]
// accepts, because a device such as /dev/zero has no end.
func ReadFile(file fs.File, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(file, maxSize+1))
}

type builder struct {
	source   *source
	anchors  map[*yaml.Node]*Node
	nodes    int
	restored *strings.Replacer // see hideLineBreaks; nil if nothing is hidden
}

func (b *builder) text(read string) string {
	if b.restored == nil {
		return read
	}
	return b.restored.Replace(read)
}

// maxNodes limits the number of values, which aliases can multiply (the "billion laughs").
const maxNodes = 1_000_000

func (b *builder) build(n *yaml.Node, depth int) (*Node, error) {
	out := &Node{source: b.source, Line: n.Line, Column: n.Column}
	if depth > maxDepth {
		return nil, out.Errorf("%s", errTooDeep)
	}
	if n.Kind == yaml.AliasNode {
		value, ok := b.anchors[n.Alias]
		if !ok {
			return nil, out.Errorf(notEarlier)
		}
		return value, b.count(value)
	}
	if b.nodes++; b.nodes > maxNodes {
		return nil, out.Errorf(tooManyMessage, maxNodes)
	}
	if n.Style&yaml.TaggedStyle != 0 {
		return nil, out.Errorf("this YAML construct (a tag) is not supported here")
	}
	var err error
	switch n.Kind {
	case yaml.SequenceNode:
		err = b.items(out, n.Content, depth)
	case yaml.MappingNode:
		err = b.members(out, n.Content, depth)
	default:
		err = b.scalar(out, n)
	}
	if n.Anchor != "" && err == nil {
		b.anchors[n] = out
	}
	return out, err
}

func (b *builder) scalar(out *Node, n *yaml.Node) error {
	switch n.ShortTag() {
	case "!!null": // out is null already
	case "!!bool":
		out.Kind, out.Literal = Bool, strings.ToLower(n.Value)
	case "!!int", "!!float":
		out.Kind, out.Literal = Number, n.Value
		switch {
		case number.MatchString(out.Literal):
		case b.source.lenient:
			out.Kind, out.NotANumber = String, true
		default:
			return out.Errorf("the value is not a valid JSON number; quote it if it is text")
		}
	default:
		out.Kind, out.Literal = String, b.text(n.Value)
		if n.Style == 0 && number.MatchString(n.Value) { // the parser takes 1e400 for a text
			out.Kind = Number
		}
	}
	return nil
}

func (b *builder) items(out *Node, values []*yaml.Node, depth int) error {
	out.Kind = Array
	for _, v := range values {
		item, err := b.build(v, depth+1)
		if err != nil {
			return err
		}
		out.Items = append(out.Items, item)
	}
	return nil
}

// count counts all values that an alias stands for.
func (b *builder) count(n *Node) error {
	if b.nodes++; b.nodes > maxNodes {
		return n.Errorf(tooManyMessage, maxNodes)
	}
	for _, item := range n.Items {
		if err := b.count(item); err != nil {
			return err
		}
	}
	for _, m := range n.Members {
		if err := b.count(m.Value); err != nil {
			return err
		}
	}
	return nil
}

// members adds the members of an object. content has each key before its value.
func (b *builder) members(out *Node, content []*yaml.Node, depth int) error {
	out.Kind = Object
	var merged []*Node
	for i := 0; i < len(content); i += 2 {
		key := content[i]
		m := &Member{Key: b.text(key.Value), Line: key.Line, Column: key.Column}
		fail := func(format string, args ...any) error {
			return b.source.error(m.Line, m.Column, fmt.Sprintf(format, args...))
		}
		if key.Kind != yaml.ScalarNode || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0 {
			return fail("a key must be a plain text, without an anchor or a tag")
		}
		value, err := b.build(content[i+1], depth+1)
		if err != nil {
			return err
		}
		if key.ShortTag() == "!!merge" {
			if merged != nil {
				return fail("duplicate key %q", m.Key)
			}
			list := value.List()
			if i := slices.IndexFunc(list, func(n *Node) bool { return n.Kind != Object }); i >= 0 {
				return fail("<< takes a mapping or a list of them, found %s", list[i].Kind)
			}
			merged = list
			continue
		}
		if m.Value = value; !out.add(m) {
			return fail("duplicate key %q (first in line %d)", m.Key, out.Member(m.Key).Line)
		}
	}
	for _, from := range merged { // the mapping's own keys override merged ones, and the first merged key overrides later ones
		for _, m := range from.Members {
			if !out.add(m) {
				continue
			}
			if err := b.count(m.Value); err != nil {
				return err
			}
		}
	}
	return nil
}
