package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

func newVersion(s output.Streams) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, and that of the built-in contract",
		Run:   func(context.Context, *cli.Call) error { return printVersion(s) },
	}
}

func printVersion(s output.Streams) error {
	contract, err := spec.PlantStore()
	if err != nil {
		return fmt.Errorf("reading the built-in contract: %w", err)
	}
	v := suites.Version()
	return s.Print(fmt.Sprintf("conformance %s (commit %s, %s %s/%s)\ncontract    %s %s\nsha256      %s\n",
		v.Version, v.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, contract.Title, contract.Version, contract.SHA256))
}
