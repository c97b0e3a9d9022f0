package result_test

import (
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// A clause says where the document states it; what the document is silent on
// stands nowhere, and nothing is said where the document's name is unknown.
func TestClauseSource(t *testing.T) {
	for name, c := range map[string]struct{ document, must, silent string }{
		"a document with a name":    {"spec/openapi.yaml", "spec/openapi.yaml:20", ""},
		"a document without a name": {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			clauses := result.Conclude(result.Recording{Clauses: judge.Clauses(reporttest.Contract(), c.document)}).Clauses
			first, last := clauses[0], clauses[len(clauses)-1]
			if first.Source != c.must || last.Source != c.silent {
				t.Errorf("%s is at %q, want %q; %s at %q, want %q", first.ID, first.Source, c.must, last.ID, last.Source, c.silent)
			}
		})
	}
}
