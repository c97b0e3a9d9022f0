package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/replay"
)

// Options change how strict the judge is.
type Options struct {
	// Strict makes warnings and undeclared statuses violations.
	Strict bool
	// Limits apply to the JSON bodies of responses.
	Limits instance.Limits
}

// AnyRequest returns a fixture for a request to an operation that no fixture describes. It is unknown whether
// the request is valid, so it may be accepted or rejected. Only the rules for all responses are judged.
func AnyRequest(contract *spec.Contract, op *spec.Operation) fixtures.Fixture {
	answers, _ := contract.Clause(op.ClauseIDs().Answers())
	return fixtures.Fixture{Title: op.Method + " " + op.Path, Operation: op, Clause: answers, Expect: fixtures.Either, Level: answers.Level}
}

// acceptedSteps returns the operations of the other requests that were accepted.
func acceptedSteps(f fixtures.Fixture, x replay.Exchange) (operations []string) {
	for _, s := range x.Steps {
		op, answer := f.StepOperation(s.ID), s.Exchange.Response
		if isComplete := s.Exchange.Failure == nil && answer != nil; isComplete && answer.Status/100 == 2 && op != nil && !slices.Contains(operations, op.ID) {
			operations = append(operations, op.ID)
		}
	}
	return operations
}

// Exchange judges the response of a target to a fixture. An exchange that says nothing about the
// service, because there was no connection or the run was cut off, is unjudged. So is one whose
// body exceeds a limit, unless it shows a violation anyway.
//
// The responses to the requests that were sent with that of the fixture are judged too.
//
// If the context ends first, this is the failure of the exchange.
func Exchange(ctx context.Context, contract *spec.Contract, f fixtures.Fixture, x replay.Exchange, o Options) Judged {
	result := exchange(ctx, contract, f, x, o)
	for _, other := range x.Others {
		result.join(exchange(ctx, contract, sentAs(f, other), other, o))
	}
	return result
}

// sentAs returns the fixture that describes x, a request that was sent together with that of f. Of
// repetitions only the last one counts, so any response to the others is right. So is the refusal
// of a companion if it is only known after the run whether it breaks the contract.
func sentAs(f fixtures.Fixture, x replay.Exchange) fixtures.Fixture {
	as := f
	if x.Beside {
		as = *f.Companion()
	}
	isOpen := as.IsDerived() || as.Control != "" || as.AnyOf != "" || len(as.Unless) > 0 ||
		x.Response != nil && (Reply{Status: x.Response.Status}).IsRefusal()
	if !x.Beside || as.Expect == fixtures.Accepted && isOpen {
		as.Expect = fixtures.Either
	}
	return as
}

// join adds the violations of another exchange, which was sent together with that of the fixture.
// The result shows the other exchange if only that has a violation.
func (r *Judged) join(other Judged) {
	if other.Status != Failed || r.Status == Unjudged {
		return
	}
	isShown := r.Status != Failed
	for _, f := range other.Findings {
		if f.Severity != Violation || slices.ContainsFunc(r.Findings, f.same) {
			continue
		}
		if !isShown {
			f.Offset = -1
			f.Actual += " (to " + other.Fixture + ", which was sent with it)"
		}
		r.Findings = append(r.Findings, f)
		r.exercise(f.Clause)
	}
	if r.Status = Failed; !isShown {
		return
	}
	other.Exchange.Steps, other.Exchange.Values = r.Exchange.Steps, r.Exchange.Values
	if r.Exchange = other.Exchange; r.Exchange.Beside {
		r.Beside = other.Fixture
	}
}

