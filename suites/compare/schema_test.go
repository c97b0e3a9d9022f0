package compare_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/compare"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

const schemaFile = "compare.schema.json"

func TestEveryComparisonMeetsTheSchema(t *testing.T) {
	schema := reporttest.CompileFile(schemaFile)(t)
	for name, c := range all(t) {
		t.Run(name, func(t *testing.T) { reporttest.Meets(t, schema, reporttest.Written(t, compare.WriteJSON, c)) })
	}
}

func TestJSON(t *testing.T) {
	for _, name := range []string{"implementations", "change"} {
		c := all(t)[name]
		text := reporttest.Written(t, compare.WriteJSON, c)
		reporttest.Golden(t, name+".json", text)

		var back compare.Comparison
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, c) {
			t.Errorf("%s: what is read is not what was written", name)
		}
	}
}

// The schema has the same properties as the Go type.
func TestSchemaIsTheModel(t *testing.T) {
	reporttest.SchemaIsModel(t, schemaFile, reflect.TypeFor[compare.Comparison]())
}

func TestSchemaEnums(t *testing.T) {
	root := reporttest.ReadSchema(t, schemaFile)
	statuses := []string{
		string(verdict.ClausePassed), string(verdict.ClauseFailed), string(verdict.ClauseWaived), string(verdict.ClauseWarned), string(verdict.ClauseVacuous), string(verdict.ClauseUnexercised), string(compare.Absent),
	}
	levels := []string{string(spec.Must), string(spec.Should), string(spec.Silent)}
	for _, row := range []struct {
		name string
		got  reporttest.Schema
		want []string
	}{
		{"kind", root.Properties["kind"], []string{string(compare.Implementations), string(compare.Since)}},
		{"outcome", root.Properties["outcome"], []string{string(compare.Compared), string(compare.Regression), string(compare.NoRegression), string(compare.Inconclusive)}},
		{"verdict", root.Defs["column"].Properties["verdict"], []string{string(verdict.Conformant), string(verdict.Nonconformant), string(verdict.Inconclusive)}},
		{"status of a cell", root.Defs["cell"].Properties["status"], statuses},
		{"status before", root.Defs["shift"].Properties["before"], statuses},
		{"status after", root.Defs["move"].Properties["after"], statuses},
		{"level of a clause", root.Defs["clause"].Properties["level"], levels},
		{"level of a shift", root.Defs["shift"].Properties["level"], levels},
		{"severity", root.Defs["shift"].Properties["severity"], []string{string(judge.Violation), string(judge.Warning)}},
	} {
		if !slices.Equal(row.got.Enum, row.want) {
			t.Errorf("%s: the schema has %v, Go %v", row.name, row.got.Enum, row.want)
		}
	}
}
