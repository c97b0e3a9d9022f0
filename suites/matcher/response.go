package matcher

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/redact"
)

// responseOf returns the response that a test passes to the matcher.
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
	case interface{ Result() *http.Response }: // such as an *httptest.ResponseRecorder
		response = a.Result()
	default:
		return nil, fmt.Errorf("%s, and was given %T", wants, actual)
	}
	if response == nil {
		return nil, errNil
	}
	return response, nil
}

// record converts a response to an exchange for the judge, and restores its body. Secrets of the
// request are redacted from the findings.
func record(contract *spec.Contract, op *spec.Operation, response *http.Response) (replay.Exchange, error) {
	// net/http decodes the body, unless the request sets Accept-Encoding itself.
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

// read returns the body, or why it is incomplete, and restores the body of the response.
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

// bodiless reports whether HTTP forbids a body in the response (RFC 9110 §6.4.1). A server drops
// what a handler writes there, but a recorder keeps it.
func bodiless(op *spec.Operation, status int) bool {
	return op.Method == http.MethodHead || status == http.StatusNoContent || status == http.StatusNotModified
}

// failing is a reader that returns a former error again, or io.EOF if there was none.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// requestOf returns what is known about the request, and the secrets in it.
func requestOf(contract *spec.Contract, request *http.Request) (known replay.Request, secrets []string) {
	if request == nil {
		return replay.Request{}, nil
	}
	known.Method = cmp.Or(request.Method, http.MethodGet)
	if u := request.URL; u != nil {
		// The query is left out, because it may contain secrets.
		known.URL = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
	}
	known.Body = sent(request)
	return known, replay.SecretsOf(request.Header, contract.SecretHeaders())
}

// sent returns the body of a request if it can be read again. The judge compares it with the
// response.
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
