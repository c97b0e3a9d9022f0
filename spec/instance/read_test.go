package instance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/plantstore/conformance/spec/instance"
)

// TestRead checks the value of each text, or its flaw and the place of the flaw.
func TestRead(t *testing.T) {
	for _, row := range []struct{ text, value, flaw string }{
		{` {"a": [1, true, null, "b"]} `, `{"a":[1,true,null,"b"]}`, ""},
		{`1e400`, `1e400`, ""},
		{`[]`, `[]`, ""},
		{`[[1, 2], [], [3, [4, [5], 6]], 7]`, `[[1,2],[],[3,[4,[5],6]],7]`, ""},
		{`{"a": [1, 2, 3], "b": [4, {"c": [5]}], "d": [6]}`, `{"a":[1,2,3],"b":[4,{"c":[5]}],"d":[6]}`, ""},
		{`1e999999999`, `1e1011`, ""}, // beyond any bound, but cheap to compute with
		{``, "", "is empty at 0"},
		{"\ufeff1", "", "begins with a byte order mark (RFC 8259 §8.1) at 0"},
		{`1 2`, "", "has something after the JSON value at 2"},
		{`{"a": [1`, "", "is cut off at 8"},
		{`{"a": [1, x]}`, "", `/a/1 is not valid JSON: invalid character 'x' at start of value at 10`},
		{`{"a" 1}`, "", `is not valid JSON: invalid character '1' after key (expecting ':') at 5`},
		{`[01]`, "", `is not valid JSON: invalid character '1' after list item (expecting ',' or ']') at 2`},
		{"\"\xff\"", "", "is not valid JSON: invalid UTF-8 at 1"},
	} {
		text, err := instance.Read(t.Context(), []byte(row.text), instance.Limits{})
		got := ""
		if flaw, ok := errors.AsType[*instance.FlawError](err); ok {
			got = fmt.Sprintf("%s at %d", flaw.Message, flaw.Offset)
			if flaw.Pointer != "" {
				got = flaw.Pointer + " " + got
			}
		} else if err != nil {
			t.Error(err)
		}
		if got != row.flaw || err == nil && instance.Compact(text.Value) != row.value {
			t.Errorf("%q: %q, %s", row.text, got, instance.Compact(text.Value))
		}
	}
	if instance.IsNumber("1a") {
		t.Error("1a is a number")
	}
}

// TestWhatReadersTakeDifferently checks that it is recorded and is not an error.
func TestWhatReadersTakeDifferently(t *testing.T) {
	text, err := instance.Read(t.Context(), []byte(`{"a": {"b": 1, "b": 2}, "c": "\ud800"}`), instance.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(text.Duplicates, text.Surrogates, text.Surrogate.Offset); got != "[{[a b] 15}] 1 30" {
		t.Error(got)
	}
	if got := instance.Compact(text.Value); got != `{"a":{"b":2},"c":"`+"\ufffd"+`"}` {
		t.Error(got)
	}
}

// TestLimits checks that limits apply, and that errors name the flag that raises them.
func TestLimits(t *testing.T) {
	limits := instance.Limits{Depth: 2, NumberLength: 3}
	for text, flag := range map[string]string{"[[1]]": "", "[[[1]]]": "max-depth", "123": "", "1234": "max-number"} {
		_, err := instance.Read(t.Context(), []byte(text), limits)
		exceeded, ok := errors.AsType[*instance.LimitError](err)
		if ok != (flag != "") || ok && exceeded.Flag != flag {
			t.Errorf("%s: %v", text, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := instance.Read(ended, []byte("1"), limits); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// FuzzRead checks that Read accepts the same texts as encoding/json, if they are one value in
// UTF-8, and returns the same value. It checks that Find finds every value.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":null}],"c":"\u00e9\ud83c\udf31"}`, `[1e5,-0.0,true]`, " \"x\" ", "[", "\xff", `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		text, err := instance.Read(t.Context(), body, instance.Limits{})
		if _, limited := errors.AsType[*instance.LimitError](err); limited {
			return
		}
		want, known := plain(body)
		switch {
		case (err == nil) != known:
			t.Errorf("%q: %v, and encoding/json reads it: %v", body, err, known)
		case err == nil && len(text.Duplicates) == 0 && !instance.Equal(text.Value, bounded(want)):
			t.Errorf("%q is read as %s", body, instance.Compact(text.Value))
		}
		if object, ok := text.Value.(map[string]any); ok && err == nil && len(text.Duplicates) == 0 && text.Surrogates == 0 {
			for key, value := range object {
				_, literal, found := instance.Find(body, []string{key})
				if again, err := instance.Read(t.Context(), []byte(literal), instance.Limits{}); !found || err != nil || !instance.Equal(again.Value, value) {
					t.Errorf("%q: %q is found as %q: %v", body, key, literal, err)
				}
			}
		}
	})
}

// plain reads one value with encoding/json.
func plain(body []byte) (value any, ok bool) {
	if bytes.HasPrefix(body, []byte("\ufeff")) || !json.Valid(body) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, false
	}
	_, err := d.Token()
	return value, errors.Is(err, io.EOF) && bytes.Equal(bytes.ToValidUTF8(body, nil), body)
}

// bounded limits the exponents of numbers as [instance.Read] does.
func bounded(value any) any {
	switch value := value.(type) {
	case json.Number:
		return instance.Number(value.String())
	case []any:
		for i := range value {
			value[i] = bounded(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = bounded(value[key])
		}
	}
	return value
}
