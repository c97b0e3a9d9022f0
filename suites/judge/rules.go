package judge

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/suites/replay"
)

// incomplete adds the finding that there is no complete response within the limits, whatever the
// fixture expects.
func (j *judging) incomplete() {
	actual := "no response"
	if r := j.exchange.Response; r != nil {
		actual = fmt.Sprintf("%d and %d bytes of its body", r.Status, len(r.Body))
	}
	j.breach(j.ids().Answers(), Violation, j.exchange.Failure.Message, "one complete HTTP response", actual)
}

// connection judges what happened around the response. A target that closes an idle connection
// keeps the contract, but clients lose requests. Bytes that no request asked for may be taken for
// the response to the next one. A service that does not read chunks may reject a request that has them.
func (j *judging) connection() {
	clause := j.ids().Answers()
	if j.exchange.Resent != "" && j.exchange.Failure == nil {
		j.breach(clause, j.warning(), j.exchange.Resent,
			"a response to each request on a connection, or Connection: close", j.answer())
	}
	if r := j.exchange.Response; r != nil && r.Refused {
		j.breach(clause, j.warning(), "the response is in gzip, though the request asks for no content coding (RFC 9110 §12.5.3)",
			"a response without a content coding", j.answer())
	}
	if part := j.part(); part != "" {
		j.breach(clause, Violation, "the body is not as long as Content-Range says (RFC 9110 §14.4)", "the bytes "+part, j.answer())
	}
	if len(j.exchange.Unasked) == 0 {
		return
	}
	severity, message := Violation, "the target sent more than one response to the request, or bytes after the response"
	if j.isUnread() {
		severity, message = j.warning(), "the target takes the chunks of the body for another request; it must read them or close the connection (RFC 9112 §9.3)"
	}
	j.breach(clause, severity, message, "one complete HTTP response and nothing after it", string(j.exchange.Unasked))
}

// isUnread reports whether the service rejected a request in chunks, and then rejected the chunks as if they were
// another request. A second response with the same body is a response that was sent twice.
func (j *judging) isUnread() bool {
	r := j.exchange.Response
	if r == nil || r.Status/100 != 4 || !j.fixture.Message(0, 0).InChunks() || !rejection.Match(j.exchange.Unasked) {
		return false
	}
	_, second, _ := bytes.Cut(j.exchange.Unasked, []byte("\r\n\r\n"))
	return len(second) == 0 || len(r.Body) == 0 || !bytes.HasPrefix(r.Body, second) && !bytes.HasPrefix(second, r.Body)
}

// rejection matches the start of a rejection, or of a page alone, with which some servers answer what is no HTTP.
var rejection = regexp.MustCompile(`^\s*(?:HTTP/1\.\d [45]\d\d\b|<)`)

// part returns the range that a response with one part states, if its body has another length. With
// a content coding, the length of the received body is not that of the range.
func (j *judging) part() string {
	r := j.response
	found := contentRange.FindStringSubmatch(r.Header.Get("Content-Range"))
	if r.Status != http.StatusPartialContent || r.Cut || found == nil || r.Header.Get("Content-Encoding") != "" ||
		j.fixture.Operation.Method == http.MethodHead || r.Header.Get("Content-Length") != strconv.Itoa(len(r.Body)) {
		return ""
	}
	first, err := strconv.Atoi(found[1])
	last, overflow := strconv.Atoi(found[2])
	if err != nil || overflow != nil || last < first || last-first+1 == len(r.Body) {
		return ""
	}
	return found[1] + "-" + found[2]
}

// contentRange matches the field of a response with one part (RFC 9110 §14.4).
var contentRange = regexp.MustCompile(`^bytes +([0-9]+)-([0-9]+)/([0-9]+|\*)$`)

// steps finds requests before or after that of the fixture for which the service failed. It has not
// answered them, even if they only clean up.
func (j *judging) steps() {
	for _, s := range j.exchange.Steps {
		op, r := j.fixture.StepOperation(s.ID), s.Exchange.Response
		if op == nil || r == nil || s.Exchange.Failure != nil || r.Status < http.StatusInternalServerError || op.DeclaresFailure(r.Status) {
			continue
		}
		j.breach(op.ClauseIDs().Answers(), Violation,
			fmt.Sprintf("the step %q (%s %s) comes with status %d, which says that the service failed", s.ID, op.Method, op.Path, r.Status),
			"a status that accepts (2xx) or rejects (4xx) the request", fmt.Sprintf("%d to %s %s", r.Status, s.Message.Method, s.Message.Path))
	}
}