func exchange(ctx context.Context, contract *spec.Contract, f fixtures.Fixture, x replay.Exchange, o Options) Judged {
	kept := x.Forget()
	j := judging{Outcome: outcomeOf(contract, f, x), contract: contract, fixture: f, exchange: x, options: o}
	if j.response.Header, j.response.Body = x.Raw(); x.Response != nil {
		j.response.Status, j.response.Cut = x.Response.Status, x.Response.Cut
	}
	isOver := x.Failure != nil && x.Failure.Kind == replay.OverLimit && x.Response != nil
	if x.Failure != nil && x.Failure.Kind != replay.Incomplete && !isOver {
		j.Status, j.Reason = Unjudged, ValidText(x.Failure.Message)
		j.Excused = x.Failure.Kind == replay.StepFailed && f.IsDerived() // the reason may be something that the contract leaves open
		if j.steps(); len(j.Findings) > 0 {
			j.Status, j.Reason, j.Excused = Failed, "", false
		}
		return Judged{kept, j.Outcome}
	}
	var unread error // why the body was not judged
	if x.Failure != nil && !isOver {
		j.incomplete()
	} else {
		j.Answer = x.Response.Status
		j.Told = f.Expect == fixtures.Accepted && j.fixture.Operation.TellsToReject(j.Answer)
		unread = j.complete(ctx)
	}
	if isOver && !f.Operation.Declares(x.Response.Status) { // the contract says nothing about its body
		isOver, kept.Failure = false, nil
	}
	if f.OnlyAnswers && !j.isOwn() {
		j.keepAnswers()
		unread = nil
	}
	if _, exceeded := errors.AsType[*instance.LimitError](unread); unread != nil && !exceeded {
		kept.Failure = replay.Ended(ctx)
		j.Status, j.Reason = Unjudged, ValidText(kept.Failure.Message)
		j.Findings, j.Exercised = []Finding{}, []spec.ClauseID{}
		return Judged{kept, j.Outcome}
	}
	j.connection()
	j.steps()
	j.Status = StatusOf(j.Findings)
	if j.flaw != nil && unread == nil && !f.OnlyAnswers {
		unread = errors.New(Flawed + j.flaw.Sentence())
		j.Excused = f.IsDerived() && j.Status != Failed // otherwise one flaw would make every run inconclusive
	}
	if isOver && j.Status != Failed {
		j.Status, j.Reason = Unjudged, ValidText(x.Failure.Message)
	}
	if unread != nil && j.Status != Failed {
		j.Status, j.Reason = Unjudged, ValidText(unread.Error())
	}
	return Judged{kept, j.Outcome}
}

// outcomeOf returns what is known of an exchange before it is judged.
func outcomeOf(contract *spec.Contract, f fixtures.Fixture, x replay.Exchange) Outcome {
	o := Outcome{
		Fixture: f.ID, Title: f.Title, Operation: f.Operation.ID, Clause: f.Clause.ID, Expect: f.Expect, Level: f.Level,
		Credential: f.NeedsToken() && !f.Clause.ID.IsCredential(),
		Source:     fmt.Sprintf("%s:%d", f.File, f.Line), Control: f.Control, Further: !f.Quick(), Derived: f.IsDerived(), AnyOf: f.AnyOf, Unless: f.Unless,
		Findings: []Finding{}, Exercised: []spec.ClauseID{}, AcceptedSteps: acceptedSteps(f, x),
	}
	if n := f.Requests(); n > 1 {
		o.Requests = n
	}
	if o.Credential && len(contract.Schemes) > 1 {
		o.Schemes = x.Request.Schemes
	}
	if x.Failure == nil && !x.Sent.IsZero() { // an exchange from a recording has no time
		o.Replies = []Reply{{x.Sent.UTC(), x.Sent.Add(x.Duration).UTC(), x.Response.Status}}
	}
	return o
}

// Flawed is the prefix of the reason of a result that is unjudged because of a flaw in the
// contract. A derived fixture is excused then, and its clause remains untested.
const Flawed = "the contract has a flaw: "

// judging is what is known while one exchange is judged.
type judging struct {
	Outcome
	contract *spec.Contract
	fixture  fixtures.Fixture
	exchange replay.Exchange
	response check.Response // of the exchange, not redacted
	options  Options
	flaw     *spec.Note // of the contract: why something was not judged
}

func (j *judging) ids() spec.ClauseIDs { return j.fixture.Operation.ClauseIDs() }

