// Package sarif writes a report in SARIF, for tools that show findings on lines of files.
package sarif

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Write writes SARIF 2.1.0: a rule for each clause, and a result for each cause of a violation
// or a warning. The result is on the line of the OpenAPI document that states the clause.
// Answers to open questions are not results, because there is nothing to fix.
func Write(w io.Writer, r result.Report) error {
	return terminal.WriteJSON(w, "the SARIF report", "  ", newLog(r))
}

type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        map[string]driver `json:"tool"`
	Invocations []invocation      `json:"invocations"`
	Results     []finding         `json:"results"`
	ColumnKind  string            `json:"columnKind"`
}

type driver struct {
	Name            string `json:"name"`
	Version         string `json:"version"`
	SemanticVersion string `json:"semanticVersion"`
	InformationURI  string `json:"informationUri"`
	Rules           []rule `json:"rules"`
}

type rule struct {
	ID                   string            `json:"id"`
	ShortDescription     message           `json:"shortDescription"`
	FullDescription      message           `json:"fullDescription"`
	HelpURI              string            `json:"helpUri,omitempty"`
	DefaultConfiguration map[string]string `json:"defaultConfiguration"`
	Properties           map[string]string `json:"properties"`
}

type invocation struct {
	Successful    bool             `json:"executionSuccessful"`
	Start         string           `json:"startTimeUtc"`
	End           string           `json:"endTimeUtc"`
	Notifications []map[string]any `json:"toolExecutionNotifications"`
}

