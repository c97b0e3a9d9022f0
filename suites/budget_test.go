package suites_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// manyOperations is a contract of n operations, each with a parameter and a body that
// can be wrong in several ways.
func manyOperations(t *testing.T, n int) *spec.Contract {
	t.Helper()
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: Many, version: '1'}\npaths:\n")
	for i := range n {
		fmt.Fprintf(&b, "  /a%d:\n    post: {operationId: op%d, responses: {'200': {description: d}}, parameters: [{name: q, in: query, required: true, schema: {type: integer, minimum: 1}}], requestBody: {required: true, content: {application/json: {schema: {type: object, required: [a, b], properties: {a: {type: integer}, b: {type: string, maxLength: 9}}}}}}}\n", i, i)
	}
	c, err := spec.Load(t.Context(), spec.Source{Name: "many.yaml", Data: []byte(b.String())}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDerivedBudget: derived fixtures share the requests evenly, over operations and
// over the clauses of each; a fixture of a file is never left out for them.
func TestDerivedBudget(t *testing.T) {
	c := suites.NewConfig()
	c.Contract, c.Limits.MaxRequests = manyOperations(t, 10), 100
	p, err := suites.Planned(c)
	if err != nil {
		t.Fatal(err)
	}
	byOperation, byClause := map[string]int{}, map[string]int{}
	requests := 0
	for _, f := range p.Fixtures {
		byOperation[f.Operation.ID]++
		byClause[f.Clause.ID]++
		requests += f.Requests() * p.Tries(f)
	}
	if requests > 100 || requests < 90 || p.LeftOut == 0 {
		t.Errorf("%d requests, and %d fixtures left out", requests, p.LeftOut)
	}
	for _, op := range c.Contract.Operations {
		if n := byOperation[op.ID]; n < 8 || n > 12 {
			t.Errorf("%s has %d fixtures", op.ID, n)
		}
	}
	for _, clause := range []string{"op3/request/query/q", "op3/request/body", "op3/request/body/a", "op3/request/body/b"} {
		if byClause[clause] == 0 {
			t.Errorf("nothing tests %s", clause)
		}
	}
	own := fixtures.Set{Name: "mine", FS: oneFile("op0/mine/one.yaml", "title: mine\nclause: op0/request/query/q\nexpect: rejected\nrequest: {body: {a: 1, b: x}}\n")}
	c.Fixtures, c.Derive, c.Only = []fixtures.Set{own}, true, []string{"op0/*"}
	if p, err = suites.Planned(c); err != nil {
		t.Fatal(err)
	}
	mine := 0
	for _, f := range p.Fixtures {
		if f.Clause.ID == "op0/request/query/q" {
			mine++
			if f.IsDerived() {
				t.Errorf("%s is derived for a clause that a file tests", f.ID)
			}
		}
	}
	if mine != 1 {
		t.Errorf("%d fixtures of the file", mine)
	}
}

// TestFilesAloneAreNotCut: without derived fixtures a limit that is too low is an
// error, as ever.
func TestFilesAloneAreNotCut(t *testing.T) {
	c := suites.NewConfig()
	c.Limits.MaxRequests = 5
	if _, err := suites.Planned(c); err == nil || !strings.Contains(err.Error(), "max-requests is 5") {
		t.Error(err)
	}
}

func oneFile(name, text string) fstest.MapFS {
	return fstest.MapFS{name: {Data: []byte(text)}}
}
