package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report/junit"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// junitRules is what the schemas of Ant (windyroad) and Jenkins (junit-10) require of each
// element: its attributes and the order of its children. Attributes in capitals are optional.
// The attribute file is not in these schemas, but in those of GitLab, CircleCI and pytest.
var junitRules = map[string]struct{ attrs, children string }{
	"testsuites": {"name tests failures errors time", "^(testsuite )*$"},
	"testsuite":  {"name tests failures errors skipped time timestamp", "^properties (testcase )+$"},
	"properties": {"", "^(property )+$"},
	"property":   {"name value", "^$"},
	"testcase":   {"name classname time FILE", "^(failure |error |skipped )?(system-out )?$"},
	"failure":    {"message type", "^$"},
	"error":      {"message type", "^$"},
	"skipped":    {"message type", "^$"},
	"system-out": {"", "^$"},
}

var attrForms = map[string]*regexp.Regexp{
	"tests":     regexp.MustCompile(`^\d+$`),
	"failures":  regexp.MustCompile(`^\d+$`),
	"errors":    regexp.MustCompile(`^\d+$`),
	"skipped":   regexp.MustCompile(`^\d+$`),
	"time":      regexp.MustCompile(`^\d+\.\d{6}$`),
	"timestamp": regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`),
	"type":      regexp.MustCompile(`.`),
}

func checkJUnit(t *testing.T, text []byte) {
	t.Helper()
	root := parseXML(t, text)
	if root.XMLName.Local != "testsuites" {
		t.Errorf("the root is %s", root.XMLName.Local)
	}
	checkElement(t, root)
	sums := map[string]int{}
	for _, suite := range root.Children {
		cases := suite.all("testcase")
		checkNumber(t, suite, "tests", len(cases))
		checkNumber(t, suite, "failures", countWith(cases, "failure"))
		checkNumber(t, suite, "errors", countWith(cases, "error"))
		checkNumber(t, suite, "skipped", countWith(cases, "skipped"))
		for _, c := range cases {
			for _, skip := range c.all("skipped") { // CI systems show a skip as green
				if kind := skip.attr("type"); kind != "waived" && kind != "excused" {
					t.Errorf("%s is skipped as %s", c.attr("name"), kind)
				}
			}
		}
		for _, name := range []string{"tests", "failures", "errors"} {
			n, _ := strconv.Atoi(suite.attr(name))
			sums[name] += n
		}
	}
	for name, n := range sums {
		checkNumber(t, root, name, n)
	}
}

func checkElement(t *testing.T, e element) {
	t.Helper()
	rule, ok := junitRules[e.XMLName.Local]
	if !ok {
		t.Fatalf("an element %s", e.XMLName.Local)
	}
	var names, children strings.Builder
	for _, a := range e.Attrs {
		names.WriteString(a.Name.Local + " ")
		if form := attrForms[a.Name.Local]; form != nil && !form.MatchString(a.Value) {
			t.Errorf("%s has %s=%q", e.XMLName.Local, a.Name.Local, a.Value)
		}
	}
	known := strings.Fields(rule.attrs)
	for _, name := range known {
		if strings.ToLower(name) == name && !strings.Contains(" "+names.String(), " "+name+" ") {
			t.Errorf("%s lacks %s", e.XMLName.Local, name)
		}
	}
	for name := range strings.FieldsSeq(names.String()) {
		if !slices.Contains(known, name) && !slices.Contains(known, strings.ToUpper(name)) {
			t.Errorf("%s has %s", e.XMLName.Local, name)
		}
	}
	for _, c := range e.Children {
		children.WriteString(c.XMLName.Local + " ")
		checkElement(t, c)
	}
	if !regexp.MustCompile(rule.children).MatchString(children.String()) {
		t.Errorf("%s consists of %s", e.XMLName.Local, children.String())
	}
}

func checkNumber(t *testing.T, e element, name string, want int) {
	t.Helper()
	if got := e.attr(name); got != strconv.Itoa(want) {
		t.Errorf("%s %q has %s=%s, want %d", e.XMLName.Local, e.attr("name"), name, got, want)
	}
}

func countWith(cases []element, child string) int {
	n := 0
	for _, c := range cases {
		n += min(len(c.all(child)), 1)
	}
	return n
}

// How each outcome of a fixture appears in JUnit.
func TestJUnitOutcomes(t *testing.T) {
	plain := reporttest.Posted("valid/plain", "a plant", "accepts", fixtures.Accepted, "{}")
	plain = reporttest.Answered(plain, 200, reporttest.JSONType, "{}")
	note := judge.Finding{Clause: "silent/same-id", Message: "the contract leaves this open", Actual: "200 application/json", Offset: -1}
	for name, c := range map[string]struct {
		result   judge.Judged
		children string
	}{
		"passed":                   {plain, "system-out"}, // the title
		"observed":                 {reporttest.Finding(plain, judge.Observation, note), "system-out"},
		"warned":                   {reporttest.LetThrough(plain, judge.Warning), "system-out"},
		"failed":                   {reporttest.LetThrough(plain, judge.Violation), "failure"},
		"failed twice":             {reporttest.LetThrough(reporttest.LetThrough(plain, judge.Violation), judge.Violation), "failure"},
		"failed and warned":        {reporttest.LetThrough(reporttest.LetThrough(plain, judge.Violation), judge.Warning), "failure system-out"},
		"unjudged":                 {reporttest.Unjudged(plain, "nothing listens there"), "error"},
		"unjudged with a warning":  {reporttest.Unjudged(reporttest.LetThrough(plain, judge.Warning), "nothing listens there"), "error system-out"},
		"unjudged, and a violated": {reporttest.Unjudged(reporttest.LetThrough(plain, judge.Violation), "cut off"), "failure"},
	} {
		t.Run(name, func(t *testing.T) {
			r := reporttest.Scene{Results: []judge.Judged{c.result}, Verdict: verdict.Conformant}.Report()
			testcase := parseXML(t, reporttest.Written(t, junit.Write, r)).Children[0].all("testcase")[0]
			var children []string
			for _, child := range testcase.Children {
				children = append(children, child.XMLName.Local)
			}
			if got := strings.Join(children, " "); got != c.children {
				t.Errorf("has %q, want %q", got, c.children)
			}
			if got, want := testcase.attr("file"), "fixtures/createPlant/valid/plain.yaml"; got != want {
				t.Errorf("file is %q, want %q", got, want)
			}
			if got, want := testcase.attr("time"), "0.001234"; got != want {
				t.Errorf("time is %q, want %q: the target's own", got, want)
			}
		})
	}
}

// A run that is not conformant is never green, even if all fixtures pass.
func TestJUnitIsRedWithTheRun(t *testing.T) {
	green := reporttest.Conformant().Results
	failed := reporttest.OneFailure().Results
	lost := reporttest.UnjudgedSome().Results[1:]
	for _, c := range []struct {
		verdict verdict.Verdict
		results []judge.Judged
		cases   string // failed test cases
	}{
		{verdict.Conformant, green, ""},
		{verdict.Nonconformant, failed, "createPlant/missing-required/name"},
		{verdict.Nonconformant, green, "verdict"},
		{verdict.Inconclusive, green, "verdict"},
		{verdict.Inconclusive, nil, "verdict"},
		{verdict.Inconclusive, lost[:1], "createPlant/valid/later-1, verdict"},
		{"", green, "verdict"},
	} {
		t.Run(fmt.Sprintf("%s with %d results", c.verdict, len(c.results)), func(t *testing.T) {
			text := reporttest.Written(t, junit.Write, reporttest.Scene{Results: c.results, Verdict: c.verdict, Reason: "because"}.Report())
			checkJUnit(t, text)
			var red []string
			for _, suite := range parseXML(t, text).Children {
				for _, testcase := range suite.all("testcase") {
					if len(testcase.all("failure"))+len(testcase.all("error")) > 0 {
						red = append(red, testcase.attr("name"))
					}
				}
			}
			if got := strings.Join(red, ", "); got != c.cases {
				t.Errorf("red are %q, want %q", got, c.cases)
			}
		})
	}
}

// Text from a target stays readable text.
func TestJUnitOfHostileTexts(t *testing.T) {
	for name, c := range map[string]struct{ text, shown string }{
		"end of CDATA":  {"]]>", "]]>"},
		"markup":        {`<failure a="b">&lt;<!--`, `<failure a="b">&lt;<!--`},
		"control":       {"a\x00b\x1b[31m\x07", `a\x00b\x1b[31m\x07`},
		"no UTF-8":      {"caf\xe9", `caf\xe9`},
		"lines":         {"a\r\nb", `a\r\nb`},
		"direction":     {"\u202eabc", `\u202eabc`},
		"no characters": {"\ufffe\uffff", `\ufffe\uffff`},
		"long":          {strings.Repeat("é<", 1<<17/3+1), strings.Repeat("é<", 100)},
	} {
		t.Run(name, func(t *testing.T) {
			r := reporttest.Sending(reporttest.Judged("valid/plain", c.text, "accepts", fixtures.Accepted), "", "{}", reporttest.JSONHeader)
			r = reporttest.Finding(reporttest.Answered(r, 400, c.text, c.text), judge.Violation, judge.Finding{
				Clause: "200/body", Message: c.text, Expected: c.text, Actual: c.text, Pointer: c.text, Offset: -1,
			})
			text := reporttest.Written(t, junit.Write, reporttest.Scene{Results: []judge.Judged{r}, Verdict: verdict.Nonconformant, Reason: c.text}.Report())
			checkJUnit(t, text)
			failure := parseXML(t, text).Children[0].all("testcase")[0].all("failure")[0]
			if !strings.Contains(failure.attr("message"), c.shown) || !strings.Contains(failure.Text, c.shown) {
				t.Errorf("does not show %q:\n%s", c.shown, failure.Text)
			}
		})
	}
}

// A group is one suite, even if its fixtures are not adjacent in the run.
func TestJUnitSuitesAreGroups(t *testing.T) {
	var s reporttest.Scene
	s.Verdict = verdict.Conformant
	for _, id := range []string{"valid/a", "open/b", "valid/c"} {
		s.Results = append(s.Results, reporttest.Answered(reporttest.Judged(id, "a plant", "accepts", fixtures.Accepted), 200, reporttest.JSONType, "{}"))
	}
	var names []string
	for _, suite := range parseXML(t, reporttest.Written(t, junit.Write, s.Report())).Children {
		names = append(names, suite.attr("name")+" "+suite.attr("tests"))
	}
	if want := []string{"createPlant/valid 2", "createPlant/open 1"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func FuzzJUnit(f *testing.F) {
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		text := reporttest.Written(t, junit.Write, r)
		parseXML(t, text)
		reporttest.CheckNoCommands(t, "JUnit", string(text))
	})
}

// element is any XML element.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e element) all(name string) []element {
	return slices.DeleteFunc(slices.Clone(e.Children), func(c element) bool { return c.XMLName.Local != name })
}

func parseXML(t testing.TB, text []byte) element {
	t.Helper()
	var root element
	decoder := xml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&root); err != nil {
		t.Fatal(err)
	}
	for { // only white space may follow the root
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if text, ok := token.(xml.CharData); err != nil || !ok || len(bytes.TrimSpace(text)) > 0 {
			t.Fatalf("after the root: %v %v", token, err)
		}
	}
}
