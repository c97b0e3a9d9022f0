package compare

import (
	"io"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/terminal"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// SchemaID names the version of the JSON format. Within one version keys are
// only added.
const SchemaID = "conformance.comparison/v1"

// Kind is what is compared.
type Kind string

// The kinds.
const (
	Implementations Kind = "implementations" // different implementations
	Since           Kind = "change"          // one implementation, before and after
)

// Outcome is the result of a comparison.
type Outcome string

// The outcomes. Compared is for different implementations: a difference is not a fault.
const (
	Compared     Outcome = "compared"
	Regression   Outcome = "regression"
	NoRegression Outcome = "no-regression"
	Inconclusive Outcome = "inconclusive"
)

// Comparison is what several reports say about the same contract. A list with one entry for each
// column is in the order of Columns.
type Comparison struct {
	Schema      string          `json:"schema"`
	Kind        Kind            `json:"kind"`
	Outcome     Outcome         `json:"outcome"`
	Reason      string          `json:"reason"` // of the outcome, in one sentence
	Contract    result.Contract `json:"contract"`
	Strict      bool            `json:"strict"` // whether all reports were judged with --strict
	Columns     []Column        `json:"columns"`
	Compared    int             `json:"compared"` // fixtures that at least two reports judged
	NotCompared []Gap           `json:"notCompared"`
	Clauses     []Clause        `json:"clauses"`
	Silences    []Silence       `json:"silences"`
	Change      *Change         `json:"change,omitempty"` // only if Kind is Since
}

// Column is one report.
type Column struct {
	Key            string                `json:"key"`  // A, B, …
	Name           string                `json:"name"` // unique
	File           string                `json:"file"`
	Implementation result.Implementation `json:"implementation"`
	BaseURL        string                `json:"baseURL"`
	Harness        string                `json:"harness"` // its version
	Run            string                `json:"run"`     // its id
	Started        time.Time             `json:"started"`
	Complete       bool                  `json:"complete"`
	Partial        bool                  `json:"partial"`         // a filter or a shard left fixtures out
	Blank          bool                  `json:"blank,omitempty"` // nothing was judged; not compared with others
	Verdict        verdict.Verdict       `json:"verdict"`
	Reason         string                `json:"reason"`
	Counts         result.Counts         `json:"counts"`
}

// Gap is a list of fixtures that not every report judged, and the reason.
type Gap struct {
	Reason   string   `json:"reason"`
	Fixtures []string `json:"fixtures"`
}

// Clause is a row of the matrix: one statement of the contract.
type Clause struct {
	ID      spec.ClauseID `json:"id"`
	Level   spec.Level    `json:"level"`
	Section string        `json:"section"`
	Source  string        `json:"source,omitempty"` // file and line of the contract, if it states the clause
	Text    string        `json:"text"`
	Same    bool          `json:"same"` // all columns that are not blank have the same status
	Cells   []Cell        `json:"cells"`
}

// Cell is what one report says about one clause, over all of its fixtures.
type Cell struct {
	Status   verdict.ClauseStatus `json:"status"`   // as in the report, or absent if it does not contain the clause
	Fixtures int                  `json:"fixtures"` // fixtures that exercised the clause
	Findings int                  `json:"findings"` // fixtures with a violation or a warning of the clause
}

// Absent is the status of a clause that a report does not contain.
const Absent verdict.ClauseStatus = "absent"

// Silence is a question that the contract leaves open, and its answers. Only fixtures that at
// least two reports judged are counted.
type Silence struct {
	Clause      spec.ClauseID `json:"clause"`
	Section     string        `json:"section"`
	Source      string        `json:"source,omitempty"` // file and line of the contract, if it states the clause
	Text        string        `json:"text"`
	Same        bool          `json:"same"` // all reports that judged a fixture have the same answer to it
	Fixtures    int           `json:"fixtures"`
	Answers     []Answer      `json:"answers"`
	Differences []Difference  `json:"differences"`
}

// Answer is one answer to a question: a status, with the media type if there is one, or a value
// in the body.
type Answer struct {
	Answer   string `json:"answer"`
	Fixtures []int  `json:"fixtures"` // how many fixtures got this answer, by column
}

// Difference is a fixture with different answers.
type Difference struct {
	Fixture string   `json:"fixture"`
	Answers []string `json:"answers"` // by column; "" if the report has no answer
}

// Change is what differs between the first and the second report. It does not contain changed
// answers: these are the differences of the silences.
type Change struct {
	Worse         []Shift `json:"worse"`  // newly broken, or new warnings
	Better        []Shift `json:"better"` // fixed
	Uncompared    []Shift `json:"found"`  // broken now, in fixtures that the first report did not judge
	Untested      []Move  `json:"lost"`   // tested before, but no longer
	StatusChanged []Move  `json:"moved"`  // clauses whose status changed in another way
}

// Shift is a place at which findings of a clause appeared or disappeared, and the fixtures with
// these findings.
type Shift struct {
	Clause   spec.ClauseID        `json:"clause"`
	Level    spec.Level           `json:"level"`
	Section  string               `json:"section"`
	Source   string               `json:"source,omitempty"` // file and line of the contract, if it states the clause
	Severity judge.Severity       `json:"severity"`         // violation or warning
	Before   verdict.ClauseStatus `json:"before"`           // status of the clause at this place
	After    verdict.ClauseStatus `json:"after"`
	Pointer  string               `json:"pointer,omitempty"` // JSON pointer to the place in the body, of the first finding
	Message  string               `json:"message"`           // of the first finding
	Fixtures []string             `json:"fixtures"`
}

// sentence names the property and says what is wrong with it.
func (s Shift) sentence() string { return strings.TrimSpace(s.Pointer + " " + s.Message) }

// Move is a clause whose status changed.
type Move struct {
	Clause spec.ClauseID        `json:"clause"`
	Before verdict.ClauseStatus `json:"before"`
	After  verdict.ClauseStatus `json:"after"`
}

// Maximum widths, in characters, of texts from other sources.
const (
	answerWidth = 60
	nameWidth   = 40
)

// WriteJSON writes the stable format that compare.schema.json describes.
func WriteJSON(w io.Writer, c Comparison) error {
	return terminal.WriteJSON(w, "the comparison as JSON", "  ", c)
}
