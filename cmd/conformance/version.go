package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

func newVersion() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the versions of the harness and of the contract built in",
		Action: func(_ context.Context, c *cli.Command) error {
			if err := noArguments(c); err != nil {
				return err
			}
			contract, err := spec.PlantStore()
			if err != nil {
				return fmt.Errorf("reading the contract that is built in: %w", err)
			}
			v := suites.Version()
			fmt.Fprintf(c.Root().Writer, "conformance %s (commit %s, %s %s/%s)\n", v.Version, v.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			fmt.Fprintf(c.Root().Writer, "contract    %s %s, sha256 %s\n", contract.Title, contract.Version, contract.SHA256)
			return nil
		},
	}
}
