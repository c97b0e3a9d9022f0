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
	Offset   int64  // in the response body, in bytes; -1 where there is none
	Waived   string // why the violation is accepted for now, by whom and until when; "" where it is not
}

// Status is the outcome of one fixture.
type Status string

// The statuses of a result.
const (
	Passed   Status = "passed"
	Failed   Status = "failed"   // with a violation
	Waived   Status = "waived"   // with violations that are all waived
	Warned   Status = "warned"   // with a warning and no violation
	Unjudged Status = "unjudged" // the exchange says nothing about the service
)

// Result is a fixture's exchange and what the judge says of it.
type Result struct {
	Fixture  fixtures.Fixture
	Exchange replay.Exchange
	Outcome
}

// Outcome is what the verdict rests on: all that matters of one result where
// it is held against the others.
type Outcome struct {
	ID         string               // of the fixture
	Operation  string               // operationId
	Clause     string               // id of the one that the fixture puts to the test
	Expect     fixtures.Expectation // by the fixture
	Credential bool                 // the request had the target's own, and nothing else is the matter with it
	Answer     int                  // status of the complete response; 0 where there is none

	ServerError string // what a 5xx looks like, see [ServerError]

	Findings  []Finding
	Exercised []string // ids of the clauses that the exchange could have broken, or answers
	Status    Status
	Reason    string // why it is unjudged
	Excused   bool   // unjudged for a reason that the contract permits: the run can be conformant all the same
	Control   string // id of the fixture that must be accepted for a rejection to be evidence; "" where there is none
	Tries     int    // how often the run tried the fixture
	Alike     int    // of these, those with the same status as this outcome
}

// status derives the outcome from the findings.
func status(findings []Finding) Status {
	s := Passed
	for _, f := range findings {
		switch {
		case f.Severity == Violation && f.Waived == "":
			return Failed
		case f.Severity == Violation:
			s = Waived
		case f.Severity == Warning && s == Passed:
			s = Warned
		}
	}
	return s
}
