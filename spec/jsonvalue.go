package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	if len(bytes.TrimLeft(body, jsonSpace)) == 0 {
		return nil, &flaw{message: "is empty", actual: "nothing"}
	}
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return nil, &flaw{message: "begins with a byte order mark (RFC 8259 §8.1)", actual: string(body)}
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body))
	value, err := readValue(decoder)
	if err != nil {
		return nil, syntaxFlaw(body, err)
	}
	end := decoder.InputOffset()
	if rest := bytes.TrimLeft(body[end:], jsonSpace); len(rest) > 0 {
		return nil, &flaw{message: "has something after the JSON value", actual: string(rest), offset: int64(len(body) - len(rest))}
	}
	return value, nil
}

// jsonSpace is what may stand between JSON tokens (RFC 8259 §2).
const jsonSpace = " \t\r\n"

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
			return nil, &longNumberError{length: len(literal), offset: d.InputOffset() - int64(len(literal)), pointer: string(d.StackPointer())}
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

type longNumberError struct {
	length  int
	offset  int64
	pointer string
}

func (e *longNumberError) Error() string {
	return fmt.Sprintf("is a number of %d characters; the limit is %d", e.length, maxNumberLength)
}

func syntaxFlaw(body []byte, err error) *flaw {
	f := &flaw{message: "is no JSON: " + err.Error(), offset: int64(len(body))}
	var long *longNumberError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &long):
		f.message, f.pointer, f.offset = long.Error(), long.pointer, long.offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.message = "is cut off"
	case errors.As(err, &syntactic):
		f.pointer, f.offset = string(syntactic.JSONPointer), syntactic.ByteOffset
		if errors.Is(err, jsontext.ErrDuplicateName) {
			f.message = "stands twice in its object (RFC 7493 §2.3)"
		} else {
			f.message = "is no JSON: " + syntactic.Err.Error()
		}
	}
	f.actual = string(body)
	return f
}

func escape(key string) string { return document.EscapePointer(key) }

// compact writes a value that came from JSON data back as JSON.
func compact(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // it is to be read
	_ = encoder.Encode(value)    // JSON data into memory: neither can fail
	return strings.TrimSuffix(b.String(), "\n")
}
