package report

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// place is a line of a file; line is 0 where only the file is known, and both
// are zero where nothing is.
type place struct {
	file string
	line int
}

// placeOf reads what the model calls a source, as in "path/name.yaml:2".
func placeOf(source string) place {
	if i := strings.LastIndexByte(source, ':'); i >= 0 {
		if line, err := strconv.Atoi(source[i+1:]); err == nil && line > 0 {
			return place{source[:i], line}
		}
	}
	return place{file: source}
}

// where is the place of a clause as people write it: a section of the interface
// document, or a line of the OpenAPI document, as in "openapi.yaml:10".
func where(c judge.Clause) string {
	if strings.HasPrefix(c.Section, "#") && placeOf(c.Source).line > 0 {
		return path.Base(filepath.ToSlash(c.Source))
	}
	return c.Section
}

// repository is where the contract and the fixtures that are built in can be
// read.
const repository = "https://github.com/plantstore/conformance"

// Compile tells which files are those of the public repository, at the
// version of the harness.
type Compile struct {
	ref      string // a tag or a commit
	contract string // the name of the document; "" if it is not the one that is built in
}

// publishedIn is about the files that a report names.
func publishedIn(r result.Report) Compile {
	built, err := spec.PlantStore()
	if err != nil || r.Contract.Source != built.File || r.Contract.SHA256 != built.SHA256 {
		return Compile{}
	}
	ref := "HEAD"
	switch {
	case release.MatchString(r.Harness.Version):
		ref = r.Harness.Version
	case commit.MatchString(r.Harness.Commit):
		ref = r.Harness.Commit
	}
	return Compile{ref, built.File}
}

var (
	release = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)
	commit  = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// address is that of a place in the public repository, or "" where it is a
// file of the user's own.
func (p Compile) address(at place) string {
	if p.contract == "" || at.file == "" {
		return ""
	}
	if at.file != p.contract {
		set := fixtures.Bundled()
		name, within := strings.CutPrefix(at.file, set.Name+"/")
		if _, err := fs.Stat(set.FS, name); !within || err != nil {
			return ""
		}
	}
	address := repository + "/blob/" + p.ref + "/" + at.file
	if at.line > 0 {
		address += "#L" + strconv.Itoa(at.line)
	}
	return address
}
