package alteration

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// propertiesLetThrough accept plants with a property that is missing or of
// another type (§2).
func propertiesLetThrough() []Alteration {
	accepting := func(property, clause string, warned ...string) func(name, summary string, of fault.Kinds, edit fault.TextEdit) Alteration {
		return func(name, summary string, of fault.Kinds, edit fault.TextEdit) Alteration {
			return deviation(name, ids(clause), summary, fault.ReadingBody(fault.Property(property, of, edit))).warns(warned...)
		}
	}
	name, tag := accepting("name", requestName), accepting("tag", requestTag)
	id, number := accepting("id", requestID), accepting("id", requestID, requestID)
	empty := fault.Constant(`""`)
	fromQuery := func(property string, inJSON fault.TextEdit) fault.Change {
		return fault.Reading(func(r *fault.Request) *fault.Request {
			if value := r.URL.Query().Get(property); value != "" {
				return r.WithBody(fault.Add(property, inJSON(value)))
			}
			return r
		})
	}
	return []Alteration{
		name("missing-name-accepted", "leaves a name empty that is missing", fault.Absent, empty),
		name("null-name-accepted", "leaves a name empty that is null", fault.Null, empty),
		name("number-as-name-accepted", "takes the digits of a number for a name", fault.ANumber, fault.AsString),
		name("boolean-as-name-accepted", "takes true for a name", fault.ABoolean, fault.AsString),
		name("list-as-name-accepted", "takes the first of a list of names", fault.AList, fault.FirstOfList),
		name("object-as-name-accepted", "takes the JSON of an object for a name", fault.AnObject, fault.AsString),
		deviation("name-in-query-accepted", ids(requestName), "takes the name from the query if the body has none",
			fromQuery("name", fault.AsString)),
		deviation("id-in-query-accepted", ids(requestID), "takes the id from the query if the body has none",
			fromQuery("id", func(number string) string { return number })),
		deviation("data-accepted", ids(requestName), "takes what is in a property data for the plant",
			fault.ReadingBody(fault.Unwrapped("data"))),
		deviation("list-in-plants-accepted", ids(requestName), "creates the plant that is in a list in a property plants",
			fault.ReadingBody(fault.Replacing(`(?s)^\{"plants":\[(.*)\]\}$`, "$1"))).shows(`{"plants":[` + plainPlant + `]}`),
		deviation("nested-plant-accepted", ids(requestName, requestID), "takes what is in a property plant for the plant",
			fault.ReadingBody(fault.Unwrapped("plant"))),
		deviation("keys-in-any-case", ids(requestName, requestID), "does not tell properties apart by case",
			fault.ReadingBody(fault.InTurn(fault.Renamed("Name", "name"), fault.Renamed("ID", "id")))),
		deviation("nothing-checked", ids(requestName, requestTag, requestID), "replaces each property that is of no use",
			fault.ReadingBody(fault.InTurn(
				fault.Property("name", fault.Present+fault.Absent, fault.UnlessString(empty)),
				fault.PropertyOf("tag", fault.UnlessString(fault.Nothing)),
				fault.Property("id", fault.Present+fault.Absent, anyID),
			))).warns(requestID),

		tag("null-tag-accepted", "takes a tag that is null for none", fault.Null, fault.Nothing),
		tag("number-as-tag-accepted", "takes the digits of a number for a tag", fault.ANumber, fault.AsString),
		tag("boolean-as-tag-accepted", "takes true for a tag", fault.ABoolean, fault.AsString),
		tag("list-as-tag-accepted", "takes the first of a list of tags", fault.AList, fault.FirstOfList),
		tag("object-as-tag-accepted", "ignores a tag that is an object", fault.AnObject, fault.Nothing),
		deviation("tag-unchecked", ids(requestTag, plantTag), "keeps a tag of any type and shows it as it is",
			fault.Together(fault.ReadingBody(fault.PropertyOf("tag", fault.UnlessString(fault.Nothing))), shownAsSent("tag"))),

		id("missing-id-accepted", "draws an id if there is none", fault.Absent, anyID),
		id("null-id-accepted", "draws an id if it is null", fault.Null, anyID),
		id("digits-as-id-accepted", "takes the digits of a string for an id", fault.AString, fault.FromString),
		id("word-as-id-accepted", "draws an id if it is a word", fault.AString, fault.Where(fault.Contains("seven"), anyID)),
		id("boolean-as-id-accepted", "draws an id if it is a boolean", fault.ABoolean, anyID),
		id("list-as-id-accepted", "takes the first of a list of ids", fault.AList, fault.FirstOfList),
		id("object-as-id-accepted", "draws an id if it is an object", fault.AnObject, anyID),
		number("fraction-as-id-accepted", "cuts the fraction off an id", fault.ANumber, fault.Replacing(`\.\d+$`, "")),
		id("tiny-fraction-as-id-accepted", "reads an id as a double, which cannot hold a tiny fraction", fault.ANumber, fault.Replacing(`\.0{12,}\d+$`, "")).onlyWarns(),
		id("id-above-int64-accepted", "takes 2^63 for an id", fault.ANumber, fault.Where(fault.Equals("9223372036854775808"), anyID)),
		deviation("id-above-int64-accepted-with-tag", ids(requestID), "takes 2^63 for an id beside a tag",
			fault.ReadingBody(fault.Property("id", fault.ANumber, fault.Where(fault.Equals("9223372036854775808"), anyID))).If(fault.Sent(fault.Matches(`"tag"\s*:`)))).
			shows(`{"id":9223372036854775808,"name":"fern","tag":"indoor"}`),
		deviation("null-tag-accepted-with-unknown-property", ids(requestTag), "takes a tag that is null for none beside an unknown property",
			fault.ReadingBody(fault.Property("tag", fault.Null, fault.Nothing)).If(sentUnknownProperty)).
			shows(`{"id":7,"name":"fern","tag":null,"height":12}`),
		id("id-below-int64-accepted", "takes -2^63 - 1 for an id", fault.ANumber, fault.Where(fault.Equals("-9223372036854775809"), anyID)).onlyWarns(),
		number("long-id-accepted", "takes an id of any number of digits", fault.ANumber, fault.Where(func(v string) bool { return len(v) > 19 && !strings.ContainsAny(v, ".eE") }, anyID)),
		id("two-to-63-in-another-form-accepted", "compares an id that is no row of digits as a double, which takes 2^63 for an int64", fault.ANumber,
			fault.Where(fault.Matches(`^(9223372036854775808\.0|9\.223372036854775808e18)$`), anyID)),
		id("id-near-a-whole-number-accepted", "takes an id that is nearly whole", fault.ANumber, fault.Replacing(`^(\d)\.0{6,9}1$`, "$1")),
		id("exponent-beyond-int64-accepted", "takes what a double holds for an id", fault.ANumber, fault.Replacing(`^(\d+)e4$`, "$1")),
		id("infinite-id-accepted", "takes what no double holds for an id", fault.ANumber, fault.Replacing(`^(\d+)e400$`, "$1")),
		deviation("id-of-another-name-accepted", ids(requestID), "takes the property identifier for the id",
			fault.ReadingBody(fault.Renamed("identifier", "id"))),
	}
}

