package selftest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/selftest"
)

// The suite finds deviations, and leaves variations alone. All of them take the
// better part of a minute, which the gate spends; else a sample must do, of which
// each part of the tables has a share.
func TestTheSuiteProvesItself(t *testing.T) {
	step := 400
	if os.Getenv("LONG_TESTS") != "" {
		step = 1
	}
	all := selftest.Trials()
	sample := []selftest.Trial{all[0]} // the reference
	for i := 1; i < len(all); i += step {
		sample = append(sample, all[i])
	}
	outcomes, err := selftest.Run(t.Context(), sample)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Fault != "" {
			t.Errorf("%s %s: %s", o.Kind, o.Name, o.Fault)
		}
	}
}

// Every clause has a deviation that breaks it.
func TestEveryClauseHasADeviation(t *testing.T) {
	var held []selftest.Outcome
	for _, trial := range selftest.Trials() {
		held = append(held, selftest.Outcome{Trial: trial})
	}
	proof, err := selftest.Prove(held)
	if err != nil {
		t.Fatal(err)
	}
	if !proof.Whole() {
		t.Error(proof)
	}
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
	for i, want := range []string{"no violation of createPlant/answers was found", "an unexpected violation"} {
		if !strings.Contains(outcomes[i].Fault, want) {
			t.Errorf("%s: fault %q, want it to contain %q", outcomes[i].Name, outcomes[i].Fault, want)
		}
	}
}
