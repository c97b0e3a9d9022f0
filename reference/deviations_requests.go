package reference

import "strings"

// credentialsLetThrough accept requests without a bearer credential (§5).
func credentialsLetThrough() []Alteration {
	authorization := func(edit textEdit) change { return readingHeader("Authorization", edit) }
	return []Alteration{
		deviation("anybody-admitted", ids(requestCredential), "asks for no credential",
			admitting(func(string) bool { return true })),
		deviation("anonymous-admitted", ids(requestCredential), "lets in who sends no Authorization field",
			admitting(func(a string) bool { return a == "" })),
		deviation("any-scheme-admitted", ids(requestCredential), "lets in who sends any Authorization field",
			admitting(func(a string) bool { return a != "" })),
		deviation("empty-token-admitted", ids(requestCredential), "lets in who sends the word Bearer without a token",
			admitting(func(a string) bool { return strings.TrimSpace(a) == "Bearer" })),
		deviation("password-admitted", ids(requestCredential), "lets in who sends a name and a password",
			admitting(func(a string) bool { return strings.HasPrefix(a, "Basic cGxhbnQ6") })),
		deviation("scheme-ignored", ids(requestCredential), "looks for the token behind the first space, whatever the scheme",
			authorization(replacing(`^\S+ +`, "Bearer "))),
		deviation("space-ignored", ids(requestCredential), "looks for the token behind the word Bearer, with a space or without",
			authorization(replacing(`^Bearer *`, "Bearer "))),
		deviation("token-alone-admitted", ids(requestCredential), "takes a token without a scheme",
			authorization(replacing(`^(\S+)$`, "Bearer $1"))),
		deviation("token-in-query-admitted", ids(requestCredential), "takes a token from the query",
			reading(func(r *request) *request {
				if token := r.URL.Query().Get("access_token"); token != "" {
					return r.withHeader("Authorization", "Bearer "+token)
				}
				return r
			})),
	}
}

// bodiesLetThrough accept bodies that are no JSON object (§4 rule 1).
func bodiesLetThrough() []Alteration {
	mends := func(edit textEdit) change { return readingBody(mending(edit)) }
	return []Alteration{
		deviation("missing-body-accepted", ids(requestBody), "creates its own plant if there is no body",
			readingBody(where(equals(""), anyPlant))),
		deviation("query-accepted", ids(requestBody), "takes the plant from the query if there is no body",
			reading(func(r *request) *request {
				return r.withBody(where(equals(""), func(string) string { return fromForm(r.URL.RawQuery) }))
			})),
		deviation("white-space-accepted", ids(requestBody), "creates its own plant if the body is white space",
			readingBody(where(func(text string) bool { return text != "" && strings.TrimSpace(text) == "" }, anyPlant))),
		deviation("malformed-json-accepted", ids(requestBody), "creates its own plant if the body is not JSON",
			readingBody(where(func(text string) bool { return text != "" }, mending(anyPlant)))).warns(requestBody),
		deviation("null-accepted", ids(requestBody), "creates its own plant if the body is null",
			readingBody(whole(null, anyPlant))),
		deviation("scalars-accepted", ids(requestBody), "creates its own plant if the body is a boolean or a number",
			readingBody(whole(aBoolean+aNumber, anyPlant))),
		deviation("string-accepted", ids(requestBody), "reads the JSON that is in a JSON string",
			readingBody(whole(aString, fromString))),
		deviation("list-accepted", ids(requestBody), "creates the first plant of a list",
			readingBody(whole(aList, firstOfList))),
		deviation("text-after-accepted", ids(requestBody), "does not read what follows the first JSON value",
			mends(firstValue)),
		deviation("trailing-comma-accepted", ids(requestBody), "reads JSON with a comma after the last property",
			mends(replacing(`,\s*}`, "}"))),
		deviation("comments-accepted", ids(requestBody), "reads JSON with comments", mends(replacing(`/\*.*?\*/`, ""))),
		deviation("single-quotes-accepted", ids(requestBody), "reads JSON with single quotes", mends(replacing(`'`, `"`))),
		deviation("unquoted-keys-accepted", ids(requestBody), "reads JSON whose keys have no quotes",
			mends(replacing(`([{,]\s*)(\w+):`, `$1"$2":`))),
		deviation("leading-zeros-accepted", ids(requestBody), "reads JSON whose numbers begin with zeros",
			mends(replacing(`: 0+`, ": "))),
		deviation("nan-accepted", ids(requestBody), "reads JSON with NaN", mends(replacing(`\bNaN\b`, "null"))),
		deviation("control-characters-accepted", ids(requestBody), "reads JSON with line breaks in its strings",
			mends(replacing("\n", `\n`))),
		deviation("unknown-escapes-accepted", ids(requestBody), "reads JSON with escapes of two hexadecimal digits",
			mends(replacing(`\\x`, `\u00`))),
		deviation("cut-off-accepted", ids(requestBody), "reads JSON without its end", mends(completed)),
		deviation("form-accepted-as-json", ids(requestBody), "reads form data that is declared as JSON", mends(fromForm)),
	}
}

