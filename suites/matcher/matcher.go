package matcher

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// Matcher holds responses to one operation against its contract. It keeps
// nothing of them, and may be used for several at the same time.
//
// What it takes is an *http.Response, or what has one as its Result, such as
// an *httptest.ResponseRecorder. It reads the body and puts it back, so that
// the test can read it afterwards; one of more than 1 MiB, the limit of a run,
// is an error.
type Matcher struct {
	contract  *spec.Contract
	operation string
	options   judge.Options
}

// MeetContract gives a matcher for responses to the operation with that
// operationId. An operation that the contract does not have is an error of
// every match.
//
// A response matches that breaks no clause. One that the contract only frowns
// at (a property that is not declared, a status that is not) matches as well,
// unless it must meet the contract [Matcher.Strictly].
func MeetContract(contract *spec.Contract, operationID string) Matcher {
	return Matcher{contract: contract, operation: operationID}
}

// Strictly gives a matcher for which warnings and undeclared statuses are
// violations, as --strict does for a run.
func (m Matcher) Strictly() Matcher {
	m.options.Strict = true
	return m
}

// Match reports whether the response breaks no clause. The error says why that
// cannot be judged.
func (m Matcher) Match(actual any) (bool, error) {
	judged, err := m.judge(actual)
	return err == nil && judged.Status != judge.Failed, err
}

// Findings are all that is to be said of the response: violations, warnings,
// observations. The error says why it cannot be judged.
func (m Matcher) Findings(actual any) ([]judge.Finding, error) {
	judged, err := m.judge(actual)
	return judged.Findings, err
}

// FailureMessage says which clauses the response breaks, where, what was
// expected and what came.
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

// NegatedFailureMessage says of which response a violation was expected.
func (m Matcher) NegatedFailureMessage(actual any) string {
	judged, err := m.judge(actual)
	if err != nil {
		return err.Error()
	}
	return m.describe("meets", judged) + "\nand a violation was expected"
}

// mayBeSpent reports whether the body was empty where nobody can know if it had been
// read before: a length was not announced.
func (m Matcher) mayBeSpent(judged judge.Judged) bool {
	op, ok := m.contract.Operation(m.operation)
	response := judged.Exchange.Response
	return ok && len(response.Body) == 0 && response.Header.Get("Content-Length") == "" && !bodiless(op, response.Status)
}

// describe tells which response is spoken of.
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
		var ids []string
		for _, op := range m.contract.Operations {
			ids = append(ids, op.ID)
		}
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