// taking returns a function for rows that accept some values of a wrong type as the property.
func taking(property, clause string) func(name, summary string, such func(value string) bool, as fault.TextEdit, shown string) Alteration {
	return func(name, summary string, such func(value string) bool, as fault.TextEdit, shown string) Alteration {
		return deviation(name, ids(clause), summary, fault.ReadingBody(fault.PropertyOf(property, fault.Where(such, as)))).
			shows(plantWith(property, shown))
	}
}

// otherWrongNames accept some values of a wrong type as a name (§2), but refuse the
// usual ones.
func otherWrongNames() []Alteration {
	name := taking("name", requestName)
	empty := fault.Constant(`""`)
	return []Alteration{
		name("false-as-name-accepted", "leaves a name empty that is false", fault.Equals("false"), empty, "false"),
		name("fraction-as-name-accepted", "takes the digits of a fraction for a name", fault.Matches(`^-?\d+\.\d+$`), fault.AsString, "0.5"),
		name("negative-number-as-name-accepted", "takes the digits of a negative number for a name", fault.Matches(`^-`), fault.AsString, "-7"),
		name("exponent-as-name-accepted", "takes a number with an exponent for a name", fault.Matches(`^[-0-9.]+[eE]`), fault.AsString, "1e308"),
		name("long-number-as-name-accepted", "takes the digits of a number beyond a double for a name", fault.Matches(`^\d{17,}$`), fault.AsString, "18446744073709551616"),
		name("name-in-name-accepted", "takes the name in an object for the name", fault.Matches(`^\{\s*"name"`), fault.OnlyText, `{"name":"fern"}`),
		name("list-of-null-as-name-accepted", "leaves a name empty that is a list of null", fault.Equals("[null]"), empty, "[null]"),
		name("joined-list-as-name-accepted", "joins a list of names to one", fault.Matches(`^\[.+,`), fault.Joined, `["a","b"]`),
		name("nested-list-as-name-accepted", "takes the name in a list in a list", fault.Matches(`^\[\s*\[`), fault.FirstOfNested, `[["fern"]]`),
		name("name-by-language-accepted", "takes the one text of an object for the name", fault.Matches(`^\{`), fault.OnlyText, `{"en":"fern"}`),
	}
}

