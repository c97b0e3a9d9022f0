package check_test

import (
	"mime"
	"regexp"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestMediaTypes checks the syntax of RFC 9110 §8.3.1: upper and lower case, parameters with and
// without quotes, white space and empty parameters.
func TestMediaTypes(t *testing.T) {
	op := spectest.Bundled(t)
	for _, row := range []struct{ contentType, flaw string }{
		{"application/json", ""},
		{"APPLICATION/Json", ""},
		{"\t application/json \t", ""},
		{"application/json;charset=utf-8", ""},
		{"application/json ; Charset=UTF-8", ""},
		{`application/json; charset="utf-8"`, ""},
		{`application/json; profile="a;b=\"c\", d"`, ""},
		{`application/json; x=""`, ""},
		{"application/json;", ""},
		{"application/json; a=!", ""},
		{"application/json; a=\"b\tc\"", ""},
		{"application/json;; ;a=b;", ""},
		{"application/json; charset=iso-8859-1", ""}, // without effect, RFC 8259 §11
		{"", "is empty"},
		{"json", "has no type and subtype"},
		{"/json", "has no type and subtype"},
		{"application/", "has no subtype"},
		{"application /json", "has no type and subtype"},
		{"application/json utf-8", `has "utf-8" after the subtype`},
		{"application/json, application/json", `has ", application/json" after the subtype`},
		{"application/json; charset", `has a malformed parameter at "charset"`},
		{"application/json; =utf-8", `has a malformed parameter at "=utf-8"`},
		{"application/json; charset =utf-8", `has a malformed parameter at "charset =utf-8"`},
		{"application/json; charset= utf-8", "has the parameter charset without a value"},
		{"application/json; charset=", "has the parameter charset without a value"},
		{`application/json; a="b`, "has an unclosed quote in the parameter a"},
		{`application/json; a="b\`, "has an unclosed quote in the parameter a"},
		{"application/json; a=\"b\x00\"", "has a control character in the parameter a"},
		{"application/json; a=\"b\x7f\"", "has a control character in the parameter a"},
		{`application/json; a="\"`, "has an unclosed quote in the parameter a"},
		{`application/json; a="b\"c"; a=bc`, "has the parameter a with two values"},
		{"application/json{", `has "{" after the subtype`},
		{"application/json[", `has "[" after the subtype`},
		{"application/json; a=1; A=2", "has the parameter a with two values"},
		{`application/json; a="b"c`, `has "c" after the subtype`},
	} {
		t.Run(row.contentType, func(t *testing.T) {
			got := spectest.Check(t, op, spectest.Labelled(200, `{"name":""}`, row.contentType)).Breaches
			if row.flaw == "" {
				assertBreaches(t, got)
				return
			}
			assertBreaches(t, got, breach("createPlant/200/media-type", "", "comes with a malformed media type, which "+row.flaw,
				"Content-Type: application/json", "Content-Type: "+row.contentType, -1))
		})
	}
}

// TestMediaRanges checks which declared media types cover which responses.
func TestMediaRanges(t *testing.T) {
	for _, row := range []struct{ declared, accept, reject string }{
		{"application/json", "application/json; charset=utf-8", "application/jsonp"},
		{"application/json; charset=utf-8", "application/json", "text/json"},
		{"application/json; version=2", "application/json; charset=x; Version=2", "application/json"},
		{"text/plain; charset=utf-8", `text/plain; charset="UTF-8"`, "text/plain"},
		{`text/plain; a=""`, `text/plain; a=""; b=1`, "text/plain"},
		{"application/x-az09", "APPLICATION/X-AZ09", "application/x-az08"},
		{"text/*", "text/html", "application/json"},
		{"*/*", "image/png", "image"},
		{"application/*+json", "application/problem+json", "application/json"},
		{"application/vnd.a.v1+json", "application/vnd.a.v1+json", "application/vnd.a.v2+json"},
	} {
		t.Run(row.declared, func(t *testing.T) {
			op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d, content: {'"+row.declared+"': {}}}")
			assertBreaches(t, spectest.Check(t, op, spectest.Labelled(200, "{}", row.accept)).Breaches)
			if got := spectest.Clauses(spectest.Check(t, op, spectest.Labelled(200, "{}", row.reject)).Breaches); len(got) != 1 || got[0] != "x/200/media-type" {
				t.Errorf("%s breaks %q", row.reject, got)
			}
		})
	}
}

// TestMoreSpecificMediaTypes checks that they override wider ones that are declared earlier.
func TestMoreSpecificMediaTypes(t *testing.T) {
	for _, row := range []struct{ wide, specific, answered string }{
		{"*/*", "application/*", "application/json"},
		{"application/*", "application/*+json", "application/hal+json"},
		{"application/*+json", "application/hal+json", "application/hal+json"},
		{"application/hal+json", "application/*; a=1", "application/hal+json; a=1"},
	} {
		t.Run(row.specific, func(t *testing.T) {
			op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d, content: {'"+row.wide+"': {schema: {type: string}}, '"+row.specific+"': {schema: {type: boolean}}}}")
			assertBreaches(t, spectest.Check(t, op, spectest.Labelled(200, "true", row.answered)).Breaches)
		})
	}
}

