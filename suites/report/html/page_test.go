package html_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/html"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

func TestHTML(t *testing.T) {
	reporttest.Golden(t, "report.html", reporttest.Written(t, html.Write, exercised(reporttest.Everything().Report())))
}

// exercised returns the report with clauses that name fixtures.
func exercised(r result.Report) result.Report {
	for i := range r.Clauses {
		for _, result := range r.Results {
			if result.Clause == r.Clauses[i].ID {
				r.Clauses[i].Fixtures = append(r.Clauses[i].Fixtures, result.Fixture)
			}
		}
	}
	return r
}

// nodes returns the elements of a page with that name, or all elements for "".
func nodes(t testing.TB, page []byte, name string) []*nethtml.Node {
	t.Helper()
	root, err := nethtml.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var list []*nethtml.Node
	for n := range root.Descendants() {
		if n.Type == nethtml.ElementNode && (name == "" || n.Data == name) {
			list = append(list, n)
		}
	}
	return list
}

func attribute(n *nethtml.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *nethtml.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == nethtml.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// The policy permits only the page's own style and script. No attribute makes a browser run or
// load anything.
func TestHTMLPolicy(t *testing.T) {
	page := reporttest.Written(t, html.Write, reporttest.Everything().Report())
	hash := func(name string) string {
		list := nodes(t, page, name)
		if len(list) != 1 {
			t.Fatalf("%d elements %s", len(list), name)
		}
		sum := sha256.Sum256([]byte(textOf(list[0])))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := "default-src 'none'; style-src " + hash("style") + "; script-src " + hash("script") + "; base-uri 'none'; form-action 'none'"
	meta := slices.IndexFunc(nodes(t, page, "meta"), func(n *nethtml.Node) bool { return attribute(n, "http-equiv") == "Content-Security-Policy" })
	if got := attribute(nodes(t, page, "meta")[meta], "content"); got != want {
		t.Errorf("the policy is %s, want %s", got, want)
	}
	for _, n := range nodes(t, page, "") {
		for _, a := range n.Attr {
			if a.Key == "style" || a.Key == "src" || a.Key == "srcset" || a.Key == "action" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s has %s", n.Data, a.Key)
			}
		}
	}
}

// Every link within a page has a target, and no two elements have the same id.
func TestHTMLLinks(t *testing.T) {
	for name, s := range reporttest.All() {
		page := reporttest.Written(t, html.Write, exercised(s.Report()))
		ids := map[string]bool{}
		for _, n := range nodes(t, page, "") {
			if id := attribute(n, "id"); id != "" {
				if ids[id] {
					t.Errorf("%s: two elements are %s", name, id)
				}
				ids[id] = true
			}
		}
		for _, n := range nodes(t, page, "a") {
			id, within := strings.CutPrefix(attribute(n, "href"), "#")
			if within && !ids[id] && !strings.HasPrefix(id, "clause/") { // scenes have a few clauses only
				t.Errorf("%s: there is no %s", name, id)
			}
		}
	}
}

// The address of the implementation is a link if it is an HTTP or HTTPS URL.
func TestHTMLImplementation(t *testing.T) {
	for _, row := range []struct{ address, href string }{
		{"https://greenhouse.example/a?b=c#d", "https://greenhouse.example/a?b=c#d"},
		{"HTTP://greenhouse.example", "HTTP://greenhouse.example"},
		{"javascript:alert(1)", ""},
		{"java\nscript:alert(1)", ""},
		{"data:text/html,<script>", ""},
		{"file:///etc/passwd", ""},
		{"//greenhouse.example", ""},
		{"https:greenhouse", ""},
		{"greenhouse.example", ""},
		{"https://[", ""},
	} {
		r := reporttest.Conformant().Report()
		r.Implementation = result.Implementation{URL: row.address}
		var hrefs []string
		for _, n := range nodes(t, reporttest.Written(t, html.Write, r), "a") {
			if href := attribute(n, "href"); !strings.HasPrefix(href, "#") {
				hrefs = append(hrefs, href)
			}
		}
		if got := strings.Join(hrefs, " "); got != row.href {
			t.Errorf("%q: a link to %q, want %q", row.address, got, row.href)
		}
	}
}

// The place of a finding is marked, anywhere in a response.
func TestHTMLMarks(t *testing.T) {
	plain := reporttest.Sending(reporttest.Judged("valid/plain", "a plant", "accepts", fixtures.Accepted), "", "{}", reporttest.JSONHeader)
	at := func(body string, places ...judge.Finding) judge.Judged {
		r := reporttest.Answered(plain, 200, reporttest.JSONType, body)
		for _, f := range places {
			f.Clause, f.Message = "200/body", "is wrong"
			r = reporttest.Finding(r, judge.Violation, f)
		}
		return r
	}
	place := func(offset int64, actual string) judge.Finding {
		return judge.Finding{Pointer: "/a", Offset: offset, Actual: actual}
	}
	long := strings.Repeat("é", 5000)
	for name, row := range map[string]struct {
		result judge.Judged
		marks  []string // marks in the entry of the fixture
	}{
		"a literal":            {at(`{"a":"b"}`, place(5, `"b"`)), []string{`"b"`}},
		"a character":          {at(`{"a":"b"}`, place(0, "no such property")), []string{"{"}},
		"at the start":         {at(`<p>`, place(0, "<p>")), []string{"<"}},
		"at the end":           {at(`{`, place(1, "")), []string{"the end"}},
		"no body":              {at("", place(0, "")), []string{"the end"}},
		"beyond what is kept":  {at("{}", place(20_000, "x")), nil},
		"far in":               {at(long+"x"+long, place(10_000, "x")), []string{"x"}},
		"within a character":   {at("é", place(1, "x")), []string{`\xa9`}},
		"a byte":               {at("{\"a\":\"\xe9\"}", place(6, "x")), []string{`\xe9`}},
		"two places":           {at(`{"a":"b"}`, place(5, `"b"`), place(1, `"a"`)), []string{`"a"`, `"b"`}},
		"one place twice":      {at(`{"a":"b"}`, place(5, `"b"`), place(5, `"b"`)), []string{`"b"`}},
		"places that overlap":  {at(`{"a":"b"}`, place(1, `"a":"b"`), place(5, `"b"`)), []string{`"a":"b"`}},
		"a header field":       {at("{}", judge.Finding{Actual: "Content-Type: " + reporttest.JSONType, Offset: -1}), []string{"Content-Type: " + reporttest.JSONType}},
		"the status":           {at("{}", judge.Finding{Actual: "200 {}", Offset: -1}), []string{"200 OK"}},
		"nothing to be marked": {at("{}", judge.Finding{Actual: "no such header", Offset: -1}), nil},
		"an observation": {reporttest.Finding(reporttest.Answered(plain, 200, reporttest.JSONType, "{}"), judge.Observation,
			judge.Finding{Clause: "silent/same-id", Actual: "200 " + reporttest.JSONType, Offset: -1}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			page := reporttest.Written(t, html.Write, reporttest.Scene{Results: []judge.Judged{row.result}, Verdict: verdict.Nonconformant}.Report())
			var marks []string
			for _, n := range nodes(t, page, "mark") {
				for up := range n.Ancestors() {
					if strings.Contains(attribute(up, "class"), "result") {
						marks = append(marks, textOf(n))
					}
				}
			}
			if !slices.Equal(marks, row.marks) {
				t.Errorf("marked are %q, want %q", marks, row.marks)
			}
		})
	}
}

// The page contains the command unchanged.
func TestHTMLCommandIsWhole(t *testing.T) {
	s := reporttest.OneFailure()
	s.Results[0].Exchange.Request.Body = []byte("\n<b>&amp;" + strings.Repeat("x", 20_000) + "\n'\"`")
	r := s.Report()
	found := 0
	for _, n := range nodes(t, reporttest.Written(t, html.Write, r), "pre") {
		if textOf(n) == r.Results[0].Curl {
			found++
		}
	}
	if found != 2 {
		t.Errorf("the command is there %d times, want it with the cause and with the fixture", found)
	}
}

// outline returns the elements and attributes of a page, without texts.
func outline(t testing.TB, page []byte) []string {
	t.Helper()
	var list []string
	for _, n := range nodes(t, page, "") {
		text := n.Data
		for _, a := range n.Attr {
			text += " " + a.Key
		}
		list = append(list, text)
	}
	return list
}

// hostileReport returns a report with the text in every field from other sources.
func hostileReport(text string) result.Report {
	r := reporttest.Sending(reporttest.Judged("valid/plain", text, "accepts", fixtures.Accepted), "?"+url.QueryEscape(text), text, "X-A: "+text)
	r = reporttest.Answered(r, 400, text, text)
	for _, severity := range []judge.Severity{judge.Violation, judge.Warning, judge.Observation} {
		r = reporttest.Finding(r, severity, judge.Finding{Clause: "200/body", Message: text, Expected: text, Actual: text, Pointer: text, Offset: -1})
	}
	lost := reporttest.Unjudged(reporttest.Judged("valid/lost", text, "accepts", fixtures.Accepted), text)
	s := reporttest.Scene{Results: []judge.Judged{r, lost}, Verdict: verdict.Nonconformant, Reason: text}
	page := s.Report()
	page.Contract.Title, page.Target.BaseURL, page.Implementation = text, text, result.Implementation{Name: text, Version: text, URL: text}
	page.Run.ID, page.Harness = text, result.Harness{Version: text, Commit: text}
	page.Observations = []verdict.Answers{{Clause: "createPlant/silent/same-id", Answers: []verdict.Answer{{Answer: text, Fixtures: []string{"createPlant/valid/plain"}}}}}
	return page
}

// Text from a target stays readable text. It does not change the elements of the page.
func TestHTMLOfHostileTexts(t *testing.T) {
	harmlessOutline := outline(t, reporttest.Written(t, html.Write, hostileReport("abc")))
	for name, row := range map[string]struct{ text, shown string }{
		"markup":            {`<img src=x onerror=alert(1)>`, `<img src=x onerror=alert(1)>`},
		"end of an element": {`</code></pre></script></style></title>`, `</code></pre></script></style></title>`},
		"attribute":         {`" onmouseover="alert(1)`, `" onmouseover="alert(1)`},
		"comment":           {`<!-- `, `<!-- `},
		"end of CDATA":      {`]]>`, `]]>`},
		"entity":            {`&lt;&#0;&`, `&lt;&#0;&`},
		"template":          {`{{.Reason}}`, `{{.Reason}}`},
		"control":           {"a\x00b\x1b[31m\x07", `a\x00b\x1b[31m\x07`},
		"no UTF-8":          {"caf\xe9", `caf\xe9`},
		"direction":         {"\u202eabc\u2066", `\u202eabc\u2066`},
		"no characters":     {"\ufffe\uffff", `\ufffe\uffff`},
		"script address":    {"javascript:alert(1)", "javascript:alert(1)"},
	} {
		t.Run(name, func(t *testing.T) {
			page := reporttest.Written(t, html.Write, hostileReport(row.text))
			reporttest.Harmless(t, "the page", string(page))
			if got := outline(t, page); !slices.Equal(got, harmlessOutline) {
				t.Errorf("the page consists of %q, want %q", got, harmlessOutline)
			}
			shown := 0
			for _, name := range []string{"title", "h1", "h4", "dd", "code", "p"} {
				for _, n := range nodes(t, page, name) {
					if strings.Contains(textOf(n), row.shown) {
						shown++
						break
					}
				}
			}
			if shown != 6 {
				t.Errorf("%q is shown in %d kinds of elements, want 6", row.shown, shown)
			}
		})
	}
}

// A page stays small for every report. With LONG_TESTS, the reports are as large as possible.
func TestHTMLSize(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("writes pages of many megabytes; LONG_TESTS=1 asks for it")
	}
	const thousands = 10
	flood := hostileReport(strings.Repeat("é<", 1<<20/3))
	for i := range flood.Results {
		flood.Results[i].Curl = "" // never cut; curl.Command limits its length
	}
	for name, row := range map[string]struct {
		r    result.Report
		most int
	}{
		"a megabyte in every field": {flood, 200 << 10},
		"thousands of fixtures":     {reporttest.Many(1000 * thousands).Report(), thousands * 1200 << 10},
		"thousands of failures":     {manyFailures(1000 * thousands).Report(), thousands * 2400 << 10},
		"40 failures":               {manyFailures(40).Report(), 200 << 10},
	} {
		if got := len(reporttest.Written(t, html.Write, row.r)); got > row.most {
			t.Errorf("%s: %d bytes, want %d at most", name, got, row.most)
		}
	}
}

