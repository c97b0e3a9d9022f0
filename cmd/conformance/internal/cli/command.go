// Package cli implements the command line, without the actions of its commands: help, flags, and
// the sources of their values. urfave/cli parses the arguments. This package adds one precedence
// with errors that name the origin of a value, help that fits the terminal, and suggestions.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/spec/lists"
)

// Program is a command line with all its commands.
type Program struct {
	Name, Usage, Description string
	Commands                 []*Command
	Variables                []string     // environment variables without a flag; one that ends with * is a prefix
	Version                  func() error // prints the version
	Out, Err                 io.Writer
}

// Command is one command of a program.
type Command struct {
	Name, Usage, Synopsis, Description string
	Flags                              Flags
	Arguments                          func(args []string) error // returns an error for invalid arguments; nil: no arguments
	Complete                           func() []string           // arguments for shell completion
	Commands                           []*Command
	Run                                func(context.Context, *Call) error
}

// completionFlag is the flag with which the scripts of urfave/cli ask for completions.
const completionFlag = "--generate-shell-completion"

// errInterrupted is the error for an interrupt before anything was sent.
var errInterrupted = errors.New("interrupted while settings and files were read; nothing was sent")

// Interruptibly calls read, which reads what a command needs. It returns early when the context
// ends, because read may block on a pipe or a keyboard. After an early return, do not use what read
// has changed.
func Interruptibly[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := read()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}

// Run runs a command line. The first argument is the name of the program.
func (p *Program) Run(ctx context.Context, args []string) error {
	out := &checkedWriter{Writer: p.Out}
	root := &urfave.Command{
		Name:                            p.Name,
		Usage:                           p.Usage,
		UsageText:                       p.Name + " COMMAND [flags]",
		Description:                     p.Description,
		Flags:                           []urfave.Flag{&urfave.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version", Local: true}},
		Writer:                          out,
		ErrWriter:                       p.Err,
		ArgValidator:                    noArguments,
		EnableShellCompletion:           true,
		ConfigureShellCompletionCommand: p.configureCompletion,
		ExitErrHandler:                  func(context.Context, *urfave.Command, error) {}, // the caller decides on the exit code
		Action: func(_ context.Context, c *urfave.Command) error {
			if c.Bool("version") {
				return p.Version()
			}
			return urfave.ShowRootCommandHelp(c)
		},
	}
	help := &Command{Name: "help", Usage: "show the help of a command", Synopsis: "[COMMAND]"}
	if len(args) > 1 && args[1] == help.Name && args[len(args)-1] != completionFlag {
		var err error
		if args, err = p.helpArguments(args[2:]); err != nil {
			return err
		}
	}
	root.Commands = lists.Map(append(p.Commands, help), func(c *Command) *urfave.Command { return p.build(c, p.Name) })
	p.setUp(root, Flags{{Category: "Options", Name: "version, -v", Usage: "print the version"}})
	err := root.Run(ctx, args)
	if out.err != nil {
		return fmt.Errorf("writing to standard output: %w", out.err)
	}
	if _, ok := errors.AsType[urfave.ExitCoder](err); ok {
		err = Usagef("%w; see %s --help", err, p.Name) // urfave/cli found no help topic
	}
	return err
}

// checkedWriter keeps the last error, because urfave/cli ignores the errors in writing help.
type checkedWriter struct {
	io.Writer
	err error
}

// Write writes to the Writer.
func (w *checkedWriter) Write(text []byte) (n int, err error) {
	if n, err = w.Writer.Write(text); err != nil {
		w.err = err
	}
	return n, err //nolint:wrapcheck // Run wraps it
}

// helpArguments replaces "help" and the commands after it by these commands and --help.
func (p *Program) helpArguments(names []string) ([]string, error) {
	commands := p.Commands
	for _, name := range names {
		i := slices.IndexFunc(commands, func(c *Command) bool { return c.Name == name })
		if i < 0 && name != "--help" && name != "-h" {
			return nil, Usagef("there is no help for %q; see %s --help", name, p.Name)
		}
		if i >= 0 {
			commands = commands[i].Commands
		}
	}
	return append(append([]string{p.Name}, names...), "--help"), nil
}

// build returns the command for urfave/cli to parse.
func (p *Program) build(c *Command, above string) *urfave.Command {
	full := above + " " + c.Name
	built := &urfave.Command{Name: c.Name, Usage: c.Usage, UsageText: full + " " + c.Synopsis, Description: c.Description}
	built.Commands = lists.Map(c.Commands, func(sub *Command) *urfave.Command { return p.build(sub, full) })
	p.setUp(built, c.Flags)
	var line []*typed
	for _, f := range c.Flags {
		t := &typed{flag: f}
		line = append(line, t)
		built.Flags = append(built.Flags, &urfave.GenericFlag{Name: f.Name, Usage: f.Usage, Value: t})
	}
	built.ArgValidator = func(ctx context.Context, parsed *urfave.Command) error {
		names := flagNames(parsed)
		for _, t := range line { // if a variable of a script is empty, the next flag becomes the value
			if i := slices.IndexFunc(t.texts, func(text string) bool { return slices.Contains(names, text) }); i >= 0 {
				return Usagef("--%s has no value, because %s follows it; give it one or omit it", t.flag.Name, t.texts[i])
			}
		}
		if c.Arguments != nil {
			return c.Arguments(parsed.Args().Slice())
		}
		return noArguments(ctx, parsed)
	}
	built.ShellComplete = c.complete
	built.Action = func(ctx context.Context, parsed *urfave.Command) error {
		call, err := Interruptibly(ctx, func() (*Call, error) { return p.read(line, parsed.Args().Slice()) })
		if err != nil {
			return err
		}
		return c.Run(ctx, call)
	}
	return built
}

func (p *Program) flags() Flags {
	var all Flags
	for _, c := range p.Commands {
		all = append(all, c.Flags...)
		for _, sub := range c.Commands {
			all = append(all, sub.Flags...)
		}
	}
	return all
}

// setUp sets the fields of a command that urfave/cli does not inherit.
func (p *Program) setUp(c *urfave.Command, flags Flags) {
	c.DisableSliceFlagSeparator = true // a comma would split a header field
	c.OnUsageError = explainUsage
	c.HideHelpCommand = true // only the program has a help command
	c.CustomHelpTemplate, c.CustomRootCommandHelpTemplate = helpTemplate, helpTemplate
	c.Metadata = map[string]any{helpKey: func() string { return help(c, flags, Width(p.Out)) }}
}

func (p *Program) configureCompletion(c *urfave.Command) {
	c.Hidden = false
	c.Usage = "print a script that completes commands in a shell"
	c.UsageText = "conformance completion bash|zsh|fish|pwsh"
	p.setUp(c, nil)
	for _, sub := range c.Commands {
		p.setUp(sub, nil)
	}
}

// baseURL is the flag for the address of the service, which a first user may give as an argument.
const baseURL = "--base-url"

// noArguments returns an error for any argument. If the command has subcommands, the error is about
// an unknown one.
func noArguments(_ context.Context, c *urfave.Command) error {
	if !c.Args().Present() {
		return nil
	}
	argument, commands := c.Args().First(), commandNames(c)
	if strings.Contains(argument, "://") && slices.Contains(flagNames(c), baseURL) {
		return Usagef("unexpected argument %q; write `%s %s %[1]s`", argument, c.FullName(), baseURL)
	}
	if len(commands) == 0 {
		return Usagef("unexpected argument %q; %s takes flags only, see %s --help", argument, c.FullName(), c.FullName())
	}
	all := fmt.Sprintf("; the commands of %s are %s", c.FullName(), Enumerate(commands, "and"))
	return Usagef("unknown command %q%s", argument, cmp.Or(suggestion(argument, append(commands, flagNames(c)...)), all))
}

func commandNames(c *urfave.Command) []string {
	return lists.Map(c.VisibleCommands(), func(sub *urfave.Command) string { return sub.Name })
}

func flagNames(c *urfave.Command) []string {
	return lists.Map(c.VisibleFlags(), func(f urfave.Flag) string { return "--" + f.Names()[0] })
}

// explainUsage rewords the errors of urfave/cli about flags. They have no types, so it recognizes
// their texts.
func explainUsage(_ context.Context, c *urfave.Command, err error, _ bool) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return unknownFlag(c, name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return Usagef("%s has no value; give it one or omit it", name)
	}
	return Usagef("%s; see %s --help", text, c.FullName())
}

