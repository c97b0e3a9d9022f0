package instance

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Flaw says why bytes are not exactly one JSON value, or why the value is not interoperable.
type Flaw struct {
	Message string // a predicate of the place: "is cut off"
	Pointer string // JSON pointer to the place
	Actual  string
	Offset  int64 // of the place, in bytes
}

// FlawError says that bytes are not exactly one JSON value.
type FlawError struct{ Flaw }

func (e *FlawError) Error() string { return e.Message }

// Text is a JSON text that was read.
type Text struct {
	Value      any         // numbers as json.Number, in a form that is cheap to compute with
	Duplicates []Duplicate // duplicate keys, at most the first 100
	Surrogates int         // number of escapes that are half of a surrogate pair
	Surrogate  Flaw        // the first of these

	values, levels int // the number of values, and the sum of their depths
	limits         Limits
}

// Duplicate is a duplicate key of an object.
type Duplicate struct {
	Path   []string
	Offset int64 // of the key, in bytes
}

// Read reads exactly one JSON value by RFC 8259: UTF-8, no byte order mark, nothing after it. It
// records what RFC 8259 permits and RFC 7493 §2 does not: duplicate keys, where the last value
// counts, and halves of surrogate pairs, which become U+FFFD.
//
// The error is a [*FlawError], a [*LimitError] or that of the context.
func Read(ctx context.Context, body []byte, l Limits) (Text, error) {
	usual := DefaultLimits()
	l = Limits{cmp.Or(l.Depth, usual.Depth), cmp.Or(l.NumberLength, usual.NumberLength)}
	r := &reader{body: body, Text: Text{limits: l}, ended: ctx.Err}
	var err error
	r.Value, err = r.read()
	return r.Text, err
}

// space has the characters that may be between JSON tokens (RFC 8259 §2).
const space = " \t\r\n"

// reader is the parser of [Read]. No existing parser reports all these flaws and reads more than
// 10,000 levels.
type reader struct {
	Text
	body  []byte
	at    int
	ended func() error // the reason to stop, checked regularly
	path  []pathStep   // of the value that is being read
	items []any        // of the open lists, one list after the other
}

// pathStep is one step of a path: an index, or a key.
type pathStep struct {
	key   string
	index int // in a list, or named or between
}

const (
	named   = -1 // in an object, by the key
	between = -2 // in an object or list, but in none of its values
)

// valuesPerLook is the number of values that are read between two checks of the context.
const valuesPerLook = 1024

// maxDuplicates limits the number of recorded duplicate keys.
const maxDuplicates = 100

func (r *reader) read() (any, error) {
	r.space()
	switch {
	case r.at == len(r.body):
		return nil, &FlawError{Flaw{Message: "is empty", Actual: "nothing"}}
	case bytes.HasPrefix(r.body, []byte("\xef\xbb\xbf")):
		return nil, &FlawError{Flaw{Message: "begins with a byte order mark (RFC 8259 §8.1)", Actual: string(r.body)}}
	}
	value, err := r.value()
	if err != nil {
		return nil, err
	}
	r.space()
	if r.at < len(r.body) {
		return nil, &FlawError{Flaw{Message: "has something after the JSON value", Actual: string(r.body[r.at:]), Offset: int64(r.at)}}
	}
	return value, nil
}

func (r *reader) space() { r.at = pastSpace(r.body, r.at) }

// next skips white space and returns the next byte. At the end it returns 0, which begins no token.
func (r *reader) next() byte {
	r.space()
	if r.at == len(r.body) {
		return 0
	}
	return r.body[r.at]
}

