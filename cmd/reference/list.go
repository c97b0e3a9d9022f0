package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/plantstore/conformance/reference"
)

// row is a deviation or a variation in the list.
type row struct {
	Kind    string   `json:"kind"` // the flag that chooses it
	Name    string   `json:"name"`
	Clauses []string `json:"clauses"` // that a deviation violates, or that a variation uses a freedom of
	Warns   []string `json:"warns"`   // clauses on which it is worth a warning
	Summary string   `json:"summary"`
	Hangs   bool     `json:"hangs,omitempty"`  // some answers never end
	TLS     []string `json:"tls,omitempty"`    // the protocols that it must be served with over TLS
	Prefix  string   `json:"prefix,omitempty"` // the path that it is served below
}

func rows() []row {
	list := []row{}
	for _, d := range reference.Deviations() {
		list = append(list, row{deviationFlag, d.Name, some(d.Clauses), some(d.Warns), d.Summary, d.Hangs, d.TLS, d.Prefix})
	}
	for _, v := range reference.Variations() {
		list = append(list, row{variationFlag, v.Name, []string{v.Clause}, some(v.Warns), v.Summary, v.Hangs, v.TLS, v.Prefix})
	}
	return list
}

// some has JSON write an empty list and not null.
func some(list []string) []string { return append([]string{}, list...) }

// printList writes what --deviation and --variation can be.
func printList(out io.Writer, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(rows())
	}
	verbs := map[string]string{deviationFlag: "violates", variationFlag: "uses a freedom of"}
	var b strings.Builder
	for _, r := range rows() {
		fmt.Fprintf(&b, "--%s %s\n    %s\n", r.Kind, r.Name, r.Summary)
		for _, clause := range r.Clauses {
			fmt.Fprintf(&b, "    %s %s\n", verbs[r.Kind], clause)
		}
		for _, clause := range r.Warns {
			fmt.Fprintf(&b, "    causes a warning on %s\n", clause)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
