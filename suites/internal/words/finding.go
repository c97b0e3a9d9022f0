package words

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Clause returns the clause of a cause with its level and its place in the contract. A warning has
// the level of its fixture, if that is weaker.
func (c *Cause) Clause(r result.Report) string {
	id := c.Finding.Clause
	stated := verdict.ClauseNamed(r.Clauses, id)
	if stated.ID == "" {
		return string(id)
	}
	if id == c.Result.Clause && c.Finding.Kind() == judge.Warning && c.Result.Level == spec.Should {
		stated.Level = spec.Should
	}
	return fmt.Sprintf("%s (%s)", id, Weight(stated))
}

// Weight returns the level of a clause and its place in the contract.
func Weight(c verdict.Clause) string { return LevelAt(c.Level, Where(c.Section, c.Source)) }

// LevelAt returns a level with the section of a clause, if that is known.
func LevelAt(level spec.Level, section string) string {
	return strings.Trim(string(level)+", "+section, ", ")
}

func whyWarning(r result.Report, one result.Result, f judge.Finding) string {
	switch {
	case verdict.ClauseNamed(r.Clauses, f.Clause).Level == spec.Should:
		return "only a warning: this follows from the contract, but the contract does not state it"
	case f.Clause.IsAccepts() && one.Credential && one.Exchange.Status() == http.StatusUnauthorized:
		return "only a warning: the credential may have expired, or an earlier request may have ended its session"
	case f.Clause == one.Clause && one.Level == spec.Should:
		return "only a warning: the contract does not settle this case"
	case f.Clause == one.Clause || one.Expect == fixtures.Accepted && f.Clause.IsAccepts():
		if _, reason, told := strings.Cut(f.Message, ", though "); told {
			return "only a warning: " + reason
		}
	}
	return "only a warning: the contract does not forbid it"
}

// Tell describes a finding in a few lines.
func Tell(r result.Report, one result.Result, f judge.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", f.Kind(), Visible(f.Clause), Visible(Sentence(f)))
	for _, e := range EvidenceOf(one, f) {
		fmt.Fprintf(&b, "%-9s %s\n", e.Name, e.Text)
	}
	if f.Kind() == judge.Warning {
		fmt.Fprintf(&b, "%-9s %s\n", "why", whyWarning(r, one, f))
	}
	return b.String()
}

// WaivedBecause returns the reason of the first violation that is waived.
func WaivedBecause(r result.Result) string {
	waived, _ := lists.First(r.Findings, func(f judge.Finding) bool { return f.Waived != "" })
	return waived.Waived
}

// Complaint returns why a test of this result fails, as lines for its log: every
// violation that is not waived, or why the result is unjudged. It is empty if the
// test passes.
func Complaint(contract *spec.Contract, r result.Result) string {
	if r.Excused {
		return ""
	}
	if r.Status == judge.Unjudged {
		return "unjudged: " + Visible(r.Reason)
	}
	var lines []string
	for _, f := range r.Findings {
		if f.Kind() != judge.Violation {
			continue
		}
		clause, _ := contract.Clause(f.Clause)
		lines = append(lines, fmt.Sprintf("breaks %s (%s): %s\n    expected  %s\n    got       %s", f.Clause, Weight(verdict.Clauses([]spec.Clause{clause}, contract.File)[0]),
			Visible(strings.TrimSpace(f.Pointer+" "+f.Message)), Visible(f.Expected), Visible(f.Actual)))
	}
	return strings.Join(slices.Compact(lines), "\n")
}

// Mark returns the symbol of a status in its color. The symbol is clear without the color.
func Mark[S ~string](status S) terminal.Span {
	marks := map[judge.Status]terminal.Span{
		judge.Passed: terminal.Green.Of("✓"), judge.Failed: terminal.Red.Of("✗"),
		judge.Warned: terminal.Yellow.Of("!"), judge.Waived: terminal.Yellow.Of("~"),
		judge.Unjudged: terminal.Yellow.Of("?"), judge.Status(verdict.ClauseVacuous): terminal.Yellow.Of("?"),
		result.Skipped: terminal.Faint.Of("-"),
	}
	return cmp.Or(marks[judge.Status(status)], terminal.Faint.Of("·"))
}

// Shade returns the verdict whose color the headline has. A qualified conformant run has the
// same color as an inconclusive one.
func Shade(r result.Report) verdict.Verdict {
	if r.Qualified {
		return verdict.Inconclusive
	}
	return r.Verdict
}

// ColorOf returns the color of a verdict.
func ColorOf(v verdict.Verdict) terminal.Color {
	colors := map[verdict.Verdict]terminal.Color{verdict.Conformant: terminal.Green, verdict.Nonconformant: terminal.Red}
	return cmp.Or(colors[v], terminal.Yellow)
}

// A Place is a line of a file. Line is 0 if only the file is known. Both are zero if
// nothing is known.
type Place struct {
	File string
	Line int
}

// PlaceOf parses a source of the result model, such as "path/name.yaml:2".
func PlaceOf(source string) Place {
	if i := strings.LastIndexByte(source, ':'); i >= 0 {
		if line, err := strconv.Atoi(source[i+1:]); err == nil && line > 0 {
			return Place{source[:i], line}
		}
	}
	return Place{File: source}
}

// Where returns the place of a clause for people: a section of the interface document, a
// line of the OpenAPI document such as "openapi.yaml:10", or a JSON pointer.
func Where(section, source string) string {
	if strings.HasPrefix(section, "#") && PlaceOf(source).Line > 1 { // a document may have only one line
		return path.Base(filepath.ToSlash(source))
	}
	return section
}

// Repository is the URL where people can read the built-in contract and fixtures.
const Repository = "https://github.com/plantstore/conformance"

// A Published knows which files are in the public repository at the version of the
// harness.
type Published struct {
	ref      string // a tag or a commit
	contract string // the name of the document; "" if it is not the built-in one
}

// PublishedIn returns the Published for the files that a report names.
func PublishedIn(r result.Report) Published {
	built, err := spec.PlantStore()
	if err != nil || r.Contract.Source != built.File || r.Contract.SHA256 != built.SHA256 {
		return Published{}
	}
	return Published{cmp.Or(r.Harness.Revision(), "HEAD"), built.File}
}

// Address returns the URL of a place in the public repository, or "" if the file belongs
// to the user.
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
