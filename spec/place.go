package spec

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// find gives the offset and the bytes of the value that a JSON pointer names
// in a body that is one JSON value. Where there is no such value, offset is
// that of the last one on the way there.
func find(body []byte, pointer string) (offset int64, text string, found bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))
	for step := range jsontext.Pointer(pointer).Tokens() {
		var entered bool
		if offset, entered = enter(d, step); !entered {
			return offset, "", false
		}
	}
	value, err := d.ReadValue()
	if err != nil {
		return offset, "", false
	}
	return d.InputOffset() - int64(len(value)), string(value), true
}

// enter moves the decoder from before an object or a list to before the value
// in it that the step names. offset is where the object or list begins.
func enter(d *jsontext.Decoder, step string) (offset int64, found bool) {
	open, err := d.ReadToken()
	if err != nil {
		return 0, false
	}
	offset = d.InputOffset() - 1
	var skip int // items
	if open.Kind() == '[' {
		if skip, err = strconv.Atoi(step); err != nil {
			return offset, false
		}
	}
	for d.PeekKind() != ']' && d.PeekKind() != '}' {
		switch open.Kind() {
		case '[':
			if skip == 0 {
				return offset, true
			}
			skip--
		case '{':
			name, err := d.ReadToken()
			if err != nil || name.String() == step {
				return offset, err == nil
			}
		default:
			return offset, false
		}
		if d.SkipValue() != nil {
			return offset, false
		}
	}
	return offset, false
}
