package waivers_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
	"github.com/plantstore/conformance/suites/waivers"
)

func TestParse(t *testing.T) {
	list, err := waivers.Parse("w.yaml", []byte(`
- match: createThing/wrong-type/*
  reason: numbers are taken for text
  owner: team checkout
  until: 2027-03-31
- {match: createThing/accepts, reason: "known", owner: us}
`))
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	first, second := list[0], list[1]
	if first.Pattern.String() != "createThing/wrong-type/*" || first.Reason != "numbers are taken for text" || first.Owner != "team checkout" ||
		!first.Until.Equal(time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)) || first.Source != "w.yaml:2" {
		t.Errorf("%+v", first)
	}
	if !second.Until.IsZero() || second.Source != "w.yaml:6" {
		t.Errorf("%+v", second)
	}
}

func TestAnEmptyListIsOne(t *testing.T) {
	if list, err := waivers.Parse("w.yaml", []byte("[]\n")); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// All faults are reported at once, with file, line and column.
func TestParseRefuses(t *testing.T) {
	const rest = "reason: known, owner: us"
	for name, row := range map[string]struct {
		text string
		want []string
	}{
		"nothing":               {"", []string{"w.yaml: is empty"}},
		"a mapping":             {"match: a/b", []string{"w.yaml:1:1: expected a list of waivers (- match: …), found a mapping"}},
		"a list of texts":       {"- a/b\n", []string{"w.yaml:1:3: expected a mapping with match, fixtures, message, place, reason, owner, until, found a string"}},
		"no match":              {"- {" + rest + "}\n", []string{"match is missing"}},
		"an empty match":        {"- {match: '', " + rest + "}\n", []string{"match is empty"}},
		"no reason":             {"- {match: a/b, owner: us}\n", []string{"reason is missing"}},
		"an empty reason":       {"- {match: a/b, owner: us, reason: ' '}\n", []string{"reason is empty"}},
		"no owner":              {"- {match: a/b, reason: known}\n", []string{"owner is missing"}},
		"a number for a reason": {"- {match: a/b, reason: 1, owner: us}\n", []string{"reason must be a string, found a number"}},
		"an unknown key":        {"- {match: a/b, expires: 2027-01-01, " + rest + "}\n", []string{`unknown key "expires"`}},
		"an empty message":      {"- {match: a/b, message: '', " + rest + "}\n", []string{"message is empty"}},
		"a list of places":      {"- {match: a/b, place: [/a], " + rest + "}\n", []string{"place must be a string, found a list"}},
		"a key twice":           {"- {match: a/b, match: a/c, " + rest + "}\n", []string{"w.yaml:1"}},
		"until soon":            {"- {match: a/b, until: soon, " + rest + "}\n", []string{`until is "soon"; write the last day as 2027-03-31`}},
		"until no such day":     {"- {match: a/b, until: 2027-02-30, " + rest + "}\n", []string{`until is "2027-02-30"`}},
		"until a year":          {"- {match: a/b, until: 2027, " + rest + "}\n", []string{"until must be a string, found a number"}},
		"two documents":         {"- {match: a/b, " + rest + "}\n---\n- {match: a/b, " + rest + "}\n", []string{"second YAML document"}},
		"two faults":            {"- {reason: known, owner: us}\n- {match: a/b, reason: known}\n", []string{"w.yaml:1:3: match is missing", "w.yaml:2:3: owner is missing"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := waivers.Parse("w.yaml", []byte(row.text))
			for _, want := range row.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}
		})
	}
}

// The keys that narrow a waiver are optional globs.
func TestParseCause(t *testing.T) {
	list, err := waivers.Parse("w.yaml", []byte(`
- {match: a/b, fixtures: a/wrong-type, message: has the wrong type, place: "/list/*/size", reason: known, owner: us}
- {match: a/b, reason: known, owner: us}
`))
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if c := list[0].Narrowing; c.Fixtures.String() != "a/wrong-type" || c.Message.String() != "has the wrong type" || c.Place.String() != "/list/*/size" {
		t.Errorf("%+v", c)
	}
	if list[1].Narrowing != (verdict.Narrowing{}) {
		t.Errorf("%+v", list[1].Narrowing)
	}
}