// complete judges a complete response. The error says why its body was not judged, or not to its end.
func (j *judging) complete(ctx context.Context) error {
	if j.exchange.Response.Unchunked {
		j.rejected(ctx, false)
		return nil
	}
	checked, unread := j.response.Check(ctx, j.fixture.Operation, j.options.Limits)
	j.adopt(checked)
	status, declared := j.response.Status, checked.Declared != ""
	switch {
	case status/100 == 2:
		j.accepted(ctx, declared)
		if declared && j.fixture.Expect != fixtures.Rejected {
			j.coveredByDefault(checked.Declared)
			j.filtered(ctx)
			j.sorted(ctx)
			j.sized(ctx)
			j.contradicted(ctx)
			j.followed(ctx)
			j.identified(ctx, checked.Declared)
			j.written(ctx, checked.Declared)
		}
		if unread == nil && !j.response.Cut && !j.fixture.NamesKnown() && j.fixture.Expect != fixtures.Rejected { // if it must be rejected, the acceptance is the fault
			checked, unread = j.response.CheckEcho(ctx, sentBy(j.fixture.Operation, j.exchange.Request.Header, j.exchange.Request.Body), j.options.Limits)
			j.adopt(checked)
		}
		if unread == nil && !j.response.Cut && j.fixture.Expect == fixtures.Accepted {
			unread = j.state(ctx)
		}
	case status/100 == 4, j.fixture.Operation.DeclaresFailure(status):
		j.rejected(ctx, declared)
	case status == http.StatusNotModified && j.fixture.Expect == fixtures.Accepted && j.isUnconditionalRead():
		// The client is told to use a response that it does not have (RFC 9110 §15.4.5). This is a
		// warning, because a contract that declares 304 may mean something else by it.
		j.breach(j.ids().Answers(), j.warning(), "304 refers to a response that the client already has, and the request has no If-None-Match or If-Modified-Since",
			j.acceptance(), j.answer())
	case status == http.StatusNotModified && j.fixture.Clause.ID.State() == spec.StateVersioned:
		j.unmodified()
	case len(checked.Breaches) == 0 && j.fixture.Expect != fixtures.Rejected:
		j.accepted(ctx, declared) // a redirect that the contract declares accepts the request
	}
	j.answerQuestions(declared)
	return unread
}

// isOwn reports whether the response is from the service and not from a gateway: it accepts the request. A media
// type that the client asks for, but that the contract does not declare, is not judged (RFC 9110 §12.5.1).
func (j *judging) isOwn() bool {
	r := j.exchange.Response
	if j.exchange.Failure != nil || r.Status/100 != 2 {
		return false
	}
	accept, _ := fixtures.FindField(j.exchange.Request.Header, "Accept")
	mediaType := MediaType(r.Header.Get("Content-Type"))
	return mediaType == "" || !strings.Contains(accept, mediaType) || !j.hasOtherMediaType()
}

func (j *judging) hasOtherMediaType() bool {
	return slices.ContainsFunc(j.Findings, func(f Finding) bool { return strings.HasSuffix(f.Clause.Part(), "/media-type") })
}

// isBrowserOrUnnamed reports whether the client accepts any media type but prefers HTML, or does
// not name itself: the fixture has a User-Agent without a value.
func (j *judging) isBrowserOrUnnamed() bool {
	header := j.fixture.Message(0, 0).Header
	accept, _ := fixtures.FindField(header, "Accept")
	agent, isRemoved := fixtures.FindField(header, "User-Agent")
	return strings.Contains(accept, "text/html") && strings.Contains(accept, "*/*") || isRemoved && agent == ""
}

// keepAnswers removes all findings except those of the clause answers and of the fixture's open question. A
// rejection in a declared media type is still judged if only the client is unusual, and not what it sends.
func (j *judging) keepAnswers() {
	answers := j.ids().Answers()
	isDeclared := j.response.Status/100 == 4 && j.isBrowserOrUnnamed() && !j.hasOtherMediaType()
	other := func(clause spec.ClauseID) bool {
		return clause != answers && !(isDeclared && clause.Status() != "") && (clause != j.fixture.Clause.ID || j.fixture.Clause.Level != spec.Silent)
	}
	j.Findings = slices.DeleteFunc(j.Findings, func(f Finding) bool { return other(f.Clause) })
	j.Exercised = slices.DeleteFunc(j.Exercised, other)
}

