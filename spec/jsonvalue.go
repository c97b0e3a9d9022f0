package spec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/plantstore/conformance/spec/document"
)

// flaw is why bytes are not exactly one JSON value, or what about the value
// interoperability rules out.
type flaw struct {
	message, pointer, actual string
	offset                   int64
}

// jsonSpace is what may stand between JSON tokens (RFC 8259 §2).
const jsonSpace = " \t\r\n"

// jsonReader reads exactly one JSON value as RFC 8259 has it: UTF-8, no byte
// order mark, nothing behind it. Numbers stay literals. What RFC 8259 permits
// and RFC 7493 §2 does not is noted: keys that an object has more than once,
// of which the last counts, and halves of surrogate pairs, which are read as
// U+FFFD.
//
// It is not built on an existing parser because none tells these apart, or
// reads deeper than 10,000 levels.
type jsonReader struct {
	body       []byte
	at         int
	limits     Limits
	ended      func() error // why to stop, asked for now and then
	path       []pathStep   // of the value that is read
	values     int          // that were read
	levels     int          // in which they lie, added up
	duplicates []duplicate
	surrogates int  // halves of pairs in escapes
	surrogate  flaw // the first of them
}

// pathStep is one step of a path: an index, or a key.
type pathStep struct {
	key   string
	index int // in a list, or one of these
}

const (
	named   = -1 // in an object, by the key
	between = -2 // in an object or list, but in none of its values
)

// duplicate is a key that its object has already.
type duplicate struct {
	path   []string
	offset int64
}

// valuesPerLook is how many values are read between two looks at the context.
const valuesPerLook = 1024

// maxDuplicates bounds how many duplicate keys are noted.
const maxDuplicates = 100

// flawError is a flaw on its way up.
type flawError struct{ flaw }

func (e *flawError) Error() string { return e.message }

// newJSONReader makes a reader of a body. It stops when the context ends.
func newJSONReader(ctx context.Context, body []byte, l Limits) *jsonReader {
	return &jsonReader{body: body, limits: l.withDefaults(), ended: ctx.Err}
}

// read gives the value. The error is a *flawError, a *LimitError or that of
// the context.
func (r *jsonReader) read() (any, error) {
	r.space()
	switch {
	case r.at == len(r.body):
		return nil, &flawError{flaw{message: "is empty", actual: "nothing"}}
	case bytes.HasPrefix(r.body, []byte("\xef\xbb\xbf")):
		return nil, &flawError{flaw{message: "begins with a byte order mark (RFC 8259 §8.1)", actual: string(r.body)}}
	}
	value, err := r.value()
	if err != nil {
		return nil, err
	}
	r.space()
	if r.at < len(r.body) {
		return nil, &flawError{flaw{message: "has something after the JSON value", actual: string(r.body[r.at:]), offset: int64(r.at)}}
	}
	return value, nil
}

func (r *jsonReader) space() {
	r.at = pastSpace(r.body, r.at)
}

// next is the byte to be read after white space; 0, which begins nothing, at
// the end.
func (r *jsonReader) next() byte {
	r.space()
	if r.at == len(r.body) {
		return 0
	}
	return r.body[r.at]
}

func (r *jsonReader) value() (any, error) {
	if r.values++; r.values%valuesPerLook == 1 {
		if err := r.ended(); err != nil {
			return nil, err
		}
	}
	r.levels += len(r.path)
	switch c := r.next(); {
	case c == '"':
		return r.text()
	case c == '{':
		return r.object()
	case c == '[':
		return r.list()
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	case c == 't':
		return true, r.literal("true")
	case c == 'f':
		return false, r.literal("false")
	case c == 'n':
		return nil, r.literal("null")
	}
	return nil, r.unexpected("at start of value")
}

func (r *jsonReader) literal(word string) error {
	for i := range len(word) {
		if r.at == len(r.body) || r.body[r.at] != word[i] {
			return r.unexpected(fmt.Sprintf("in literal %s (expecting %q)", word, word[i]))
		}
		r.at++
	}
	return nil
}

