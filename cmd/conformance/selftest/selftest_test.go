package selftest_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/selftest"
)

// The suite finds every deviation, leaves every variation alone, and has a
// deviation for every clause.
func TestTheSuiteProvesItself(t *testing.T) {
	outcomes, err := selftest.Run(t.Context(), selftest.Trials())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Fault != "" {
			t.Errorf("%s %s: %s", o.Kind, o.Name, o.Fault)
		}
	}
	proof, err := selftest.Prove(outcomes)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Whole() {
		t.Error(proof)
	}
	t.Log(proof)
}

// A proof that cannot fail proves nothing: what is not found, and what is
// found in vain, is a fault.
func TestTrialsCanFail(t *testing.T) {
	trials := selftest.Trials()
	expectsTooMuch := trials[0]
	expectsTooMuch.Violates = []string{"createPlant/answers"}
	expectsTooLittle := trials[len(trials)-1]
	expectsTooLittle.Violates, expectsTooLittle.Warns = nil, nil
	outcomes, err := selftest.Run(t.Context(), []selftest.Trial{expectsTooMuch, expectsTooLittle})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"no violation of createPlant/answers was found", "was found that is none"} {
		if !strings.Contains(outcomes[i].Fault, want) {
			t.Errorf("%s: fault %q, want it to contain %q", outcomes[i].Name, outcomes[i].Fault, want)
		}
	}
}
