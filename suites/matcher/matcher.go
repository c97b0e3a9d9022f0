package matcher

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/plantstore/conformance/internal/collect"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/words"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/redact"
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

// Findings returns the violations, warnings and observations of the response. The error
// says why it cannot be judged.
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
		ids := collect.Of(m.contract.Operations, func(op *spec.Operation) string { return op.ID })
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

// responseOf gives the response that a test is about.
func responseOf(actual any) (*http.Response, error) {
	const wants = "MeetContract takes an *http.Response or an *httptest.ResponseRecorder"
	errNil := errors.New(wants + ", and was given nil")
	if v := reflect.ValueOf(actual); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errNil
	}
	var response *http.Response
	switch a := actual.(type) {
	case *http.Response:
		response = a
	case interface{ Result() *http.Response }: // as an *httptest.ResponseRecorder has it
		response = a.Result()
	default:
		return nil, fmt.Errorf("%s, and was given %T", wants, actual)
	}
	if response == nil {
		return nil, errNil
	}
	return response, nil
}

// record makes of a response an exchange that can be judged, and puts its body
// back. Secrets that its request carried are kept out of what is said of it.
func record(contract *spec.Contract, op *spec.Operation, response *http.Response) (replay.Exchange, error) {
	// A request that names no coding gets it undone by net/http.
	request := response.Request
	if coding := response.Header.Get("Content-Encoding"); coding != "" && (request == nil || request.Header.Get("Accept-Encoding") != "") {
		return replay.Exchange{}, fmt.Errorf("the body is coded as %q, which MeetContract does not undo; leave Accept-Encoding to net/http", coding)
	}
	body, failure, err := read(op, response)
	if err != nil {
		return replay.Exchange{}, err
	}
	known, secrets := requestOf(contract, request)
	x := replay.Recorded(redact.Many(secrets), known, response.StatusCode, response.Header, body)
	x.Failure = failure
	return x, nil
}

// read gives the body, or why not all of it came, and puts it back.
func read(op *spec.Operation, response *http.Response) ([]byte, *replay.Failure, error) {
	original := response.Body
	if original == nil || bodiless(op, response.StatusCode) {
		return nil, nil, nil
	}
	limit := replay.DefaultLimits().MaxBody
	body, err := io.ReadAll(io.LimitReader(original, limit+1))
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), failing{err}, original), original}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return body, &replay.Failure{Kind: replay.Incomplete, Message: "the response ends in the middle of its body"}, nil
	case err != nil:
		return nil, nil, fmt.Errorf("the body cannot be read: %w", err)
	case int64(len(body)) > limit:
		return nil, nil, fmt.Errorf("the body is longer than %d bytes, the limit of what is judged", limit)
	case len(body) == 0 && response.ContentLength > 0:
		return nil, nil, errors.New("the body was read before; match first, which leaves it to be read")
	}
	return body, nil, nil
}

// bodiless reports whether a response has no body whatever a handler writes: a
// server sends none, and a recorder keeps it (RFC 9110 §6.4.1).
func bodiless(op *spec.Operation, status int) bool {
	return op.Method == http.MethodHead || status == http.StatusNoContent || status == http.StatusNotModified
}

// failing gives an error again, where there was one.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// requestOf is what is known of the request, and the secrets in it.
func requestOf(contract *spec.Contract, request *http.Request) (known replay.Request, secrets []string) {
	if request == nil {
		return replay.Request{}, nil
	}
	known.Method = cmp.Or(request.Method, http.MethodGet)
	if u := request.URL; u != nil {
		known.URL = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String() // a query may hold secrets
	}
	known.Body = sent(request)
	return known, replay.SecretsOf(request.Header, contract.SecretHeaders())
}

// sent is the body of a request where it can be had again, to be compared with
// what came back.
func sent(request *http.Request) []byte {
	if request.GetBody == nil {
		return nil
	}
	again, err := request.GetBody()
	if err != nil {
		return nil
	}
	defer again.Close()
	limit := replay.DefaultLimits().MaxBody
	body, err := io.ReadAll(io.LimitReader(again, limit+1))
	if err != nil || int64(len(body)) > limit {
		return nil
	}
	return body
}
