package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inputs are the files and folders that a command reads, under the names by which
// it was given them. No report is written over one.
type inputs []given

// inputsOf are those that settings name.
func inputsOf(all []setting) inputs {
	var list inputs
	for _, s := range all {
		if s.reads {
			list = append(list, s.given...)
		}
	}
	return list
}

// inputsAt are those that are arguments.
func inputsAt(paths []string) inputs {
	var list inputs
	for _, path := range paths {
		list = append(list, given{text: path})
	}
	return list
}

// spare refuses a report that would be written over an input.
func (list inputs) spare(out output) error {
	if out.path == stdoutPath || out.appended {
		return nil
	}
	there, err := os.Stat(out.path)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to be written over
	}
	for _, in := range list {
		read, err := os.Stat(in.text)
		if in.text == stdinPath || err != nil {
			continue
		}
		if os.SameFile(there, read) || read.IsDir() && isYAML(out.path) && isBelow(in.text, out.path) {
			return usagef("%s %s would be written over a file that is read (%s); give the report a path of its own", out.from.name, out.from.text, in.who())
		}
	}
	return nil
}

// who names an input without what may be secret.
func (g given) who() string {
	if g.name == "" {
		return g.text
	}
	return g.name
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
