package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/derived"
	"github.com/plantstore/conformance/cmd/conformance/internal/fetch"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/arazzo"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/suites"
)

func newDerive(s output.Streams) *cli.Command {
	var c suites.Config
	var dir string
	var flows cli.Given
	return &cli.Command{
		Name:     "derive",
		Usage:    "write the fixtures that a contract asks for",
		Synopsis: "--out DIR [--spec FILE], or --arazzo FILE --spec FILE",
		Description: `Derives fixtures from the contract and writes each as a file below DIR, for you
to read and edit. Run it again when the contract has changed: files that you
have edited or removed stay as they are. ` + derived.ManifestName + ` in DIR records which.

With --arazzo, it writes chains of requests as a document of Arazzo 1.0.1, which
other tools run: for each operation the plainest request, and requests that check
the effect of earlier ones. An Arazzo document in FILE is replaced.

` + "`conformance run --spec FILE` derives the same fixtures by itself.",
		Flags: slices.Concat(
			cli.In(contractHeading, specFlags(&c, "derive from the OpenAPI document in FILE, or at an http(s) URL, instead of the built-in one")...),
			cli.In(outputHeading,
				cli.Value("out", "DIR", "write the files below DIR", cli.Text(&dir)).Path(),
				cli.Value("arazzo", "FILE", "write chains of requests to FILE as Arazzo 1.0.1: YAML if it ends in .yaml or .yml, or else JSON", cli.Keep(&flows)).Path())),
		Run: func(ctx context.Context, _ *cli.Call) error {
			if flows.Text != "" {
				if err := writeWorkflows(c.Contract, flows, s); err != nil || dir == "" {
					return err
				}
			}
			if dir == "" {
				return cli.Usagef("--out is missing; name the folder for the fixtures")
			}
			contract, err := contractOf(&c)
			if err != nil {
				return err
			}
			return writeDerived(ctx, contract, dir, s)
		},
	}
}

// writeDerived updates a folder of derived fixtures, and prints what has changed.
func writeDerived(ctx context.Context, contract *spec.Contract, dir string, s output.Streams) error {
	all, err := cli.Interruptibly(ctx, func() (derivation, error) { return derivedFiles(contract) })
	if err != nil {
		return err
	}
	changes, err := derived.Update(dir, all.files)
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return cli.Usagef("--out %s cannot be written: %s: %w", dir, fault.Path, fault.Err)
	}
	if err != nil {
		return cli.Usagef("--out: %w", err)
	}
	fmt.Fprintf(s.Out, "%s: %d written, %d unchanged, %d removed, %d left alone because they were edited\n", dir, changes.Written, changes.Unchanged, changes.Removed, len(changes.Edited))
	for _, gap := range all.gaps {
		fmt.Fprintf(s.Out, "not derived: %s: %s\n", gap.Operation, gap.Reason)
	}
	if all.limited > 0 {
		fmt.Fprintf(s.Out, "more could be derived for %d of %d operations; the limit is %d fixtures in all\n", all.limited, len(contract.Operations), mostFiles)
	}
	return nil
}

// mostFiles is about how many fixtures are written. Each operation may have its share of them: a
// document with large bodies would otherwise have millions.
const mostFiles = 50_000

// A derivation is what derive writes.
type derivation struct {
	files   map[string][]byte // the content of each fixture that the contract proves to be valid, by path
	gaps    []derive.Gap
	limited int // number of operations that have more than their share of fixtures
}

// derivedFiles derives the fixtures of one operation at a time, because loaded ones take much memory.
func derivedFiles(contract *spec.Contract) (all derivation, err error) {
	all.files = map[string][]byte{}
	source, share := derive.New(contract, false), max(1, mostFiles/max(1, len(contract.Operations)))
	for _, op := range contract.Operations {
		texts, gaps := source.Operation(op, share)
		all.gaps = append(all.gaps, gaps...)
		if len(texts) >= share {
			all.limited++
		}
		_, unproven, err := fixtures.LoadDerived(contract, texts)
		if err != nil {
			return all, err
		}
		for _, text := range texts {
			if slices.ContainsFunc(unproven, func(u fixtures.Unproven) bool { return u.Text == text.ID }) {
				continue
			}
			if all.files[text.ID+".yaml"], err = derive.File(text); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// workflowsFlag returns the flag that adds the workflows of Arazzo documents to the fixtures.
func workflowsFlag(c *suites.Config) cli.Flag {
	return cli.List("workflows", "FILE", "use the workflows of the Arazzo document in FILE as fixtures; without --spec, in addition to the built-in ones", func(g cli.Given) error {
		data, err := document.ReadFile(os.Open(g.Text))
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

// provenTexts returns the fixtures that the contract proves to be valid and that change only what
// they created. left lists the others, with reasons.
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
			left = append(left, arazzo.Left{ID: text.ID, Reason: "it could change resources that the workflow did not create"})
		default:
			proven = append(proven, text)
		}
	}
	return proven, left, nil
}

// writeWorkflows writes the chains of a contract as an Arazzo document, and prints what it left
// out.
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
	if there, err := os.Stat(to.Text); err == nil && there.Mode().IsRegular() { // reading a pipe or a device may never end
		if old, err := os.ReadFile(to.Text); err == nil && !arazzoKey.Match(old) {
			return cli.Usagef("%s %s is not an Arazzo document; name another file", to.Name, to.Text)
		}
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
