package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/suites"
)

// streams are what the command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// execute runs the command line and gives the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	err := newCommand(s).Run(ctx, args)
	var verdict verdictError
	if err != nil && !errors.As(err, &verdict) {
		fmt.Fprintln(s.err, "conformance:", message(err))
	}
	return exitCode(err)
}

// message is the error as a user reads it: the sentinel at its head is for
// programs.
func message(err error) string {
	return strings.TrimPrefix(err.Error(), suites.ErrConfig.Error()+": ")
}

func newCommand(s streams) *cli.Command {
	root := &cli.Command{
		Name:      "conformance",
		Usage:     "hold a service against its contract",
		UsageText: "conformance COMMAND [flags]",
		Description: `Replays requests against a service, judges every answer against the contract
and says conformant, nonconformant or inconclusive, with the evidence.

Exit codes: 0 conformant, 1 nonconformant, 2 wrong usage (nothing was sent),
3 inconclusive.`,
		Reader:                s.in,
		Writer:                s.out,
		ErrWriter:             s.err,
		Commands:              []*cli.Command{newRun(s), newList(), newExplain(), newVersion()},
		Action:                unknownCommand,
		EnableShellCompletion: true,
		ConfigureShellCompletionCommand: func(c *cli.Command) {
			c.Hidden = false
			c.Usage = "print a completion script for bash, zsh, fish or pwsh"
		},
		ExitErrHandler: func(context.Context, *cli.Command, error) {}, // execute decides on the exit code
	}
	prepare(root)
	return root
}

// prepare sets on a command and all below it what urfave/cli does not inherit.
func prepare(c *cli.Command) {
	c.DisableSliceFlagSeparator = true // or a comma would cut a header in two
	c.HideHelpCommand = true
	c.Suggest = true
	c.OnUsageError = explainUsage
	for _, sub := range c.Commands {
		prepare(sub)
	}
}

// unknownCommand is what the root does with an argument that is no command.
func unknownCommand(_ context.Context, c *cli.Command) error {
	if !c.Args().Present() {
		return cli.ShowRootCommandHelp(c) //nolint:wrapcheck // writing to standard output
	}
	name := c.Args().First()
	var known []string
	for _, sub := range c.VisibleCommands() {
		known = append(known, sub.Name)
	}
	return usagef("unknown command %q%s; the commands are %s", name, suggestion(name, known), strings.Join(known, ", "))
}

// suggestion names what was probably meant, for the middle of an error.
func suggestion(wrong string, known []string) string {
	best, distance := "", max(2, len(wrong)/3)+1
	for _, k := range known {
		if d := editDistance(wrong, k); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %s?", best)
}

// editDistance is Levenshtein's.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		previous := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := previous
			if a[i] != b[j] {
				cost = 1 + min(previous, row[j], row[j+1])
			}
			previous, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// explainUsage words what urfave/cli found wrong with the flags.
func explainUsage(_ context.Context, c *cli.Command, err error, _ bool) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		name = strings.TrimLeft(name, "-")
		var known []string
		for _, f := range c.VisibleFlags() {
			for _, n := range f.Names() {
				if len(n) > 1 {
					known = append(known, "--"+n)
				}
			}
		}
		return usagef("unknown flag --%s%s; see %s --help", name, suggestion("--"+name, known), c.FullName())
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return usagef("%s has no value; give it one or leave it out", name)
	}
	return usagef("%s; see %s --help", strings.TrimSpace(text), c.FullName())
}

// noArguments refuses what a command does not take, and flags set to nothing
// (an unset variable in a script, usually).
func noArguments(c *cli.Command) error {
	if c.Args().Present() {
		return usagef("unexpected argument %q; %s takes flags only, see its --help", c.Args().First(), c.FullName())
	}
	return noEmptyFlags(c)
}

func noEmptyFlags(c *cli.Command) error {
	for _, f := range c.VisibleFlags() {
		name := f.Names()[0]
		if !c.IsSet(name) {
			continue
		}
		switch value := c.Value(name).(type) {
		case string:
			if value == "" {
				return usagef("--%s is empty; give it a value or leave it out", name)
			}
		case []string:
			if slices.Contains(value, "") {
				return usagef("--%s is empty; give it a value or leave it out", name)
			}
		}
	}
	return nil
}
