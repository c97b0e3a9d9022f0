package alteration

import (
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// propertiesLetThrough accept plants with a property that is missing or of
// another type (§2).
func propertiesLetThrough() []Alteration {
	name := func(of fault.Kinds, edit fault.TextEdit) fault.Change {
		return fault.ReadingBody(fault.Property("name", of, edit))
	}
	tag := func(of fault.Kinds, edit fault.TextEdit) fault.Change {
		return fault.ReadingBody(fault.Property("tag", of, edit))
	}
	id := func(of fault.Kinds, edit fault.TextEdit) fault.Change {
		return fault.ReadingBody(fault.Property("id", of, edit))
	}
	return []Alteration{
		deviation("missing-name-accepted", ids(requestName), "leaves a name empty that is missing",
			name(fault.Absent, fault.Constant(`""`))).warns(plantEcho),
		deviation("null-name-accepted", ids(requestName), "leaves a name empty that is null",
			name(fault.Null, fault.Constant(`""`))).warns(plantEcho),
		deviation("number-as-name-accepted", ids(requestName), "takes the digits of a number for a name",
			name(fault.ANumber, fault.AsString)).warns(plantEcho),
		deviation("boolean-as-name-accepted", ids(requestName), "takes true for a name",
			name(fault.ABoolean, fault.AsString)).warns(plantEcho),
		deviation("list-as-name-accepted", ids(requestName), "takes the first of a list of names",
			name(fault.AList, fault.FirstOfList)).warns(plantEcho),
		deviation("object-as-name-accepted", ids(requestName), "takes the JSON of an object for a name",
			name(fault.AnObject, fault.AsString)).warns(plantEcho),
		deviation("name-in-query-accepted", ids(requestName), "takes the name from the query if the body has none",
			fault.Reading(func(r *fault.Request) *fault.Request {
				if value := r.URL.Query().Get("name"); value != "" {
					return r.WithBody(fault.Property("name", fault.Absent, fault.Constant(fault.AsString(value))))
				}
				return r
			})).warns(plantEcho),
		deviation("nested-plant-accepted", ids(requestName, requestID), "takes what is in a property plant for the plant",
			fault.ReadingBody(fault.Unwrapped("plant"))).warns(plantEcho),
		deviation("keys-in-any-case", ids(requestName, requestID), "does not tell properties apart by case",
			fault.ReadingBody(fault.InTurn(fault.Renamed("Name", "name"), fault.Renamed("ID", "id")))).warns(plantEcho),
		deviation("nothing-checked", ids(requestName, requestTag, requestID), "replaces each property that is of no use",
			fault.ReadingBody(fault.InTurn(
				fault.Property("name", fault.Present+fault.Absent, fault.UnlessString(fault.Constant(`""`))),
				fault.Property("tag", fault.Present, fault.UnlessString(fault.Nothing)),
				fault.Property("id", fault.Present+fault.Absent, anyID),
			))).warns(requestID, plantEcho),

		deviation("null-tag-accepted", ids(requestTag), "takes a tag that is null for none",
			tag(fault.Null, fault.Nothing)).warns(plantEcho),
		deviation("number-as-tag-accepted", ids(requestTag), "takes the digits of a number for a tag",
			tag(fault.ANumber, fault.AsString)).warns(plantEcho),
		deviation("boolean-as-tag-accepted", ids(requestTag), "takes true for a tag",
			tag(fault.ABoolean, fault.AsString)).warns(plantEcho),
		deviation("list-as-tag-accepted", ids(requestTag), "takes the first of a list of tags",
			tag(fault.AList, fault.FirstOfList)).warns(plantEcho),
		deviation("object-as-tag-accepted", ids(requestTag), "ignores a tag that is an object",
			tag(fault.AnObject, fault.Nothing)).warns(plantEcho),
		deviation("tag-unchecked", ids(requestTag, plantTag), "keeps a tag of any type and shows it as it is", tagUnchecked),

		deviation("missing-id-accepted", ids(requestID), "draws an id if there is none", id(fault.Absent, anyID)),
		deviation("null-id-accepted", ids(requestID), "draws an id if it is null", id(fault.Null, anyID)),
		deviation("digits-as-id-accepted", ids(requestID), "takes the digits of a string for an id", id(fault.AString, fault.FromString)),
		deviation("word-as-id-accepted", ids(requestID), "draws an id if it is a word",
			id(fault.AString, fault.Where(fault.Contains("seven"), anyID))),
		deviation("boolean-as-id-accepted", ids(requestID), "draws an id if it is a boolean", id(fault.ABoolean, anyID)),
		deviation("list-as-id-accepted", ids(requestID), "takes the first of a list of ids", id(fault.AList, fault.FirstOfList)),
		deviation("object-as-id-accepted", ids(requestID), "draws an id if it is an object", id(fault.AnObject, anyID)),
		deviation("fraction-as-id-accepted", ids(requestID), "cuts the fraction off an id",
			id(fault.ANumber, fault.Replacing(`\.\d+$`, ""))).warns(requestID),
		deviation("tiny-fraction-as-id-accepted", nil, "reads an id as a double, which cannot hold a tiny fraction",
			id(fault.ANumber, fault.Replacing(`\.0{9,}\d+$`, ""))).warns(requestID),
		deviation("id-above-int64-accepted", ids(requestID), "takes 2^63 for an id",
			id(fault.ANumber, fault.Where(fault.Equals("9223372036854775808"), anyID))),
		deviation("id-below-int64-accepted", nil, "takes -2^63 - 1 for an id",
			id(fault.ANumber, fault.Where(fault.Equals("-9223372036854775809"), anyID))).warns(requestID),
		deviation("long-id-accepted", ids(requestID), "takes an id of any number of digits",
			id(fault.ANumber, fault.Where(func(v string) bool { return len(v) > 19 && !strings.ContainsAny(v, ".eE") }, anyID))).warns(requestID),
		deviation("exponent-beyond-int64-accepted", ids(requestID), "takes what a double holds for an id",
			id(fault.ANumber, fault.Replacing(`^(\d+)e4$`, "$1"))),
		deviation("infinite-id-accepted", ids(requestID), "takes what no double holds for an id",
			id(fault.ANumber, fault.Replacing(`^(\d+)e400$`, "$1"))),
		deviation("id-of-another-name-accepted", ids(requestID), "takes the property identifier for the id",
			fault.ReadingBody(fault.Renamed("identifier", "id"))),
	}
}

// tagUnchecked drops a tag that is no string before the check, and shows it
// all the same.
func tagUnchecked(next fault.Decision, tokens []string) fault.Decision {
	next = fault.ReadingBody(fault.Property("tag", fault.Present, fault.UnlessString(fault.Nothing)))(next, tokens)
	return fault.When(fault.Both(fault.Accepted, fault.SentProperty("tag", fault.Present)), func(r *fault.Request, a fault.Answer) fault.Answer {
		return fault.Body(fault.Property("tag", fault.Absent, fault.Constant(string(r.Object()["tag"]))))(r, a)
	})(next, tokens)
}
