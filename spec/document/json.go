package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonParser reads JSON. A YAML parser can read it, too (YAML 1.2 §1.3), but more slowly.
type jsonParser struct {
	source  *source
	decoder *jsontext.Decoder
	at      int // offset in bytes; line and column are its place
	line    int
	column  int
	nodes   int
}

// parseJSON reads a document that is JSON. ok is false if it is not. Then the YAML parser reads it,
// or reports the error.
func parseJSON(src *source) (n *Node, ok bool, err error) {
	p := &jsonParser{
		source:  src,
		decoder: jsontext.NewDecoder(bytes.NewBuffer(src.data), jsontext.AllowDuplicateNames(true)),
		line:    1, column: 1,
	}
	n, err = p.value(0)
	if flaw, located := errors.AsType[*Error](err); located {
		return nil, true, flaw
	}
	if err != nil {
		return nil, false, nil //nolint:nilerr // the reading as YAML has an error of its own, or none
	}
	_, err = p.decoder.ReadToken()
	return n, errors.Is(err, io.EOF), nil
}

// next records the place of the next token.
func (p *jsonParser) next() {
	p.decoder.PeekKind() // ReadToken returns the same error again
	from := int(p.decoder.InputOffset())
	for from < len(p.source.data) && strings.IndexByte(" \t\r\n,:", p.source.data[from]) >= 0 {
		from++
	}
	passed := p.source.data[p.at:from]
	if lines := bytes.Count(passed, []byte("\n")); lines > 0 {
		p.line, p.column = p.line+lines, 1
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	p.column += utf8.RuneCount(passed)
	p.at = from
}

func (p *jsonParser) value(depth int) (*Node, error) {
	p.next()
	n := &Node{Line: p.line, Column: p.column, source: p.source}
	if depth > maxDepth {
		return nil, n.Errorf("%s", errTooDeep)
	}
	if p.nodes++; p.nodes > maxNodes {
		return nil, n.Errorf(tooManyMessage, maxNodes)
	}
	t, err := p.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case 't', 'f':
		n.Kind, n.Literal = Bool, t.String()
	case '0':
		n.Kind, n.Literal = Number, t.String()
	case '"':
		n.Kind, n.Literal = String, t.String()
	case '[':
		n.Kind = Array
		for p.decoder.PeekKind() != ']' {
			item, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		_, err = p.decoder.ReadToken()
	case '{':
		n.Kind = Object
		err = p.members(n, depth)
	}
	return n, err
}

func (p *jsonParser) members(n *Node, depth int) error {
	for p.decoder.PeekKind() != '}' {
		p.next()
		m := &Member{Line: p.line, Column: p.column}
		t, err := p.decoder.ReadToken()
		if err != nil {
			return err
		}
		if m.Key = t.String(); !n.add(m) {
			return p.source.error(m.Line, m.Column, fmt.Sprintf("duplicate key %q", m.Key))
		}
		if m.Value, err = p.value(depth + 1); err != nil {
			return err
		}
	}
	_, err := p.decoder.ReadToken()
	return err
}
