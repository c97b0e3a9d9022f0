package selftest

import (
	"fmt"

	"github.com/plantstore/conformance/spec"
)

// Figure is how many of something hold.
type Figure struct {
	Held int `json:"held"`
	All  int `json:"all"`
}

func (f *Figure) whole() bool { return f.Held == f.All && f.All > 0 }

func (f *Figure) count(held bool) {
	f.All++
	if held {
		f.Held++
	}
}

// Proof is what the outcomes of all trials come to.
type Proof struct {
	Conformant bool   `json:"conformant"` // the reference passes
	Deviations Figure `json:"deviations"` // found, and blamed on their own clauses
	Variations Figure `json:"variations"` // left alone
	Clauses    Figure `json:"clauses"`    // must and should, that a deviation which was found breaks
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
			p.Variations.count(held)
		case Deviation:
			p.Deviations.count(held)
			for _, clause := range append(o.Violates, o.Warns...) {
				covered[clause] = covered[clause] || held
			}
		}
	}
	for _, c := range contract.Clauses() {
		if c.Level != spec.Silent {
			p.Clauses.count(covered[c.ID])
		}
	}
	return p, nil
}

// Whole says whether nothing is missing.
func (p *Proof) Whole() bool {
	return p.Conformant && p.Deviations.whole() && p.Variations.whole() && p.Clauses.whole()
}

// String is the proof in one line.
func (p *Proof) String() string {
	return fmt.Sprintf("deviations found %d of %d · variations passed %d of %d · clauses covered %d of %d",
		p.Deviations.Held, p.Deviations.All, p.Variations.Held, p.Variations.All, p.Clauses.Held, p.Clauses.All)
}
