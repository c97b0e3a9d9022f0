package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
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
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/repository"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/result"
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
		Arguments: cli.Arguments(0, 1, "the folder is empty; name one, or omit it for this folder", "conformance init takes one folder"),
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

// initialize writes the initial files, and prints what they are and what to do next.
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

// pathFrom returns the path of name relative to dir, with slashes.
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

// The files that init writes in addition to the configuration file. The folder is not named
// conformance, because the program in the same folder may have that name.
const (
	initialFixtures = "conformance-fixtures"
	initialFixture  = initialFixtures + "/createPlant/example/name-of-many-words.yaml"
	initialWorkflow = ".github/workflows/conformance.yml"
)

// initial contains the templates of the initial files, which refer to branch main. The template of
// the configuration file is only its beginning.
//
//go:embed initial
var initial embed.FS

// beginning holds the values for the initial files.
type beginning struct {
	baseURL  string         // "": the user fills it in
	spec     string         // the contract, as the configuration file names it; "" is the built-in one
	contract *spec.Contract // nil is the built-in one
	below    string         // the path of the folder from the root of its repository; "" is the root
}

// initialFiles returns the files that init writes, in this order. They refer to the version of this
// harness. The workflow runs at the root of a repository, and names the path of the configuration
// file.
func initialFiles(h result.Harness, b beginning) ([]scaffold.File, error) {
	examples, err := configExamples()
	if err != nil {
		return nil, err
	}
	values := map[string]string{"fixtures": initialFixtures}
	if b.baseURL != "" {
		values["base-url"] = b.baseURL
	}
	files := []scaffold.File{{Path: cli.ConfigName}, {Path: initialFixture}, {Path: initialWorkflow}}
	for i, template := range []string{"conformance.yaml", "fixture.yaml", "workflow.yml"} {
		data, err := initial.ReadFile("initial/" + template)
		if err != nil {
			return nil, fmt.Errorf("reading the built-in files: %w", err)
		}
		files[i].Data = []byte(at(h, string(data)))
	}
	if b.contract != nil {
		values["spec"], values["derive"] = b.spec, "true"
		if files[1], err = derivedExample(b.contract, files[1].Data); err != nil {
			return nil, err
		}
	}
	if b.below != "" {
		argument := settings.Quote("--config=" + path.Join(b.below, cli.ConfigName))
		files[2].Data = append(files[2].Data, "          args: "+argument+"\n"...) // an input of its last step
	}
	files[0].Data = append(files[0].Data, asConfig(newRunOptions().flags(), values, examples)...)
	return files, nil
}

// derivedExample returns the plainest request of the first operation for which it can derive one.
// The first line is that of the example for the built-in contract: it names the schema of fixture
// files.
func derivedExample(contract *spec.Contract, like []byte) (scaffold.File, error) {
	why := ""
	for _, op := range contract.Operations {
		const few = 60
		texts, gaps := derive.New(contract, false).Operation(op, few)
		for _, gap := range gaps {
			why = cmp.Or(why, ": "+gap.Operation+": "+gap.Reason)
		}
		_, unproven, err := fixtures.LoadDerived(contract, texts)
		for _, text := range texts {
			left := slices.ContainsFunc(unproven, func(u fixtures.Unproven) bool { return u.Text == text.ID })
			if err != nil || left || !fixtures.IsPlainest(text.ID) {
				continue
			}
			data, err := derive.File(text)
			if err != nil {
				return scaffold.File{}, err
			}
			address, _, _ := bytes.Cut(like, []byte("\n"))
			_, data, _ = bytes.Cut(data, []byte("\n"))
			const says = "\n# One request, and what is expected of the service. Its id is its path in the\n# folder of fixtures. Change, copy or delete it. Without any fixture, also remove\n# `fixtures` and `derive` from conformance.yaml.\n"
			return scaffold.File{Path: initialFixtures + "/" + op.ID + "/example/plainest.yaml", Data: slices.Concat(address, []byte(says), data)}, nil
		}
	}
	return scaffold.File{}, cli.Usagef("--spec: no valid request can be derived from the contract%s", why)
}

// at replaces main by the revision of the harness in all references to files of this project. For
// an action, the revision is the commit, if it is known: a tag can be moved.
func at(h result.Harness, text string) string {
	revision := cmp.Or(h.Revision(), "main")
	action := revision
	if commit := (result.Harness{Commit: h.Commit}).Revision(); action == h.Version && commit != "" {
		action = commit + " # " + h.Version
	}
	return strings.NewReplacer("/conformance/main/", "/conformance/"+revision+"/", "/conformance@main", "/conformance@"+action).Replace(text)
}

// asConfig returns a configuration file with all possible settings. Those without a value are
// comments with an example.
func asConfig(list cli.Flags, values, examples map[string]string) string {
	var b strings.Builder
	category := ""
	for _, f := range list {
		if !f.InFile {
			continue
		}
		if f.Category != category {
			category = f.Category
			fmt.Fprintf(&b, "\n# %s\n", strings.ToUpper(category))
		}
		explained := strings.ReplaceAll("\n"+cli.Wrap(f.Explanation(), len("# "), cli.Columns), "\n  ", "\n# ")
		fmt.Fprintf(&b, "%s\n%s", explained, asKey(f, values[f.Name], examples[f.Name]))
	}
	return b.String()
}

func asKey(f cli.Flag, value, example string) string {
	mark, text := "", value
	switch {
	case value != "":
	case f.Value == "": // a switch
		mark, text = "# ", "true"
	default:
		mark, text = "# ", example
	}
	if f.Repeatable {
		return fmt.Sprintf("%s%s:\n%s  - %s\n", mark, f.Name, mark, settings.Quote(text))
	}
	return fmt.Sprintf("%s%s: %s\n", mark, f.Name, settings.Quote(text))
}

// configSchema tells editors what a configuration file may hold.
//
//go:embed conformance.schema.json
var configSchema []byte

// configExamples returns example values for a configuration file, by key.
func configExamples() (map[string]string, error) {
	var schema struct {
		Properties map[string]struct{ Examples []any }
	}
	decoder := json.NewDecoder(bytes.NewReader(configSchema))
	decoder.UseNumber() // keep numbers as they are written
	if err := decoder.Decode(&schema); err != nil {
		return nil, fmt.Errorf("reading the built-in schema: %w", err)
	}
	examples := map[string]string{}
	for key, property := range schema.Properties {
		if len(property.Examples) > 0 {
			examples[key] = fmt.Sprint(property.Examples[0])
		}
	}
	return examples, nil
}

// repositoryAbove returns the root of the git repository that contains a folder, and the path of
// the folder in it, with slashes. Both are empty if the folder is itself a root, or in no
// repository.
func repositoryAbove(dir string) (root, below string) {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return "", ""
	}
	root, ok := repository.Root(folder)
	if below = pathFrom(root, folder); !ok || below == "." {
		return "", ""
	}
	return root, below
}
