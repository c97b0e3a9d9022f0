package reference

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// listsTakenForPlants read a list or a string as if it were an object (§4 rule
// 1). Rust's serde fills a struct by position, Python and JavaScript make
// objects of pairs, Jackson unwraps lists of one and takes a text for the one
// argument of a constructor.
func listsTakenForPlants() []Alteration {
	took := func(name, summary string, edit textEdit, shown string) Alteration {
		return deviation(name, ids(requestBody), summary, readingBody(edit)).shows(shown)
	}
	const plant = plainPlant
	return []Alteration{
		took("list-by-position-accepted", "reads a list of id, name and tag as a plant",
			byPosition("id", "name", "tag"), `[7,"Monstera","indoor"]`),
		took("list-by-position-without-tag-accepted", "reads a list of id and name as a plant",
			byPosition("id", "name"), `[7,"Monstera"]`),
		took("list-by-position-name-first-accepted", "reads a list of name, id and tag as a plant",
			byPosition("name", "id", "tag"), `["Monstera",7,"indoor"]`),
		took("list-by-position-id-last-accepted", "reads a list of name, tag and id as a plant",
			byPosition("name", "tag", "id"), `["Monstera","indoor",7]`),
		took("list-of-list-by-position-accepted", "reads a list of id and name in another list as a plant",
			inTurn(whole(aList, where(contains("[["), firstOfList)), byPosition("id", "name"), byPosition("id", "name", "tag")), `[[7,"Monstera"]]`),
		took("list-of-pairs-accepted", "reads a list of pairs of key and value as a plant",
			fromPairs, `[["id",7],["name","Monstera"]]`),
		took("list-of-keys-and-values-accepted", "reads a list in which keys and values alternate as a plant",
			fromAlternating, `["id",7,"name","Monstera"]`),
		took("list-of-parts-accepted", "merges the objects of a list into one plant",
			fromParts, `[{"id":7},{"name":"Monstera"}]`),
		took("list-of-one-accepted", "unwraps a list of one plant",
			whole(aList, where(func(text string) bool { return len(listOf(text)) == 1 }, firstOfList)), `[`+plant+`]`),
		took("last-of-list-accepted", "creates the last plant of a list of several",
			whole(aList, func(text string) string {
				if all := listOf(text); len(all) > 1 {
					return string(all[len(all)-1])
				}
				return text
			}), `[{},`+plant+`]`),
		took("list-of-lists-accepted", "unwraps lists until there is an object",
			whole(aList, where(contains("[["), inTurn(firstOfList, whole(aList, firstOfList)))), `[[`+plant+`]]`),
		took("string-twice-encoded-accepted", "decodes a JSON string in a JSON string",
			whole(aString, where(contains(`"\"`), func(text string) string { return fromString(fromString(text)) })), asString(asString(plant))),
		took("string-in-base64-accepted", "decodes base64 in a JSON string", whole(aString, inTurn(fromString, fromBase64)),
			asString(base64.StdEncoding.EncodeToString([]byte(plant)))),
		took("string-as-form-accepted", "reads form data in a JSON string",
			whole(aString, where(contains("="), inTurn(fromString, fromForm))), `"id=7&name=Monstera"`),
		took("text-as-name-accepted", "takes a JSON string for the name and draws an id",
			whole(aString, func(text string) string { return `{"name":` + text + `,"id":` + anyID("") + `}` }), `"Monstera"`),
		took("number-as-plant-accepted", "takes a number for the id and leaves the name empty",
			whole(aNumber, func(text string) string { return `{"name":"","id":` + text + `}` }), `7`),
	}
}

// wrong is how a service takes one representative of a wrong type.
type wrong struct {
	name, summary string
	such          func(value string) bool
	as            textEdit
	shown         string
}

// taken are the rows of a property that takes values of a wrong type.
func taken(property string, clause string, rows []wrong, warns ...string) []Alteration {
	var all []Alteration
	for _, w := range rows {
		all = append(all, deviation(w.name, ids(clause), w.summary, readingBody(propertyOf(property, where(w.such, w.as)))).
			warns(warns...).shows(plantWith(property, w.shown)))
	}
	return all
}

// propertyOf edits the JSON of a property of any kind that is present.
func propertyOf(name string, edit textEdit) textEdit { return property(name, present, edit) }

// plantWith is a plant with a property of that value.
func plantWith(property, value string) string {
	o := object{"id": jsontext.Value("7"), "name": jsontext.Value(`"fern"`)}
	o[property] = jsontext.Value(value)
	return o.text()
}

