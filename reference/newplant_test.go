package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func newPlant(id int64, name string) NewPlant {
	return NewPlant{ID: id, Plant: Plant{Name: name}}
}

func newTaggedPlant(id int64, name, tag string) NewPlant {
	return NewPlant{ID: id, Plant: Plant{Name: name, Tag: &tag}}
}

// sameTag compares the texts, or that both are nil (no tag).
func sameTag(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func samePlant(a, b NewPlant) bool {
	return a.ID == b.ID && a.Name == b.Name && sameTag(a.Tag, b.Tag)
}

func TestReadNewPlantAccepts(t *testing.T) {
	for _, test := range []struct {
		what string
		body string
		want NewPlant
	}{
		{"name and id", `{"name":"fern","id":7}`, newPlant(7, "fern")},
		{"a tag", `{"name":"fern","id":7,"tag":"indoor"}`, newTaggedPlant(7, "fern", "indoor")},
		{"an empty tag, which is a tag", `{"name":"fern","id":7,"tag":""}`, newTaggedPlant(7, "fern", "")},
		{"an empty name, for the document sets no bounds", `{"name":"","id":7}`, newPlant(7, "")},
		{"the properties in any order", `{"tag":"t","id":7,"name":"fern"}`, newTaggedPlant(7, "fern", "t")},
		{"white space around everything", " {\r\n\t\"name\" : \"fern\" , \"id\" : 7 } \n", newPlant(7, "fern")},
		{"text beyond ASCII", `{"name":"Ära-🌱","id":7}`, newPlant(7, "Ära-🌱")},
		{"escapes", `{"name":"\u00c4\ud83c\udf31\n\"\\","id":7}`, newPlant(7, "Ä🌱\n\"\\")},
		{"an escaped NUL", `{"name":"\u0000","id":7}`, newPlant(7, "\x00")},
		{"an escaped property name", `{"n\u0061me":"fern","id":7}`, newPlant(7, "fern")},
		{"properties nobody listed", `{"name":"fern","id":7,"height":1e999,"pot":{"a":[null]}}`, newPlant(7, "fern")},
		{"a listed name inside another property", `{"name":"fern","id":7,"pot":{"name":1,"id":"x"}}`, newPlant(7, "fern")},
		{"a property that differs in case, which is another one", `{"name":"fern","id":7,"ID":"x","Name":null}`, newPlant(7, "fern")},
		{"a long body, beyond any one buffer", `{"name":"fern","x":["` + strings.Repeat(`bark","`, 50_000) + `"],"id":7,"y":"` + strings.Repeat("z", 100_000) + `"}`, newPlant(7, "fern")},
		{"the largest id", `{"name":"fern","id":9223372036854775807}`, newPlant(math.MaxInt64, "fern")},
		{"an integer written with an exponent", `{"name":"fern","id":1.5e1}`, newPlant(15, "fern")},
	} {
		t.Run(test.what, func(t *testing.T) {
			got, err := readNewPlant([]byte(test.body))
			if err != nil {
				t.Fatalf("%.80s was rejected: %v", test.body, err)
			}
			if !samePlant(got, test.want) {
				t.Errorf("%.80s was read as %+v, want %+v", test.body, got, test.want)
			}
		})
	}
}

func TestReadNewPlantRejects(t *testing.T) {
	for _, test := range []struct {
		what    string
		body    string
		message string
	}{
		{"no name", `{"id":7}`, "name is missing: it must be a string"},
		{"a null name", `{"id":7,"name":null}`, "name must be a string, not null"},
		{"a number as name", `{"id":7,"name":7}`, "name must be a string, not a number"},
		{"a boolean as name", `{"id":7,"name":true}`, "name must be a string, not a boolean"},
		{"an array as name", `{"id":7,"name":["fern"]}`, "name must be a string, not an array"},
		{"an object as name", `{"id":7,"name":{}}`, "name must be a string, not an object"},
		{"no id", `{"name":"fern"}`, "id is missing: it must be an integer"},
		{"a null id", `{"name":"fern","id":null}`, "id must be an integer, not null"},
		{"a string as id", `{"name":"fern","id":"7"}`, "id must be an integer, not a string"},
		{"a fraction as id", `{"name":"fern","id":7.5}`, "id must be an integer, not 7.5"},
		{"an id of 2^63", `{"name":"fern","id":9223372036854775808}`,
			"id must be an integer from -9223372036854775808 to 9223372036854775807, not 9223372036854775808"},
		{"a very long id, of which the message shows the beginning", `{"name":"fern","id":1` + strings.Repeat("0", 999) + `}`,
			"id must be an integer from -9223372036854775808 to 9223372036854775807, not 1" + strings.Repeat("0", 59) + "…"},
		{"a null tag, which is present and no string", `{"name":"fern","id":7,"tag":null}`, "tag must be a string, not null"},
		{"a number as tag", `{"name":"fern","id":7,"tag":1}`, "tag must be a string, not a number"},

		{"white space alone", " \n", "body is blank: it must be a JSON object"},
		{"null", `null`, "body must be a JSON object, not null"},
		{"an array", `[{"name":"fern","id":7}]`, "body must be a JSON object, not an array"},
		{"a string", `"fern"`, "body must be a JSON object, not a string"},
		{"an object cut short", `{"name":"fern","id":7`, "body ends in the middle of its JSON"},
		{"a string cut short", `{"name":"fe`, "body ends in the middle of its JSON"},
		{"a second object", `{"name":"fern","id":7}{}`, "body must end after its JSON object"},
		{"an extra brace", `{"name":"fern","id":7}}`, "body must end after its JSON object"},
		{"a NUL at the end", `{"name":"fern","id":7}` + "\x00", "body must end after its JSON object"},
		{"a name twice", `{"name":"fern","id":7,"name":"fern"}`, `body has the property "/name" more than once`},
		{"a name twice, once in escapes", `{"name":"fern","id":7,"i\u0064":8}`, `body has the property "/id" more than once`},
		{"an unlisted property twice", `{"name":"fern","id":7,"x":1,"x":1}`, `body has the property "/x" more than once`},
		{"a property twice further down", `{"name":"fern","id":7,"x":[{"y":1,"y":1}]}`, `body has the property "/x/0/y" more than once`},
		{"a byte order mark", "\ufeff" + `{"name":"fern","id":7}`, `body is not JSON at byte 0: invalid character '\ufeff' at start of value`},
		{"invalid UTF-8", `{"name":"f` + "\xff" + `rn","id":7}`, `body is not JSON at byte 10 in "/name": invalid UTF-8`},
		{"invalid UTF-8 in an unlisted property", `{"name":"fern","id":7,"x":"` + "\xc3" + `"}`, `body is not JSON at byte 27 in "/x": invalid UTF-8`},
		{"a lone surrogate", `{"name":"\ud800","id":7}`, `body is not JSON at byte 9 in "/name": invalid surrogate pair`},
		{"a raw control character", "{\"name\":\"a\nb\",\"id\":7}", `body is not JSON at byte 10 in "/name": invalid character '\n' in string (expecting non-control character)`},
		{"a trailing comma", `{"name":"fern","id":7,}`, `body is not JSON at byte 21`},
		{"a missing comma", `{"name":"fern" "id":7}`, `body is not JSON at byte 15`},
		{"a number as property name", `{7:"fern"}`, `body is not JSON at byte 1`},
		{"single quotes", `{'name':'fern'}`, `body is not JSON at byte 1`},
		{"a leading zero", `{"name":"fern","id":07}`, `body is not JSON at byte 21`},
		{"NaN", `{"name":"fern","id":NaN}`, `body is not JSON at byte 20`},
		{"nesting beyond all measure", `{"x":` + strings.Repeat("[", 20_000), `body is not JSON at byte 10004`},
	} {
		t.Run(test.what, func(t *testing.T) {
			got, err := readNewPlant([]byte(test.body))
			if err == nil {
				t.Fatalf("%.80q was accepted as %+v", test.body, got)
			}
			if _, ok := errors.AsType[rejection](err); !ok {
				t.Errorf("the error is a %T, want a rejection", err)
			}
			if !strings.HasPrefix(err.Error(), test.message) {
				t.Errorf("message for %.80q:\n got %s\nwant %s", test.body, err, test.message)
			}
		})
	}
}

// FuzzReadNewPlant compares the reader with encoding/json, which is independent of it: an accepted
// plant has the same values in both.
func FuzzReadNewPlant(f *testing.F) {
	for _, seed := range []string{
		`{"name":"fern","id":7}`, `{"name":"Ä\ud83c\udf31","id":-0.0,"tag":""}`, `{"name":"","id":12e-1}`,
		`{"name":"fern","id":9223372036854775807,"x":[1,{"y":null}]}`, `{"name":"fern","id":1e3} `, `{"name":"fern","name":"","id":1}`,
		`{"name":"fern","id":0e999999999999}`, `{"name":"fern","id":-9223372036854775808.000}`, `[]`, ``, "\ufeff{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := readNewPlant(body)
		if err != nil {
			if got != (NewPlant{}) {
				t.Errorf("rejected, and yet returned %+v", got)
			}
			return
		}
		var properties map[string]json.RawMessage
		if err := json.Unmarshal(body, &properties); err != nil {
			t.Fatalf("accepted what encoding/json refuses: %v", err)
		}
		if !utf8.Valid(body) || bytes.HasPrefix(body, []byte("\ufeff")) {
			t.Error("accepted what is no plain UTF-8")
		}
		var name string
		if err := json.Unmarshal(properties["name"], &name); err != nil || name != got.Name {
			t.Errorf("name %q, encoding/json reads %q (%v)", got.Name, name, err)
		}
		var tag *string
		if text, sent := properties["tag"]; sent {
			if err := json.Unmarshal(text, &tag); err != nil || tag == nil {
				t.Errorf("tag %s was accepted (%v)", text, err)
			}
		}
		if !sameTag(tag, got.Tag) {
			t.Errorf("tag %v, encoding/json reads %v", got.Tag, tag)
		}
		// Equal numbers round to equal floats, in any notation.
		literal := string(properties["id"])
		if float, err := strconv.ParseFloat(literal, 64); err != nil || float != float64(got.ID) {
			t.Errorf("id %d, encoding/json reads %s", got.ID, literal)
		}
		if exact, err := strconv.ParseInt(literal, 10, 64); err == nil && exact != got.ID {
			t.Errorf("id %d, want %s", got.ID, literal)
		}
	})
}

// FuzzReadNewPlantAcceptsPlants tests the other direction: a plant that encoding/json writes is
// accepted, and read as the same plant.
func FuzzReadNewPlantAcceptsPlants(f *testing.F) {
	f.Add("fern", int64(7), "indoor", true)
	f.Add("\x00\u2028<&>", int64(math.MinInt64), "", false)
	f.Fuzz(func(t *testing.T, name string, id int64, tag string, tagged bool) {
		if !utf8.ValidString(name) || !utf8.ValidString(tag) {
			t.Skip("encoding/json would replace the invalid bytes")
		}
		want := newPlant(id, name)
		if tagged {
			want = newTaggedPlant(id, name, tag)
		}
		body, err := json.Marshal(struct {
			ID int64 `json:"id"`
			Plant
		}{want.ID, want.Plant})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readNewPlant(body)
		if err != nil || !samePlant(got, want) {
			t.Errorf("%s was read as %+v (%v)", body, got, err)
		}
	})
}