// propertiesLetThrough accept plants with a property that is missing or of
// another type (§2).
func propertiesLetThrough() []Alteration {
	name := func(of kinds, edit textEdit) change { return readingBody(property("name", of, edit)) }
	tag := func(of kinds, edit textEdit) change { return readingBody(property("tag", of, edit)) }
	id := func(of kinds, edit textEdit) change { return readingBody(property("id", of, edit)) }
	return []Alteration{
		deviation("missing-name-accepted", ids(requestName), "leaves a name empty that is missing",
			name(absent, constant(`""`))).warns(plantEcho),
		deviation("null-name-accepted", ids(requestName), "leaves a name empty that is null",
			name(null, constant(`""`))).warns(plantEcho),
		deviation("number-as-name-accepted", ids(requestName), "takes the digits of a number for a name",
			name(aNumber, asString)).warns(plantEcho),
		deviation("boolean-as-name-accepted", ids(requestName), "takes true for a name",
			name(aBoolean, asString)).warns(plantEcho),
		deviation("list-as-name-accepted", ids(requestName), "takes the first of a list of names",
			name(aList, firstOfList)).warns(plantEcho),
		deviation("object-as-name-accepted", ids(requestName), "takes the JSON of an object for a name",
			name(anObject, asString)).warns(plantEcho),
		deviation("name-in-query-accepted", ids(requestName), "takes the name from the query if the body has none",
			reading(func(r *request) *request {
				if value := r.URL.Query().Get("name"); value != "" {
					return r.withBody(property("name", absent, constant(asString(value))))
				}
				return r
			})).warns(plantEcho),
		deviation("nested-plant-accepted", ids(requestName, requestID), "takes what is in a property plant for the plant",
			readingBody(unwrapped("plant"))).warns(plantEcho),
		deviation("keys-in-any-case", ids(requestName, requestID), "does not tell properties apart by case",
			readingBody(inTurn(renamed("Name", "name"), renamed("ID", "id")))).warns(plantEcho),
		deviation("nothing-checked", ids(requestName, requestTag, requestID), "replaces each property that is of no use",
			readingBody(inTurn(
				property("name", present+absent, unlessString(constant(`""`))),
				property("tag", present, unlessString(nothing)),
				property("id", present+absent, anyID),
			))).warns(requestID, plantEcho),

		deviation("null-tag-accepted", ids(requestTag), "takes a tag that is null for none",
			tag(null, nothing)).warns(plantEcho),
		deviation("number-as-tag-accepted", ids(requestTag), "takes the digits of a number for a tag",
			tag(aNumber, asString)).warns(plantEcho),
		deviation("boolean-as-tag-accepted", ids(requestTag), "takes true for a tag",
			tag(aBoolean, asString)).warns(plantEcho),
		deviation("list-as-tag-accepted", ids(requestTag), "takes the first of a list of tags",
			tag(aList, firstOfList)).warns(plantEcho),
		deviation("object-as-tag-accepted", ids(requestTag), "ignores a tag that is an object",
			tag(anObject, nothing)).warns(plantEcho),
		deviation("tag-unchecked", ids(requestTag, plantTag), "keeps a tag of any type and shows it as it is", tagUnchecked),

		deviation("missing-id-accepted", ids(requestID), "draws an id if there is none", id(absent, anyID)),
		deviation("null-id-accepted", ids(requestID), "draws an id if it is null", id(null, anyID)),
		deviation("digits-as-id-accepted", ids(requestID), "takes the digits of a string for an id", id(aString, fromString)),
		deviation("word-as-id-accepted", ids(requestID), "draws an id if it is a word",
			id(aString, where(contains("seven"), anyID))),
		deviation("boolean-as-id-accepted", ids(requestID), "draws an id if it is a boolean", id(aBoolean, anyID)),
		deviation("list-as-id-accepted", ids(requestID), "takes the first of a list of ids", id(aList, firstOfList)),
		deviation("object-as-id-accepted", ids(requestID), "draws an id if it is an object", id(anObject, anyID)),
		deviation("fraction-as-id-accepted", ids(requestID), "cuts the fraction off an id",
			id(aNumber, replacing(`\.\d+$`, ""))).warns(requestID),
		deviation("tiny-fraction-as-id-accepted", nil, "reads an id as a double, which cannot hold a tiny fraction",
			id(aNumber, replacing(`\.0{9,}\d+$`, ""))).warns(requestID),
		deviation("id-above-int64-accepted", ids(requestID), "takes 2^63 for an id",
			id(aNumber, where(equals("9223372036854775808"), anyID))),
		deviation("id-below-int64-accepted", nil, "takes -2^63 - 1 for an id",
			id(aNumber, where(equals("-9223372036854775809"), anyID))).warns(requestID),
		deviation("long-id-accepted", ids(requestID), "takes an id of any number of digits",
			id(aNumber, where(func(v string) bool { return len(v) > 19 && !strings.ContainsAny(v, ".eE") }, anyID))).warns(requestID),
		deviation("exponent-beyond-int64-accepted", ids(requestID), "takes what a double holds for an id",
			id(aNumber, replacing(`^(\d+)e4$`, "$1"))),
		deviation("infinite-id-accepted", ids(requestID), "takes what no double holds for an id",
			id(aNumber, replacing(`^(\d+)e400$`, "$1"))),
		deviation("id-of-another-name-accepted", ids(requestID), "takes the property identifier for the id",
			readingBody(renamed("identifier", "id"))),
	}
}

// mediaTypesLetThrough accept bodies that are not declared as JSON (§4).
func mediaTypesLetThrough() []Alteration {
	declared := func(edit textEdit) change { return readingHeader("Content-Type", edit) }
	const json = "application/json"
	return []Alteration{
		deviation("media-type-ignored", nil, "reads a body as JSON, whatever it is declared as",
			declared(constant(json))).warns(requestMediaType),
		deviation("missing-media-type-accepted", nil, "reads a body as JSON that is not declared as anything",
			declared(where(equals(""), constant(json)))).warns(requestMediaType),
		deviation("json-suffix-accepted", nil, "reads a body as JSON whose media type ends in +json",
			declared(replacing(`^\w+/[\w.-]+\+json$`, json))).warns(requestMediaType),
	}
}

// tagUnchecked drops a tag that is no string before the check, and shows it
// all the same.
func tagUnchecked(next decision, tokens []string) decision {
	next = readingBody(property("tag", present, unlessString(nothing)))(next, tokens)
	return when(both(acceptance, sentProperty("tag", present)), func(r *request, a answer) answer {
		return body(property("tag", absent, constant(string(r.object()["tag"]))))(r, a)
	})(next, tokens)
}
