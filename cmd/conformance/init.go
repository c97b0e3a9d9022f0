package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/cmd/conformance/scaffold"
	"github.com/plantstore/conformance/suites"
)

func newInit(s streams) *cli.Command {
	o := newOptions()
	list := in(targetHeading, flag{
		name: "base-url", value: "URL", take: o.takeBaseURL,
		usage: "the service, for the configuration file; without it, fill in the line yourself",
	})
	return &cli.Command{
		Name:      "init",
		Usage:     "write settings, an example fixture and a workflow",
		UsageText: "conformance init [DIR] [--base-url URL]",
		Description: `Writes into DIR, the root of a repository, or into this folder:

  ` + configName + `
      all settings of a run, in comments
  ` + initialFixture + `
      an example fixture
  ` + initialWorkflow + `
      a run for each push, with GitHub Actions

If one of them exists, nothing is written.`,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		ArgValidator:       oneFolder,
		Action: func(_ context.Context, c *cli.Command) error {
			if err := list.take(c); err != nil {
				return err
			}
			dir := "."
			if c.Args().Present() {
				dir = c.Args().First()
			}
			return initialize(dir, o.config.Target.BaseURL, s)
		},
	}
}

func oneFolder(_ context.Context, c *cli.Command) error {
	switch {
	case c.Args().Len() > 1:
		return usagef("unexpected argument %q; conformance init takes one folder", c.Args().Get(1))
	case c.Args().Present() && c.Args().First() == "":
		return usagef("the folder is empty; name one, or leave it out for this one")
	}
	return nil
}

// initialize writes the initial files, and says what they are and what comes
// next.
func initialize(dir, baseURL string, s streams) error {
	root, below := repositoryAbove(dir)
	files, err := initialFiles(suites.Version(), baseURL, below)
	if err != nil {
		return err
	}
	err = scaffold.Write(dir, files)
	if exists, ok := errors.AsType[*scaffold.ExistsError](err); ok {
		verb := "is"
		if len(exists.Paths) > 1 {
			verb = "are"
		}
		return usagef("%s %s there already, and so nothing was written; move that away, or name another folder", enumerate(exists.Paths, "and"), verb)
	}
	if folder, ok := errors.AsType[*scaffold.FolderError](err); ok {
		return usagef("%w; move it away, or name another folder", folder)
	}
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return usagef("%s cannot be written: %w", fault.Path, fault.Err)
	}
	if err != nil {
		return fmt.Errorf("writing the initial files: %w", err)
	}
	return s.print(initialized(dir, baseURL, root, files))
}

func initialized(dir, baseURL, root string, files []scaffold.File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "wrote %s\n", filepath.Join(dir, filepath.FromSlash(f.Path)))
	}
	if root != "" {
		fmt.Fprintf(&b, "\nthe workflow counts only at the root of the repository: move it to %s\n", filepath.Join(root, filepath.FromSlash(path.Dir(initialWorkflow))))
	}
	where := ""
	if filepath.Clean(dir) != "." {
		where = " in " + dir
	}
	fmt.Fprintf(&b, "\nnext%s:\n", where)
	if baseURL != "" {
		b.WriteString("  export " + tokenVariable + "=...   # if the service asks for a credential\n" +
			"  conformance run      # tests the service\n")
	} else {
		b.WriteString("  conformance run      # tests the bundled reference, until base-url in\n" +
			"                       # " + configName + " names your service\n")
	}
	b.WriteString("  conformance config   # shows what counts, and where it was given\n")
	return b.String()
}
