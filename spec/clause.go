package spec

// Level says how firmly a clause stands.
type Level string

// The levels. A must is stated by the contract, a should follows from it
// without being settled by it, a silence is a question it leaves open.
const (
	Must   Level = "must"
	Should Level = "should"
	Silent Level = "silent"
)

// Clause is one statement of a contract that can be kept or broken, or one
// question that it leaves open.
//
// [ClauseIDs] makes the ids and [ClauseID] reads them.
type Clause struct {
	ID        string
	Operation string // operationId
	Level     Level
	Section   string // of the interface document, or JSON pointer and line in the OpenAPI document
	Text      string
	Line      int // in the OpenAPI document; 0 for a silence of the overlay
}

// Part is the id without its operation: "request/body/name", "200/echo".
func (c Clause) Part() string { return ClauseID(c.ID).Part() }

// OnRequest reports whether the clause limits requests, so that a fixture can
// break it and expect a rejection.
func (c Clause) OnRequest() bool { return ClauseID(c.ID).OnRequest() }

// Status is the declared status a response clause belongs to, as the document
// writes it, or "" for every other clause.
func (c Clause) Status() string { return ClauseID(c.ID).Status() }
