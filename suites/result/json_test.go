package result_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

const schemaFile = "report.schema.json"

var compileSchema = reporttest.CompileFile(schemaFile)

func TestEveryReportMeetsTheSchema(t *testing.T) {
	for name, s := range reporttest.All() {
		t.Run(name, func(t *testing.T) {
			reporttest.Meets(t, compileSchema(t), reporttest.Written(t, result.WriteJSON, s.Report()))
		})
	}
}

func TestJSON(t *testing.T) {
	r := reporttest.Everything().Report()
	text := reporttest.Written(t, result.WriteJSON, r)
	reporttest.Golden(t, "report.json", text)

	var back result.Report
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, r) {
		t.Error("what is read is not what was written")
	}
}

// Input that is not a report, or a report of another version, is refused.
func TestSchemaRefuses(t *testing.T) {
	for name, change := range map[string]func(map[string]any){
		"another version":     func(r map[string]any) { r["schema"] = "conformance.report/v2" },
		"an unknown verdict":  func(r map[string]any) { r["verdict"] = "fine" },
		"a key less":          func(r map[string]any) { delete(r, "counts") },
		"null for a list":     func(r map[string]any) { r["results"] = nil },
		"a seed below zero":   func(r map[string]any) { r["run"].(map[string]any)["seed"] = json.Number("-1") },
		"a result half there": func(r map[string]any) { r["results"] = []any{map[string]any{"fixture": "a/b/c"}} },
	} {
		t.Run(name, func(t *testing.T) {
			if compileSchema(t).Validate(changed(t, change)) == nil {
				t.Error("is let through")
			}
		})
	}
}

// Within one version keys are only added, so a reader must ignore unknown keys.
func TestSchemaToleratesMore(t *testing.T) {
	if err := compileSchema(t).Validate(changed(t, func(r map[string]any) {
		r["weather"] = []any{}
		r["run"].(map[string]any)["host"] = "ci"
	})); err != nil {
		t.Error(err)
	}
}

// A report that was written before a key was added is still a report.
func TestSchemaToleratesOlder(t *testing.T) {
	if err := compileSchema(t).Validate(changed(t, func(r map[string]any) {
		delete(r, "headline")
		delete(r["contract"].(map[string]any), "source")
		for _, clause := range r["clauses"].([]any) {
			delete(clause.(map[string]any), "source")
		}
	})); err != nil {
		t.Error(err)
	}
}

func changed(t *testing.T, change func(map[string]any)) any {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(reporttest.Written(t, result.WriteJSON, reporttest.Conformant().Report())))
	if err != nil {
		t.Fatal(err)
	}
	change(instance.(map[string]any))
	return instance
}

// The enums of the schema are those of the packages that define them.
func TestSchemaIsTheModel(t *testing.T) {
	reporttest.SchemaIsModel(t, schemaFile, reflect.TypeFor[result.Report]())
}

func TestSchemaEnums(t *testing.T) {
	root := reporttest.ReadSchema(t, schemaFile)
	levels := []string{string(spec.Must), string(spec.Should), string(spec.Silent)}
	for _, c := range []struct {
		name string
		got  reporttest.Schema
		want []string
	}{
		{"verdict", root.Properties["verdict"], []string{string(verdict.Conformant), string(verdict.Nonconformant), string(verdict.Inconclusive)}},
		{"clause status", root.Defs["clause"].Properties["status"], []string{
			string(verdict.ClausePassed), string(verdict.ClauseFailed), string(verdict.ClauseWaived), string(verdict.ClauseWarned), string(verdict.ClauseVacuous), string(verdict.ClauseUnexercised),
		}},
		{"clause level", root.Defs["clause"].Properties["level"], levels},
		{"result status", root.Defs["result"].Properties["status"], []string{string(judge.Passed), string(judge.Failed), string(judge.Waived), string(judge.Warned), string(judge.Unjudged)}},
		{"result level", root.Defs["result"].Properties["level"], levels},
		{"expectation", root.Defs["result"].Properties["expect"], []string{string(fixtures.Accepted), string(fixtures.Rejected), string(fixtures.Either)}},
		{"severity", root.Defs["finding"].Properties["severity"], []string{string(judge.Violation), string(judge.Warning), string(judge.Observation)}},
	} {
		if !slices.Equal(c.got.Enum, c.want) {
			t.Errorf("%s: the schema has %v, Go %v", c.name, c.got.Enum, c.want)
		}
	}
}

func TestJSONOfHostileTexts(t *testing.T) {
	reporttest.EachHostile(t, func(t *testing.T, _ string, r result.Report) {
		reporttest.Meets(t, compileSchema(t), reporttest.Written(t, result.WriteJSON, r))
	})
}

func FuzzJSON(f *testing.F) {
	reporttest.Fuzz(f, func(t *testing.T, r result.Report) {
		text := reporttest.Written(t, result.WriteJSON, r)
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Errorf("no JSON:\n%q", text)
		}
		reporttest.Meets(t, compileSchema(t), text)
		reporttest.CheckNoCommands(t, "JSON", string(text))
	})
}