type finding struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      message           `json:"message"`
	Locations    []location        `json:"locations"`
	Related      []location        `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Suppressions []suppression     `json:"suppressions,omitempty"`
}

// suppression says why a result is accepted (§3.35).
type suppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

type message struct {
	Text string `json:"text"`
}

type location struct {
	Physical physicalLocation `json:"physicalLocation"`
	Message  *message         `json:"message,omitempty"`
}

type physicalLocation struct {
	Artifact map[string]string `json:"artifactLocation"`
	Region   map[string]int    `json:"region,omitempty"`
}

const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

func newLog(r result.Report) sarifLog {
	out := run{
		Invocations: []invocation{newInvocation(r)},
		Results:     []finding{},
		ColumnKind:  "utf16CodeUnits",
	}
	harness := driver{
		Name: "conformance", Version: semanticVersion(r.Harness), SemanticVersion: semanticVersion(r.Harness),
		InformationURI: words.Repository, Rules: []rule{},
	}
	known := map[spec.ClauseID]int{}
	public := words.PublishedIn(r)
	for i, c := range r.Clauses {
		known[c.ID] = i
		rule := newRule(c)
		rule.HelpURI = public.Address(words.PlaceOf(c.Source))
		harness.Rules = append(harness.Rules, rule)
	}
	out.Tool = map[string]driver{"driver": harness}
	for _, kind := range []judge.Severity{judge.Violation, judge.WaivedViolation, judge.Warning} {
		for _, c := range words.Causes(r, kind) {
			out.Results = append(out.Results, newFinding(r, c, known, public))
		}
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []run{out}}
}

func newInvocation(r result.Report) invocation {
	const form = "2006-01-02T15:04:05.000Z" // the format that SARIF requires, §3.9
	duration := time.Duration(r.Run.DurationMs * float64(time.Millisecond))
	i := invocation{
		Successful:    r.Verdict == verdict.Conformant || r.Verdict == verdict.Nonconformant,
		Start:         r.Run.Started.UTC().Format(form),
		End:           r.Run.Started.Add(duration).UTC().Format(form),
		Notifications: []map[string]any{},
	}
	notify := func(level, text string) {
		i.Notifications = append(i.Notifications, map[string]any{"level": level, "message": plain(text)})
	}
	if !i.Successful {
		notify(levelError, r.Headline+": "+r.Reason)
	}
	for _, result := range r.Results {
		if result.Shown() == judge.Unjudged {
			notify(levelWarning, result.Fixture+" is unjudged: "+result.Reason)
		}
	}
	for _, text := range words.Unreached(r, true) {
		notify(levelNote, text)
	}
	return i
}

func newRule(c verdict.Clause) rule {
	level := map[spec.Level]string{spec.Must: levelError, spec.Should: levelWarning}[c.Level]
	return rule{
		ID: words.Visible(c.ID), ShortDescription: plain(c.Text),
		FullDescription:      plain(fmt.Sprintf("%s (%s)", c.Text, words.Weight(c))),
		DefaultConfiguration: map[string]string{"level": cmp.Or(level, levelNote)},
		Properties:           map[string]string{"level": words.Visible(c.Level), "section": words.Visible(c.Section), "status": words.Visible(c.Status)},
	}
}

func newFinding(r result.Report, c *words.Cause, known map[spec.ClauseID]int, public words.Published) finding {
	f, one := c.Finding, c.Result
	key := one.Cause(f)
	// The fingerprint is the same for the same fault in every run. It does not contain the line,
	// so it does not change if the document grows.
	parts := []string{key.Clause, key.Place, key.Message, strconv.Itoa(key.Status), key.Answer}
	mark := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))
	out := finding{
		RuleID: words.Visible(f.Clause), RuleIndex: -1, Level: levelWarning, Message: told(c),
		// GitHub distinguishes results only by primaryLocationLineHash.
		Fingerprints: map[string]string{"cause/v2": mark, "primaryLocationLineHash": mark[:16] + ":1"},
	}
	if f.Severity == judge.Violation {
		out.Level = levelError
	}
	if f.Waived != "" {
		out.Suppressions = []suppression{{Kind: "external", Status: "accepted", Justification: words.Visible(f.Waived)}}
	}
	stated := words.Place{File: r.Contract.Source}
	if i, ok := known[f.Clause]; ok {
		out.RuleIndex = i
		if at := words.PlaceOf(r.Clauses[i].Source); at.File != "" {
			stated = at
		}
	}
	fixture := location{Physical: newPhysicalLocation(words.PlaceOf(one.Source), public), Message: &message{"the source of the fixture"}}
	if stated.File == "" { // unknown: use the fixture instead
		out.Locations = []location{{Physical: fixture.Physical}}
		return out
	}
	out.Locations, out.Related = []location{{Physical: newPhysicalLocation(stated, public)}}, []location{fixture}
	return out
}

func told(c *words.Cause) message {
	lines := append([]string{c.Result.Fixture + ": " + words.Sentence(c.Finding)}, c.Lines()...)
	return message{strings.Join(lists.Map(lines, func(line string) string { return plain(line).Text }), "\n")}
}

// semanticVersion returns the version of the harness, such as 1.2.3. For a build that is not a
// release, it returns 0.0.0-dev, with the commit if this is known.
func semanticVersion(h result.Harness) string {
	version := strings.TrimPrefix(h.Version, "v")
	switch {
	case semantic.MatchString(version):
		return version
	case hash.MatchString(h.Commit):
		return "0.0.0-dev+" + h.Commit[:12]
	}
	return "0.0.0-dev"
}

var (
	semantic = regexp.MustCompile(`^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$`)
	hash     = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// plain makes a text visible. It escapes placeholders (SARIF §3.11.5) and links (§3.11.6).
func plain(text string) message {
	escape := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}")
	return message{escape.Replace(words.Visible(text))}
}

// newPhysicalLocation returns a place in a file of the user, or in the public repository if the
// file is built in. The repository address has no scheme, because GitHub refuses a whole report
// if one of its places is an https address.
func newPhysicalLocation(at words.Place, public words.Published) physicalLocation {
	address := strings.TrimPrefix(public.Address(words.Place{File: at.File}), "https://")
	physical := physicalLocation{Artifact: map[string]string{"uri": cmp.Or(address, fileURI(at.File))}}
	if at.Line > 0 {
		physical.Region = map[string]int{"startLine": at.Line}
	}
	return physical
}

// fileURI returns a path as a URI reference. A relative path stays relative, so that tools find
// the file wherever it is checked out.
func fileURI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
		u.Path = "/" + strings.TrimLeft(u.Path, "/")
	}
	return u.String()
}
