package specs

import (
	"fmt"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/result"
)

// conform is a matcher for Gomega: the result of a fixture breaks no clause of
// the contract, and could be judged.
type conform struct{ contract *spec.Contract }

func (c conform) Match(actual any) (bool, error) {
	shown, ok := actual.(result.Result)
	if !ok {
		return false, fmt.Errorf("a %T is not the result of a fixture", actual)
	}
	return words.Complaint(c.contract, shown) == "", nil
}

func (c conform) FailureMessage(actual any) string {
	shown, _ := actual.(result.Result)
	return words.Complaint(c.contract, shown)
}

func (c conform) NegatedFailureMessage(any) string {
	return "breaks no clause, and a violation was expected"
}
