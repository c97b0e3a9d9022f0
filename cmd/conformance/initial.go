package main

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/scaffold"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/fixtures/derive"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/repository"
	"github.com/plantstore/conformance/suites/result"
)

// What init writes beside the configuration file. The folder is not called
// conformance, since the program may lie beside it.
const (
	initialFixtures = "conformance-fixtures"
	initialFixture  = initialFixtures + "/createPlant/example/name-of-many-words.yaml"
	initialWorkflow = ".github/workflows/conformance.yml"
)

// initial are the files as of the branch main; of the configuration file it is
// the beginning.
//
//go:embed initial
var initial embed.FS

// beginning is what the initial files are to say.
type beginning struct {
	baseURL  string         // "" is for the reader to fill in
	spec     string         // the contract, as the configuration file names it; "" is the built-in one
	contract *spec.Contract // nil is the built-in one
	below    string         // the path of the folder from the root of its repository; "" is the root
}

// initialFiles are what init writes, in this order. They name this harness by
// its version. The workflow is for the root of a repository, from which it finds
// the configuration file.
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
		files[2].Data = append(files[2].Data, "          args: "+argument+"\n"...) // of its last step
	}
	files[0].Data = append(files[0].Data, asConfig(newRunOptions().flags(), values, examples)...)
	return files, nil
}

// derivedExample is the plainest request of the first operation that has one. It begins
// as the example for the built-in contract does, with the address of the files' schema.
func derivedExample(contract *spec.Contract, like []byte) (scaffold.File, error) {
	why := ""
	for _, op := range contract.Operations {
		const few = 30
		texts, gaps := derive.New(contract, false).Operation(op, few)
		for _, gap := range gaps {
			why = cmp.Or(why, ": "+gap.Operation+": "+gap.Reason)
		}
		_, unproven, err := fixtures.LoadDerived(contract, texts)
		for _, text := range texts {
			left := slices.ContainsFunc(unproven, func(u fixtures.Unproven) bool { return u.ID == text.ID })
			if err != nil || left || text.ID != op.ID+"/valid/minimal" {
				continue
			}
			data, err := derive.File(text)
			if err != nil {
				return scaffold.File{}, err //nolint:wrapcheck // names the fixture
			}
			address, _, _ := bytes.Cut(like, []byte("\n"))
			_, data, _ = bytes.Cut(data, []byte("\n"))
			const says = "\n# One request, and what is expected of the service. Its id is its path in the\n# folder of fixtures. Change, copy or delete it. Without any fixture, also remove\n# `fixtures` and `derive` from conformance.yaml.\n"
			return scaffold.File{Path: initialFixtures + "/" + op.ID + "/example/plainest.yaml", Data: slices.Concat(address, []byte(says), data)}, nil
		}
	}
	return scaffold.File{}, cli.Usagef("--spec: no valid request can be derived from the contract%s", why)
}

var (
	release = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)
	commit  = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// revision is what git calls this harness: its tag or else its commit, or where
// the build recorded neither, the branch main.
func revision(h result.Harness) string {
	switch {
	case release.MatchString(h.Version):
		return h.Version
	case commit.MatchString(h.Commit):
		return h.Commit
	}
	return "main"
}

// at puts the revision of the harness in the place of main wherever the text
// names a file of this project. Of an action that is the commit, if it is known:
// a tag can be moved.
func at(h result.Harness, text string) string {
	revision := revision(h)
	action := revision
	if action == h.Version && commit.MatchString(h.Commit) {
		action = h.Commit + " # " + h.Version
	}
	return strings.NewReplacer("/conformance/main/", "/conformance/"+revision+"/", "/conformance@main", "/conformance@"+action).Replace(text)
}

// asConfig is a configuration file with all that it may hold: what has a value
// as a setting, the rest in comments that say what could be there.
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
		fmt.Fprintf(&b, "\n%s\n%s", comment(f.Explanation()), asKey(f, values[f.Name], examples[f.Name]))
	}
	return b.String()
}

// comment wraps a text into lines that begin with #.
func comment(text string) string {
	indented := "\n" + cli.Wrap(text, len("# "), cli.Columns)
	return strings.ReplaceAll(indented, "\n  ", "\n# ")[1:]
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

// configExamples are texts as they might stand in a configuration file, by key.
func configExamples() (map[string]string, error) {
	var schema struct {
		Properties map[string]struct{ Examples []any }
	}
	decoder := json.NewDecoder(bytes.NewReader(configSchema))
	decoder.UseNumber() // as it is written
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

// repositoryAbove gives the root of the git repository that a folder is below, and
// the folder's path from there, with slashes. Both are empty where the folder is
// a root itself, or in no repository.
func repositoryAbove(dir string) (root, below string) {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return "", ""
	}
	root, ok := repository.Root(folder)
	if !ok {
		return "", ""
	}
	below, err = filepath.Rel(root, folder)
	if err != nil || below == "." {
		return "", ""
	}
	return root, filepath.ToSlash(below)
}