// otherWrongTags accept some values of a wrong type as a tag, or ignore them (§2).
func otherWrongTags() []Alteration {
	tag := taking("tag", requestTag)
	return []Alteration{
		tag("false-as-tag-accepted", "takes a tag that is false for none", fault.Equals("false"), fault.Nothing, "false"),
		tag("zero-as-tag-accepted", "takes a tag that is 0 for none", fault.Equals("0"), fault.Nothing, "0"),
		tag("fraction-as-tag-accepted", "takes the digits of a fraction for a tag", fault.Matches(`^-?\d+\.\d+$`), fault.AsString, "0.5"),
		tag("negative-number-as-tag-accepted", "takes the digits of a negative number for a tag", fault.Matches(`^-`), fault.AsString, "-7"),
		tag("long-number-as-tag-accepted", "takes the digits of a number beyond a double for a tag", fault.Matches(`^\d{17,}$`), fault.AsString, "18446744073709551616"),
		tag("empty-list-as-tag-accepted", "takes a tag that is an empty list for none", fault.Equals("[]"), fault.Nothing, "[]"),
		tag("joined-list-as-tag-accepted", "joins a list of tags to one", fault.Matches(`^\[.+,`), fault.Joined, `["a","b"]`),
		tag("nested-list-as-tag-accepted", "takes the tag in a list in a list", fault.Matches(`^\[\s*\[`), fault.FirstOfNested, `[["a"]]`),
		tag("empty-object-as-tag-accepted", "takes a tag that is an empty object for none", fault.Equals("{}"), fault.Nothing, "{}"),
		tag("tag-by-language-accepted", "takes the one text of an object for the tag", fault.Matches(`^\{.*:\s*"`), fault.OnlyText, `{"en":"a"}`),
	}
}

