package result_test

import (
	"runtime/debug"
	"testing"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(-1) // saves a third of the time, but needs more memory
	debug.SetMemoryLimit(1 << 29)
	m.Run()
}

// A clause has its place in the document. A clause about silence has none, and without the name of
// the document, no clause has one.
func TestClauseSource(t *testing.T) {
	for name, c := range map[string]struct{ document, must, silent string }{
		"a document with a name":    {"spec/openapi.yaml", "spec/openapi.yaml:20", ""},
		"a document without a name": {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			clauses := result.Conclude(result.Recording{Clauses: verdict.Clauses(reporttest.Contract(), c.document)}).Clauses
			first, last := clauses[0], clauses[len(clauses)-1]
			if first.Source != c.must || last.Source != c.silent {
				t.Errorf("%s is at %q, want %q; %s at %q, want %q", first.ID, first.Source, c.must, last.ID, last.Source, c.silent)
			}
		})
	}
}

// What other results show about a finding is computed again if there are more results, as in the
// report of all shards.
func TestConcludeAgain(t *testing.T) {
	one := func(clause spec.ClauseID, expect fixtures.Expectation, answer int, findings ...judge.Finding) result.Result {
		o := judge.Outcome{Operation: "make", Clause: clause, Expect: expect, Control: "plain", Derived: true, Status: judge.Passed, Findings: findings}
		if findings != nil {
			o.Status = judge.Failed
		}
		return result.Result{Outcome: o, Exchange: result.Exchange{Response: &result.Response{Status: answer}}}
	}
	plain := one("make/accepts", fixtures.Accepted, 201)
	plain.Fixture = "plain"
	valid := one("make/accepts", fixtures.Accepted, 422, judge.Finding{Clause: "make/accepts", Severity: judge.Violation, Message: "refused"})
	fault := one("make/request/body/name", fixtures.Rejected, 400)
	first := result.Conclude(result.Recording{Results: []result.Result{valid, plain, fault, fault, fault}})
	if got := first.Results[0].Status; got != judge.Warned {
		t.Fatalf("the refusal with 422 is %s, and the faults got 400", got)
	}
	again := first.Recording()
	again.Results = append(again.Results, one("make/request/body/size", fixtures.Rejected, 422))
	if got := result.Conclude(again).Results[0].Status; got != judge.Failed {
		t.Errorf("the refusal with 422 is %s, and a fault got 422, too", got)
	}
}