func unknownFlag(c *urfave.Command, name string) error {
	for _, sub := range c.VisibleCommands() {
		if slices.Contains(flagNames(sub), "--"+name) {
			return Usagef("--%s is a flag of %s; write `%s --%s`", name, sub.Name, sub.FullName(), name)
		}
	}
	dashed := "--" + name
	if flag, value, ok := strings.Cut(dashed, " "); ok && slices.Contains(flagNames(c), flag) {
		return Usagef("unknown flag %q; write %s=%s, or give them as two arguments", dashed, flag, value)
	}
	if len(name) == 1 {
		dashed = "-" + name
	}
	return Usagef("unknown flag %s%s", dashed, cmp.Or(suggestion(dashed, append(flagNames(c), commandNames(c)...)), "; see "+c.FullName()+" --help"))
}

// complete prints the values of the last flag, or the arguments of the command. Otherwise it prints
// flags and commands, as urfave/cli does.
func (c *Command) complete(ctx context.Context, parsed *urfave.Command) {
	last, values := "", c.Complete
	if args := parsed.Args().Slice(); len(args) > 0 {
		last = args[len(args)-1]
	}
	for _, f := range c.Flags {
		if last == "--"+f.Name {
			values = f.Complete
			last = ""
		}
	}
	if values == nil || strings.HasPrefix(last, "-") {
		urfave.DefaultCompleteWithFlags(ctx, parsed)
		return
	}
	_, _ = io.WriteString(parsed.Root().Writer, strings.Join(append(values(), ""), "\n")) // to a shell, which ignores errors
}
