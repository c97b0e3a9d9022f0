package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/selftest"
)

// The tests of package selftest run the trials. This one tests the output of the command.
func TestProofText(t *testing.T) {
	good := selftest.Outcome{Trial: selftest.Trial{Kind: selftest.Variation, Name: "slow", Summary: "takes its time"}}
	bad := selftest.Outcome{Trial: selftest.Trial{Kind: selftest.Deviation, Name: "late", Violates: []string{"createPlant/answers"}}, Fault: "no violation of createPlant/answers was found"}
	proof, err := selftest.Prove([]selftest.Outcome{good, bad})
	if err != nil {
		t.Fatal(err)
	}
	const closing = "deviations found 0 of 1 · variations passed 1 of 1 · clauses covered 0 of 19\n"
	if proof.Whole() || proof.String()+"\n" != closing {
		t.Errorf("proof %s, whole: %t", proof, proof.Whole())
	}
	brief := proofText([]selftest.Outcome{good, bad}, proof, false)
	if brief != "✗ deviation late: no violation of createPlant/answers was found\n"+closing {
		t.Errorf("brief:\n%s", brief)
	}
	if whole := proofText([]selftest.Outcome{good, bad}, proof, true); !strings.Contains(whole, "✓ variation slow: takes its time\n") {
		t.Errorf("verbose:\n%s", whole)
	}
	text, err := json.Marshal(trials{proof, []selftest.Outcome{good, bad}})
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct {
		Proof  selftest.Proof
		Trials []selftest.Outcome
	}
	if err := json.Unmarshal(text, &decoded); err != nil {
		t.Fatal(err)
	}
	if decoded.Proof != *proof || len(decoded.Trials) != 2 || decoded.Trials[1].Fault != bad.Fault {
		t.Errorf("JSON:\n%s", text)
	}
}

func TestAProofThatIsNotWholeFails(t *testing.T) {
	if code := exitCode(output.VerdictError("nonconformant")); code != exitNonconformant {
		t.Errorf("exit code %d", code)
	}
	if code := exitCode(errors.New("no loopback port")); code != exitInconclusive {
		t.Errorf("exit code %d", code)
	}
}
