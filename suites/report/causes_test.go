package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
)

// found is a result with one violation for each message.
func found(fixture, clause string, status int, violations ...Finding) Result {
	r := Result{Fixture: fixture, Operation: "op", Clause: clause, Exchange: Exchange{Response: &Response{Status: status}}}
	for _, f := range violations {
		f.Severity = string(judge.Violation)
		r.Findings = append(r.Findings, f)
	}
	return r
}

// What is one cause and what is two: each row is two results.
func TestCauses(t *testing.T) {
	wrong := Finding{Clause: "op/200/body/tag", Message: "has the wrong type", Pointer: "/tag"}
	message := func(text string) Finding { return Finding{Clause: "op/400/body", Message: text} }
	own := Finding{Clause: "op/request/body", Message: "is accepted"}
	for name, c := range map[string]struct {
		a, b Result
		want int
	}{
		"the same in two fixtures":         {found("op/valid/a", "op/accepts", 200, wrong), found("op/open/b", "op/silent/x", 200, wrong), 1},
		"two clauses":                      {found("op/valid/a", "op/accepts", 200, wrong), found("op/valid/b", "op/accepts", 200, message("is missing")), 2},
		"two messages":                     {found("op/valid/a", "op/accepts", 400, message("is cut off")), found("op/valid/b", "op/accepts", 400, message("is missing")), 2},
		"messages that differ in detail":   {found("op/valid/a", "op/accepts", 400, message("is no JSON: at o")), found("op/valid/b", "op/accepts", 400, message("is no JSON: at j")), 1},
		"messages that differ in a name":   {found("op/valid/a", "op/accepts", 400, message(`has "a" too`)), found("op/valid/b", "op/accepts", 400, message(`has "b" too`)), 1},
		"two statuses":                     {found("op/valid/a", "op/accepts", 400, message("rejected")), found("op/valid/b", "op/accepts", 404, message("rejected")), 2},
		"one kind of request let through":  {found("op/malformed/a", "op/request/body", 200, own), found("op/malformed/b", "op/request/body", 200, own), 1},
		"two kinds of request let through": {found("op/malformed/a", "op/request/body", 200, own), found("op/missing/b", "op/request/body", 200, own), 2},
		"without a response":               {Result{Fixture: "op/valid/a", Findings: found("", "", 0, own).Findings}, Result{Fixture: "op/valid/b", Findings: found("", "", 0, own).Findings}, 1},
	} {
		got := causes(Report{Results: []Result{c.a, c.b}}, judge.Violation)
		if len(got) != c.want {
			t.Errorf("%s: %d causes, want %d", name, len(got), c.want)
		}
		fixtures := 0
		for _, cause := range got {
			fixtures += len(cause.fixtures)
		}
		if fixtures != 2 {
			t.Errorf("%s: %d fixtures", name, fixtures)
		}
	}
}

// A fixture that comes across a cause in several places counts once.
func TestCauseInSeveralPlaces(t *testing.T) {
	at := func(pointer string) Finding {
		return Finding{Clause: "op/200/body/*/tag", Message: "has the wrong type", Pointer: pointer}
	}
	list := causes(Report{Results: []Result{
		found("op/valid/a", "op/accepts", 200, at("/1/tag"), at("/0/tag")),
		found("op/valid/b", "op/accepts", 200, at("/0/tag")),
	}}, judge.Violation)
	if len(list) != 1 || !slices.Equal(list[0].fixtures, []string{"op/valid/a", "op/valid/b"}) || !slices.Equal(list[0].pointers, []string{"/0/tag", "/1/tag"}) {
		t.Errorf("got %+v", list)
	}
}

// Causes stand in the order of the contract, only those of the severity.
func TestCausesOrder(t *testing.T) {
	r := Report{Clauses: []Clause{{ID: "op/answers"}, {ID: "op/accepts"}, {ID: "op/200/body"}}}
	for _, clause := range []string{"op/200/body", "op/accepts", "op/answers"} {
		r.Results = append(r.Results, found("op/valid/a", "op/accepts", 200, Finding{Clause: clause}))
	}
	r.Results[0].Findings = append(r.Results[0].Findings, Finding{Clause: "op/400/body", Severity: string(judge.Warning)})
	var got []string
	for _, c := range causes(r, judge.Violation) {
		got = append(got, c.finding.Clause)
	}
	if want := []string{"op/answers", "op/accepts", "op/200/body"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
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
		{[]string{"op/valid/a", "op/valid/b", "op/open/c"}, 3, "op/valid/a, op/valid/b, op/open/c", []string{"op/valid/{a,b}", "op/open/c"}},
		{append([]string{"op/valid/a"}, many...), 3, "op/valid/a, op/many/0, op/many/1 and 4 more", []string{"op/valid/a", "op/many/* (6)"}},
		{many, 6, "op/many/0, op/many/1, op/many/2 and 3 more", []string{"op/many/{0,1,2,3,4,5}"}},
	} {
		if got := some(c.ids); got != c.some {
			t.Errorf("some(%v) = %s, want %s", c.ids, got, c.some)
		}
		if got := byFolder(c.ids, c.most); !slices.Equal(got, c.byFolder) {
			t.Errorf("byFolder(%v) = %s, want %s", c.ids, got, c.byFolder)
		}
	}
}