// TestRangesOfJSON checks that the schema of a range judges JSON bodies, and only those.
func TestRangesOfJSON(t *testing.T) {
	for _, row := range []struct{ declared, json, other string }{
		{"*/*", "application/json", "application/xml"},
		{"application/*", "application/problem+json", "application/octet-stream"},
		{"text/*", "text/json", "text/plain"},
		{"model/*", "model/gltf+json", "model/gltf-binary"},
	} {
		t.Run(row.declared, func(t *testing.T) {
			op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d, content: {'"+row.declared+"': {schema: {type: object}}}}")
			assertBreaches(t, spectest.Check(t, op, spectest.Labelled(200, "{}", row.json)).Breaches)
			assertBreaches(t, spectest.Check(t, op, spectest.Labelled(200, "[", row.other)).Breaches)
			assertBreaches(t, spectest.Check(t, op, spectest.Labelled(200, "[]", row.json)).Breaches, whole("has the wrong type", "an object", "[]"))
			assertBreaches(t, spectest.Check(t, op, spectest.Labelled(200, "[", row.json)).Breaches,
				breach("x/200/body", "", "is cut off", "one JSON value in UTF-8: an object", "[", 1))
		})
	}
}

var (
	emptyParameter = regexp.MustCompile(`;[ \t]*;`)
	spacedEquals   = regexp.MustCompile(`[ \t]=|=[ \t]`)
)

// FuzzMediaType compares with package mime, an independent implementation: both accept the same
// texts, with known exceptions. mime allows white space around "=", reads RFC 2231 and backslashes
// differently, accepts braces as letters and rejects empty parameters.
func FuzzMediaType(f *testing.F) {
	for _, seed := range []string{"application/json", "Application/JSON; charset=UTF-8", `application/json; a="b\"c"`, "text/html;;", "application/json; a=1; a=2", "application/json;\ta=b"} {
		f.Add(seed)
	}
	op := spectest.Bundled(f)
	f.Fuzz(func(t *testing.T, text string) {
		accepted := len(spectest.Check(t, op, spectest.Labelled(200, `{"name":""}`, text)).Breaches) == 0
		if strings.ContainsAny(text, `*\{}`) || strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') }) {
			return
		}
		for emptyParameter.MatchString(text) && !strings.Contains(text, `"`) {
			text = emptyParameter.ReplaceAllString(text, ";")
		}
		mediaType, _, err := mime.ParseMediaType(text)
		isJSON := err == nil && mediaType == "application/json"
		switch {
		case accepted && !isJSON && !strings.Contains(text, `"`):
			t.Errorf("%q is accepted, and mime says %q, %v", text, mediaType, err)
		case !accepted && isJSON && !spacedEquals.MatchString(text):
			t.Errorf("%q is refused, and mime says %q", text, mediaType)
		}
	})
}

// TestUnnamedMediaType checks that a text may be the content of a file if */* is declared and the
// response has no Content-Type.
func TestUnnamedMediaType(t *testing.T) {
	for _, row := range []struct {
		schema, body string
		breaches     int
	}{
		{"{type: string, format: binary}", "", 0},
		{"{type: string, format: binary}", "5", 0},
		{"{type: string}", "a,b", 0},
		{"{}", "", 0},
		{"{type: object}", `{"a":1}`, 0},
		{"{type: object}", "5", 1},
		{"{type: object}", "", 1},
	} {
		op := spectest.Responding(t, "3.0.3", "get", "'200': {description: d, content: {'*/*': {schema: "+row.schema+"}}}\n")
		if got := spectest.Check(t, op, spectest.Labelled(200, row.body)).Breaches; len(got) != row.breaches {
			t.Errorf("%q for %s: %+v", row.body, row.schema, got)
		}
	}
}