// enter goes one level down.
func (r *jsonReader) enter() error {
	r.at++
	r.path = append(r.path, pathStep{index: between})
	if len(r.path) > r.limits.Depth {
		return tooDeep(r.limits.Depth)
	}
	return nil
}

func (r *jsonReader) leave() {
	r.at++
	r.path = r.path[:len(r.path)-1]
}

func (r *jsonReader) list() (any, error) {
	list := []any{}
	if err := r.enter(); err != nil {
		return nil, err
	}
	for r.next() != ']' || len(list) > 0 {
		r.path[len(r.path)-1].index = len(list)
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, item)
		if more, err := r.more(']', "after list item (expecting ',' or ']')"); err != nil {
			return nil, err
		} else if !more {
			break
		}
	}
	r.leave()
	return list, nil
}

func (r *jsonReader) object() (any, error) {
	object := map[string]any{}
	if err := r.enter(); err != nil {
		return nil, err
	}
	for first := true; r.next() != '}' || !first; first = false {
		key, err := r.key(object)
		if err != nil {
			return nil, err
		}
		if r.next() != ':' {
			return nil, r.unexpected("after key (expecting ':')")
		}
		r.at++
		r.path[len(r.path)-1] = pathStep{key, named}
		if object[key], err = r.value(); err != nil {
			return nil, err
		}
		r.path[len(r.path)-1] = pathStep{index: between}
		if more, err := r.more('}', "after property (expecting ',' or '}')"); err != nil {
			return nil, err
		} else if !more {
			break
		}
	}
	r.leave()
	return object, nil
}

// more says whether an item is followed by another, and not by the end of the
// list or object.
func (r *jsonReader) more(end byte, where string) (bool, error) {
	switch r.next() {
	case ',':
		r.at++
		return true, nil
	case end:
		return false, nil
	}
	r.path[len(r.path)-1] = pathStep{index: between} // it is the list or the object that is wrong
	return false, r.unexpected(where)
}

// key reads the key of a property, and notes one that the object has already.
func (r *jsonReader) key(object map[string]any) (string, error) {
	if r.next() != '"' {
		return "", r.unexpected(`at start of key (expecting '"')`)
	}
	begin, halves := r.at, r.surrogates
	key, err := r.text()
	if err != nil {
		return "", err
	}
	// Two keys may differ in the halves of which both become U+FFFD.
	if _, twice := object[key]; twice && r.surrogates == halves && len(r.duplicates) < maxDuplicates {
		r.duplicates = append(r.duplicates, duplicate{append(r.place(), key), int64(begin)})
	}
	return key, nil
}

// place are the steps to where the reader is.
func (r *jsonReader) place() []string {
	var path []string
	for _, s := range r.path {
		switch s.index {
		case between:
		case named:
			path = append(path, s.key)
		default:
			path = append(path, strconv.Itoa(s.index))
		}
	}
	return path
}

// unexpected is the flaw of the next character.
func (r *jsonReader) unexpected(where string) error {
	if r.at >= len(r.body) {
		return r.cutOff()
	}
	character, _ := utf8.DecodeRune(r.body[r.at:])
	return r.invalid(fmt.Sprintf("invalid character %q %s", character, where))
}

func (r *jsonReader) cutOff() error {
	return &flawError{flaw{message: "is cut off", actual: string(r.body), offset: int64(len(r.body))}}
}

// invalid is the flaw at the next byte.
func (r *jsonReader) invalid(why string) error {
	return &flawError{flaw{
		message: "is not valid JSON: " + why, pointer: pointer(r.place()), actual: string(r.body), offset: int64(r.at),
	}}
}

// pointer is the JSON pointer of a path.
func pointer(path []string) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteString("/" + escape(step))
	}
	return b.String()
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