// otherWrongIDs accept some values of a wrong type as an id (§2), but refuse the usual
// ones.
func otherWrongIDs() []Alteration {
	id := func(name, summary string, such func(value string) bool, shown string) Alteration {
		return taking("id", requestID)(name, summary, such, anyID, shown)
	}
	const double, digits = "1e308", 5_000
	long := "1" + strings.Repeat("0", digits-1)
	text := func(expression string) func(string) bool {
		return fault.AllOf(fault.AString.Include, func(value string) bool { return fault.Matches(expression)(fault.FromString(value)) })
	}
	compared := func(bound string, holds func(order int) bool) func(string) bool {
		return fault.AllOf(fault.ANumber.Include, func(value string) bool {
			n, ok := new(big.Float).SetPrec(128).SetString(value)
			limit, _ := new(big.Float).SetPrec(128).SetString(bound)
			return ok && holds(n.Cmp(limit))
		})
	}
	atLeast := func(order int) bool { return order >= 0 }
	between := func(low, high string) func(string) bool {
		return fault.AllOf(fault.Matches(`^-?\d+$`), compared(low, atLeast), compared(high, func(order int) bool { return order <= 0 }))
	}
	const two63, two64, below = "9223372036854775808", "18446744073709551616", "-9223372036854777856"
	rounded := fault.AllOf(between(below, "-9223372036854775809"), fault.NoneOf(fault.Equals(below)),
		func(v string) bool { return v > "-9223372036854775809" || len(v) == len(below) })
	return []Alteration{
		id("empty-text-as-id-accepted", "draws an id if it is an empty text", text(`^$`), `""`),
		id("blank-text-as-id-accepted", "draws an id if it is a text of white space", text(`^\s+$`), `" "`),
		id("padded-digits-as-id-accepted", "takes digits with white space around them for an id", text(`^(\s+\d+\s*|\d+\s+)$`), `" 7 "`),
		id("negative-digits-as-id-accepted", "takes digits after a minus sign in a string for an id", text(`^-\d+$`), `"-7"`),
		id("signed-digits-as-id-accepted", "takes digits after a plus sign in a string for an id", text(`^\+\d+$`), `"+7"`),
		id("decimal-text-as-id-accepted", "takes a text with a decimal point for an id", text(`^\d+\.0+$`), `"7.0"`),
		id("exponent-text-as-id-accepted", "takes a text with an exponent for an id", text(`^\d+[eE]\d+$`), `"7e0"`),
		id("octal-text-as-id-accepted", "takes digits with zeros before them in a string for an id", text(`^0\d+$`), `"007"`),
		id("digits-and-text-as-id-accepted", "takes the digits that a text begins with for an id", text(`^\d+[a-z ]+`), `"7abc"`),
		id("grouped-digits-as-id-accepted", "takes digits in groups for an id", text(`^\d+[_,]\d+`), `"1_000"`),
		id("word-null-as-id-accepted", "draws an id if it is the word null", text(`^null$`), `"null"`),
		id("word-nan-as-id-accepted", "takes the word NaN for an id", text(`^NaN$`), `"NaN"`),
		id("other-digits-as-id-accepted", "takes digits that are not ASCII for an id", text(`^(\p{Nd}*[^\x00-\x7F]\p{Nd}*)+$`), `"７"`),
		id("uuid-as-id-accepted", "takes a UUID for an id", text(`^[0-9a-f]{8}-[0-9a-f-]{27}$`), `"7a1ec3b2-0000-4000-8000-000000000007"`),
		id("list-of-null-as-id-accepted", "takes a list of null for an id", fault.Equals("[null]"), "[null]"),
		id("nested-list-as-id-accepted", "takes the id in a list in a list", fault.Matches(`^\[\s*\[\s*\d`), "[[7]]"),
		id("list-of-digits-as-id-accepted", "takes digits in a string in a list for an id", fault.Matches(`^\[\s*"\d+"`), `["7"]`),
		id("extended-json-as-id-accepted", "takes the number in an object for an id", fault.Matches(`^\{\s*"[$\w]+"\s*:\s*"?\d`), `{"$numberLong":"7"}`),
		id("half-as-id-accepted", "takes 0 for an id between 0 and 1", fault.Matches(`^0\.[1-9]\d*$`), "0.5"),
		id("negative-fraction-as-id-accepted", "cuts the fraction off an id below zero", fault.Matches(`^-\d+\.[1-9]\d*$`), "-0.5"),
		id("point-and-exponent-as-id-accepted", "cuts the fraction off an id with an exponent", fault.Matches(`^\d\.\d\de1$`), "1.55e1"),
		id("wrapped-to-zero-accepted", "takes 2^64 for 0", fault.Equals(two64), two64),
		id("wrapped-id-accepted", "takes what remains of an id after 2^64", between(two64, "36893488147419103231"), "18446744073709551623"),
		id("saturated-id-accepted", "takes 2^63 - 1 for any greater id", fault.AllOf(fault.Matches(`^\d+$`), compared(two63, atLeast)), two63),
		id("very-long-id-accepted", "takes an id of more than 1,000 digits", fault.AllOf(fault.ANumber.Include, fault.Longer(999)), long),
		id("double-as-id-accepted", "takes a number near the end of a double for an id", fault.Matches(`^\d(\.\d+)?[eE]\+?30\d$`), double),
		id("twenty-digits-by-exponent-accepted", "takes 1e19 for an id", compared("1e19", func(order int) bool { return order == 0 }), "1e19"),
		id("saturated-id-below-accepted", "takes -2^63 for any lower id",
			fault.AllOf(fault.Matches(`^-\d+$`), compared("-9223372036854775808", func(order int) bool { return order < 0 })), below).warns(requestID),
		id("nought-as-id-accepted", "takes 0 for an id that a double cannot tell from 0",
			fault.Matches(`^[1-9]\d*[eE]-\d{3,}$`), "1e-400").onlyWarns(),
		id("rounded-id-below-accepted", "reads an id as a double, which rounds -2^63 - 1 to -2^63", rounded, "-9223372036854775809").onlyWarns(),
	}
}