func (r *reader) value() (any, error) {
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

func (r *reader) literal(word string) error {
	for i := range len(word) {
		if r.at == len(r.body) || r.body[r.at] != word[i] {
			return r.unexpected(fmt.Sprintf("in literal %s (expecting %q)", word, word[i]))
		}
		r.at++
	}
	return nil
}

func (r *reader) enter() error {
	r.at++
	r.path = append(r.path, pathStep{index: between})
	if len(r.path) > r.limits.Depth {
		return &LimitError{"max-depth", fmt.Sprintf("the body is nested more than %d levels deep", r.limits.Depth)}
	}
	return nil
}

func (r *reader) leave() {
	r.at++
	r.path = r.path[:len(r.path)-1]
}

func (r *reader) list() (any, error) {
	begin := len(r.items)
	if err := r.enter(); err != nil {
		return nil, err
	}
	for r.next() != ']' || len(r.items) > begin {
		r.path[len(r.path)-1].index = len(r.items) - begin
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		if r.items == nil {
			// Each further item needs a comma, so this capacity is enough for the rest of the body.
			// A list that grows step by step would leave garbage of five times its size.
			r.items = make([]any, 0, 1+bytes.Count(r.body[r.at:], []byte{','}))
		}
		r.items = append(r.items, item)
		if more, err := r.more(']', "after list item (expecting ',' or ']')"); err != nil {
			return nil, err
		} else if !more {
			break
		}
	}
	r.leave()
	return r.popFrom(begin), nil
}

// popFrom removes and returns the items of the current list, which begin at that index.
func (r *reader) popFrom(begin int) []any {
	list := r.items[begin:]
	if begin == 0 && len(list) > cap(list)/2 {
		r.items = nil // most of the capacity is used, so the list is not copied
		return list
	}
	r.items = r.items[:begin]
	return append(make([]any, 0, len(list)), list...)
}

func (r *reader) object() (any, error) {
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

// more reports whether an item is followed by another, and not by the end of the
// list or object.
func (r *reader) more(end byte, where string) (bool, error) {
	switch r.next() {
	case ',':
		r.at++
		return true, nil
	case end:
		return false, nil
	}
	r.path[len(r.path)-1] = pathStep{index: between} // the flaw is in the list or the object itself
	return false, r.unexpected(where)
}

// key reads the key of a property, and records a duplicate key.
func (r *reader) key(object map[string]any) (string, error) {
	if r.next() != '"' {
		return "", r.unexpected(`at start of key (expecting '"')`)
	}
	begin, halves := r.at, r.Surrogates
	key, err := r.text()
	if err != nil {
		return "", err
	}
	// Two different keys may become equal, because each half of a surrogate pair becomes U+FFFD.
	if _, twice := object[key]; twice && r.Surrogates == halves && len(r.Duplicates) < maxDuplicates {
		r.Duplicates = append(r.Duplicates, Duplicate{append(r.place(), key), int64(begin)})
	}
	return key, nil
}

// place returns the path to the position of the reader.
func (r *reader) place() (path []string) {
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

// unexpected returns the error for the next character.
func (r *reader) unexpected(where string) error {
	if r.at >= len(r.body) {
		return r.cutOff()
	}
	character, _ := utf8.DecodeRune(r.body[r.at:])
	return r.invalid(fmt.Sprintf("invalid character %q %s", character, where))
}

func (r *reader) cutOff() error {
	return &FlawError{Flaw{Message: "is cut off", Actual: string(r.body), Offset: int64(len(r.body))}}
}

// invalid returns the error for invalid JSON at the next byte.
func (r *reader) invalid(why string) error {
	return &FlawError{Flaw{
		Message: "is not valid JSON: " + why, Pointer: Pointer(r.place()), Actual: string(r.body), Offset: int64(r.at),
	}}
}

// Limits are the limits for reading a JSON body. They are limits of the harness: a body that
// exceeds one breaks no clause, but cannot be judged. 0 means the default, see [DefaultLimits].
type Limits struct {
	Depth        int // levels of objects and lists, up to MaxDepth
	NumberLength int // characters of a number literal
}

// MaxDepth is the maximum of Limits.Depth, because each level needs space on the stack.
const MaxDepth = 100_000

// DefaultLimits returns the limits of a run that sets none.
func DefaultLimits() Limits { return Limits{Depth: 10_000, NumberLength: 1000} }

// Validate returns an error if a limit is out of range.
func (l Limits) Validate() error {
	switch {
	case l.Depth < 0 || l.Depth > MaxDepth:
		return fmt.Errorf("max-depth is %d; it must be from 1 to %d", l.Depth, MaxDepth)
	case l.NumberLength < 0:
		return fmt.Errorf("max-number is %d characters; it must be at least 1", l.NumberLength)
	}
	return nil
}

// stepsPerLevel limits the sum of the depths of all values in a body, per level of Limits.Depth.
// Every fault of a recursive schema is reported with its whole path, several times, so time and
// memory grow with depth times values. levelsPerValue is the average depth that is always allowed.
//
// workPerLevel and workPerValue limit in the same way how many schemas are applied to the values.
// Alternatives multiply this number with each level.
const (
	stepsPerLevel  = 500
	levelsPerValue = 64
	workPerLevel   = 2
	workPerValue   = 300
)

// LimitError says that a body exceeds one of the [Limits] and cannot be judged. Its text is a
// sentence about the body.
type LimitError struct {
	Flag string // the flag that raises the limit, without dashes: max-depth or max-number
	text string
}

func (e *LimitError) Error() string { return fmt.Sprintf("%s; raise --%s", e.text, e.Flag) }

// Laborious returns a [*LimitError] if the values are too deep for a recursive schema, or if too
// many schemas are applied to them. work is the number of these schemas.
func (t Text) Laborious(work float64) error {
	switch {
	case t.levels > max(stepsPerLevel*t.limits.Depth, levelsPerValue*t.values):
		return &LimitError{"max-depth", fmt.Sprintf("the body has too many values in deep levels for a limit of %d levels", t.limits.Depth)}
	case work > float64(max(workPerLevel*t.limits.Depth, workPerValue*t.values)):
		return &LimitError{"max-depth", "the body is so deep that the alternatives of its schema would be tried too often"}
	}
	return nil
}
