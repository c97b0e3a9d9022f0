package output

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
)

// Inputs are the files and folders that a command reads, under the names by which
// it was given them. No report is written over one.
type Inputs []cli.Given

// InputsOf are those that settings name.
func InputsOf(all []cli.Setting) Inputs {
	var list Inputs
	for _, s := range all {
		if s.Reads == nil {
			continue
		}
		for _, g := range s.Given {
			g.Text = s.Reads(g.Text)
			list = append(list, g)
		}
	}
	return list
}

// InputsAt are those that are arguments.
func InputsAt(paths []string) Inputs {
	var list Inputs
	for _, path := range paths {
		list = append(list, cli.Given{Text: path})
	}
	return list
}

// spare refuses a report that would be written over an input.
func (list Inputs) spare(out File) error {
	if out.Path == Stdout || out.appended {
		return nil
	}
	there, err := os.Stat(out.Path)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to be written over
	}
	for _, in := range list {
		read, err := os.Stat(in.Text)
		if in.Text == Stdin || err != nil {
			continue
		}
		if os.SameFile(there, read) || read.IsDir() && isYAML(out.Path) && isBelow(in.Text, out.Path) {
			name := cmp.Or(in.Name, in.Text) // not the text of a flag, which may be secret
			return cli.Usagef("%s %s would overwrite a file that is read (%s); give the report another path", out.From.Name, out.From.Text, name)
		}
	}
	return nil
}

func isYAML(path string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(path)))
}

func isBelow(folder, path string) bool {
	from, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	to, err := filepath.Abs(path)
	return err == nil && strings.HasPrefix(to, from+string(filepath.Separator))
}
