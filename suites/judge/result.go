package judge

import (
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/suites/replay"
)

// Severity is how much a finding weighs.
type Severity string

// The severities. Only a violation fails a run.
const (
	Violation   Severity = "violation"
	Warning     Severity = "warning"
	Observation Severity = "observation"
)

// Finding is a clause, how much it matters, and the evidence.
type Finding struct {
	Clause   string // id
	Severity Severity
	Message  string // what is the matter, in one sentence
	Pointer  string // JSON pointer into the response body, where the place lies in it
	Expected string
	Actual   string
	Offset   int64 // in the response body, in bytes; -1 where there is none
}

// Status is the outcome of one fixture.
type Status string

// The statuses of a result.
const (
	Passed   Status = "passed"
	Failed   Status = "failed"   // with a violation
	Warned   Status = "warned"   // with a warning and no violation
	Unjudged Status = "unjudged" // the exchange says nothing about the service
)

// Result is a fixture's exchange and what the judge says of it.
type Result struct {
	Fixture   fixtures.Fixture
	Exchange  replay.Exchange
	Findings  []Finding
	Status    Status
	Reason    string   // why it is unjudged
	Exercised []string // ids of the clauses that the exchange could have broken, or answers
}

// status derives the outcome from the findings.
func status(findings []Finding) Status {
	s := Passed
	for _, f := range findings {
		switch {
		case f.Severity == Violation:
			return Failed
		case f.Severity == Warning:
			s = Warned
		}
	}
	return s
}