// accepted judges an accepted request. If it must be rejected, this is a finding of the clause that
// forbids it. Other requests may be accepted with a declared status, or with any if none is
// declared. So may requests that only should be rejected.
func (j *judging) accepted(ctx context.Context, declared bool) {
	switch j.fixture.Expect {
	case fixtures.Rejected:
		j.letThrough(ctx)
		if declared || j.severity() == Violation || j.rejectsPart() {
			return
		}
	case fixtures.Either:
		if declared {
			return
		}
	}
	clause := j.ids().Accepts()
	j.exercise(clause)
	if declared || !j.options.Strict && !j.fixture.Operation.NamesSuccess() || j.isRepeated() && j.response.Status == http.StatusOK {
		return
	}
	message, severity := "a request is accepted with a status that the contract does not declare", Violation
	if j.isAskedFor() {
		message, severity = message+", as a field of its header permits (RFC 9110 §14.2)", j.warning()
	}
	j.breach(clause, severity, message, j.acceptance(), j.answer())
}

// isAskedFor reports whether a request header field asks for the status, though the contract does not list it:
// Range for 206 (RFC 9110 §14.2), and If-None-Match or If-Modified-Since for 304 (§13.1.2 and §13.1.3).
func (j *judging) isAskedFor() bool {
	method, status, header := j.fixture.Operation.Method, j.response.Status, j.exchange.Request.Header
	_, isRange := fixtures.FindField(header, "Range")
	isRead := method == http.MethodGet || method == http.MethodHead
	return isRead && !j.fixture.Operation.Names(strconv.Itoa(status)) && (status == http.StatusPartialContent && isRange || status == http.StatusNotModified && !j.isUnconditionalRead())
}

// isUnconditionalRead reports whether no header field of a read asks for 304 (RFC 9110 §13.1.2 and
// §13.1.3). Other methods do not have these conditions: there, 304 means what the contract says.
func (j *judging) isUnconditionalRead() bool {
	method, header := j.fixture.Operation.Method, j.exchange.Request.Header
	_, ifNoneMatch := fixtures.FindField(header, "If-None-Match")
	_, ifModified := fixtures.FindField(header, "If-Modified-Since")
	return (method == http.MethodGet || method == http.MethodHead) && !ifNoneMatch && !ifModified
}

// severity returns the severity of a response that the fixture does not expect.
func (j *judging) severity() Severity {
	if j.fixture.Level == spec.Should {
		return j.warning()
	}
	return Violation
}

// rejected judges a rejection. A valid request must not be rejected. For others, the service may
// choose the status. An undeclared one is noted, and is a violation in strict mode.
func (j *judging) rejected(ctx context.Context, declared bool) {
	switch j.fixture.Expect {
	case fixtures.Accepted:
		if status := j.response.Status; j.isPending() && (status == http.StatusNotFound || status == http.StatusConflict) {
			return // the resource may not exist yet
		}
		if j.followsAcceptance() {
			return
		}
		if j.flaw = cmp.Or(j.flaw, j.fixture.Operation.Flaw); j.fixture.Operation.Flaw != nil {
			return // it is unknown whether the request is valid
		}
		clause := j.ids().Accepts()
		if reason := j.freedom(declared); reason != "" {
			j.breach(clause, Observation, "a valid request is rejected; the reason may be "+reason, j.acceptance(), j.answer())
			return
		}
		message, severity := "a valid request is rejected", j.severity()
		if j.asksForUnneeded() {
			message, severity = "the service asks for a credential, though the contract says that the operation needs none (security: [])", Violation
		}
		if state := j.fixture.Clause.ID.State(); state != "" {
			if clause, message = j.fixture.Clause.ID, j.refusal(ctx, state); message == "" {
				return
			}
		}
		j.breach(clause, severity, message, j.acceptance(), j.answer())
		return
	case fixtures.Either:
		j.unsupported()
	case fixtures.Rejected:
		j.exercise(j.fixture.Clause.ID)
		j.appliedInPart(ctx)
	}
	if !declared && j.options.Strict {
		j.breach(j.silence(), Violation, "a request is rejected with a status that the contract does not declare",
			"a declared status", j.answer())
	}
}

