package result

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/verdict"
)

// SchemaID names the version of the JSON format. Within one version keys are
// only added.
const SchemaID = "conformance.report/v1"

// Report is the outcome of one run.
type Report struct {
	Schema string `json:"schema"`
	Head
	Verdict      verdict.Verdict   `json:"verdict"`
	Headline     string            `json:"headline,omitempty"`  // the verdict in words, with what it does not cover
	Qualified    bool              `json:"qualified,omitempty"` // conformant, but shown in amber: violations are waived, or most must-clauses were not tested
	Reason       string            `json:"reason"`              // of the verdict, in one sentence
	Counts       Counts            `json:"counts"`
	Clauses      []verdict.Clause  `json:"clauses"`
	Waivers      []verdict.Waiver  `json:"waivers"`
	Results      []Result          `json:"results"`
	Controls     []Result          `json:"controls,omitempty"` // sent in addition to the fixtures, to compare rejections with; they do not count
	Observations []verdict.Answers `json:"observations"`
	Reached      verdict.Reached   `json:"reached"`
}

// Head describes a run: its contract, its target and its settings.
type Head struct {
	Harness        Harness        `json:"harness"`
	Contract       Contract       `json:"contract"`
	Implementation Implementation `json:"implementation"`
	Target         Target         `json:"target"`
	Run            Run            `json:"run"`
}

// Harness is the program that judges.
type Harness struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

// Revision returns the name of the harness in git: the tag of a release, or else the commit; "" if
// neither is known.
func (h Harness) Revision() string {
	name, _ := lists.First([]string{h.Version, h.Commit}, revision.MatchString)
	return name
}

var revision = regexp.MustCompile(`^(v\d+\.\d+\.\d+|[0-9a-f]{40})$`)

// Contract is the document that the responses are judged by.
type Contract struct {
	Title   string `json:"title"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
	Source  string `json:"source,omitempty"` // the document's file
}

// String returns the title with the version.
func (c Contract) String() string { return strings.TrimSpace(c.Title + " " + c.Version) }

// Implementation is what the user says was tested.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"url"`
	Bundled bool   `json:"bundled,omitempty"` // it is the built-in reference
}

// String returns the name with the version, or "" if it has neither.
func (i Implementation) String() string { return strings.TrimSpace(i.Name + " " + i.Version) }

// Target is where the implementation was tested.
type Target struct {
	BaseURL string `json:"baseURL"`
}

// Run says when and how the fixtures were sent.
type Run struct {
	ID         string    `json:"id"`
	Started    time.Time `json:"started"`
	DurationMs float64   `json:"durationMs"`
	Seed       uint64    `json:"seed"`
	SeedGiven  bool      `json:"seedGiven,omitempty"` // the user chose the seed
	Strict     bool      `json:"strict"`
	Complete   bool      `json:"complete"` // false if the run was cut off
	Partial    bool      `json:"partial"`  // a filter left fixtures out
	Fixtures   int       `json:"fixtures"` // of the run, or of this shard of it
	Shard      *Shard    `json:"shard,omitempty"`

	MinCoverage float64 `json:"minCoverage,omitempty"` // percent of the must-clauses that had to be tested

	LeftOut  int               `json:"leftOut,omitempty"`  // derived fixtures beyond the limit of requests
	Explored int               `json:"explored,omitempty"` // random requests that were sent in addition to the fixtures
	Gaps     map[string]string `json:"gaps,omitempty"`     // by operation, why no fixture could be derived
}

// Shard is one part of a run that is split up.
type Shard struct {
	Index    int `json:"index"` // from 1
	Of       int `json:"of"`
	Fixtures int `json:"fixtures"` // of all shards together
}

// Counts are numbers of fixtures by status, and of findings by severity.
type Counts struct {
	Fixtures     int `json:"fixtures"`
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Waived       int `json:"waived"`
	Warned       int `json:"warned"`
	Unjudged     int `json:"unjudged"`
	Excused      int `json:"excused,omitempty"` // of the unjudged ones
	Violations   int `json:"violations"`
	Warnings     int `json:"warnings"`
	Observations int `json:"observations"`
}

