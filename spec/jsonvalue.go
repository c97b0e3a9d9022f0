package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/plantstore/conformance/spec/document"
)

// flaw is why bytes are not exactly one I-JSON value.
type flaw struct {
	message, pointer, actual string
	offset                   int64
}

// parseValue reads exactly one JSON value as RFC 8259 and RFC 7493 §2 have it:
// UTF-8, no byte order mark, no lone surrogate, no key twice, nothing behind
// it. Numbers stay literals.
//
// encoding/json lets most of this pass; jsontext, its successor, refuses it.
func parseValue(body []byte) (any, *flaw) {
	if len(bytes.TrimLeft(body, " \t\r\n")) == 0 {
		return nil, &flaw{message: "the body is empty", actual: "nothing"}
	}
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return nil, &flaw{message: "the body begins with a byte order mark (RFC 8259 §8.1)", actual: string(body)}
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(body))
	value, err := readValue(decoder)
	if err != nil {
		return nil, syntaxFlaw(body, err)
	}
	end := decoder.InputOffset()
	if rest := bytes.TrimLeft(body[end:], " \t\r\n"); len(rest) > 0 {
		return nil, &flaw{message: "something follows the JSON value", actual: string(rest), offset: int64(len(body) - len(rest))}
	}
	return value, nil
}

func readValue(d *jsontext.Decoder) (any, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return tok.Bool(), nil
	case '"':
		return tok.String(), nil
	case '0':
		literal := tok.String()
		if len(literal) > maxNumberLength {
			return nil, &longNumber{length: len(literal), offset: d.InputOffset() - int64(len(literal)), pointer: string(d.StackPointer())}
		}
		return instanceNumber(strings.Clone(literal)), nil
	case '[':
		return readArray(d)
	default:
		return readObject(d)
	}
}

func readArray(d *jsontext.Decoder) (any, error) {
	list := []any{}
	for d.PeekKind() != ']' {
		item, err := readValue(d)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	_, err := d.ReadToken()
	return list, err
}

func readObject(d *jsontext.Decoder) (any, error) {
	object := map[string]any{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		if object[key], err = readValue(d); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return object, err
}

type longNumber struct {
	length  int
	offset  int64
	pointer string
}

func (e *longNumber) Error() string {
	return fmt.Sprintf("a number is written with %d characters; the limit is %d", e.length, maxNumberLength)
}

func syntaxFlaw(body []byte, err error) *flaw {
	f := &flaw{message: "is no JSON text: " + err.Error(), offset: int64(len(body))}
	var long *longNumber
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &long):
		f.message, f.pointer, f.offset = long.Error(), long.pointer, long.offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.message = "the JSON text is cut off"
	case errors.As(err, &syntactic):
		f.pointer, f.offset = string(syntactic.JSONPointer), syntactic.ByteOffset
		if errors.Is(err, jsontext.ErrDuplicateName) {
			f.message = "an object has the same key twice"
		} else {
			f.message = "is no JSON text: " + syntactic.Err.Error()
		}
	}
	f.offset = min(max(f.offset, 0), int64(len(body)))
	f.actual = string(body)
	return f
}

// places are the spans of values in a body.
type places struct {
	body  []byte
	spans map[string][2]int64
}

// locate finds where the values stand that the breaches point at, in one pass.
func locate(body []byte, breaches []Breach) places {
	p := places{body: body, spans: map[string][2]int64{}}
	wanted := map[string]bool{}
	for _, b := range breaches {
		wanted[b.Pointer] = true
	}
	if len(wanted) == 0 {
		return p
	}
	var open []string // pointers of the wanted arrays and objects not closed yet
	d := jsontext.NewDecoder(bytes.NewReader(body))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return p
		}
		pointer, end := string(d.StackPointer()), d.InputOffset()
		switch tok.Kind() {
		case '{', '[':
			if wanted[pointer] {
				p.spans[pointer] = [2]int64{end - 1, end}
			}
			open = append(open, pointer)
		case '}', ']':
			closed := open[len(open)-1]
			open = open[:len(open)-1]
			if span, ok := p.spans[closed]; ok {
				p.spans[closed] = [2]int64{span[0], end}
			}
		default:
			if wanted[pointer] {
				p.spans[pointer] = [2]int64{p.start(end, tok), end}
			}
		}
	}
}

// start is where a scalar begins that ends at end. A key and its value share
// a pointer, and the value, which comes second, is the one that counts.
func (p places) start(end int64, tok jsontext.Token) int64 {
	if tok.Kind() != '"' {
		return end - int64(len(tok.String()))
	}
	for i := end - 2; i >= 0; i-- {
		if p.body[i] == '"' && !escaped(p.body[:i]) {
			return i
		}
	}
	return 0
}

// escaped says whether an odd number of backslashes stands at the end.
func escaped(before []byte) bool {
	return (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 1
}

// fill adds offset and literal to a breach. For what is missing that is the
// object it is missing from, and nothing.
func (p places) fill(b Breach) Breach {
	if span, ok := p.spans[b.Pointer]; ok {
		b.Offset, b.Actual = span[0], string(p.body[span[0]:span[1]])
		return b
	}
	b.Actual = "no such property"
	owner := b.Pointer[:max(strings.LastIndexByte(b.Pointer, '/'), 0)]
	if places := locate(p.body, []Breach{{Pointer: owner}}); len(places.spans) > 0 {
		b.Offset = places.spans[owner][0]
	}
	return b
}

func escape(key string) string { return document.EscapePointer(key) }

func sortedKeys(object map[string]any) []string {
	return slices.Sorted(maps.Keys(object))
}

// compact writes a value that came from JSON data back as JSON.
func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
