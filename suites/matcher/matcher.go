package matcher

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Matcher tests whether responses to one operation conform to its contract. It has no
// state, and may be used concurrently.
//
// It takes an *http.Response, or a value with the method Result() *http.Response, such as
// an *httptest.ResponseRecorder. The test can read the body of an *http.Response
// afterwards. A body of more than 1 MiB, the default limit of a run, is an error.
type Matcher struct {
	contract  *spec.Contract
	operation string
	options   judge.Options
}

// MeetContract returns a matcher for responses to the operation with that operationId. If
// the contract does not have the operation, each match returns an error.
//
// A response matches if it breaks no clause. Undeclared properties and undeclared statuses
// also match, except with [Matcher.Strictly].
func MeetContract(contract *spec.Contract, operationID string) Matcher {
	return Matcher{contract: contract, operation: operationID}
}

// Strictly returns a matcher for which warnings and undeclared statuses are violations, as
// in a run with --strict.
func (m Matcher) Strictly() Matcher {
	m.options.Strict = true
	return m
}

// Match reports whether the response breaks no clause. The error says why the response
// cannot be judged.
func (m Matcher) Match(actual any) (bool, error) {
	judged, err := m.judge(actual)
	return err == nil && judged.Status != judge.Failed, err
}

// Findings returns the violations, warnings and observations of the response. The error says why
// the response cannot be judged.
func (m Matcher) Findings(actual any) ([]judge.Finding, error) {
	judged, err := m.judge(actual)
	return judged.Findings, err
}

// FailureMessage returns which clauses the response breaks and where, and what was expected
// and received.
func (m Matcher) FailureMessage(actual any) string {
	judged, err := m.judge(actual)
	if err != nil {
		return err.Error()
	}
	text := m.describe("does not meet", judged)
	if m.mayBeSpent(judged) {
		text += "\n    note      nothing is left of a body that was read before; match first"
	}
	return text + "\n" + words.Complaint(m.contract, result.NewResult(judged, 0, ""))
}

// NegatedFailureMessage returns which response should have broken a clause, but did not.
func (m Matcher) NegatedFailureMessage(actual any) string {
	judged, err := m.judge(actual)
	if err != nil {
		return err.Error()
	}
	return m.describe("meets", judged) + "\nand a violation was expected"
}

// mayBeSpent reports whether the body is empty, and may have been read before. This is unknown
// if the response announces no length.
func (m Matcher) mayBeSpent(judged judge.Judged) bool {
	op, ok := m.contract.Operation(m.operation)
	response := judged.Exchange.Response
	return ok && len(response.Body) == 0 && response.Header.Get("Content-Length") == "" && !bodiless(op, response.Status)
}

// describe names the response that is judged.
func (m Matcher) describe(verb string, judged judge.Judged) string {
	x := judged.Exchange
	text := fmt.Sprintf("the response to %s %s the contract %s %s", m.operation, verb, m.contract.Title, m.contract.Version)
	if x.Request.URL != "" {
		text += "\n    sent      " + words.Visible(x.Request.Method+" "+x.Request.URL)
	}
	return text + "\n    answered  " + words.Visible(strings.TrimSpace(fmt.Sprintf("%d %s", x.Response.Status, x.Response.Header.Get("Content-Type"))))
}

func (m Matcher) judge(actual any) (judge.Judged, error) {
	if m.contract == nil {
		return judge.Judged{}, errors.New("MeetContract was given no contract; spec.LoadFile and spec.PlantStore load one")
	}
	op, ok := m.contract.Operation(m.operation)
	if !ok {
		ids := lists.Map(m.contract.Operations, func(op *spec.Operation) string { return op.ID })
		return judge.Judged{}, fmt.Errorf("the contract %s has no operation %q; it has %s", m.contract.Title, m.operation, strings.Join(ids, ", "))
	}
	response, err := responseOf(actual) //nolint:bodyclose // the test's to close
	if err != nil {
		return judge.Judged{}, err
	}
	x, err := record(m.contract, op, response)
	if err != nil {
		return judge.Judged{}, err
	}
	judged := judge.Exchange(context.Background(), m.contract, judge.AnyRequest(m.contract, op), x, m.options)
	if judged.Status == judge.Unjudged {
		return judge.Judged{}, errors.New(judged.Reason)
	}
	return judged, nil
}
