package generate_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/generate"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

const shelfSchema = `{type: object, required: [height, name], properties: {
  height: {type: integer, minimum: 1, maximum: 1000}, name: {type: string, minLength: 1}, kind: {enum: [oak, ash]},
  labels: {type: array, items: {type: string}, maxItems: 5}, depth: {type: number}, id: {type: string, format: uuid},
  code: {type: string, pattern: '^[A-Z]{2}$'}, inner: {oneOf: [{type: boolean}, {type: object, required: [n], properties: {n: {type: integer, format: int64}, m: {type: string}}}]}}}`

// TestShrink finds the simplest value that holds, from any seed, in few tries.
func TestShrink(t *testing.T) {
	s := schemaOf(t, "3.1.0", shelfSchema)
	at := func(value any, path ...string) any {
		for _, step := range path {
			object, _ := value.(map[string]any)
			value = object[step]
		}
		return value
	}
	number := func(value any) float64 {
		literal, _ := value.(json.Number)
		f, _ := literal.Float64()
		return f
	}
	text := func(value any) string { s, _ := value.(string); return s }
	for _, row := range []struct {
		name  string
		holds func(any) bool
		want  string
	}{
		{"anything", func(any) bool { return true }, `{"height":1,"name":"a"}`},
		{"a bound", func(v any) bool { return number(at(v, "height")) == 1000 }, `{"height":1000,"name":"a"}`},
		{"a range", func(v any) bool { return number(at(v, "height")) > 700 }, `{"height":701,"name":"a"}`},
		{"a length", func(v any) bool { return len([]rune(text(at(v, "name")))) > 7 }, `{"height":1,"name":"aaaaaaaa"}`},
		{"a letter", func(v any) bool { return strings.ContainsAny(text(at(v, "name")), "😀𝒳𠀀") }, `{"height":1,"name":"😀"}`},
		{"a combining mark", func(v any) bool { return strings.Contains(text(at(v, "name")), "\u0301") }, `{"height":1,"name":"́"}`},
		{"no text", func(v any) bool { return strings.Contains(text(at(v, "name")), "\x00") }, `{"height":1,"name":"\u0000"}`},
		{"two properties", func(v any) bool { return at(v, "kind") == "ash" && at(v, "code") != nil }, `{"code":"AA","height":1,"kind":"ash","name":"a"}`},
		{"a negative fraction", func(v any) bool { n := number(at(v, "depth")); return n < 0 && n != float64(int(n)) }, `{"depth":-0.9375,"height":1,"name":"a"}`},
		{"a deep number", func(v any) bool { return number(at(v, "inner", "n")) > 1<<40 }, `{"height":1,"inner":{"n":1099511627777},"name":"a"}`},
		{"items", func(v any) bool {
			list, _ := at(v, "labels").([]any)
			return slices.ContainsFunc(list, func(one any) bool { return text(one) > "é" })
		}, `{"height":1,"labels":["ÿ"],"name":"a"}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			shrunk := 0
			for seed := uint64(0); seed < 20_000 && shrunk < 5; seed++ {
				found := &generate.Recorder{From: generate.NewRandom(seed)}
				value, err := generate.Explore(s, found)
				if err != nil {
					t.Fatal(err)
				}
				if !row.holds(value) {
					continue
				}
				shrunk++
				tries := 0
				generate.Shrink(found, func(answers []int) (*generate.Recorder, bool, bool) {
					tries++
					used := &generate.Recorder{From: &generate.Replay{Answers: answers}}
					simpler, err := generate.Explore(s, used)
					if err != nil || !row.holds(simpler) {
						return used, false, true
					}
					value = simpler
					return used, true, true
				})
				if got := instance.Compact(value); got != row.want || tries > 400 {
					t.Errorf("seed %d: %s after %d tries, want %s", seed, got, tries, row.want)
				}
			}
			if shrunk < 5 {
				t.Errorf("only %d seeds draw such a value", shrunk)
			}
		})
	}
}

// TestBreak: the broken value differs from a valid one in one place. A tape breaks it in the same
// way again, and over all seeds each place is broken.
func TestBreak(t *testing.T) {
	s := schemaOf(t, "3.1.0", shelfSchema)
	places := map[string]bool{}
	for seed := range uint64(300) {
		tape := &generate.Recorder{From: generate.NewRandom(seed)}
		c, err := generate.Break(s, tape)
		if _, none := errors.AsType[*generate.NoValueError](err); none {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if again, err := generate.Break(s, &generate.Replay{Answers: tape.Answers}); err != nil || !instance.Equal(again.Value, c.Value) {
			t.Errorf("seed %d: %s, then %s", seed, instance.Compact(c.Value), instance.Compact(again.Value))
		}
		for i, value := range []any{c.Twin, c.Value} {
			if faults, err := s.Faults(schema.Request, value); err != nil || min(len(faults), 1) != i {
				t.Errorf("seed %d: %s has %d faults (%v)", seed, instance.Compact(value), len(faults), err)
			}
		}
		places[c.Kind+" "+instance.Pointer(c.Path)] = true
	}
	for _, want := range []string{"type /name", "required /height", "maximum /height", "minLength /name", "enum /kind", "pattern /code", "maxItems /labels", "type /labels/0", "required /inner/n"} {
		if !places[want] {
			t.Errorf("no seed breaks %s", want)
		}
	}
}
