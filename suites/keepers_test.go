package suites_test

import (
	"slices"
	"testing"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// keepers are ways to keep things, and the clauses with a warning or a violation.
type keepers map[string]struct {
	how  func(*keeper)
	want []string
}

// test runs each of them. The faithful one puts those clauses to the test.
func (k keepers) test(t *testing.T, document string, tested ...string) {
	for name, row := range k {
		sample(t, name, func(t *testing.T) {
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