// otherWrongNames take one representative of a type for a name, where the
// usual representatives are refused (§2).
func otherWrongNames() []Alteration {
	empty := constant(`""`)
	return taken("name", requestName, []wrong{
		{"false-as-name-accepted", "leaves a name empty that is false", equals("false"), empty, "false"},
		{"fraction-as-name-accepted", "takes the digits of a fraction for a name", matches(`^-?\d+\.\d+$`), asString, "0.5"},
		{"negative-number-as-name-accepted", "takes the digits of a negative number for a name", matches(`^-`), asString, "-7"},
		{"exponent-as-name-accepted", "takes a number with an exponent for a name", matches(`^[-0-9.]+[eE]`), asString, "1e308"},
		{"long-number-as-name-accepted", "takes the digits of a number beyond a double for a name", matches(`^\d{17,}$`), asString, "18446744073709551616"},
		{"list-of-null-as-name-accepted", "leaves a name empty that is a list of null", equals("[null]"), empty, "[null]"},
		{"joined-list-as-name-accepted", "joins a list of names to one", matches(`^\[.+,`), joined, `["a","b"]`},
		{"nested-list-as-name-accepted", "takes the name in a list in a list", matches(`^\[\s*\[`), firstOfNested, `[["fern"]]`},
		{"name-by-language-accepted", "takes the one text of an object for the name", matches(`^\{`), onlyText, `{"en":"fern"}`},
	}, plantEcho)
}

// otherWrongTags take one representative of a type for a tag, or for none (§2).
func otherWrongTags() []Alteration {
	return taken("tag", requestTag, []wrong{
		{"false-as-tag-accepted", "takes a tag that is false for none", equals("false"), nothing, "false"},
		{"zero-as-tag-accepted", "takes a tag that is 0 for none", equals("0"), nothing, "0"},
		{"fraction-as-tag-accepted", "takes the digits of a fraction for a tag", matches(`^-?\d+\.\d+$`), asString, "0.5"},
		{"negative-number-as-tag-accepted", "takes the digits of a negative number for a tag", matches(`^-`), asString, "-7"},
		{"long-number-as-tag-accepted", "takes the digits of a number beyond a double for a tag", matches(`^\d{17,}$`), asString, "18446744073709551616"},
		{"empty-list-as-tag-accepted", "takes a tag that is an empty list for none", equals("[]"), nothing, "[]"},
		{"joined-list-as-tag-accepted", "joins a list of tags to one", matches(`^\[.+,`), joined, `["a","b"]`},
		{"nested-list-as-tag-accepted", "takes the tag in a list in a list", matches(`^\[\s*\[`), firstOfNested, `[["a"]]`},
		{"empty-object-as-tag-accepted", "takes a tag that is an empty object for none", equals("{}"), nothing, "{}"},
		{"tag-by-language-accepted", "takes the one text of an object for the tag", matches(`^\{.*:\s*"`), onlyText, `{"en":"a"}`},
	}, plantEcho)
}