// Result is the outcome of one fixture, with its evidence.
type Result struct {
	judge.Outcome
	Alone    *judge.Alone `json:"alone,omitempty"`
	Steps    []Step       `json:"steps,omitempty"` // that were sent with the request
	Exchange Exchange     `json:"exchange"`
	Curl     string       `json:"curl"`
}

// Step is a request that was sent with that of a fixture: before it, or as clean-up
// after it.
type Step struct {
	ID       string   `json:"id"`
	Cleanup  bool     `json:"cleanup,omitempty"`
	Left     bool     `json:"left,omitempty"` // the clean-up did not remove what it should
	Exchange Exchange `json:"exchange"`
	Curl     string   `json:"curl"`
}

// Exchange is what was sent and what came back.
type Exchange struct {
	Request    Request   `json:"request"`
	Response   *Response `json:"response"` // null if nothing arrived
	Failure    string    `json:"failure,omitempty"`
	DurationMs float64   `json:"durationMs"` // of the request itself, without any wait for its turn
}

// Request is what was sent.
type Request struct {
	Method  string      `json:"method"`
	URL     string      `json:"url"`
	Headers http.Header `json:"headers"`
	Body
}

// Response is the response, or the part of it that arrived.
type Response struct {
	Status           int         `json:"status"`
	Headers          http.Header `json:"headers"`
	HeadersTruncated bool        `json:"headersTruncated,omitempty"`
	Body
}

// Body is a body, in base64 if it is not UTF-8.
type Body struct {
	Body      string `json:"body"`
	Encoding  string `json:"bodyEncoding,omitempty"` // base64, or absent
	Truncated bool   `json:"truncated"`
	Size      int    `json:"bodySize,omitempty"` // of the whole body, in bytes, if the report has only its beginning
	Spaces    int    `json:"-"`                  // how many spaces follow the beginning
	End       string `json:"-"`                  // the end of what follows these spaces
}

// Skipped is the status of an excused result in the formats for people and CI
// systems. JSON says unjudged, and why.
const Skipped judge.Status = "skipped"

// Shown returns the status that people and CI systems see.
func (r Result) Shown() judge.Status {
	if r.Excused {
		return Skipped
	}
	return r.Status
}

// String returns how many fixtures have each status.
func (c Counts) String() string {
	parts := append([]string{fmt.Sprintf("%d passed", c.Passed)}, c.NotPassed()...)
	return fmt.Sprintf("%s: %s", judge.Number(c.Fixtures, "fixture"), strings.Join(parts, ", "))
}

// NotPassed returns how many fixtures have each of the other statuses, such as "2 failed". It omits
// statuses that no fixture has.
func (c Counts) NotPassed() []string {
	counts := map[judge.Status]int{judge.Failed: c.Failed, judge.Waived: c.Waived, judge.Warned: c.Warned, Skipped: c.Excused, judge.Unjudged: c.Unjudged - c.Excused}
	return judge.Numbers(counts, judge.Failed, judge.Waived, judge.Warned, Skipped, judge.Unjudged)
}

func count(results []Result) Counts {
	status := lists.Tally(results, func(r Result) judge.Status { return r.Status })
	findings := slices.Concat(lists.Map(results, func(r Result) []judge.Finding { return r.Findings })...)
	severity := lists.Tally(findings, func(f judge.Finding) judge.Severity { return f.Severity })
	return Counts{
		Fixtures: len(results), Passed: status[judge.Passed], Failed: status[judge.Failed], Waived: status[judge.Waived],
		Warned: status[judge.Warned], Unjudged: status[judge.Unjudged], Excused: lists.Count(results, func(r Result) bool { return r.Excused }),
		Violations: severity[judge.Violation], Warnings: severity[judge.Warning], Observations: severity[judge.Observation],
	}
}
