package traffic

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/curl"
	"github.com/plantstore/conformance/suites/replay/redact"
	"github.com/plantstore/conformance/suites/result"
)

// Limits of what is kept of bodies and fields, in bytes.
const (
	maxKept      = 64 << 10  // of one body, as in a run
	maxKeptInAll = 128 << 20 // of all bodies; after that, maxKeptLate of each
	maxKeptLate  = 1 << 10
	maxField     = 4 << 10 // of one field of a request
	maxError     = 200     // of a tool's message about a failure
)

// secondPass judges the entries of an archive after a firstPass.
type secondPass struct {
	config  Config
	first   *firstPass
	secrets *redact.Redactor
	results []result.Result
	kept    int // bytes of bodies
}

// take judges an entry that matches an operation. It ignores other entries.
func (j *secondPass) take(ctx context.Context, p position, e entry) error {
	op, at, _ := j.first.match(e.Request)
	if op == nil {
		return nil
	}
	f := judge.AnyRequest(j.config.Contract, op)
	f.ID, f.File, f.Line = fmt.Sprintf("%s/traffic/entry-%04d", op.ID, p.number), j.config.File, p.line
	judged := judge.Exchange(ctx, j.config.Contract, f, j.exchange(op, e, at), judge.Options{Strict: j.config.Strict, Limits: j.config.JSON})
	if err := ctx.Err(); err != nil {
		return err
	}
	request := &judged.Exchange.Request
	request.Body = j.secrets.Bytes(request.Body)
	requestCut := j.keep(&request.Body)
	if response := judged.Exchange.Response; response != nil {
		responseCut := j.keep(&response.Body)
		response.Cut = response.Cut || responseCut
	}
	kept := result.NewResult(judged, len(j.results), command(*request))
	kept.Exchange.Request.Truncated = requestCut
	j.results = append(j.results, kept)
	return nil
}

// keep cuts a body to the size that may be kept.
func (j *secondPass) keep(body *[]byte) (cut bool) {
	n := maxKept
	if j.kept > maxKeptInAll {
		n = maxKeptLate
	}
	if cut = len(*body) > n; cut {
		*body = replay.Beginning(*body, n)
	}
	j.kept += len(*body)
	return cut
}

func (j *secondPass) exchange(op *spec.Operation, e entry, at address) replay.Exchange {
	request := j.request(e.Request, at)
	took := duration(e.Time.number())
	if e.Response == nil || e.Response.Status <= 0 {
		x := replay.Unanswered(j.secrets, request, &replay.Failure{Kind: replay.Unreachable, Message: j.unanswered(e)})
		x.Duration = took
		return x
	}
	header, body, missing := e.Response.read(e.Request.Method)
	x := replay.Recorded(j.secrets, request, e.Response.Status, header, body)
	x.Duration = took
	for name, values := range x.Response.Header {
		for i, value := range values {
			values[i] = j.first.collector.shown(name, value)
		}
	}
	switch {
	case missing != "":
	case failure(e) != "":
		missing = "the response is not complete: " + j.cause(failure(e))
	case int64(len(body)) > j.config.MaxBody:
		missing = fmt.Sprintf("the body of the response is longer than %d bytes, the limit of what is judged", j.config.MaxBody)
	case isNotModified(op, e):
		missing = "the request was conditional, and 304 refers to a response that the client already has"
	}
	if missing != "" {
		x.Failure = &replay.Failure{Kind: replay.Unreachable, Message: missing}
	}
	return x
}

// request converts a request for reports. Its body is not redacted yet.
func (j *secondPass) request(r request, at address) replay.Request {
	out := replay.Request{Method: r.Method, URL: at.masked(j.first.collector.isSecret)}
	for _, h := range r.Headers {
		if strings.HasPrefix(h.Name, ":") {
			continue
		}
		out.Header = append(out.Header, fixtures.Field{
			Name: shortened(j.secrets.Text(h.Name), maxField), Value: shortened(j.secrets.Text(j.first.collector.shown(h.Name, h.Value)), maxField),
		})
	}
	if r.PostData == nil || r.PostData.Text == nil {
		return out
	}
	if body, err := decode(*r.PostData.Text, r.PostData.Encoding); err == nil {
		out.Body = body
	}
	return out
}

// unanswered says that there is no response, and why, if the tool recorded it.
func (j *secondPass) unanswered(e entry) string {
	why := failure(e)
	if e.Response != nil {
		why = cmp.Or(why, e.Response.StatusText.text())
	}
	const text = "the archive holds no response"
	if why == "" {
		return text
	}
	return text + ": " + j.cause(why)
}

// cause returns the message of a tool, without secrets and shortened.
func (j *secondPass) cause(text string) string { return shortened(j.secrets.Text(text), maxError) }

// failure returns the message of the tool about a failed exchange.
func failure(e entry) string {
	why := e.Error.text()
	if e.Response != nil {
		why = cmp.Or(why, e.Response.Error.text())
	}
	return why
}

// isNotModified reports whether a conditional request got a 304 that the contract does not
// declare. Without the condition, the response would be a different one (RFC 9110 §15.4.5).
func isNotModified(op *spec.Operation, e entry) bool {
	if e.Response.Status != http.StatusNotModified || op.Declares(http.StatusNotModified) {
		return false
	}
	asked := headers(e.Request.Headers)
	return asked.Get("If-None-Match") != "" || asked.Get("If-Modified-Since") != ""
}

// duration converts a time of an archive. It is 0 if the time is invalid.
func duration(ms float64) time.Duration {
	const most = float64(24 * time.Hour / time.Millisecond)
	if !(ms > 0) {
		return 0
	}
	return time.Duration(min(ms, most) * float64(time.Millisecond))
}

// command returns a recorded request as a curl command, without secrets. It contains the
// credential as the command of a fixture does: as a variable.
func command(r replay.Request) string {
	m := fixtures.Message{Method: r.Method, Path: r.URL, Body: r.Body, HasBody: r.Body != nil}
	for _, h := range r.Header {
		switch name := strings.ToLower(h.Name); {
		case name == "authorization":
			scheme, _, _ := strings.Cut(h.Value, " ")
			m.Header = append(m.Header, fixtures.Field{Name: h.Name, Value: scheme + " " + fixtures.TokenPlaceholder})
		case isPassedOn(name) && h.Value != redact.Mask:
			m.Header = append(m.Header, h)
		}
	}
	return curl.Script(replay.Target{}, m)
}

// isPassedOn reports whether a header field belongs to the request, and not to its connection,
// its framing, or the browser that sent it.
func isPassedOn(name string) bool {
	return !strings.HasPrefix(name, "sec-") && !slices.Contains([]string{
		"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "trailer", "upgrade", "expect",
		"keep-alive", "proxy-connection", "user-agent", "accept-language", "referer", "origin", "priority", "dnt",
		"upgrade-insecure-requests", "cache-control", "pragma",
	}, name)
}
