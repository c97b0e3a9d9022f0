package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/reference"
)

// deviationRow is a way in which the reference breaks the contract.
type deviationRow struct {
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	Violates []string `json:"violates"`
	Warns    []string `json:"warns"`
}

func (r deviationRow) head() string { return r.Name }

func (r deviationRow) text() string {
	clauses := slices.Compact(slices.Sorted(slices.Values(slices.Concat(r.Violates, r.Warns))))
	return r.Summary + ": " + strings.Join(clauses, ", ")
}

// variationRow is a way in which the reference uses a freedom.
type variationRow struct {
	Name    string   `json:"name"`
	Summary string   `json:"summary"`
	Clause  string   `json:"clause"`
	Warns   []string `json:"warns"`
}

func (r variationRow) head() string { return r.Name }
func (r variationRow) text() string { return r.Summary + ": " + r.Clause }

func newListDeviations(s streams) *cli.Command {
	return newListOf(s, "deviations", "list how the reference can break the contract", nil,
		func() ([]deviationRow, error) {
			rows := []deviationRow{}
			for _, d := range reference.Deviations() {
				rows = append(rows, deviationRow{d.Name, d.Summary, append([]string{}, d.Clauses...), append([]string{}, d.Warns...)})
			}
			return rows, nil
		})
}

func newListVariations(s streams) *cli.Command {
	return newListOf(s, "variations", "list which freedoms the reference can use", nil,
		func() ([]variationRow, error) {
			rows := []variationRow{}
			for _, v := range reference.Variations() {
				rows = append(rows, variationRow{v.Name, v.Summary, v.Clause, append([]string{}, v.Warns...)})
			}
			return rows, nil
		})
}
