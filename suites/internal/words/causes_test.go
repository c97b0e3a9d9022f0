package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// found returns a result with one violation for each message.
func found(fixture string, clause spec.ClauseID, status int, violations ...judge.Finding) result.Result {
	r := result.Result{Outcome: judge.Outcome{Fixture: fixture, Operation: "op", Clause: clause}, Exchange: result.Exchange{Response: &result.Response{Status: status}}}
	for _, f := range violations {
		f.Severity = judge.Violation
		r.Findings = append(r.Findings, f)
	}
	return r
}

// A cause is shown with the plainest fixture that found it. Each row has two results. The
// second one is plainer.
func TestPlainest(t *testing.T) {
	wrong := judge.Finding{Clause: "op/200/body/tag", Message: "has the wrong type", Pointer: "/tag"}
	sent := func(expect fixtures.Expectation, url, body string, findings ...judge.Finding) result.Result {
		r := found("op/valid/"+string(expect)+url+body+strconv.Itoa(len(findings)), "op/accepts", 200, findings...)
		r.Expect, r.Exchange.Request = expect, result.Request{URL: url, Body: result.Body{Body: body}}
		return r
	}
	several := func(r result.Result) result.Result {
		r.Requests = 2
		return r
	}
	further := func(r result.Result) result.Result {
		r.Further = true
		return r
	}
	on := func(clause spec.ClauseID, r result.Result) result.Result {
		r.Clause = clause
		return r
	}
	answered := func(r result.Result, clause spec.ClauseID) result.Result {
		r.Exchange.Response = &result.Response{Status: 400}
		return on(clause, r)
	}
	for name, c := range map[string]struct{ a, b result.Result }{
		"valid before open":          {sent("either", "/", "{}", wrong), sent("accepted", "/", "{} long", wrong)},
		"open before invalid":        {sent("rejected", "/", "{}", wrong), sent("either", "/", "{} long", wrong)},
		"a short body before a long": {sent("accepted", "/", "{ }", wrong), sent("accepted", "/", "{}", wrong)},
		"a short address before":     {sent("accepted", "/?q=1", "{}", wrong), sent("accepted", "/", "{}", wrong)},
		"ASCII before the rest":      {sent("accepted", "/", "{}é", wrong), sent("accepted", "/", "{}abc", wrong)},
		"one request before several": {several(sent("accepted", "/", "{}", wrong)), sent("rejected", "/", "{} long", wrong)},
		"the plainest form before":   {further(sent("rejected", "/", "{}", wrong)), sent("rejected", "/", "{} long", wrong)},
		"rejected before open":       {answered(sent("either", "/", "{}", wrong), "op/answers"), answered(sent("rejected", "/", "{} long", wrong), "op/request/body/name")},
		"rejected for a value":       {answered(sent("rejected", "/", "", wrong), "op/request/body"), answered(sent("rejected", "/", "{}", wrong), "op/request/body/name")},
		"rejected with 200":          {sent("either", "/", "{}", wrong), on("op/request/body/name", sent("rejected", "/", "{} long", wrong, judge.Finding{Message: judge.SaysNo}))},
		"few findings before many":   {sent("accepted", "/", "{}", wrong, judge.Finding{Clause: "op/200/echo"}), sent("accepted", "/", "{}", wrong)},
	} {
		list := Causes(result.Report{Clauses: []verdict.Clause{{ID: wrong.Clause}}, Results: []result.Result{c.a, c.b}}, judge.Violation)
		of := list[slices.IndexFunc(list, func(c *Cause) bool { return c.Finding.Clause == wrong.Clause })]
		if want := []string{c.b.Fixture, c.a.Fixture}; of.Result.Fixture != c.b.Fixture || !slices.Equal(of.Fixtures, want) {
			t.Errorf("%s: shown by %s, found by %v", name, of.Result.Fixture, of.Fixtures)
		}
	}
}

// A fixture that finds a cause in several places counts once.
func TestCauseInSeveralPlaces(t *testing.T) {
	at := func(pointer string) judge.Finding {
		return judge.Finding{Clause: "op/200/body/*/tag", Message: "has the wrong type", Pointer: pointer}
	}
	list := Causes(result.Report{Results: []result.Result{
		found("op/valid/a", "op/accepts", 200, at("/1/tag"), at("/0/tag")),
		found("op/valid/b", "op/accepts", 200, at("/0/tag")),
	}}, judge.Violation)
	if len(list) != 1 || !slices.Equal(list[0].Fixtures, []string{"op/valid/b", "op/valid/a"}) || list[0].Places() != "  at /0/tag, /1/tag" {
		t.Errorf("got %+v", list)
	}
}

