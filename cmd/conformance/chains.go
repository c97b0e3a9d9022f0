package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/fixtures/chain"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// chainRow says how an operation gets to what its path names.
type chainRow struct {
	Operation  string    `json:"operation"`
	Path       string    `json:"path"`
	Parameters []edgeRow `json:"parameters"`
	Removes    string    `json:"removes,omitempty"` // the operation that removes what this one creates
}

// edgeRow says where the value of a path parameter comes from.
type edgeRow struct {
	Name    string   `json:"name"`
	From    string   `json:"from,omitempty"`   // the operation that is asked before; "" if none is
	Output  []string `json:"output,omitempty"` // where the value may be in its response; absent if the client chooses it
	Because string   `json:"because"`          // how it was found
}

func newListChains(s output.Streams) *cli.Command {
	var c suites.Config
	return newListOf(s, "chains", "list how requests get to what their paths name", contractFlags(&c), func(_ context.Context, add func(row)) error {
		contract, err := contractOf(&c)
		if err != nil {
			return err
		}
		chains := chain.Infer(contract, false)
		for _, op := range contract.Operations {
			if r, text := chainOf(chains, op); text != nil {
				add(row{r, op.ID + " (" + r.Path + ")", strings.Join(text, "; ")})
			}
		}
		return nil
	})
}

// chainOf says how an operation gets to what its path names, and what removes what it
// creates; the text is nil if there is nothing to say.
func chainOf(chains *chain.Chains, op *spec.Operation) (r chainRow, text []string) {
	r = chainRow{Operation: op.ID, Path: op.Method + " " + op.Path, Parameters: []edgeRow{}}
	edges, _ := chains.Edges(op)
	for _, p := range op.Parameters {
		if p.In != "path" {
			continue
		}
		one := edgeRow{Name: p.Name, Because: "nothing creates it; a value of the contract is sent"}
		if i := slices.IndexFunc(edges, func(e chain.Edge) bool { return e.Parameter == p.Name }); i >= 0 {
			one = edgeRow{p.Name, edges[i].From.ID, edges[i].Output, edges[i].Because}
		}
		r.Parameters = append(r.Parameters, one)
		text = append(text, one.String())
	}
	if remove, _, ok := chains.Removal(op); ok {
		r.Removes = remove.ID
		text = append(text, remove.ID+" removes what this creates")
	}
	return r, text
}

// String is the edge in words.
func (e edgeRow) String() string {
	switch {
	case e.From == "":
		return e.Name + ": " + e.Because
	case e.Output == nil:
		return fmt.Sprintf("%s: chosen by the client, created by %s (%s)", e.Name, e.From, e.Because)
	}
	return fmt.Sprintf("%s: %s of %s (%s)", e.Name, strings.Join(e.Output, " or "), e.From, e.Because)
}
