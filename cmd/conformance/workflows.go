package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// writeWorkflows writes the chains of a contract as an Arazzo document, and says what it
// left out.
func writeWorkflows(contract *spec.Contract, to cli.Given, s output.Streams) error {
	if contract == nil {
		return cli.Usagef("%s needs --spec: an Arazzo document names the file of its contract", to.Name)
	}
	texts, gaps := derive.Chains(contract)
	proven, _, err := fixtures.LoadDerived(contract, texts)
	if err != nil {
		return err //nolint:wrapcheck // names the place
	}
	texts = slices.DeleteFunc(texts, func(text fixtures.Text) bool {
		return !slices.ContainsFunc(proven, func(f fixtures.Fixture) bool { return f.ID == text.ID && !f.MayChangeOthers() })
	})
	address := contract.File
	if !fetch.IsURL(address) {
		address = pathFrom(filepath.Dir(to.Text), address)
	}
	data, left, err := arazzo.Write(contract, texts, address)
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
	fmt.Fprintf(s.Out, "workflows written to %s: %d\n", to.Text, len(texts)-len(left))
	for _, one := range left {
		fmt.Fprintf(s.Out, "not written: %s: %s\n", one.ID, one.Reason)
	}
	for _, gap := range gaps {
		fmt.Fprintf(s.Out, "not derived: %s: %s\n", gap.Operation, gap.Reason)
	}
	return nil
}