// If there are many fixtures, the page names their groups.
func TestHTMLListsManyFixturesByGroup(t *testing.T) {
	var links []string
	for _, n := range nodes(t, reporttest.Written(t, html.Write, exercised(reporttest.Many(300).Report())), "li") {
		if text := textOf(n); strings.Contains(text, "group-") {
			links = append(links, text)
		}
	}
	for group := range 3 {
		if want := fmt.Sprintf("createPlant/group-%02d/ 100", group); !slices.Contains(links, want) {
			t.Errorf("%q is not in %q", want, links)
		}
	}
}

// No text in a report becomes an element or a link of the page.
func FuzzHTML(f *testing.F) {
	for i, text := range []string{"", "plain", "a/b/c: d", "]]>", `</script><a b="c">&amp;`, "\x1b[2J\x00\x7f\u009b", "caf\xe9", "\u202e\u2028\ufffe", "a\r\nb\tc", "https://[", "javascript:1", "AAAA===="} {
		f.Add(text, uint16(i))
	}
	allowed := map[string]bool{}
	for _, text := range outline(f, reporttest.Written(f, html.Write, reporttest.Everything().Report())) {
		allowed[text] = true
	}
	for _, text := range []string{"pre class tabindex", "path class d", "circle cx cy r", "i", "p class", "br", "strong", "section id", "a href rel", "section id class"} {
		allowed[text] = true
	}
	f.Fuzz(func(t *testing.T, text string, number uint16) {
		page := reporttest.Written(t, html.Write, reporttest.Filled(3, text, number))
		reporttest.Harmless(t, "the page", string(page))
		for _, element := range outline(t, page) {
			if !allowed[element] {
				t.Errorf("there is %s", element)
			}
		}
		for _, n := range nodes(t, page, "a") {
			href := attribute(n, "href")
			if u, err := url.Parse(href); !strings.HasPrefix(href, "#") && (err != nil || u.Scheme != "http" && u.Scheme != "https") {
				t.Errorf("a link to %q", href)
			}
		}
	})
}

// manyFailures returns a large run in which every fixture fails, with large bodies.
func manyFailures(n int) reporttest.Scene {
	s := reporttest.Many(n)
	for i, r := range s.Results {
		page := `{"error":"Bad Request","page":"` + strings.Repeat("<p>&nbsp;", 1000) + `"}`
		r.Findings = nil
		r = reporttest.Answered(r, 400, "text/html", page)
		r = reporttest.Finding(r, judge.Violation, judge.Finding{Clause: "400/media-type", Message: "comes with a media type that is not declared", Expected: "Content-Type: application/json", Actual: "Content-Type: text/html", Offset: -1})
		s.Results[i] = reporttest.InBody(r, judge.Violation, "400/body/error", "/error", `"Bad Request"`, "has the wrong type", "an int32")
	}
	s.Reason = fmt.Sprintf("%d of %d fixtures found a violation", n, n)
	return s
}
