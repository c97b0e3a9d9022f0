package waivers_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/report"
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

// What is wrong is named with file, line and column, all of it at once.
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

// What is written can be read, and covers every violation that was not waived
// and nothing else.
func TestWhatIsWrittenWaives(t *testing.T) {
	violation := report.Finding{Clause: "a/200/body", Severity: string(judge.Violation), Offset: -1}
	waived := violation
	waived.Waived = "known: for long"
	r := report.Report{Results: []report.Result{
		{Fixture: "a/valid/broken", Findings: []report.Finding{violation, violation, {Clause: "a/accepts", Severity: string(judge.Violation)}}},
		{Fixture: "a/valid/waived", Findings: []report.Finding{waived}},
		{Fixture: "a/valid/warned", Findings: []report.Finding{{Clause: "a/200/echo", Severity: string(judge.Warning)}}},
		{Fixture: "a/valid/passed"},
		{Fixture: "a/valid/odd: #1", Findings: []report.Finding{violation}},
	}}
	r.Run.Started = time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)
	var text bytes.Buffer
	if err := waivers.Write(&text, r, "team checkout"); err != nil {
		t.Fatal(err)
	}
	list, err := waivers.Parse("w.yaml", text.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, &text)
	}
	var got []string
	for _, w := range list {
		got = append(got, w.Pattern.String()+": "+w.Reason)
	}
	want := "a/valid/broken: known since 2026-11-21: breaks a/200/body, a/accepts\na/valid/odd: #1: known since 2026-11-21: breaks a/200/body"
	if strings.Join(got, "\n") != want {
		t.Errorf("it waives\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
