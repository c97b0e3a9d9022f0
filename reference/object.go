package reference

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// readObject reads a body that is exactly one I-JSON object (RFC 7493, to
// which jsontext holds its input unless told otherwise) and returns those of
// its properties that are wanted. Anything else is a rejection.
func readObject(body []byte, wanted ...string) (map[string]jsontext.Value, error) {
	in := jsontext.NewDecoder(bytes.NewBuffer(body)) // a buffer is read where it is; anything else is copied
	first, err := in.ReadToken()
	if err != nil {
		return nil, malformed(err)
	}
	if first.Kind() != '{' {
		return nil, rejection{"body", "must be a JSON object, not " + describe(first.Kind())}
	}
	found := make(map[string]jsontext.Value, len(wanted))
	for in.PeekKind() == '"' {
		token, err := in.ReadToken()
		if err != nil {
			return nil, malformed(err)
		}
		name := token.String() // the token is gone with the next read
		value, err := in.ReadValue()
		if err != nil {
			return nil, malformed(err)
		}
		if slices.Contains(wanted, name) {
			found[name] = value.Clone()
		}
	}
	// The closing brace, or the error of what stands in its place.
	if _, err := in.ReadToken(); err != nil {
		return nil, malformed(err)
	}
	if _, err := in.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, rejection{"body", "must end after its JSON object"}
	}
	return found, nil
}

// malformed says in what way a body is no I-JSON text.
func malformed(err error) rejection {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.EOF):
		return rejection{"body", "is blank: it must be a JSON object"}
	case !ok:
		return rejection{"body", "is not JSON: " + err.Error()}
	case errors.Is(err, jsontext.ErrDuplicateName):
		return rejection{"body", "has the property " + quoted(string(syntax.JSONPointer)) + " more than once"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return rejection{"body", "ends in the middle of its JSON"}
	}
	where := fmt.Sprintf("byte %d", syntax.ByteOffset)
	if syntax.JSONPointer != "" {
		where += " in " + quoted(string(syntax.JSONPointer))
	}
	return rejection{"body", fmt.Sprintf("is not JSON at %s: %v", where, syntax.Err)}
}

// describe names a kind of JSON value for a message.
func describe(kind jsontext.Kind) string {
	names := map[jsontext.Kind]string{
		'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a string", '0': "a number", '[': "an array", '{': "an object",
	}
	return cmp.Or(names[kind], "something else")
}