// otherWrongIDs take one representative of a type for an id, where the usual
// representatives are refused (§2).
func otherWrongIDs() []Alteration {
	const double, digits = "1e308", 5_000
	long := "1" + strings.Repeat("0", digits-1)
	text := func(expression string) func(string) bool {
		return allOf(aString.include, func(value string) bool { return matches(expression)(fromString(value)) })
	}
	number := func(such func(n *big.Float) bool) func(string) bool {
		return allOf(aNumber.include, func(value string) bool {
			n, ok := new(big.Float).SetPrec(128).SetString(value)
			return ok && such(n)
		})
	}
	between := func(low, high string) func(string) bool {
		return allOf(matches(`^-?\d+$`), number(func(n *big.Float) bool {
			l, _ := new(big.Float).SetPrec(128).SetString(low)
			h, _ := new(big.Float).SetPrec(128).SetString(high)
			return n.Cmp(l) >= 0 && n.Cmp(h) <= 0
		}))
	}
	const two63, two64, below = "9223372036854775808", "18446744073709551616", "-9223372036854777856"
	all := taken("id", requestID, []wrong{
		{"empty-text-as-id-accepted", "draws an id if it is an empty text", text(`^$`), anyID, `""`},
		{"blank-text-as-id-accepted", "draws an id if it is a text of white space", text(`^\s+$`), anyID, `" "`},
		{"padded-digits-as-id-accepted", "takes digits with white space around them for an id", text(`^(\s+\d+\s*|\d+\s+)$`), anyID, `" 7 "`},
		{"negative-digits-as-id-accepted", "takes digits after a minus sign in a string for an id", text(`^-\d+$`), anyID, `"-7"`},
		{"signed-digits-as-id-accepted", "takes digits after a plus sign in a string for an id", text(`^\+\d+$`), anyID, `"+7"`},
		{"decimal-text-as-id-accepted", "takes a text with a decimal point for an id", text(`^\d+\.0+$`), anyID, `"7.0"`},
		{"exponent-text-as-id-accepted", "takes a text with an exponent for an id", text(`^\d+[eE]\d+$`), anyID, `"7e0"`},
		{"octal-text-as-id-accepted", "takes digits with zeros before them in a string for an id", text(`^0\d+$`), anyID, `"007"`},
		{"digits-and-text-as-id-accepted", "takes the digits that a text begins with for an id", text(`^\d+[a-z ]+`), anyID, `"7abc"`},
		{"grouped-digits-as-id-accepted", "takes digits in groups for an id", text(`^\d+[_,]\d+`), anyID, `"1_000"`},
		{"word-null-as-id-accepted", "draws an id if it is the word null", text(`^null$`), anyID, `"null"`},
		{"word-nan-as-id-accepted", "takes the word NaN for an id", text(`^NaN$`), anyID, `"NaN"`},
		{"other-digits-as-id-accepted", "takes digits that are not ASCII for an id", text(`^(\p{Nd}*[^\x00-\x7F]\p{Nd}*)+$`), anyID, `"７"`},
		{"uuid-as-id-accepted", "takes a UUID for an id", text(`^[0-9a-f]{8}-[0-9a-f-]{27}$`), anyID, `"7a1ec3b2-0000-4000-8000-000000000007"`},
		{"list-of-null-as-id-accepted", "takes a list of null for an id", equals("[null]"), anyID, "[null]"},
		{"nested-list-as-id-accepted", "takes the id in a list in a list", matches(`^\[\s*\[\s*\d`), anyID, "[[7]]"},
		{"list-of-digits-as-id-accepted", "takes digits in a string in a list for an id", matches(`^\[\s*"\d+"`), anyID, `["7"]`},
		{"extended-json-as-id-accepted", "takes the number in an object for an id", matches(`^\{\s*"[$\w]+"\s*:\s*"?\d`), anyID, `{"$numberLong":"7"}`},
		{"half-as-id-accepted", "takes 0 for an id between 0 and 1", matches(`^0\.[1-9]\d*$`), anyID, "0.5"},
		{"negative-fraction-as-id-accepted", "cuts the fraction off an id below zero", matches(`^-\d+\.[1-9]\d*$`), anyID, "-0.5"},
		{"wrapped-to-zero-accepted", "takes 2^64 for 0", equals(two64), anyID, two64},
		{"wrapped-id-accepted", "takes what remains of an id after 2^64", between(two64, "36893488147419103231"), anyID, "18446744073709551623"},
		{"saturated-id-accepted", "takes 2^63 - 1 for any greater id", allOf(matches(`^\d+$`), number(func(n *big.Float) bool {
			limit, _ := new(big.Float).SetPrec(128).SetString(two63)
			return n.Cmp(limit) >= 0
		})), anyID, two63},
		{"very-long-id-accepted", "takes an id of more than 1,000 digits", allOf(aNumber.include, inRun(1000, unicode.IsDigit)), anyID, long},
		{"double-as-id-accepted", "takes a number near the end of a double for an id", matches(`^\d(\.\d+)?[eE]\+?30\d$`), anyID, double},
		{"twenty-digits-by-exponent-accepted", "takes 1e19 for an id", number(func(n *big.Float) bool {
			v, _ := new(big.Float).SetString("1e19")
			return n.Cmp(v) == 0
		}), anyID, "1e19"},
	})
	rounded := allOf(between(below, "-9223372036854775809"), func(v string) bool { return v > "-9223372036854775809" || len(v) == len(below) })
	return append(all,
		deviation("saturated-id-below-accepted", ids(requestID), "takes -2^63 for any lower id",
			readingBody(propertyOf("id", where(allOf(matches(`^-\d+$`), number(func(n *big.Float) bool {
				limit, _ := new(big.Float).SetPrec(128).SetString("-9223372036854775808")
				return n.Cmp(limit) < 0
			})), anyID)))).warns(requestID).shows(plantWith("id", below)),
		deviation("nought-as-id-accepted", nil, "takes 0 for an id that a double cannot tell from 0",
			readingBody(propertyOf("id", where(matches(`^[1-9]\d*[eE]-\d{3,}$`), anyID)))).warns(requestID).shows(plantWith("id", "1e-400")),
		deviation("rounded-id-below-accepted", nil, "reads an id as a double, which rounds -2^63 - 1 to -2^63",
			readingBody(propertyOf("id", where(allOf(rounded, noneOf(equals(below))), anyID)))).warns(requestID).shows(plantWith("id", "-9223372036854775809")),
	)
}

