package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
)

// WriteSARIF writes SARIF 2.1.0: a rule for each clause and a result for each
// violation and each warning, which stands on the line of the OpenAPI document
// that states the clause. What a target answers to open questions is no result:
// there is nothing about it to mend.
func WriteSARIF(w io.Writer, r Report) error { return writeJSON(w, "SARIF", "  ", newSARIF(r)) }

type sarif struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	ColumnKind  string            `json:"columnKind"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string         `json:"id"`
	ShortDescription     sarifMessage   `json:"shortDescription"`
	FullDescription      sarifMessage   `json:"fullDescription"`
	DefaultConfiguration sarifSetting   `json:"defaultConfiguration"`
	Properties           sarifRuleFacts `json:"properties"`
}

type sarifSetting struct {
	Level string `json:"level"`
}

type sarifRuleFacts struct {
	Level   string `json:"level"`
	Section string `json:"section"`
	Status  string `json:"status"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Start         string              `json:"startTimeUtc"`
	End           string              `json:"endTimeUtc"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

// sarifSuppression says why a result is accepted (§3.35).
type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

const (
	sarifError   = "error"
	sarifWarning = "warning"
	sarifNote    = "note"
)

func newSARIF(r Report) sarif {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "conformance", Version: Visible(r.Harness.Version),
			InformationURI: "https://github.com/plantstore/conformance", Rules: []sarifRule{},
		}},
		Invocations: []sarifInvocation{newSARIFInvocation(r)},
		Results:     []sarifResult{},
		ColumnKind:  "utf16CodeUnits",
	}
	known := map[string]int{}
	for i, c := range r.Clauses {
		known[c.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newSARIFRule(c))
	}
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Severity != string(judge.Observation) {
				run.Results = append(run.Results, newSARIFResult(r, result, f, known))
			}
		}
	}
	return sarif{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

func newSARIFInvocation(r Report) sarifInvocation {
	const form = "2006-01-02T15:04:05.000Z" // the form of the standard, §3.9
	duration := time.Duration(r.Run.DurationMs * float64(time.Millisecond))
	i := sarifInvocation{
		Successful:    r.Verdict == string(judge.Conformant) || r.Verdict == string(judge.Nonconformant),
		Start:         r.Run.Started.UTC().Format(form),
		End:           r.Run.Started.Add(duration).UTC().Format(form),
		Notifications: []sarifNotification{},
	}
	if !i.Successful {
		i.Notifications = append(i.Notifications, sarifNotification{sarifError, sarifText(r.headline() + ": " + r.Reason)})
	}
	for _, result := range r.Results {
		if result.Status == string(judge.Unjudged) {
			i.Notifications = append(i.Notifications, sarifNotification{sarifWarning, sarifText(result.Fixture + " is unjudged: " + result.Reason)})
		}
	}
	return i
}

func newSARIFRule(c Clause) sarifRule {
	level := map[string]string{string(spec.Must): sarifError, string(spec.Should): sarifWarning}[c.Level]
	if level == "" {
		level = sarifNote
	}
	return sarifRule{
		ID: Visible(c.ID), ShortDescription: sarifText(c.Text),
		FullDescription:      sarifText(fmt.Sprintf("%s (%s)", c.Text, strings.Trim(c.Level+", "+c.Section, ", "))),
		DefaultConfiguration: sarifSetting{level},
		Properties:           sarifRuleFacts{c.Level, Visible(c.Section), c.Status},
	}
}

func newSARIFResult(r Report, result Result, f Finding, known map[string]int) sarifResult {
	out := sarifResult{
		RuleID: Visible(f.Clause), RuleIndex: -1, Level: sarifWarning, Message: sarifTold(result, f),
		Fingerprints: map[string]string{"clauseAndFixture/v1": fingerprint(f.Clause, result.Fixture, f.Pointer)},
	}
	if f.Severity == string(judge.Violation) {
		out.Level = sarifError
	}
	if f.Waived != "" {
		out.Suppressions = []sarifSuppression{{Kind: "external", Status: "accepted", Justification: Visible(f.Waived)}}
	}
	stated := place{file: r.Contract.Source}
	if i, ok := known[f.Clause]; ok {
		out.RuleIndex = i
		if at := placeOf(r.Clauses[i].Source); at.file != "" {
			stated = at
		}
	}
	fixture := sarifLocation{Physical: newSARIFPhysical(placeOf(result.Source)), Message: &sarifMessage{"the fixture"}}
	if stated.file == "" { // not known: then what is known
		out.Locations = []sarifLocation{{Physical: fixture.Physical}}
		return out
	}
	out.Locations, out.Related = []sarifLocation{{Physical: newSARIFPhysical(stated)}}, []sarifLocation{fixture}
	return out
}

// sarifTold tells of a finding in a few lines.
func sarifTold(r Result, f Finding) sarifMessage {
	lines := []string{r.Fixture + ": " + sentence(f)}
	for _, e := range evidenceOf(r, f) {
		if e.text != "" {
			lines = append(lines, e.name+": "+e.text)
		}
	}
	for i := range lines {
		lines[i] = sarifText(lines[i]).Text
	}
	return sarifMessage{strings.Join(lines, "\n")}
}

// sarifText is a visible text in which nothing is a placeholder (SARIF §3.11.5)
// or a link (§3.11.6).
func sarifText(text string) sarifMessage {
	escape := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}")
	return sarifMessage{escape.Replace(Visible(text))}
}

func newSARIFPhysical(at place) sarifPhysical {
	physical := sarifPhysical{Artifact: sarifArtifact{fileURI(at.file)}}
	if at.line > 0 {
		physical.Region = &sarifRegion{at.line}
	}
	return physical
}

// fileURI is a path as a reference: relative where the path is, so that it is
// found wherever the files are checked out.
func fileURI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
		u.Path = "/" + strings.TrimLeft(u.Path, "/")
	}
	return u.String()
}

// fingerprint is the same for the same fault in every run. It says nothing
// about the line, so that a fault stays itself when the document grows.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
