package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// targetPlaceholder stands for the name of a target in the path of a report.
const targetPlaceholder = "{target}"

// checkSingle refuses what is about several targets where there is one. The matrix
// of a file whose targets do not count does not, either.
func (o *options) checkSingle() error {
	if list := o.matrix.outputs.list; len(list) > 0 && (o.list.text == "" || list[0].from.from != byFile) {
		return usagef("%s needs --targets; `conformance compare` sets reports side by side that are there already", list[0].from.name)
	}
	missing := "--targets, which are not given"
	if o.list.text != "" {
		missing = "the targets of " + o.list.text + ", before which " + o.baseURL.name + " counts"
	}
	for _, out := range o.view.outputs.list {
		if !strings.Contains(out.path, targetPlaceholder) {
			continue
		}
		wayOut := ""
		if out.from.from == byFile {
			wayOut = "; --report counts before it"
		}
		return usagef("%s %s: %s stands for the name of one of %s%s", out.from.name, out.from.text, targetPlaceholder, missing, wayOut)
	}
	return nil
}

// checkReports refuses reports that the targets would write over each other.
func (o *options) checkReports() error {
	for _, out := range o.view.outputs.list {
		switch {
		case out.format.Name == githubFormat && out.path == stdoutPath:
			return usagef("%s %s is about one target, whose run a step shows; with --targets give a file for each, such as markdown=%s.md", out.from.name, out.from.text, targetPlaceholder)
		case out.path == stdoutPath:
			return usagef("%s %s: there is one standard output for all targets; give each a file, such as %s=%s.%[3]s", out.from.name, out.from.text, out.format.Name, targetPlaceholder)
		case !strings.Contains(out.path, targetPlaceholder):
			return usagef("%s %s: every target would write to that path; put %s into it, which stands for the target's name", out.from.name, out.from.text, targetPlaceholder)
		}
	}
	return nil
}

// prepareReports names the reports of each target, and sees that all of them and
// the matrix can be written, and none over another or over what is read. They are
// not kept open: there may be more than a process may have open at a time.
func (r *targetsRun) prepareReports() error {
	o := r.options
	for _, t := range r.targets {
		o.view.outputs.inputs = append(o.view.outputs.inputs, t.inputs...)
	}
	o.matrix.outputs.inputs = o.view.outputs.inputs
	if err := o.matrix.outputs.check(); err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, out := range o.matrix.outputs.list {
		taken[filepath.Clean(out.path)] = true
	}
	for _, t := range r.targets {
		t.view.outputs.list = slices.Clone(o.view.outputs.list)
		t.view.outputs.inputs = o.view.outputs.inputs
		for i := range t.view.outputs.list {
			out := &t.view.outputs.list[i]
			out.path = strings.ReplaceAll(out.path, targetPlaceholder, t.name)
			path := filepath.Clean(out.path)
			if taken[path] {
				return usagef("%s: two reports would be written to %s; give each a file of its own", out.from.name, out.path)
			}
			taken[path] = true
		}
		if err := t.view.outputs.check(); err != nil {
			return err
		}
	}
	return nil
}

// file is the report of the target that a comparison can be made of again, if
// there is one.
func (t *target) file() string {
	for _, out := range t.view.outputs.list {
		if out.format.Name == "json" || out.format.Name == "ndjson" {
			return out.path
		}
	}
	return ""
}
