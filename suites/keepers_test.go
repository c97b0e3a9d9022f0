package suites_test

import (
	"slices"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// keepers are variants of a keeper, with the clauses that get a warning or a violation.
type keepers map[string]struct {
	how  func(*keeper)
	want []string
}

// test runs each variant. The run with the faithful one must exercise these clauses.
func (k keepers) test(t *testing.T, document string, tested ...string) {
	for name, row := range k {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := runKeeper(t, document, row.how)
			if got := warned(r); !slices.Equal(got, row.want) || (r.Verdict == verdict.Conformant) != (len(broken(r, judge.Violation)) == 0) {
				t.Errorf("%s: found %v, want %v%s", r.Verdict, got, row.want, firstOf(r))
			}
			for _, c := range r.Clauses {
				if name == "faithful" && slices.Contains(tested, string(c.ID)) && c.Status != verdict.ClausePassed {
					t.Errorf("%s is %s", c.ID, c.Status)
				}
			}
		})
	}
}
