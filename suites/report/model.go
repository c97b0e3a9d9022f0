package report

import "time"

// SchemaID names the version of the JSON format. Within one version keys are
// only added.
const SchemaID = "conformance.report/v1"

// Report is the outcome of one run.
type Report struct {
	Schema string `json:"schema"`
	Head
	Verdict      string        `json:"verdict"`             // conformant, nonconformant or inconclusive
	Headline     string        `json:"headline,omitempty"`  // the verdict as a person reads it, with what it does not cover
	Qualified    bool          `json:"qualified,omitempty"` // conformant, but shown in amber: violations are waived, or most must-clauses were not tested
	Reason       string        `json:"reason"`              // of the verdict, in one sentence
	Counts       Counts        `json:"counts"`
	Clauses      []Clause      `json:"clauses"`
	Waivers      []Waiver      `json:"waivers"`
	Results      []Result      `json:"results"`
	Controls     []Result      `json:"controls,omitempty"` // sent beside the run's fixtures, to hold rejections against; they do not count
	Observations []Observation `json:"observations"`
}

// Head is what a report says beside its results.
type Head struct {
	Harness        Harness        `json:"harness"`
	Contract       Contract       `json:"contract"`
	Implementation Implementation `json:"implementation"`
	Target         Target         `json:"target"`
	Run            Run            `json:"run"`
}

// Harness is the program that judged.
type Harness struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

// Contract is the document that was judged by.
type Contract struct {
	Title   string `json:"title"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"`
	Source  string `json:"source,omitempty"` // the document's file
}

// Implementation is what the user says was tested.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"url"`
	Bundled bool   `json:"bundled,omitempty"` // it is the reference that the harness has built in
}

// Target is where it was reached.
type Target struct {
	BaseURL string `json:"baseURL"`
}

// Run is when and how.
type Run struct {
	ID         string    `json:"id"`
	Started    time.Time `json:"started"`
	DurationMs float64   `json:"durationMs"`
	Seed       uint64    `json:"seed"`
	Strict     bool      `json:"strict"`
	Complete   bool      `json:"complete"` // false where the run was cut off
	Partial    bool      `json:"partial"`  // a filter left fixtures out
	Fixtures   int       `json:"fixtures"` // of the run, or of this shard of it
	Shard      *Shard    `json:"shard,omitempty"`

	MinCoverage float64 `json:"minCoverage,omitempty"` // percent of the must-clauses that had to be tested
}

// Shard is a part of a run that was cut into several.
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

// Clause is one statement of the contract, or one question it leaves open.
type Clause struct {
	ID       string   `json:"id"`
	Level    string   `json:"level"`
	Section  string   `json:"section"`
	Text     string   `json:"text"`
	Status   string   `json:"status"`           // passed, failed, waived, warned, vacuous or unexercised
	Fixtures []string `json:"fixtures"`         // ids of those that exercised it
	Source   string   `json:"source,omitempty"` // file and line of the document, if it stands there
}

// Waiver is a known violation that its owner accepts for now, and what it did.
type Waiver struct {
	Match string `json:"match"` // of ids of fixtures or clauses

	// What narrows it, each as a glob; "" is any.
	Fixtures string `json:"fixtures,omitempty"` // ids of the fixtures that find the violation
	Message  string `json:"message,omitempty"`  // what the violation says
	Place    string `json:"place,omitempty"`    // its JSON pointer

	Reason string `json:"reason"`
	Owner  string `json:"owner"`
	Until  string `json:"until"`  // the last day, as 2006-01-02; "" is no end
	Source string `json:"source"` // file and line
	Waived int    `json:"waived"` // violations
	Stale  string `json:"stale"`  // why it fails the run; "" where it does not
}

// Result is the outcome of one fixture.
type Result struct {
	Fixture    string    `json:"fixture"`
	Place      int       `json:"place"` // in the order of the whole run, from 0
	Title      string    `json:"title"`
	Operation  string    `json:"operation"`
	Clause     string    `json:"clause"`
	Expect     string    `json:"expect"`
	Level      string    `json:"level"`
	Credential bool      `json:"credential"` // the request has the target's own, and nothing else is the matter with it
	Source     string    `json:"source"`     // file and line of the fixture
	Status     string    `json:"status"`     // passed, failed, waived, warned or unjudged
	Reason     string    `json:"reason,omitempty"`
	Excused    bool      `json:"excused,omitempty"` // unjudged for a reason that the contract permits
	Control    string    `json:"control,omitempty"` // the fixture that must be accepted for this rejection to be evidence
	Tries      int       `json:"tries,omitempty"`   // how often the run tried it; absent where once
	Alike      int       `json:"alike,omitempty"`   // of these, those with this status; absent where all
	Findings   []Finding `json:"findings"`
	Exercised  []string  `json:"exercised"` // ids of the clauses that it puts to the test
	Alone      *Alone    `json:"alone,omitempty"`
	Exchange   Exchange  `json:"exchange"`
	Curl       string    `json:"curl"`
}

// Alone is what a result shows by itself, where the others show that it is no
// evidence.
type Alone struct {
	Status    string    `json:"status"`
	Findings  []Finding `json:"findings"`
	Exercised []string  `json:"exercised"`
}

// Finding is one clause and the evidence.
type Finding struct {
	Clause   string `json:"clause"`
	Severity string `json:"severity"` // violation, warning or observation
	Message  string `json:"message"`
	Pointer  string `json:"pointer"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	Offset   int64  `json:"offset"`           // in the response body, in bytes; -1 where there is none
	Waived   string `json:"waived,omitempty"` // why the violation is accepted for now
}

// Exchange is what was sent and what came back.
type Exchange struct {
	Request    Request   `json:"request"`
	Response   *Response `json:"response"` // null where nothing arrived
	Failure    string    `json:"failure,omitempty"`
	DurationMs float64   `json:"durationMs"` // of the request itself, without any wait for its turn
}

// Request is what was sent.
type Request struct {
	Method  string              `json:"method"`
	URL     string              `json:"url"`
	Headers map[string][]string `json:"headers"`
	Body
}

// Response is what came back, or as much of it as did.
type Response struct {
	Status           int                 `json:"status"`
	Headers          map[string][]string `json:"headers"`
	HeadersTruncated bool                `json:"headersTruncated,omitempty"`
	Body
}

// Body is a body, in base64 where it is no UTF-8.
type Body struct {
	Body      string `json:"body"`
	Encoding  string `json:"bodyEncoding,omitempty"` // base64, or absent
	Truncated bool   `json:"truncated"`
	Size      int    `json:"bodySize,omitempty"` // of all of it, in bytes, where the report keeps its beginning
}

// Observation is what a target answers to a question that the contract leaves
// open.
type Observation struct {
	Clause  string   `json:"clause"`
	Answers []Answer `json:"answers"`
}

// Answer is one answer and who got it.
type Answer struct {
	Answer   string   `json:"answer"`
	Fixtures []string `json:"fixtures"`
}
