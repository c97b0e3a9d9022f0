package result_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Every line meets the schema of events, and there is one line for each event.
func TestEventsMeetTheirSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	const folder = "https://github.com/plantstore/conformance/suites/report/" // the prefix of their ids, by which one refers to the other
	for _, name := range []string{schemaFile, "event.schema.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(folder+name, parsed); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(folder + "event.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range reporttest.All() {
		t.Run(name, func(t *testing.T) {
			r := s.Report()
			lines := strings.Split(strings.TrimSuffix(string(reporttest.Written(t, result.WriteNDJSON, r)), "\n"), "\n")
			if len(lines) != len(r.Results)+2 {
				t.Errorf("%d lines for %d results", len(lines), len(r.Results))
			}
			for _, line := range lines {
				instance, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(instance); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A report that was written and read again leads to the same report.
func TestReadGivesWhatWasWritten(t *testing.T) {
	for name, s := range reporttest.All() {
		t.Run(name, func(t *testing.T) {
			want := result.Conclude(s.Report().Recording())
			for format, text := range map[string]string{"JSON": string(reporttest.Written(t, result.WriteJSON, want)), "NDJSON": string(reporttest.Written(t, result.WriteNDJSON, want))} {
				recording, err := result.Read(strings.NewReader(text))
				if err != nil {
					t.Fatalf("%s: %v", format, err)
				}
				if got := result.Conclude(recording); !reflect.DeepEqual(got, want) {
					t.Errorf("%s leads to another report:\n%s\n%s", format, reporttest.Written(t, result.WriteJSON, got), reporttest.Written(t, result.WriteJSON, want))
				}
			}
		})
	}
}

// A killed run leaves the beginning of its events: it counts, and is not green.
func TestReadEventsThatBreakOff(t *testing.T) {
	whole := string(reporttest.Written(t, result.WriteNDJSON, result.Conclude(reporttest.Conformant().Report().Recording())))
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	results := len(lines) - 2
	for name, row := range map[string]struct {
		text string
		want int // results
	}{
		"before the end":         {strings.Join(lines[:len(lines)-1], ""), results},
		"in the last result":     {strings.Join(lines[:len(lines)-2], "") + lines[len(lines)-2][:40], results - 1},
		"after the beginning":    {lines[0], 0},
		"in the end":             {strings.Join(lines[:len(lines)-1], "") + `{"schema"`, results},
		"without its last break": {strings.TrimSuffix(strings.Join(lines[:len(lines)-1], ""), "\n"), results - 1},
	} {
		t.Run(name, func(t *testing.T) {
			recording, err := result.Read(strings.NewReader(row.text))
			if err != nil {
				t.Fatal(err)
			}
			r := result.Conclude(recording)
			if len(r.Results) != row.want || r.Verdict != verdict.Inconclusive || r.Run.Complete {
				t.Errorf("%d results, %s: %s", len(r.Results), r.Verdict, r.Reason)
			}
			if !strings.Contains(r.Reason, "cut off when") {
				t.Errorf("the reason is %q", r.Reason)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	whole := string(reporttest.Written(t, result.WriteNDJSON, reporttest.Conformant().Report()))
	lines := strings.SplitAfter(whole, "\n")
	for name, row := range map[string]struct{ text, want string }{
		"nothing":                  {"", "is not a report in JSON or NDJSON"},
		"no JSON":                  {"<html>", "is not a report in JSON or NDJSON"},
		"JSON of something else":   {`{"a": 1}`, `its schema is "", not "conformance.report/v1"`},
		"a list":                   {"[]", "is not a report in JSON or NDJSON"},
		"a report of a later time": {`{"schema": "conformance.report/v2"}`, `its schema is "conformance.report/v2"`},
		"half a report":            {string(reporttest.Written(t, result.WriteJSON, reporttest.Conformant().Report()))[:500], "is not a report in JSON or NDJSON"},
		"a key of another type":    {`{"schema": "conformance.report/v1", "results": 1}`, "is not a report in JSON or NDJSON"},
		"no beginning":             {strings.Join(lines[1:], ""), "line 1 is out of place"},
		"two beginnings":           {lines[0] + lines[0], "line 2 is out of place"},
		"a line of something else": {lines[0] + "{}\n", "line 2 is not an event of this version"},
		"a line that is no JSON":   {lines[0] + "hello\n" + lines[1], "line 2 is not an event"},
		"half a first line":        {lines[0][:100], "is not a report"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := result.Read(strings.NewReader(row.text))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %s", err, row.want)
			}
		})
	}
}

// Any input is either refused or makes a report that can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(string(reporttest.Written(f, result.WriteJSON, reporttest.Conformant().Report())))
	f.Add(string(reporttest.Written(f, result.WriteNDJSON, reporttest.Everything().Report())))
	f.Add(`{"schema":"conformance.report/v1"}`)
	f.Fuzz(func(t *testing.T, text string) {
		recording, err := result.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		r := result.Conclude(recording)
		again, err := result.Read(bytes.NewReader(reporttest.Written(t, result.WriteJSON, r)))
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Conclude(again); got.Verdict != r.Verdict || got.Reason != r.Reason || got.Counts != r.Counts {
			t.Errorf("%s: %s, and read again %s: %s", r.Verdict, r.Reason, got.Verdict, got.Reason)
		}
	})
}
