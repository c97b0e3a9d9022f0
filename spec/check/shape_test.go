package check_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestEveryBreachHasItsClause checks this for schemas that nest deeper than clauses.
func TestEveryBreachHasItsClause(t *testing.T) {
	t.Run("of the wrong type", func(t *testing.T) { assertDeepBreach(t, "{type: integer}", `""`, "") })
	t.Run("undeclared", func(t *testing.T) {
		assertDeepBreach(t, "{type: object, additionalProperties: false}", `{"x":1}`, "/x")
	})
}

func assertDeepBreach(t *testing.T, nested, body, inside string) {
	t.Helper()
	for range 10 {
		nested, body = "{type: object, properties: {a: "+nested+"}}", `{"a":`+body+`}`
	}
	document := spectest.Document("3.0.3", nested)
	contract := spectest.Load(t, document)
	broken := spectest.Check(t, contract.Operations[0], spectest.Answer(200, body)).Breaches
	if len(broken) != 1 || broken[0].Pointer != strings.Repeat("/a", 10)+inside {
		t.Fatalf("got %+v", broken)
	}
	if _, ok := contract.Clause(broken[0].Clause); !ok {
		t.Errorf("%s is no clause", broken[0].Clause)
	}
}

// TestClausesGoSixDeep checks properties and items. Deeper values belong to the clause of the last
// level.
func TestClausesGoSixDeep(t *testing.T) {
	const inside = "{type: object, properties: {a: {type: integer}}}"
	for _, row := range []struct{ name, before, after, body, rest, want string }{
		{"six properties", "{type: object, properties: {a: ", "}}", `{"a":`, "}", strings.Repeat("/a", 6)},
		{"five lists and a property", "{type: array, items: ", "}", "[", "]", strings.Repeat("/*", 5) + "/a"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for levels, want := range map[int]string{5: row.want, 6: strings.TrimSuffix(row.want, "/*/*/*/*/*/a")} {
				op := answering(t, "3.0.3", strings.Repeat(row.before, levels)+inside+strings.Repeat(row.after, levels))
				body := strings.Repeat(row.body, levels) + `{"a":""}` + strings.Repeat(row.rest, levels)
				if got := spectest.Clauses(spectest.Check(t, op, spectest.Answer(200, body)).Breaches); !slices.Equal(got, []string{"x/200/body" + want}) {
					t.Errorf("%d levels and one: broken %q, want %s", levels, got, want)
				}
			}
		})
	}
}

// TestSchemasOfManyParts checks that they are read up to a limit, and that parts beyond it make no
// property undeclared.
func TestSchemasOfManyParts(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("compiles schemas of thousands of parts; LONG_TESTS=1 asks for it")
	}
	for parts, want := range map[int][]string{4997: {"x/200/body/undeclared"}, 5001: nil} {
		op := answering(t, "3.0.3", "{allOf: [{type: object, properties: {a: {}}}"+strings.Repeat(", {}", parts-1)+", {properties: {b: {}}}]}")
		if got := spectest.Clauses(spectest.Check(t, op, spectest.Answer(200, `{"b":1,"c":1}`)).Breaches); !slices.Equal(got, want) {
			t.Errorf("%d parts: broken %q, want %q", parts, got, want)
		}
	}
}

// TestClauseIDsNeverCollide checks that ids are unique for all names of properties.
func TestClauseIDsNeverCollide(t *testing.T) {
	names := []string{"undeclared", "*", "a/b", "", "~undeclared", "~", "~*", "a~1b", "a", "b", "body", "echo"}
	var properties []string
	for _, name := range names {
		properties = append(properties, "'"+name+"': {type: object, properties: {b: {type: string}}, additionalProperties: {type: object, properties: {c: {type: string}}}}")
	}
	op := answering(t, "3.0.3", "{type: object, properties: {"+strings.Join(properties, ", ")+"}}")
	seen := map[string]bool{}
	for _, name := range names {
		for _, fault := range []struct{ inner, below string }{{`1`, ""}, {`{"b":1}`, "/b"}, {`{"d":{"c":1}}`, "/*/c"}} {
			body := `{"` + name + `":` + fault.inner + `}`
			got := spectest.Clauses(spectest.Check(t, op, spectest.Answer(200, body)).Breaches)
			if len(got) != 1 || seen[got[0]] || !strings.HasSuffix(got[0], fault.below) {
				t.Errorf("%s breaks %q", body, got)
			}
			for _, id := range got {
				seen[id] = true
			}
		}
	}
	if undeclared := spectest.Clauses(spectest.Check(t, op, spectest.Answer(200, `{"z":1}`)).Breaches); len(undeclared) != 1 || seen[undeclared[0]] {
		t.Errorf("an undeclared property breaks %q", undeclared)
	}
}
