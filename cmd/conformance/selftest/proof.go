package selftest

import (
	"fmt"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/proof"
)

// Proof is what the outcomes of all trials come to.
type Proof struct {
	Conformant bool         `json:"conformant"` // the reference passes
	Deviations proof.Figure `json:"deviations"` // found, and blamed on their own clauses
	Variations proof.Figure `json:"variations"` // left alone
	Clauses    proof.Figure `json:"clauses"`    // must and should, that a deviation which was found breaks
}

// Prove counts. Clauses are those of the built-in contract.
func Prove(outcomes []Outcome) (*Proof, error) {
	contract, err := spec.PlantStore()
	if err != nil {
		return nil, fmt.Errorf("reading the built-in contract: %w", err)
	}
	p := &Proof{}
	covered := map[string]bool{}
	for _, o := range outcomes {
		held := o.Fault == ""
		switch o.Kind {
		case Reference:
			p.Conformant = held
		case Variation:
			p.Variations.Count(held)
		case Deviation:
			p.Deviations.Count(held)
			for _, clause := range append(o.Violates, o.Warns...) {
				covered[clause] = covered[clause] || held
			}
		}
	}
	for _, c := range contract.Clauses() {
		if c.Level != spec.Silent {
			p.Clauses.Count(covered[c.ID])
		}
	}
	return p, nil
}

// Whole reports whether nothing is missing.
func (p *Proof) Whole() bool {
	return p.Conformant && p.Deviations.Whole() && p.Variations.Whole() && p.Clauses.Whole()
}

// String is the proof in one line.
func (p *Proof) String() string {
	return fmt.Sprintf("deviations found %d of %d · variations passed %d of %d · clauses covered %d of %d",
		p.Deviations.Held, p.Deviations.All, p.Variations.Held, p.Variations.All, p.Clauses.Held, p.Clauses.All)
}