// There is one waiver for each clause and cause. It can be read, and covers the violations that it
// was written for, but no other fault of the same clause.
func TestWrite(t *testing.T) {
	violation := func(clause spec.ClauseID, message, place string) judge.Finding {
		return judge.Finding{Clause: clause, Severity: judge.Violation, Message: message, Pointer: place, Offset: -1}
	}
	number := violation("a/400/body/size", "has the wrong type", "/list/0/size")
	other := violation("a/400/body/size", "has the wrong type", "/list/12/size")
	accepted := violation("a/request/body/name", `a request is accepted with "x"`, "")
	waived := violation("a/200/body", "is empty", "")
	waived.Waived = "known: for long"
	r := result.Report{Results: []result.Result{
		{Outcome: judge.Outcome{Fixture: "a/wrong-type/name", Operation: "a", Findings: []judge.Finding{number, number, accepted}}},
		{Outcome: judge.Outcome{Fixture: "a/wrong-type/name-list", Operation: "a", Findings: []judge.Finding{other, accepted}}},
		{Outcome: judge.Outcome{Fixture: "a/missing/name", Operation: "a", Findings: []judge.Finding{accepted}}},
		{Outcome: judge.Outcome{Fixture: "a/missing/tag", Operation: "a", Findings: []judge.Finding{violation("a/400/body/size", "is missing", "/size")}}},
		{Outcome: judge.Outcome{Fixture: "a/valid/waived", Operation: "a", Findings: []judge.Finding{waived}}},
		{Outcome: judge.Outcome{Fixture: "a/valid/warned", Operation: "a", Findings: []judge.Finding{{Clause: "a/200/echo", Severity: judge.Warning}}}},
		{Outcome: judge.Outcome{Fixture: "a/valid/passed", Operation: "a"}},
		{Outcome: judge.Outcome{Fixture: "a/valid/down", Operation: "a", Findings: []judge.Finding{violation("a/answers", "comes with status 500, which says: no", "")}}},
	}}
	r.Run.Started = time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)
	var text bytes.Buffer
	if err := waivers.Write(&text, r, "team: #1"); err != nil {
		t.Fatal(err)
	}
	list, err := waivers.Parse("w.yaml", text.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, &text)
	}
	var got []string
	for _, w := range list {
		got = append(got, strings.Join([]string{w.Pattern.String(), w.Narrowing.Fixtures.String(), w.Narrowing.Message.String(), w.Narrowing.Place.String(), w.Reason, w.Owner}, " | "))
	}
	want := []string{
		"a/400/body/size |  | has the wrong type | /list/*/size | known since 2026-11-21, 2 fixtures find it | team: #1",
		"a/request/body/name | a/wrong-type | a request is accepted with * |  | known since 2026-11-21, 2 fixtures find it | team: #1",
		"a/request/body/name | a/missing | a request is accepted with * |  | known since 2026-11-21, 1 fixture finds it | team: #1",
		"a/400/body/size |  | is missing | /size | known since 2026-11-21, 1 fixture finds it | team: #1",
		"a/answers | a/valid | comes with status 500, which says* |  | known since 2026-11-21, 1 fixture finds it | team: #1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it waives\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, row := range []struct {
		name, fixture  string
		clause         spec.ClauseID
		message, place string
		waived         bool
	}{
		{"the same", "a/wrong-type/name", "a/400/body/size", "has the wrong type", "/list/0/size", true},
		{"the same, found by another kind of request", "a/valid/new", "a/400/body/size", "has the wrong type", "/list/0/size", true},
		{"the same of another request", "a/wrong-type/name-null", "a/request/body/name", `a request is accepted with "y"`, "", true},
		{"at another place", "a/wrong-type/name", "a/400/body/size", "has the wrong type", "/other/size", false},
		{"another message", "a/wrong-type/name", "a/400/body/size", "is out of range", "/list/0/size", false},
		{"another kind of request", "a/malformed/name", "a/request/body/name", `a request is accepted with "x"`, "", false},
		{"another request without an answer", "a/no-token/none", "a/answers", "comes with status 500, which says: no", "", false},
		{"another status", "a/valid/down", "a/answers", "comes with status 502, which says: no", "", false},
		{"another clause", "a/wrong-type/name", "a/400/body", "has the wrong type", "/list/0/size", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			o := judge.Outcome{Fixture: row.fixture, Status: judge.Failed, Findings: []judge.Finding{{Clause: row.clause, Severity: judge.Violation, Message: row.message, Pointer: row.place}}}
			if got := verdict.Waive(o, list, r.Run.Started).Status == judge.Waived; got != row.waived {
				t.Errorf("waived: %t", got)
			}
		})
	}
}

func TestWriteNothing(t *testing.T) {
	var text bytes.Buffer
	if err := waivers.Write(&text, result.Report{}, "us"); err != nil {
		t.Fatal(err)
	}
	if list, err := waivers.Parse("w.yaml", text.Bytes()); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v\n%s", list, err, &text)
	}
}
