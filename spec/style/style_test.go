package style_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/style"
)

func number(text string) json.Number { return instance.Number(text) }

func list(items ...any) []any { return items }

// The examples of OpenAPI (3.0.3, Style Examples), and cases that it does not define. The readings
// of a written value must include this value.
func TestWrite(t *testing.T) {
	colors := list("blue", "black", "brown")
	rgb := map[string]any{"R": number("100"), "G": number("200"), "B": number("150")}
	for _, row := range []struct {
		style    string
		in       string
		explode  bool
		value    any
		want     []style.Pair
		excluded bool // it cannot be written
	}{
		{"simple", "path", false, "blue", one("blue"), false},
		{"simple", "path", false, colors, one("blue,black,brown"), false},
		{"simple", "path", false, rgb, one("B,150,G,200,R,100"), false},
		{"simple", "path", true, rgb, one("B=150,G=200,R=100"), false},
		{"simple", "header", true, colors, one("blue,black,brown"), false},
		{"label", "path", false, "blue", one(".blue"), false},
		{"label", "path", false, colors, one(".blue,black,brown"), false},
		{"label", "path", true, colors, one(".blue.black.brown"), false},
		{"label", "path", true, rgb, one(".B=150.G=200.R=100"), false},
		{"matrix", "path", false, "blue", one(";color=blue"), false},
		{"matrix", "path", false, colors, one(";color=blue,black,brown"), false},
		{"matrix", "path", true, colors, one(";color=blue;color=black;color=brown"), false},
		{"matrix", "path", false, rgb, one(";color=B,150,G,200,R,100"), false},
		{"matrix", "path", true, rgb, one(";B=150;G=200;R=100"), false},
		{"form", "query", true, "", one(""), false},
		{"form", "query", true, "a b&c=d/é", one("a%20b%26c%3Dd%2F%C3%A9"), false},
		{"form", "query", true, number("7"), one("7"), false},
		{"form", "query", true, false, one("false"), false},
		{"form", "query", false, colors, one("blue,black,brown"), false},
		{"form", "query", true, colors, []style.Pair{{"color", "blue"}, {"color", "black"}, {"color", "brown"}}, false},
		{"form", "query", false, rgb, one("B,150,G,200,R,100"), false},
		{"form", "query", true, rgb, []style.Pair{{"B", "150"}, {"G", "200"}, {"R", "100"}}, false},
		{"form", "cookie", false, colors, one("blue,black,brown"), false},
		{"spaceDelimited", "query", false, colors, one("blue%20black%20brown"), false},
		{"pipeDelimited", "query", false, colors, one("blue%7Cblack%7Cbrown"), false},
		{"deepObject", "query", true, rgb, []style.Pair{{"color%5BB%5D", "150"}, {"color%5BG%5D", "200"}, {"color%5BR%5D", "100"}}, false},
		{"", "query", false, rgb, one("%7B%22B%22%3A150%2C%22G%22%3A200%2C%22R%22%3A100%7D"), false},

		{"form", "query", true, nil, nil, true},
		{"form", "query", true, list(), nil, true},
		{"form", "query", false, list("a,b", "c"), one("a%2Cb,c"), false},
		{"form", "cookie", false, list("a,b"), nil, true},
		{"form", "query", false, list(list("a")), nil, true},
		{"form", "cookie", true, colors, nil, true},
		{"form", "cookie", true, "a;b", nil, true},
		{"simple", "path", false, "..", nil, true},
		{"simple", "header", false, "a\nb", nil, true},
		{"deepObject", "query", true, colors, nil, true},
		{"deepObject", "query", true, "blue", nil, true},
	} {
		s := style.Style{Name: "color", In: row.in, Kind: row.style, Explode: row.explode}
		got, err := s.Write(row.value)
		if (err != nil) != row.excluded || !slices.Equal(got, row.want) {
			t.Errorf("%s in %s, explode %t, of %v: %v, %v, want %v", row.style, row.in, row.explode, row.value, got, err, row.want)
		}
		if err != nil {
			continue
		}
		readings, present, complete := s.Readings(got, []string{"string", "array", "object"})
		if !present || !complete || !slices.ContainsFunc(readings, func(v any) bool { return reflect.DeepEqual(v, row.value) }) {
			t.Errorf("%s in %s, explode %t: %v reads as %v", row.style, row.in, row.explode, got, readings)
		}
	}
}

func one(text string) []style.Pair { return []style.Pair{{"color", text}} }

func TestReadings(t *testing.T) {
	query := style.Style{Name: "q", In: "query", Kind: "form", Explode: true}
	for text, want := range map[string][]any{
		"conformance": {"conformance", list("conformance")},
		"7":           {"7", number("7"), list("7"), list(number("7"))},
		"07":          {"07", number("7"), list("07"), list(number("7"))},
		"true":        {"true", true, list("true"), list(true)},
		"NaN":         {"NaN", list("NaN")},
		"null":        {"null", nil, list("null"), list(any(nil))},
	} {
		if got, _, _ := query.Readings([]style.Pair{{"p", "1"}, {"q", text}}, []string{"string"}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s reads as %v, want %v", text, got, want)
		}
	}
	if _, present, _ := query.Readings([]style.Pair{{"p", "1"}}, nil); present {
		t.Error("what is not there is read")
	}
	many := make([]style.Pair, 20)
	for i := range many {
		many[i] = style.Pair{Name: "q", Value: "1"}
	}
	got, _, complete := query.Readings(many, []string{"array"})
	if complete || len(got) > 1000 {
		t.Errorf("%d readings, all: %t", len(got), complete)
	}
	numbers := make([]any, len(many))
	for i := range numbers {
		numbers[i] = number("1")
	}
	if !slices.ContainsFunc(got, func(one any) bool { return reflect.DeepEqual(one, numbers) }) {
		t.Error("many numbers are not read as such")
	}
}
