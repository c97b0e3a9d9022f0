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
	"github.com/plantstore/conformance/suites/report"
)

// streams are what the command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// print writes a whole text to standard output.
func (s streams) print(text string) error {
	if _, err := io.WriteString(s.out, text); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}

// complain says on standard error what went wrong. It quotes files and settings,
// which must not say anything to a terminal or a CI system.
func (s streams) complain(text string) {
	fmt.Fprintln(s.err, "conformance:", strings.Join(report.VisibleLines(text), "\n"))
}

// execute runs the command line and gives the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	err := newCommand(s).Run(ctx, args)
	if _, ok := errors.AsType[cli.ExitCoder](err); ok {
		err = usagef("%w; see conformance --help", err) // urfave/cli has no help on something
	}
	if _, told := errors.AsType[verdictError](err); err != nil && !told {
		s.complain(message(err))
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
		Usage:     "test whether a service conforms to its OpenAPI contract",
		UsageText: "conformance COMMAND [flags]",
		Description: `Sends requests to a service, judges each response against the contract and
says conformant, nonconformant or inconclusive, with the evidence.

` + exitCodes,
		Reader:                s.in,
		Writer:                s.out,
		ErrWriter:             s.err,
		Commands:              []*cli.Command{newRun(s), newInit(s), newConfig(s), newVerify(s), newReport(s), newCompare(s), newList(s), newExplain(s), newSelftest(s), newVersion(s)},
		ArgValidator:          noArguments, // of every command that has none of its own
		EnableShellCompletion: true,
		ConfigureShellCompletionCommand: func(c *cli.Command) {
			c.Hidden = false
			c.Usage = "print a script that completes commands in a shell"
			c.UsageText = "conformance completion bash|zsh|fish|pwsh"
			setUp(c)
		},
		ExitErrHandler: func(context.Context, *cli.Command, error) {}, // execute decides on the exit code
	}
	setUp(root)
	return root
}

// setUp gives a command and all below it what urfave/cli does not inherit.
func setUp(c *cli.Command) {
	c.DisableSliceFlagSeparator = true // or a comma would cut a header in two
	c.HideHelpCommand = true
	c.OnUsageError = explainUsage
	for _, sub := range c.Commands {
		setUp(sub)
	}
}

// noArguments refuses an argument that is no command, where commands stand,
// and any argument elsewhere.
func noArguments(_ context.Context, c *cli.Command) error {
	if !c.Args().Present() {
		return nil
	}
	argument, commands := c.Args().First(), commandNames(c)
	if len(commands) == 0 {
		return usagef("unexpected argument %q; %s takes flags only, see %s --help", argument, c.FullName(), c.FullName())
	}
	return usagef("unknown command %q%s; after %s comes %s",
		argument, suggestion(argument, append(commands, flagNames(c)...)), c.FullName(), enumerate(commands, "or"))
}

func commandNames(c *cli.Command) []string {
	var names []string
	for _, sub := range c.VisibleCommands() {
		names = append(names, sub.Name)
	}
	return names
}

func flagNames(c *cli.Command) []string {
	var names []string
	for _, f := range c.VisibleFlags() {
		names = append(names, "--"+f.Names()[0])
	}
	return names
}

// explainUsage words what urfave/cli finds wrong with the flags.
func explainUsage(_ context.Context, c *cli.Command, err error, _ bool) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return unknownFlag(c, name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return usagef("%s has no value; give it one or leave it out", name)
	}
	if value, rest, ok := strings.Cut(strings.TrimPrefix(text, "invalid value "), " for flag -"); ok {
		name, _, _ := strings.Cut(rest, ":")
		return usagef("--%s is %s; it must be true or false, or stand alone", name, value) // urfave/cli reads no other values
	}
	return usagef("%s; see %s --help", text, c.FullName())
}

func unknownFlag(c *cli.Command, name string) error {
	for _, sub := range c.VisibleCommands() {
		if slices.Contains(flagNames(sub), "--"+name) {
			return usagef("--%s is a flag of %s; write `%s --%s`", name, sub.Name, sub.FullName(), name)
		}
	}
	dashed := "--" + name
	if len(name) == 1 {
		dashed = "-" + name
	}
	return usagef("unknown flag %s%s; see %s --help", dashed, suggestion(dashed, append(flagNames(c), commandNames(c)...)), c.FullName())
}
