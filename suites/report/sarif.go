package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// WriteSARIF writes SARIF 2.1.0: a rule for each clause and a result for each
// cause of a violation or a warning, on the line of the OpenAPI document that
// states the clause. Answers to open questions are not results: there is nothing
// to fix about them.
func WriteSARIF(w io.Writer, r result.Report) error {
	return terminal.WriteJSON(w, "the SARIF report", "  ", newSARIF(r))
}

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
	Name            string      `json:"name"`
	Version         string      `json:"version"`
	SemanticVersion string      `json:"semanticVersion"`
	InformationURI  string      `json:"informationUri"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string         `json:"id"`
	ShortDescription     sarifMessage   `json:"shortDescription"`
	FullDescription      sarifMessage   `json:"fullDescription"`
	HelpURI              string         `json:"helpUri,omitempty"`
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

func newSARIF(r result.Report) sarif {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "conformance", Version: sarifVersion(r.Harness), SemanticVersion: sarifVersion(r.Harness),
			InformationURI: repository, Rules: []sarifRule{},
		}},
		Invocations: []sarifInvocation{newSARIFInvocation(r)},
		Results:     []sarifResult{},
		ColumnKind:  "utf16CodeUnits",
	}
	known := map[string]int{}
	public := publishedIn(r)
	for i, c := range r.Clauses {
		known[c.ID] = i
		rule := newSARIFRule(c)
		rule.HelpURI = public.address(placeOf(c.Source))
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, kind := range []judge.Severity{judge.Violation, judge.WaivedViolation, judge.Warning} {
		for _, c := range causes(r, kind) {
			run.Results = append(run.Results, newSARIFResult(r, c, known, public))
		}
	}
	return sarif{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

func newSARIFInvocation(r result.Report) sarifInvocation {
	const form = "2006-01-02T15:04:05.000Z" // the form of the standard, §3.9
	duration := time.Duration(r.Run.DurationMs * float64(time.Millisecond))
	i := sarifInvocation{
		Successful:    r.Verdict == judge.Conformant || r.Verdict == judge.Nonconformant,
		Start:         r.Run.Started.UTC().Format(form),
		End:           r.Run.Started.Add(duration).UTC().Format(form),
		Notifications: []sarifNotification{},
	}
	if !i.Successful {
		i.Notifications = append(i.Notifications, sarifNotification{sarifError, sarifText(r.Headline + ": " + r.Reason)})
	}
	for _, result := range r.Results {
		if result.Shown() == judge.Unjudged {
			i.Notifications = append(i.Notifications, sarifNotification{sarifWarning, sarifText(result.Fixture + " is unjudged: " + result.Reason)})
		}
	}
	return i
}

func newSARIFRule(c judge.Clause) sarifRule {
	level := map[spec.Level]string{spec.Must: sarifError, spec.Should: sarifWarning}[c.Level]
	if level == "" {
		level = sarifNote
	}
	return sarifRule{
		ID: Visible(c.ID), ShortDescription: sarifText(c.Text),
		FullDescription:      sarifText(fmt.Sprintf("%s (%s)", c.Text, strings.Trim(string(c.Level)+", "+where(c), ", "))),
		DefaultConfiguration: sarifSetting{level},
		Properties:           sarifRuleFacts{Visible(c.Level), Visible(c.Section), Visible(c.Status)},
	}
}

func newSARIFResult(r result.Report, c *cause, known map[string]int, public Compile) sarifResult {
	f, result := c.finding, c.result
	key := result.Cause(f)
	mark := fingerprint(key.Clause, key.Place, key.Message, strconv.Itoa(key.Status), key.Answer)
	out := sarifResult{
		RuleID: Visible(f.Clause), RuleIndex: -1, Level: sarifWarning, Message: sarifTold(r, c),
		// GitHub takes no other name than its own for what tells results apart.
		Fingerprints: map[string]string{"cause/v2": mark, "primaryLocationLineHash": mark[:16] + ":1"},
	}
	if f.Severity == judge.Violation {
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
	fixture := sarifLocation{Physical: newSARIFPhysical(placeOf(result.Source), public), Message: &sarifMessage{"the fixture"}}
	if stated.file == "" { // not known: then what is known
		out.Locations = []sarifLocation{{Physical: fixture.Physical}}
		return out
	}
	out.Locations, out.Related = []sarifLocation{{Physical: newSARIFPhysical(stated, public)}}, []sarifLocation{fixture}
	return out
}

// sarifTold tells of a cause in a few lines.
func sarifTold(r result.Report, c *cause) sarifMessage {
	lines := []string{c.result.Fixture + ": " + sentence(c.finding)}
	for _, e := range evidenceOf(c.result, c.finding) {
		if e.text != "" {
			lines = append(lines, e.name+": "+e.text)
		}
	}
	if c.finding.Kind() == judge.Warning {
		lines = append(lines, whyWarning(r, c.result, c.finding))
	}
	if n := len(c.fixtures) - 1; n > 0 {
		lines = append(lines, fmt.Sprintf("likewise: %d more: %s", n, strings.Join(byFolder(c.fixtures[1:], few), ", ")))
	}
	for i := range lines {
		lines[i] = sarifText(lines[i]).Text
	}
	return sarifMessage{strings.Join(lines, "\n")}
}

// sarifVersion is the harness's version as a number: 1.2.3, or 0.0.0 with the
// commit for a build of no release.
func sarifVersion(h result.Harness) string {
	version := strings.TrimPrefix(h.Version, "v")
	switch {
	case semantic.MatchString(version):
		return version
	case commit.MatchString(h.Commit):
		return "0.0.0-dev+" + h.Commit[:12]
	}
	return "0.0.0-dev"
}

var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$`)

// sarifText is a visible text in which nothing is a placeholder (SARIF §3.11.5)
// or a link (§3.11.6).
func sarifText(text string) sarifMessage {
	escape := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}")
	return sarifMessage{escape.Replace(Visible(text))}
}

// newSARIFPhysical is a place in a file of the user's. A file that is built in is
// in the public repository; its address goes without the scheme, since GitHub
// refuses a whole report for one https address among its places.
func newSARIFPhysical(at place, public Compile) sarifPhysical {
	physical := sarifPhysical{Artifact: sarifArtifact{fileURI(at.file)}}
	if address := public.address(place{file: at.file}); address != "" {
		physical.Artifact.URI = strings.TrimPrefix(address, "https://")
	}
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