// Causes are in the order of the contract, and have the requested severity.
func TestCausesOrder(t *testing.T) {
	r := result.Report{Clauses: []verdict.Clause{{ID: "op/answers"}, {ID: "op/accepts"}, {ID: "op/200/body"}}}
	for _, clause := range []string{"op/200/body", "op/accepts", "op/answers"} {
		r.Results = append(r.Results, found("op/valid/a", "op/accepts", 200, judge.Finding{Clause: spec.ClauseID(clause)}))
	}
	r.Results[0].Findings = append(r.Results[0].Findings, judge.Finding{Clause: "op/400/body", Severity: judge.Warning})
	var got []string
	for _, c := range Causes(r, judge.Violation) {
		got = append(got, string(c.Finding.Clause))
	}
	if want := []string{"op/answers", "op/accepts", "op/200/body"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// One fault in 36 operations, with two clauses in each, is reported once.
func TestFaults(t *testing.T) {
	var r result.Report
	for i := range 36 {
		op := fmt.Sprintf("op%02d", i)
		page := found(op+"/valid/minimal", spec.ClauseIDs(op).Accepts(), 404, judge.Finding{Clause: spec.ClauseID(op + "/404/body"), Message: "is not valid JSON"}, judge.Finding{Clause: spec.ClauseID(op + "/404/media-type"), Message: "is not declared"})
		r.Results = append(r.Results, page)
		r.Clauses = append(r.Clauses, verdict.Clause{ID: spec.ClauseID(op + "/404/body")}, verdict.Clause{ID: spec.ClauseID(op + "/404/media-type"), Text: "404 is JSON"})
	}
	list, rows := Faults(r, judge.Violation), BrokenClauses(r)
	if len(list) != 1 || list[0].Finding.Clause != "op00/404/media-type" || list[0].Also() != "71 more clauses with the same fault, in 36 operations: op00/404/body, op01/404/body, op01/404/media-type and 68 more" {
		t.Errorf("got %d faults, %q", len(list), list[0].Also())
	}
	if len(rows) != 1 || rows[0].ID != "op00/404/media-type" || rows[0].Fixtures != 36 || rows[0].Text != "404 is JSON ("+list[0].Also()+")" {
		t.Errorf("got %+v", rows)
	}
}

// TestShared: a fault in a schema that three operations share is reported once. The fault in most
// operations comes first. A selection has one fault of each clause.
func TestShared(t *testing.T) {
	var r result.Report
	stated := func(clause spec.ClauseID, section string) {
		r.Clauses = append(r.Clauses, verdict.Clause{ID: clause, Section: section})
	}
	lone := judge.Finding{Clause: "getMe/200/body/age", Pointer: "/age", Message: "is missing"}
	other := lone
	other.Message = "has the wrong type"
	stated(lone.Clause, "#/components/schemas/Me/properties/age")
	r.Results = []result.Result{found("getMe/valid/a", "getMe/accepts", 200, lone), found("getMe/valid/b", "getMe/accepts", 200, other)}
	for op, at := range map[string]string{"getPet": "", "listPets": "/*", "listShops": "/*/pets/*"} {
		clause := op + "/200/body" + at + "/id"
		stated(spec.ClauseID(clause), "#/components/schemas/Pet/properties/id")
		r.Results = append(r.Results, found(op+"/valid/minimal", spec.ClauseIDs(op).Accepts(), 200, judge.Finding{Clause: spec.ClauseID(clause), Pointer: strings.ReplaceAll(at, "*", "7") + "/id", Message: "has the wrong type"}))
	}
	list, rows := Faults(r, judge.Violation), BrokenClauses(r)
	if len(list) != 3 || !strings.HasPrefix(list[0].Also(), "2 more clauses with the same fault: ") || list[1].Finding.Message != "is missing" {
		t.Errorf("got %d faults, %q", len(list), list[0].Also())
	}
	if len(rows) != 2 || rows[0].Operations != 3 || rows[0].Fixtures != 3 || rows[1].Operations != 1 {
		t.Errorf("got %+v", rows)
	}
	if few := Foremost(append(list[1:3:3], list[0]), 2); few[0] != list[1] || few[1] != list[0] {
		t.Errorf("got %+v", few)
	}
}

// TestAlso: a clause that two kinds of values break is listed once.
func TestAlso(t *testing.T) {
	of := func(clause spec.ClauseID) *Cause { return &Cause{Finding: judge.Finding{Clause: clause}} }
	one := of("op/request/body/a")
	if one.also = []*Cause{of("op/request/body/a")}; one.Also() != "" {
		t.Errorf("got %q", one.Also())
	}
	if one.also = append(one.also, of("op/request/body/b"), of("op/request/body/b")); one.Also() != "1 more clause with the same fault: op/request/body/b" {
		t.Errorf("got %q", one.Also())
	}
}

// TestLikewise: the other fixtures of a fault are those that found it in the same clause. Each is
// listed once.
func TestLikewise(t *testing.T) {
	of := func(clause spec.ClauseID, fixtures ...string) *Cause {
		return &Cause{Finding: judge.Finding{Clause: clause}, Result: result.Result{Outcome: judge.Outcome{Fixture: fixtures[0]}}, Fixtures: fixtures}
	}
	one := of("a/answers", "a/valid/x", "a/valid/y")
	one.also = []*Cause{of("a/answers", "a/null/z", "a/valid/x"), of("b/answers", "b/valid/x")}
	if got := one.Likewise(); got != "2 more: a/valid/y, a/null/z" {
		t.Errorf("got %q", got)
	}
}

// TestPlaces: a fault in several places lists these places.
func TestPlaces(t *testing.T) {
	at := func(pointer string) judge.Finding {
		return judge.Finding{Clause: "op/200/echo", Message: "is missing, though it was sent", Pointer: pointer}
	}
	r := result.Report{Results: []result.Result{found("op/valid/a", "op/accepts", 200, at("/b"), at("/a"))}}
	if list := Faults(r, judge.Violation); len(list) != 1 || list[0].Places() != "  at /a, /b" {
		t.Errorf("got %d, %q", len(list), list[0].Places())
	}
}

// TestClause: a clause is shown with the level of the fixture, if that level is weaker and the finding
// is a warning. It is shown with a pointer, if the document is one line.
func TestClause(t *testing.T) {
	for want, row := range map[string]struct {
		level    spec.Level
		severity judge.Severity
		source   string
	}{
		"op/accepts (must, a.yaml:7)":        {spec.Must, judge.Warning, "a.yaml:7"},
		"op/accepts (should, a.yaml:7)":      {spec.Should, judge.Warning, "a.yaml:7"},
		"op/accepts (must, a.json:9)":        {spec.Should, judge.Violation, "a.json:9"},
		"op/accepts (must, #/paths/~1a/get)": {spec.Must, judge.Warning, "a.json:1"},
	} {
		c := &Cause{Finding: judge.Finding{Clause: "op/accepts", Severity: row.severity}, Result: result.Result{Outcome: judge.Outcome{Clause: "op/accepts", Level: row.level}}}
		r := result.Report{Clauses: []verdict.Clause{{ID: "op/accepts", Level: spec.Must, Section: "#/paths/~1a/get", Source: row.source}}}
		if got := c.Clause(r); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	var many []string
	for i := range 6 {
		many = append(many, fmt.Sprintf("op/many/%d", i))
	}
	for _, c := range []struct {
		ids      []string
		most     int
		some     string
		byFolder []string
	}{
		{[]string{"op/valid/a"}, 3, "op/valid/a", []string{"op/valid/a"}},
		{[]string{"op/valid/a", "op/valid/b", "op/open/c"}, 3, "op/valid/a, op/valid/b, op/open/c", []string{"op/valid/a", "op/valid/b", "op/open/c"}},
		{append([]string{"op/valid/a"}, many...), 3, "op/valid/a, op/many/0, op/many/1 and 4 more", []string{"op/valid/a", "op/many/* (6)"}},
		{many, 6, "op/many/0, op/many/1, op/many/2 and 3 more", many},
	} {
		if got := Some(c.ids); got != c.some {
			t.Errorf("some(%v) = %s, want %s", c.ids, got, c.some)
		}
		if got := ByFolder(c.ids, c.most); !slices.Equal(got, c.byFolder) {
			t.Errorf("byFolder(%v) = %s, want %s", c.ids, got, c.byFolder)
		}
	}
}