// adopt adds what the contract's own check of the response says.
func (j *judging) adopt(checked check.Result) {
	j.flaw = cmp.Or(j.flaw, checked.Flaw)
	escape := invalidEscape.FindString(j.exchange.Request.URL)
	for _, clause := range checked.Exercised {
		j.exercise(clause)
	}
	for _, b := range checked.Breaches {
		if b.Message == "has the wrong format" && escape != "" && strings.Contains(b.Actual, escape) {
			continue // the response repeats the invalid URL of the request (RFC 3986 §2.1), for example in a link
		}
		severity := Violation
		if clause, _ := j.contract.Clause(b.Clause); b.Should || clause.Level == spec.Should || j.isAskedFor() {
			severity = j.warning()
		}
		j.find(Finding{
			Clause: b.Clause, Severity: severity, Message: b.Message, Pointer: b.Pointer,
			Expected: b.Expected, Actual: b.Actual, Offset: b.Offset,
		})
	}
	for _, a := range checked.Answers {
		j.noteAnswer(a.Clause, "", a.Text)
	}
}

// invalidEscape matches a percent sign that two hexadecimal digits do not follow.
var invalidEscape = regexp.MustCompile(`%(?:[^0-9A-Fa-f].?|[0-9A-Fa-f][^0-9A-Fa-f]|[0-9A-Fa-f]?$)`)

// warning returns the severity of a breach of a should-rule.
func (j *judging) warning() Severity {
	if j.options.Strict {
		return Violation
	}
	return Warning
}

// breach adds the finding that the exchange as a whole breaks a clause. Unless it is only an observation, it
// exercises the clause.
func (j *judging) breach(clause spec.ClauseID, severity Severity, message, expected, actual string) {
	if severity != Observation {
		j.exercise(clause)
	}
	j.find(Finding{Clause: clause, Severity: severity, Message: message, Expected: expected, Actual: actual, Offset: -1})
}

// breaks adds the finding that the response breaks the clause of the fixture.
func (j *judging) breaks(message, expected string) {
	j.breach(j.fixture.Clause.ID, j.severity(), message, expected, j.answer())
}

// maxEvidence is the maximum length of each text of a finding, in bytes.
const maxEvidence = 400

// find adds a finding. It redacts the evidence before it cuts it, because otherwise a part of a
// secret could remain.
func (j *judging) find(f Finding) {
	var around int
	var redacted string
	if len(j.response.Body) > 0 && f.Actual == string(j.response.Body) {
		around, redacted = int(f.Offset), string(j.exchange.Response.Body) // redacted when it was recorded
	} else {
		redacted = j.exchange.Redact(f.Actual)
	}
	if redacted != f.Actual {
		f.Actual, around = redacted, 0                 // redaction invalidates the offset
		f.Message, _, _ = strings.Cut(f.Message, ": ") // the rest quotes parts of the value
	}
	f.Actual = ValidText(cut(f.Actual, around))
	for _, text := range []*string{&f.Message, &f.Pointer, &f.Expected} {
		*text = ValidText(cut(j.exchange.Redact(*text), 0))
	}
	j.Findings = append(j.Findings, f)
}

// coveredByDefault finds a success that only the default response covers (OpenAPI 3.0.3, Responses
// Object). If the contract names successes, its default response usually describes errors.
func (j *judging) coveredByDefault(declared string) {
	successes := lists.Map(j.fixture.Operation.Successes(), func(d *spec.Declared) string { return d.Status })
	if declared == "default" && len(successes) > 0 && !j.isAskedFor() {
		j.breach(j.ids().Accepts(), j.warning(), "a request is accepted with a status that only the default response covers, though the contract names successes",
			"acceptance: "+strings.Join(successes, " or "), j.answer())
	}
}

func sentBy(op *spec.Operation, header []fixtures.Field, body []byte) check.Sent {
	mediaType, _ := fixtures.FindField(header, "Content-Type")
	return check.Sent{Operation: op, MediaType: mediaType, Body: body}
}
