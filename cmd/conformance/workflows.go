package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/fetch"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/arazzo"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// workflowsFlag adds the workflows of Arazzo documents to the fixtures.
func workflowsFlag(c *suites.Config) cli.Flag {
	return cli.List("workflows", "FILE", "use the workflows of the Arazzo document in FILE as fixtures; without --spec, in addition to the built-in ones", func(g cli.Given) error {
		data, err := os.ReadFile(g.Text)
		if err != nil {
			return g.Unreadable(err)
		}
		set, err := arazzo.Set(g.Text, data)
		if err != nil {
			return cli.Usagef("%s: %w", g.Name, err)
		}
		c.Fixtures = append(c.Fixtures, set)
		return nil
	}).Path()
}

// arazzoKey matches an Arazzo document.
var arazzoKey = regexp.MustCompile(`(?m)^\s*\{?\s*"?arazzo"?:`)

// provenTexts are the fixtures that the contract proves to be valid, and that change nothing
// of others.
func provenTexts(contract *spec.Contract, texts []fixtures.Text) (proven []fixtures.Text, left []arazzo.Left, err error) {
	all, _, err := fixtures.LoadDerived(contract, texts)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range texts {
		i := slices.IndexFunc(all, func(f fixtures.Fixture) bool { return f.ID == text.ID })
		switch {
		case i < 0:
			left = append(left, arazzo.Left{ID: text.ID, Reason: "the contract does not prove that it is valid"})
		case all[i].MayChangeOthers():
			left = append(left, arazzo.Left{ID: text.ID, Reason: "it could change things that the workflow did not create"})
		default:
			proven = append(proven, text)
		}
	}
	return proven, left, nil
}

// writeWorkflows writes the chains of a contract as an Arazzo document, and says what it
// left out.
func writeWorkflows(contract *spec.Contract, to cli.Given, s output.Streams) error {
	if contract == nil {
		return cli.Usagef("%s needs --spec: an Arazzo document names the file of its contract", to.Name)
	}
	texts, gaps := derive.Chains(contract)
	proven, unsafe, err := provenTexts(contract, texts)
	if err != nil {
		return err
	}
	address := contract.File
	if !fetch.IsURL(address) {
		address = pathFrom(filepath.Dir(to.Text), address)
	}
	if old, err := os.ReadFile(to.Text); err == nil && !arazzoKey.Match(old) {
		return cli.Usagef("%s %s is not an Arazzo document; name another file", to.Name, to.Text)
	}
	data, left, err := arazzo.Write(contract, proven, address)
	if err == nil && strings.HasPrefix(strings.ToLower(filepath.Ext(to.Text)), ".y") {
		data, err = arazzo.YAML(data)
	}
	if err == nil {
		err = os.WriteFile(to.Text, data, 0o644) //nolint:gosec // others may read it
	}
	if fault, ok := errors.AsType[*os.PathError](err); ok {
		return cli.Usagef("%s %s cannot be written: %w", to.Name, to.Text, fault.Err)
	}
	if err != nil {
		return cli.Usagef("%s: %w", to.Name, err)
	}
	fmt.Fprintf(s.Out, "workflows written to %s: %d\n", to.Text, len(proven)-len(left))
	for _, one := range slices.Concat(unsafe, left) {
		fmt.Fprintf(s.Out, "not written: %s: %s\n", one.ID, one.Reason)
	}
	for _, gap := range gaps {
		fmt.Fprintf(s.Out, "not derived: %s: %s\n", gap.Operation, gap.Reason)
	}
	return nil
}