// otherKeys accept a property with a similar name instead of a missing one (§2).
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
		clause, value, rest := requestName, `"fern"`, `"id":7`
		if row.of == "id" {
			clause, value, rest = requestID, "7", `"name":"fern"`
		}
		alias := fault.Where(func(text string) bool {
			o, ok := fault.ParseObject(text)
			return ok && o[row.of] == nil
		}, fault.Renamed(row.key, row.of))
		all = append(all, deviation(row.name+"-accepted", ids(clause), "takes the "+row.of+" if it is written "+row.how, fault.ReadingBody(alias)).
			shows(fmt.Sprintf(`{%s,%s:%s}`, rest, fault.AsString(row.key), value)))
	}
	return all
}

// readTwice have two readers: one checks a property and the other one shows it. For duplicate keys,
// one takes the first and the other one the last.
func readTwice() []Alteration {
	row := func(property, clause, order, summary string, read, show fault.TextEdit, twice string) Alteration {
		shown := fault.When(fault.Accepted, func(r *fault.Request, a fault.Answer) fault.Answer {
			if o, ok := fault.ParseObject(show(r.Text())); ok {
				return fault.Body(fault.Set(property, string(o[property])))(r, a)
			}
			return a
		})
		return deviation(property+"-checked-"+order, ids(clause), summary, fault.Together(readsEdited(read), shown)).shows(twice)
	}
	first, last := fault.FirstOfDuplicates, fault.LastOfDuplicates
	const nullName = `"name"\s*:\s*"[^"]*",\s*"name"\s*:\s*null`
	return []Alteration{
		row("name", plantName, "first", "checks the first of two properties name and shows the last", first, last, `{"id":7,"name":"fern","name":7}`),
		row("tag", plantTag, "first", "checks the first of two properties tag and shows the last", first, last, `{"id":7,"name":"fern","tag":"indoor","tag":7}`),
		row("name", plantName, "last", "checks the last of two properties name and shows the first", last, first, `{"id":7,"name":7,"name":"fern"}`),
		row("tag", plantTag, "last", "checks the last of two properties tag and shows the first", last, first, `{"id":7,"name":"fern","tag":7,"tag":"indoor"}`),
		deviation("null-of-two-shown", ids(plantName), "checks the first of two properties name and shows the last if that is null",
			fault.Together(readsEdited(fault.Where(fault.Matches(nullName), first)), fault.When(fault.Both(fault.Accepted, fault.Sent(fault.Matches(nullName))), fault.Body(fault.Set("name", "null"))))).
			shows(`{"id":7,"name":"fern","name":null}`),
		deviation("other-case-shown", ids(plantName), "shows what was sent as Name instead of name", fault.When(fault.Accepted, func(r *fault.Request, a fault.Answer) fault.Answer {
			if o, ok := fault.ParseObject(r.Text()); ok && o["Name"] != nil {
				return fault.Body(fault.Set("name", string(o["Name"])))(r, a)
			}
			return a
		})).warns(plantEcho).shows(`{"id":7,"name":"fern","Name":7}`),
	}
}
