package words

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Place is a line of a file; line is 0 where only the file is known, and both
// are zero where nothing is.
type Place struct {
	File string
	Line int
}

// PlaceOf reads what the model calls a source, as in "path/name.yaml:2".
func PlaceOf(source string) Place {
	if i := strings.LastIndexByte(source, ':'); i >= 0 {
		if line, err := strconv.Atoi(source[i+1:]); err == nil && line > 0 {
			return Place{source[:i], line}
		}
	}
	return Place{File: source}
}

// Where is the place of a clause as people write it: a section of the interface
// document, or a line of the OpenAPI document, as in "openapi.yaml:10".
func Where(c judge.Clause) string {
	if strings.HasPrefix(c.Section, "#") && PlaceOf(c.Source).Line > 0 {
		return path.Base(filepath.ToSlash(c.Source))
	}
	return c.Section
}

// Repository is where the contract and the fixtures that are built in can be
// read.
const Repository = "https://github.com/plantstore/conformance"

// Published tells which files are those of the public repository, at the
// version of the harness.
type Published struct {
	ref      string // a tag or a commit
	contract string // the name of the document; "" if it is not the one that is built in
}

// PublishedIn is about the files that a report names.
func PublishedIn(r result.Report) Published {
	built, err := spec.PlantStore()
	if err != nil || r.Contract.Source != built.File || r.Contract.SHA256 != built.SHA256 {
		return Published{}
	}
	return Published{cmp.Or(r.Harness.Revision(), "HEAD"), built.File}
}

// Address is that of a place in the public repository, or "" where it is a
// File of the user's own.
func (p Published) Address(at Place) string {
	if p.contract == "" || at.File == "" {
		return ""
	}
	if at.File != p.contract {
		set := fixtures.Bundled()
		name, within := strings.CutPrefix(at.File, set.Name+"/")
		if _, err := fs.Stat(set.FS, name); !within || err != nil {
			return ""
		}
	}
	address := Repository + "/blob/" + p.ref + "/" + at.File
	if at.Line > 0 {
		address += "#L" + strconv.Itoa(at.Line)
	}
	return address
}