// freedom returns the reason that the service may have to reject a valid request, or "".
func (j *judging) freedom(declared bool) string {
	isBlamed, isPlain := j.blamesRequest(j.response.Status), j.fixture.Clause.ID == j.ids().Accepts()
	switch {
	case j.refusesGrant():
		return "what the client is granted (RFC 6749 §5.2)"
	case j.fixture.OnlyValidity && !isBlamed:
		return "data that the service stores"
	case declared && j.response.Status == http.StatusForbidden && j.severity() != Violation && isPlain && !j.fixture.Operation.IsPublic():
		return "the permissions of the credential"
	case j.hasInvalidID():
		return "an id in the path that an earlier response showed, but the contract does not allow there"
	case j.isTooEarly(declared):
		return "the state of what was created before"
	case isBlamed && len(j.earlier()) == 0 && j.fixture.Clause.ID.State() == spec.StatePaged:
		return "the size of the page" // if the contract bounds it, other requests test the bounds
	}
	return ""
}

// hasInvalidID reports whether a valid request has a text in its path that the contract does not allow there. An
// earlier response showed it.
func (j *judging) hasInvalidID() bool {
	op := j.fixture.Operation
	ids := idsInPath(op.Path, j.exchange.Request.URL)
	for i, name := range idsInPath(op.Path, op.Path) {
		if p, ok := op.Parameter("path", strings.Trim(name, "{}")); ok && i < len(ids) && !p.Takes(ids[i]) {
			return j.fixture.Clause.ID == j.ids().Accepts() && len(j.exchange.Steps) > 0
		}
	}
	return false
}

// unsupported finds that the plainest request gets 415 for a declared media type (RFC 9110
// §15.5.16), whether or not the resource that it names exists. In other types than JSON and forms, a
// service may not support the format of the content.
func (j *judging) unsupported() {
	sent, body := sentBy(j.fixture.Operation, j.exchange.Request.Header, nil), j.fixture.Operation.RequestBody
	if j.response.Status == http.StatusUnsupportedMediaType && j.fixture.IsDerived() && fixtures.IsPlainest(j.fixture.ID) &&
		body != nil && slices.ContainsFunc(body.Content, func(c mediatype.Content) bool {
		return c.MediaType == sent.MediaType && (c.MayBeJSON() || c.MediaType == "application/x-www-form-urlencoded")
	}) {
		j.breach(j.ids().Accepts(), j.warning(), "the service does not support the media type of the body, though the contract declares it", j.acceptance(), j.answer())
	}
}

// isTooEarly reports whether the read of a part of what a step created gets the declared 409: the
// part may not exist yet.
func (j *judging) isTooEarly(declared bool) bool {
	op := j.fixture.Operation
	return declared && j.response.Status == http.StatusConflict && op.IsSafe() && len(j.exchange.Steps) > 0 && !strings.HasSuffix(spec.Stem(op.Path), "}")
}

// followsAcceptance reports whether the service accepted the invalid request before this valid one,
// so that its id is taken. That acceptance is the fault.
func (j *judging) followsAcceptance() bool {
	other := j.fixture.Companion()
	return other != nil && other.Expect == fixtures.Rejected && (j.fixture.Level == spec.Should || j.fixture.IsDerived()) &&
		slices.ContainsFunc(j.exchange.Others, func(x replay.Exchange) bool { return x.Response != nil && x.Response.Status/100 == 2 })
}

// asksForUnneeded reports whether a request without values gets 401, which asks for a credential
// (RFC 9110 §15.5.2), although the operation needs none. A value may be a credential itself, such
// as the password of a login.
func (j *judging) asksForUnneeded() bool {
	op := j.fixture.Operation
	needsValues := op.RequestBody != nil || slices.ContainsFunc(op.Parameters, func(p spec.Parameter) bool { return p.Required || p.In == "path" })
	return j.response.Status == http.StatusUnauthorized && j.fixture.Clause.ID == j.ids().Accepts() && op.IsSafe() && op.IsPublic() && !needsValues
}