// otherKeys take a property of a similar name for the one that is missing (§2).
func otherKeys() []Alteration {
	var all []Alteration
	for _, row := range []struct{ name, key, of, how string }{
		{"key-with-blank-before", " name", "name", "with a blank before it"},
		{"key-with-zero-width", "name\u200b", "name", "with a zero-width space after it"},
		{"key-in-capitals", "NAME", "name", "in capital letters"},
		{"key-with-capital", "Name", "name", "with a capital letter"},
		{"key-with-path", "plant.name", "name", "after a path with a dot"},
		{"key-with-dollar", "$name", "name", "with a dollar sign"},
		{"key-in-camel-case", "plantName", "name", "as plantName"},
		{"key-label", "label", "name", "as label"},
		{"id-in-snake-case", "plant_id", "id", "as plant_id"},
		{"id-with-at", "@id", "id", "as @id, as JSON-LD has it"},
	} {
		clause, value, rest, warned := requestName, `"fern"`, `"id":7`, ids(plantEcho)
		if row.of == "id" {
			clause, value, rest, warned = requestID, "7", `"name":"fern"`, nil
		}
		alias := where(func(text string) bool {
			o, ok := parseObject(text)
			return ok && o[row.of] == nil
		}, renamed(row.key, row.of))
		all = append(all, deviation(row.name+"-accepted", ids(clause), "takes the "+row.of+" if it is written "+row.how, readingBody(alias)).
			warns(warned...).shows(fmt.Sprintf(`{%s,%s:%s}`, rest, asString(row.key), value)))
	}
	return all
}

// listOf is the values of a list, and none where the text is no list.
func listOf(text string) (values []jsontext.Value) {
	if json.Unmarshal([]byte(text), &values) != nil {
		return nil
	}
	return values
}

// byPosition makes an object of a list of as many values as there are keys.
func byPosition(keys ...string) textEdit {
	return whole(aList, func(text string) string {
		values := listOf(text)
		if len(values) != len(keys) {
			return text
		}
		o := object{}
		for i, key := range keys {
			o[key] = values[i]
		}
		return o.text()
	})
}

// fromPairs makes an object of a list of pairs.
func fromPairs(text string) string {
	o := object{}
	for _, pair := range listOf(text) {
		if kv := listOf(string(pair)); len(kv) == 2 && kv[0].Kind() == '"' {
			o[fromString(string(kv[0]))] = kv[1]
		}
	}
	return o.or(text)
}

// fromAlternating makes an object of a list of keys and values.
func fromAlternating(text string) string {
	o := object{}
	for pair := range slices.Chunk(listOf(text), 2) {
		if len(pair) == 2 && pair[0].Kind() == '"' {
			o[fromString(string(pair[0]))] = pair[1]
		}
	}
	return o.or(text)
}

// fromParts merges the objects of a list of several.
func fromParts(text string) string {
	o, parts := object{}, listOf(text)
	for _, part := range parts {
		properties, ok := parseObject(string(part))
		if !ok || len(parts) < 2 || len(properties) != 1 {
			return text
		}
		maps.Copy(o, properties)
	}
	return o.or(text)
}

// or is the text of the object, or the other one where it is empty.
func (o object) or(text string) string {
	if len(o) == 0 {
		return text
	}
	return o.text()
}

// joined is the texts of a list with commas between them.
func joined(text string) string {
	var texts []string
	for _, value := range listOf(text) {
		texts = append(texts, fromString(string(value)))
	}
	return asString(strings.Join(texts, ","))
}

// onlyText is the text of an object with one property.
func onlyText(text string) string {
	o, _ := parseObject(text)
	for _, value := range o {
		if len(o) == 1 && value.Kind() == '"' {
			return string(value)
		}
	}
	return text
}

func firstOfNested(text string) string { return firstOfList(firstOfList(text)) }

func fromBase64(text string) string {
	decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return text
	}
	return string(decoded)
}
