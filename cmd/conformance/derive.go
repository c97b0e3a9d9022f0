package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/derived"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
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
		Run: func(context.Context, *cli.Call) error {
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
			return writeDerived(contract, dir, s)
		},
	}
}

// writeDerived updates a folder of derived fixtures, and says what has changed.
func writeDerived(contract *spec.Contract, dir string, s output.Streams) error {
	files, gaps, err := derivedFiles(contract)
	if err != nil {
		return err
	}
	changes, err := derived.Update(dir, files)
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return cli.Usagef("--out %s cannot be written: %s: %w", dir, fault.Path, fault.Err)
	}
	if err != nil {
		return cli.Usagef("--out: %w", err)
	}
	fmt.Fprintf(s.Out, "%s: %d written, %d unchanged, %d removed, %d left alone because they were edited\n", dir, changes.Written, changes.Unchanged, changes.Removed, len(changes.Edited))
	for _, gap := range gaps {
		fmt.Fprintf(s.Out, "not derived: %s: %s\n", gap.Operation, gap.Reason)
	}
	return nil
}

// derivedFiles are the texts of the fixtures that are proven, by path.
func derivedFiles(contract *spec.Contract) (map[string][]byte, []derive.Gap, error) {
	texts, gaps := derive.Contract(contract)
	_, unproven, err := fixtures.LoadDerived(contract, texts)
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{}
	for _, text := range texts {
		if slices.ContainsFunc(unproven, func(u fixtures.Unproven) bool {
			return u.ID == text.ID || strings.HasPrefix(u.ID, text.ID+".") || strings.HasPrefix(u.ID, text.ID+"-")
		}) {
			continue
		}
		if files[text.ID+".yaml"], err = derive.File(text); err != nil {
			return nil, nil, err
		}
	}
	return files, gaps, nil
}
