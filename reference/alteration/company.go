package alteration

import (
	"hash/fnv"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// check is a check that a service skips: the clause that this violates, the change that skips it,
// and a request that shows it.
type check struct {
	name, what string
	clause     string
	skipped    fault.Change
	body       string   // %s is replaced by more properties
	lines      []string // header fields
}

// checks are the checks that the deviations of this file skip.
func checks() map[string]check {
	body := func(name string, of fault.Kinds, edit fault.TextEdit) fault.Change {
		return fault.ReadingBody(fault.Property(name, of, edit))
	}
	return map[string]check{
		"credential": {"credential", "the credential", requestCredential, fault.Admitting(func(string) bool { return true }), `{"id":7,"name":"fern"%s}`, []string{"Authorization: "}},
		"json":       {"json", "whether the body is JSON", requestBody, fault.ReadingBody(fault.Where(fault.NotEmpty, fault.Mending(anyPlant))), `{"id":7,"name":"fern"%s,}`, nil},
		"name":       {"missing-name", "whether there is a name", requestName, body("name", fault.Absent, fault.Constant(`""`)), `{"id":7%s}`, nil},
		"name-type":  {"type-of-name", "the type of the name", requestName, body("name", fault.Present, fault.UnlessString(fault.AsString)), `{"id":7,"name":true%s}`, nil},
		"id":         {"missing-id", "whether there is an id", requestID, body("id", fault.Absent, anyID), `{"name":"fern"%s}`, nil},
		"id-type":    {"type-of-id", "the type of the id", requestID, body("id", fault.Null+fault.ABoolean+fault.AString+fault.AList+fault.AnObject, anyID), `{"id":"7","name":"fern"%s}`, nil},
		"tag-type":   {"type-of-tag", "the type of the tag", requestTag, body("tag", fault.Present, fault.UnlessString(fault.Nothing)), `{"id":7,"name":"fern","tag":7%s}`, nil},
	}
}

// company is an additional feature of a faulty request.
type company struct {
	name, where string
	holds       fault.Condition
	skips       string // names of the skipped checks, for one deviation each
	more        string // additional properties of a body that shows it
	lines       []string
	edit        fault.TextEdit // edits a body that shows it; may be nil
	wire        bool
	read        fault.Change // lets the service read such a request; may be nil
}

// checksSkippedInCompany skip a check if the request has another feature. Services do
// that in another branch of the code, in another parser, or for streams.
func checksSkippedInCompany() []Alteration {
	id := func(expression string) fault.Condition {
		return fault.SentValue("id", fault.Matches(expression))
	}
	field := func(name string) fault.Condition { return fault.SentField(name, fault.NotEmpty) }
	declared := func(expression string) fault.Condition {
		return fault.SentField("Content-Type", fault.Matches(expression))
	}
	nonASCII := fault.Sent(fault.BeyondASCII)
	companies := []company{
		{name: "media-type-in-capitals", where: "the media type is written Application/JSON", holds: fault.SentField("Content-Type", fault.Matches("^Application/")), skips: "name id-type", lines: []string{"Content-Type: Application/JSON"}},
		{name: "charset-in-capitals", where: "the charset is written UTF-8", holds: fault.SentField("Content-Type", fault.Contains("UTF-8")), skips: "tag-type credential", lines: []string{"Content-Type: application/json; charset=UTF-8"}},
		{name: "non-ascii", where: "the text is not ASCII", holds: nonASCII, skips: "id-type credential", more: `,"where":"Grünau"`},
		{name: "tag", where: "there is a tag", holds: fault.Sent(fault.Matches(`"tag"\s*:`)), skips: "name json", more: `,"tag":"indoor"`},
		{name: "empty-tag", where: "the tag is empty", holds: fault.SentText("tag", fault.Equals("")), skips: "name id", more: `,"tag":""`},
		{name: "4-kib", where: "the body has more than 4 KiB", holds: fault.SentMore(4 << 10), skips: "tag-type credential", edit: filled(5 << 10)},
		{name: "8-kib", where: "the body has more than 8 KiB", holds: fault.SentMore(8 << 10), skips: "id-type credential", edit: filled(9 << 10)},
		{name: "16-kib", where: "the body has more than 16 KiB", holds: fault.SentMore(16 << 10), skips: "name-type tag-type", edit: filled(17 << 10)},
		{name: "64-kib", where: "the body has more than 64 KiB", holds: fault.SentMore(64 << 10), skips: "json credential", edit: filled(65 << 10)},
		{name: "256-kib", where: "the body has more than 256 KiB", holds: fault.SentMore(256 << 10), skips: "name id name-type tag-type", edit: filled(257 << 10)},
		{name: "charset", where: "the media type has a charset", holds: fault.SentField("Content-Type", fault.Contains("charset")), skips: "name json", lines: []string{"Content-Type: application/json; charset=utf-8"}},
		{name: "quoted-charset", where: "the media type has a charset in quotes", holds: declared(`"`), skips: "name tag-type", lines: []string{`Content-Type: application/json; charset="utf-8"`}},
		{name: "other-parameter", where: "the media type has a parameter that is no charset", holds: declared(`;\s*[^c\s]`), skips: "json id", lines: []string{"Content-Type: application/json; profile=plant"}},
		{name: "semicolon", where: "the media type ends with a semicolon", holds: declared(`;\s*$`), skips: "name credential", lines: []string{"Content-Type: application/json;"}},
		{name: "close", where: "the connection is to be closed", holds: func(r *fault.Request, _ fault.Answer) bool { return r.Close || r.Header.Get("Connection") == "close" }, skips: "name json", lines: []string{"Connection: close"}},
		{name: "gzip", where: "the body is compressed", holds: fault.SentField("Content-Encoding", fault.Equals("gzip")), skips: "name json credential", lines: []string{"Content-Encoding: gzip"}, edit: fault.InGzip, read: gunzips},
		{name: "chunks", where: "the body is chunked", holds: fault.SentChunked, skips: "id json", lines: []string{chunkedLine}, wire: true},
		{name: "unknown-property", where: "there is an unknown property", holds: sentUnknownProperty, skips: "id-type credential", more: `,"height":1`},
		{name: "nested-property", where: "an unknown property is an object", holds: fault.Sent(fault.Matches(`:\s*\{`)), skips: "name-type tag-type", more: `,"pot":{"size":1}`},
		{name: "id-last", where: "the id comes last", holds: fault.Sent(fault.Matches(`"id"\s*:[^,{}\[\]]*}\s*$`)), skips: "name-type tag-type", edit: fault.Replacing(`^\{("id":[^,]*),(.*)\}$`, "{$2,$1}")},
		{name: "tag-first", where: "the tag comes first", holds: fault.Sent(fault.Matches(`^\s*\{\s*"tag"`)), skips: "id-type tag-type", edit: tagFirst},
		{name: "negative-id", where: "the id is negative", holds: id(`^-`), skips: "name tag-type credential", edit: fault.Replacing(`"id":7`, `"id":-7`)},
		{name: "id-zero", where: "the id is 0", holds: id(`^0$`), skips: "name tag-type", edit: fault.Replacing(`"id":7`, `"id":0`)},
		{name: "long-id", where: "the id is beyond 2^53", holds: fault.SentValue("id", func(id string) bool { return len(id) > 16 || len(id) == 16 && id > "9007199254740992" }), skips: "name tag-type", edit: fault.Replacing(`"id":7`, `"id":9007199254740993`)},
		{name: "query", where: "there is a query", holds: fault.SentQuery(fault.NotEmpty), skips: "id-type credential", lines: []string{"?dryRun=false"}},
		{name: "cookie", where: "there is a cookie", holds: field("Cookie"), skips: "credential tag-type", lines: []string{"Cookie: session=7"}},
		{name: "accept-anything", where: "anything is accepted as an answer", holds: fault.SentField("Accept", fault.Contains("*/*")), skips: "credential id-type", lines: []string{"Accept: */*"}},
		{name: "language", where: "an answer in another language is asked for", holds: field("Accept-Language"), skips: "name tag-type", lines: []string{"Accept-Language: de-CH"}},
		{name: "browser", where: "HTML is accepted", holds: fault.SentField("Accept", fault.Contains("text/html")), skips: "name json", lines: []string{"Accept: text/html,*/*;q=0.8"}},
		{name: "ajax", where: "a script of a page has sent it", holds: field("X-Requested-With"), skips: "credential name", lines: []string{"X-Requested-With: XMLHttpRequest"}},
		{name: "line-breaks", where: "the JSON is in several lines", holds: fault.Sent(fault.Matches(`^\s*\{\s*\n`)), skips: "id-type json", edit: fault.Replacing(`^\{`, "{\n  ")},
		{name: "white-space-before", where: "white space comes first", holds: fault.Sent(fault.Matches(`^\s`)), skips: "tag-type json", edit: fault.Prefixed("\n ")},
		{name: "escapes", where: "the JSON has escapes", holds: fault.Sent(fault.Contains(`\u`)), skips: "tag-type json", more: `,"where":"Gr\u00fcnau"`},
		{name: "long-name", where: "the name has more than 64 characters", holds: fault.SentText("name", fault.Longer(64)), skips: "tag-type id", edit: fault.Replacing(`"fern"`, `"`+strings.Repeat("f", 100)+`"`)},
		{name: "empty-name", where: "the name is empty", holds: fault.SentText("name", fault.Equals("")), skips: "id tag-type", edit: fault.Replacing(`"fern"`, `""`)},
	}
	all := checks()
	var rows []Alteration
	for _, c := range companies {
		for skipped := range strings.FieldsSeq(c.skips) {
			k := all[skipped]
			text := strings.Replace(k.body, "%s", c.more, 1)
			if c.edit != nil {
				text = c.edit(text)
			}
			skips := k.skipped
			if c.read != nil {
				skips = fault.Together(skips, c.read)
			}
			d := deviation(k.name+"-unchecked-with-"+c.name, ids(k.clause), "does not check "+k.what+" if "+c.where, skips.If(c.holds)).
				shows(text, slices.Concat(k.lines, c.lines)...)
			d.Wire = c.wire
			rows = append(rows, d)
		}
	}
	return rows
}

// filled adds white space before the last brace.
func filled(bytes int) fault.TextEdit { return fault.Replacing(`\}$`, strings.Repeat(" ", bytes)+"}") }

// tagFirst moves the tag to the front, or adds one there.
func tagFirst(text string) string {
	if strings.Contains(text, `"tag"`) {
		return fault.Replacing(`^\{(.*),("tag":[^,}]*)\}$`, "{$2,$1}")(text)
	}
	return fault.Replacing(`^\{`, `{"tag":"indoor",`)(text)
}

// checksSkippedSometimes skip a check every fourth time, or in one of four instances behind a load
// balancer.
func checksSkippedSometimes() []Alteration {
	fourth := fault.Every(4)
	ofOneInstance := func(r *fault.Request, _ fault.Answer) bool { // by the hash of the body, as some load balancers do
		hash := fnv.New32a()
		_, _ = io.WriteString(hash, r.Text())
		return hash.Sum32()%4 == 0
	}
	var rows []Alteration
	for _, k := range []string{"credential", "json", "name", "id-type", "tag-type"} {
		c := checks()[k]
		text := strings.Replace(c.body, "%s", "", 1)
		d := deviation(c.name+"-unchecked-every-fourth-time", ids(c.clause), "does not check "+c.what+" every fourth time", fault.Sometimes(fourth, c.skipped)).maybe(c.clause)
		i := deviation(c.name+"-unchecked-by-one-instance", ids(c.clause), "has one instance of four that does not check "+c.what, c.skipped.If(ofOneInstance)).maybe(c.clause)
		for range 4 {
			d = d.shows(text, c.lines...)
		}
		for n := range 16 {
			i = i.shows(strings.Replace(text, "7", strconv.Itoa(70+n), 1), c.lines...)
		}
		rows = append(rows, d, i)
	}
	failing := deviation("fails-every-eleventh-acceptance", ids(answers), "fails with 500 every eleventh time that a plant is created",
		fault.Counting(fault.Accepted, fault.Every(11), fault.Status(http.StatusInternalServerError)))
	for id := range 11 {
		failing = failing.shows(strings.Replace(plainPlant, "7", strconv.Itoa(id), 1))
	}
	return append(rows, failing)
}