// refusal returns what the rejection of a request about stored data means; "" if it may be right.
func (j *judging) refusal(ctx context.Context, state string) string {
	switch {
	case (state == spec.StateReplaced || state == spec.StateIdempotent) && j.isMoved(ctx):
		return "" // to a path that the change chose, such as one with the new title
	case state == spec.StateIdempotent && !j.asksForCondition() && j.fixture.Operation.Method == http.MethodPut:
		return "the same request is rejected the second time"
	case j.isRepeated() && slices.Contains([]int{http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity}, j.response.Status) && j.sendsKeyAgain():
		return "the same request with the same key is rejected, though the contract says that it gets the first response"
	case state == spec.StateCurrent && j.refusesVersion():
		return "a change is rejected although If-Match has the current ETag"
	case state == spec.StatePaged && j.leading() != nil:
		return "the page to which the first one leads is rejected"
	case state == spec.StateUnlisted:
		j.exercise(j.fixture.Clause.ID)
		return "" // there is no list any more
	case slices.Contains([]string{spec.StateIdempotent, spec.StateVersioned, spec.StateCurrent, spec.StateFiltered, spec.StateSorted, spec.StateListedWithin, spec.StateReached, spec.StateInitial}, state),
		state == spec.StatePaged && len(j.earlier()) > 0, j.action() != nil:
		return "" // other fixtures test whether it is valid and can be read, and there may be only one page
	case state == spec.StateCreated && len(j.earlier()) > 0:
		return "what was created can no longer be read after one more resource was created"
	}
	return "what the earlier steps created cannot be read"
}

// refusesVersion reports whether a request is refused because of its If-Match. A weak ETag never
// matches (RFC 9110 §13.1.1), and the contract may not permit sending this one.
func (j *judging) refusesVersion() bool {
	mayDiffer := slices.ContainsFunc(j.exchange.Request.Header, func(f fixtures.Field) bool {
		return strings.EqualFold(f.Name, "If-Match") && (strings.HasPrefix(f.Value, "W/") || !j.fixture.Operation.TakesVersion(f.Value))
	})
	return j.response.Status == http.StatusPreconditionFailed && !mayDiffer
}

// blamesRequest reports whether a status blames the request itself (RFC 9110 §15.5.1, §15.5.7,
// §15.5.12, §15.5.16 and §15.5.21), or the credentials that it tests (§15.5.2). A service may use
// the first or the last of them if the resource exists already.
func (j *judging) blamesRequest(status int) bool {
	if j.fixture.MayBeTaken() && (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity) {
		return false
	}
	return slices.Contains([]int{
		http.StatusBadRequest, http.StatusNotAcceptable, http.StatusLengthRequired, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
	}, status) || status == http.StatusUnauthorized && j.fixture.TestsCredentials()
}

// answer returns the status and the body of the response.
func (j *judging) answer() string {
	return strings.TrimSpace(strconv.Itoa(j.response.Status) + " " + strings.TrimSpace(string(j.response.Body)))
}

func (j *judging) acceptance() string {
	if declared := j.declared(200); declared != nil {
		return "acceptance: " + strings.Join(declared, " or ")
	}
	return "acceptance: 2xx"
}

// rejection describes how the operation rejects, with the statuses that fit this kind of fault.
func (j *judging) rejection() string {
	isOther := func(status string) bool { return !slices.Contains([]string{"400", "404", "409", "415", "422"}, status) }
	declared := j.declared(400)
	if !j.fixture.Clause.ID.IsCredential() {
		declared = slices.DeleteFunc(declared, isOther)
	}
	if len(declared) > 0 {
		return "a rejection: 4xx, such as the declared " + strings.Join(declared, ", ")
	}
	return "a rejection: 4xx"
}

// declared returns the declared statuses of a class. It returns none if there are many, because of
// a range or a default response.
func (j *judging) declared(class int) []string {
	const few = 4
	var declared []string
	for status := class; status < class+100; status++ {
		if j.fixture.Operation.Declares(status) {
			declared = append(declared, strconv.Itoa(status))
		}
	}
	if len(declared) > few {
		return nil
	}
	return declared
}

// refusesGrant reports whether a token request is refused because of the client or its grant, and
// not because the request is invalid.
func (j *judging) refusesGrant() bool {
	body := j.fixture.Operation.RequestBody
	return body != nil && slices.ContainsFunc(body.Content, func(c mediatype.Content) bool { return c.Schema.Shape().Property("grant_type") != nil }) &&
		refusedGrant.Match(j.response.Body)
}

// refusedGrant matches the codes of RFC 6749 §5.2 that do not say that the request is invalid.
var refusedGrant = regexp.MustCompile(`"error"\s*:\s*"(invalid_client|invalid_grant|invalid_scope|unauthorized_client|unsupported_grant_type)"`)
