package spec_test

import (
	"os"
	"slices"
	"strings"
	"testing"
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
	document := schema("3.0.3", nested)
	contract := load(t, document)
	broken := check(t, contract.Operations[0], answer(200, body)).Breaches
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
				if got := clauses(check(t, op, answer(200, body)).Breaches); !slices.Equal(got, []string{"x/200/body" + want}) {
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
		if got := clauses(check(t, op, answer(200, `{"b":1,"c":1}`)).Breaches); !slices.Equal(got, want) {
			t.Errorf("%d parts: broken %q, want %q", parts, got, want)
		}
	}
}
