package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/fetch"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/scaffold"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/suites"
)

func newInit(s output.Streams) *cli.Command {
	o := target.New()
	var b beginning
	return &cli.Command{
		Name:     "init",
		Usage:    "write settings, an example fixture and a workflow",
		Synopsis: "[DIR] [--spec FILE] [--base-url URL]",
		Description: `Writes into DIR, the root of a repository, or into this folder:

  ` + cli.ConfigName + `
      all settings of a run, in comments
  ` + initialFixture + `
      an example fixture, or another one for the contract of --spec
  ` + initialWorkflow + `
      a run for each push, with GitHub Actions

If one of them exists, nothing is written.`,
		Flags: slices.Concat(
			cli.In("Target", cli.Flag{
				Name: "base-url", Value: "URL", Take: o.TakeBaseURL,
				Usage: "the service, for the configuration file; without it, fill in the line yourself",
			}),
			cli.In(contractHeading, cli.Flag{
				Name: "spec", Value: "FILE", Take: func(g cli.Given) error { b.spec = g.Text; return takeSpec(&o.Config, new(bool))(g) },
				Usage: "the OpenAPI document in FILE, or at an http(s) URL, for the configuration file and the example",
			})),
		Arguments: oneFolder,
		Run: func(_ context.Context, call *cli.Call) error {
			dir := "."
			if len(call.Args) > 0 {
				dir = call.Args[0]
			}
			b.baseURL, b.contract = o.Config.Target.BaseURL, o.Config.Contract
			return initialize(dir, b, s) //nolint:contextcheck // as in newProgram: no flag is taken here
		},
	}
}

func oneFolder(args []string) error {
	switch {
	case len(args) > 1:
		return cli.Usagef("unexpected argument %q; conformance init takes one folder", args[1])
	case len(args) == 1 && args[0] == "":
		return cli.Usagef("the folder is empty; name one, or omit it for this folder")
	}
	return nil
}

// initialize writes the initial files, and says what they are and what comes
// next.
func initialize(dir string, b beginning, s output.Streams) error {
	var root string
	root, b.below = repositoryAbove(dir)
	if b.spec != "" && !fetch.IsURL(b.spec) {
		b.spec = pathFrom(dir, b.spec)
	}
	files, err := initialFiles(suites.Version(), b)
	if err != nil {
		return err
	}
	err = scaffold.Write(dir, files)
	if exists, ok := errors.AsType[*scaffold.ExistsError](err); ok {
		verb := "exists"
		if len(exists.Paths) > 1 {
			verb = "exist"
		}
		return cli.Usagef("%s already %s, so nothing was written; move what is there, or name another folder", cli.Enumerate(exists.Paths, "and"), verb)
	}
	if folder, ok := errors.AsType[*scaffold.FolderError](err); ok {
		return cli.Usagef("%w; move it away, or name another folder", folder)
	}
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return cli.Usagef("%s cannot be written: %w", fault.Path, fault.Err)
	}
	if err != nil {
		return fmt.Errorf("writing the initial files: %w", err)
	}
	return s.Print(initialized(dir, b, root, files))
}

// pathFrom is a path as one from that folder, with slashes.
func pathFrom(dir, name string) string {
	from, err := filepath.Abs(dir)
	to, fault := filepath.Abs(name)
	if err != nil || fault != nil {
		return name
	}
	relative, err := filepath.Rel(from, to)
	if err != nil { // another drive
		relative = to
	}
	return filepath.ToSlash(relative)
}

func initialized(dir string, begun beginning, root string, files []scaffold.File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "wrote %s\n", filepath.Join(dir, filepath.FromSlash(f.Path)))
	}
	if root != "" {
		fmt.Fprintf(&b, "\nthe workflow works only at the root of the repository: move it to %s\n", filepath.Join(root, filepath.FromSlash(path.Dir(initialWorkflow))))
	}
	where := ""
	if filepath.Clean(dir) != "." {
		where = " in " + dir
	}
	fmt.Fprintf(&b, "\nnext%s:\n", where)
	switch {
	case begun.baseURL != "":
		b.WriteString("  export " + target.TokenVariable + "=...   # if the service asks for a credential\n" +
			"  conformance run      # tests the service\n")
	case begun.contract != nil:
		b.WriteString("  conformance run      # tests the service that base-url in\n" +
			"                       # " + cli.ConfigName + " names: fill it in\n")
	default:
		b.WriteString("  conformance run      # tests the bundled reference, until base-url in\n" +
			"                       # " + cli.ConfigName + " names your service\n")
	}
	b.WriteString("  conformance config   # shows the effective settings and their sources\n")
	return b.String()
}
