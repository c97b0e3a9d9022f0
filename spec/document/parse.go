package document

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/plantstore/conformance/spec/lists"
)

const (
	// maxDepth limits the levels of nesting in a document, so that a hostile file causes an error
	// and not a stack overflow.
	maxDepth = 1000

	tooDeepMessage = "nests deeper than %d levels"
	tooManyMessage = "holds more than %d values"

	// maxSize limits the bytes of a document, and maxYAML those of one that is not JSON. The YAML
	// parser reads less than a megabyte per second, and is slower for long mappings.
	maxSize = 64 << 20
	maxYAML = 8 << 20
)

// number is the JSON grammar of a number (RFC 8259 §6). The other spellings of YAML (0x10, 010,
// 1_000, .5, .inf) are not accepted as numbers, because their meaning depends on the YAML version.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Parse reads exactly one YAML or JSON document. file is its name in errors. Every error is an
// [Error].
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
	tokens := lexer.Tokenize(string(data))
	if deep := tooDeep(tokens); deep != nil {
		return nil, src.error(deep.Position.Line, deep.Position.Column, fmt.Sprintf(tooDeepMessage, maxDepth))
	}
	parsed, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, src.wrap(err)
	}
	docs := lists.Filter(parsed.Docs, func(doc *ast.DocumentNode) bool { return doc.Body != nil && doc.Body.Type() != ast.DirectiveType })
	switch len(docs) {
	case 0:
		return nil, src.error(0, 0, "is empty")
	case 1:
	default:
		at := start(docs[1].Body).Position
		return nil, src.error(at.Line, at.Column, "contains a second YAML document; put it into another file")
	}
	b := builder{source: src, anchors: map[string]*Node{}}
	return b.build(docs[0].Body, 0)
}

// tooDeep returns the first bracket that is nested too deeply, or nil. It runs before the parser,
// whose time grows with the square of the depth.
func tooDeep(tokens token.Tokens) *token.Token {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			if depth++; depth > maxDepth+1 { // the outermost bracket is level 0
				return t
			}
		case token.SequenceEndType, token.MappingEndType:
			depth--
		default:
		}
	}
	return nil
}

// definedTwice matches the message of the parser about a duplicate key.
var definedTwice = regexp.MustCompile(`^mapping key (.*) already defined at \[(\d+):\d+\]$`)

func (s *source) wrap(err error) error {
	if located, ok := errors.AsType[yaml.Error](err); ok && located.GetToken() != nil {
		at := located.GetToken().Position
		message := located.GetMessage()
		switch {
		case definedTwice.MatchString(message):
			message = definedTwice.ReplaceAllString(message, "duplicate key $1 (first in line $2)")
		case strings.HasPrefix(message, "found character '\t'"):
			message = "a tab cannot indent YAML; use spaces"
		default:
			message = "not valid YAML or JSON: " + message
		}
		return s.error(at.Line, at.Column, message)
	}
	return s.error(0, 0, err.Error())
}

type builder struct {
	source  *source
	anchors map[string]*Node
	nodes   int
}

// maxNodes limits the number of values, which aliases can multiply (the "billion laughs").
const maxNodes = 1_000_000

func (b *builder) build(n ast.Node, depth int) (*Node, error) {
	out := &Node{source: b.source}
	if tk := start(n); tk != nil && tk.Position != nil {
		out.Line, out.Column = tk.Position.Line, tk.Position.Column
	}
	if depth > maxDepth {
		return nil, out.Errorf(tooDeepMessage, maxDepth)
	}
	if b.nodes++; b.nodes > maxNodes {
		return nil, out.Errorf(tooManyMessage, maxNodes)
	}
	switch n := n.(type) {
	case *ast.NullNode: // out is null already
	case *ast.BoolNode:
		out.Kind, out.Literal = Bool, strconv.FormatBool(n.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		out.Kind, out.Literal = Number, n.GetToken().Value
		switch {
		case number.MatchString(out.Literal):
		case b.source.lenient:
			out.Kind, out.NotANumber = String, true
		default:
			return nil, out.Errorf("%s is not a valid JSON number; quote it if it is text", out.Literal)
		}
	case *ast.StringNode:
		out.Kind, out.Literal = String, n.Value
		// The parser reads 1e3 and very long integers as strings.
		if n.Token.Type == token.StringType && number.MatchString(n.Value) {
			out.Kind = Number
		}
	case *ast.LiteralNode:
		out.Kind, out.Literal = String, n.Value.Value
	case *ast.SequenceNode:
		out.Kind = Array
		for _, v := range n.Values {
			item, err := b.build(v, depth+1)
			if err != nil {
				return out, err
			}
			out.Items = append(out.Items, item)
		}
	case *ast.MappingNode:
		out.Kind = Object
		return out, b.members(out, n.Values, depth)
	case *ast.AnchorNode:
		value, err := b.build(n.Value, depth+1)
		if err == nil {
			b.anchors[n.Name.String()] = value
		}
		return value, err
	case *ast.AliasNode:
		value, ok := b.anchors[n.Value.String()]
		if !ok {
			return nil, out.Errorf("*%s refers to no earlier anchor", n.Value)
		}
		return value, b.count(value)
	default:
		return nil, out.Errorf("this YAML construct (%s) is not supported here", strings.ToLower(n.Type().String()))
	}
	return out, nil
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

func (b *builder) members(out *Node, values []*ast.MappingValueNode, depth int) error {
	var merged []*Node
	for _, v := range values {
		var key ast.Node = v.Key
		if explicit, ok := key.(*ast.MappingKeyNode); ok { // ? key
			key = explicit.Value
		}
		tk := key.GetToken()
		m := &Member{Key: tk.Value, Line: tk.Position.Line, Column: tk.Position.Column}
		fail := func(format string, args ...any) error {
			return b.source.error(m.Line, m.Column, fmt.Sprintf(format, args...))
		}
		switch key.(type) {
		case *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
			return fail("a key must be written as it is, without %s", tk.Value)
		}
		value, err := b.build(v.Value, depth+1)
		if err != nil {
			return err
		}
		if _, merge := key.(*ast.MergeKeyNode); merge {
			list := value.List()
			if i := slices.IndexFunc(list, func(n *Node) bool { return n.Kind != Object }); i >= 0 {
				return fail("<< takes a mapping or a list of them, found %s", list[i].Kind)
			}
			merged = append(merged, list...)
			continue
		}
		if literal, ok := key.(*ast.LiteralNode); ok { // ? |
			m.Key = literal.Value.Value
		}
		// The parser finds most duplicates itself, but not all.
		if m.Value = value; !out.add(m) {
			return fail("duplicate key %q", m.Key)
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

// start returns the first token of a node as a reader sees it: a mapping begins with its first key,
// not with the colon after it.
func start(n ast.Node) *token.Token {
	if n, ok := n.(*ast.MappingNode); ok && !n.IsFlowStyle {
		return n.Values[0].Key.GetToken()
	}
	return n.GetToken()
}
