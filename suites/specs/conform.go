package specs

import (
	"fmt"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/result"
)

// conform is a matcher for Gomega: the result of a fixture breaks no clause of
// the contract, and could be judged.
type conform struct{ contract *spec.Contract }

func (c conform) Match(actual any) (bool, error) {
	result, ok := actual.(result.Result)
	if !ok {
		return false, fmt.Errorf("a %T is not the result of a fixture", actual)
	}
	return report.Complaint(c.contract, result) == "", nil
}

func (c conform) FailureMessage(actual any) string {
	result, _ := actual.(result.Result)
	return report.Complaint(c.contract, result)
}

func (c conform) NegatedFailureMessage(any) string {
	return "breaks no clause, and a violation was expected"
}
