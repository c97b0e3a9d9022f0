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
	Implementations Kind = "implementations" // side by side
	Since           Kind = "change"          // one before and after
)

// Outcome is what a comparison comes to.
type Outcome string

// The outcomes. Compared is that of implementations: to differ is no fault.
const (
	Compared     Outcome = "compared"
	Regression   Outcome = "regression"
	NoRegression Outcome = "no-regression"
	Inconclusive Outcome = "inconclusive"
)

// Comparison is what several reports say about the same contract. Every list of
// a row that has one entry for each column is in the order of Columns.
type Comparison struct {
	Schema      string          `json:"schema"`
	Kind        Kind            `json:"kind"`
	Outcome     Outcome         `json:"outcome"`
	Reason      string          `json:"reason"` // of the outcome, in one sentence
	Contract    result.Contract `json:"contract"`
	Strict      bool            `json:"strict"` // as all of them were judged
	Columns     []Column        `json:"columns"`
	Compared    int             `json:"compared"` // fixtures that two reports at least have judged
	NotCompared []Gap           `json:"notCompared"`
	Clauses     []Clause        `json:"clauses"`
	Silences    []Silence       `json:"silences"`
	Change      *Change         `json:"change,omitempty"` // of a comparison of that kind
}

// Column is one report.
type Column struct {
	Key            string                `json:"key"`  // A, B, …
	Name           string                `json:"name"` // no two columns have the same
	File           string                `json:"file"`
	Implementation result.Implementation `json:"implementation"`
	BaseURL        string                `json:"baseURL"`
	Harness        string                `json:"harness"` // its version
	Run            string                `json:"run"`     // its id
	Started        time.Time             `json:"started"`
	Complete       bool                  `json:"complete"`
	Partial        bool                  `json:"partial"`         // a filter or a shard left fixtures out
	Blank          bool                  `json:"blank,omitempty"` // nothing was judged; what is said of all is said of the others
	Verdict        verdict.Verdict       `json:"verdict"`
	Reason         string                `json:"reason"`
	Counts         result.Counts         `json:"counts"`
}

// Gap is a number of fixtures that not every report has judged, and why.
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
	Same    bool          `json:"same"` // every cell has the same status, but for those of blank columns
	Cells   []Cell        `json:"cells"`
}

// Cell is what one report says about one clause, by all of its fixtures.
type Cell struct {
	Status   verdict.ClauseStatus `json:"status"`   // as in a report, or absent where the report does not know the clause
	Fixtures int                  `json:"fixtures"` // that exercised it
	Findings int                  `json:"findings"` // fixtures with a violation of it, or a warning
}

// Absent is the status of a clause that a report does not know.
const Absent verdict.ClauseStatus = "absent"

// Silence is a question that the contract leaves open, and how it is answered.
// Only fixtures that two reports at least have judged are counted.
type Silence struct {
	Clause      spec.ClauseID `json:"clause"`
	Section     string        `json:"section"`
	Source      string        `json:"source,omitempty"` // file and line of the contract, if it states the clause
	Text        string        `json:"text"`
	Same        bool          `json:"same"` // every fixture is answered alike by all that were judged
	Fixtures    int           `json:"fixtures"`
	Answers     []Answer      `json:"answers"`
	Differences []Difference  `json:"differences"`
}

// Answer is one way to answer a question: a status, and the media type if there
// is one.
type Answer struct {
	Answer   string `json:"answer"`
	Fixtures []int  `json:"fixtures"` // how many got it, by column
}

// Difference is a fixture that is not answered alike by all.
type Difference struct {
	Fixture string   `json:"fixture"`
	Answers []string `json:"answers"` // by column; "" where the report has not judged it
}

// Change is what differs between the first report and the second, apart from
// changed answers: those are the differences of the silences.
type Change struct {
	Worse         []Shift `json:"worse"`  // newly broken, or newly warned of
	Better        []Shift `json:"better"` // fixed
	Uncompared    []Shift `json:"found"`  // broken now, in fixtures that are not compared: it is unknown since when
	Untested      []Move  `json:"lost"`   // tested before, and not now
	StatusChanged []Move  `json:"moved"`  // clauses whose status changed in another way
}

// Shift is a place at which findings of a clause came or went, and the fixtures
// in which.
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

// Widths in characters of texts that others chose.
const (
	answerWidth = 60
	nameWidth   = 40
)

// WriteJSON writes the stable format, as compare.schema.json describes it.
func WriteJSON(w io.Writer, c Comparison) error {
	return terminal.WriteJSON(w, "the comparison as JSON", "  ", c)
}
