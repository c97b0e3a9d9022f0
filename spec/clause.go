package spec

import "strings"

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
// Ids follow one grammar and are never positional:
//
//	<operationId>/answers | accepts
//	<operationId>/request/credential | media-type | body[/<path>]
//	<operationId>/request/path|query|header|cookie/<name>
//	<operationId>/<status>/media-type | body[/<path>] | header/<name> | echo
//	<operationId>/<status>/body[/<path>]/undeclared
//	<operationId>/silent/<question>
//
// <path> names properties, with * for the items of a list or the values of a
// map; <status> is written as in the document: 200, 4XX, default.
type Clause struct {
	ID        string
	Operation string // operationId
	Level     Level
	Section   string // of the interface document, or JSON pointer and line in the OpenAPI document
	Text      string
	Line      int // in the OpenAPI document; 0 for a silence of the overlay
}

// Part is the id without its operation: "request/body/name", "200/echo".
func (c Clause) Part() string { return strings.TrimPrefix(c.ID, c.Operation+"/") }

// OnRequest says whether the clause limits requests, so that a fixture can
// break it and expect a rejection.
func (c Clause) OnRequest() bool { return strings.HasPrefix(c.Part(), "request/") }

// Status is the declared status a response clause belongs to, as the document
// writes it, or "" for every other clause.
func (c Clause) Status() string {
	status, _, _ := strings.Cut(c.Part(), "/")
	switch status {
	case "answers", "accepts", "request", "silent":
		return ""
	}
	return status
}
