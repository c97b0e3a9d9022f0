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
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/replay"
)

// Options change how strict the judge is.
type Options struct {
	// Strict makes warnings and undeclared statuses violations.
	Strict bool
	// Limits bound what is read of a response's JSON body.
	Limits instance.Limits
}

// AnyRequest stands for a request to an operation that no fixture describes.
// Nobody knows whether it was right, so that either answer is: of the response
// only what holds for every response is judged.
func AnyRequest(contract *spec.Contract, op *spec.Operation) fixtures.Fixture {
	answers, _ := contract.Clause(op.ClauseIDs().Answers())
	return fixtures.Fixture{Title: op.Method + " " + op.Path, Operation: op, Clause: answers, Expect: fixtures.Either, Level: answers.Level}
}

// acceptedSteps are the operations of the other requests that were accepted.
func acceptedSteps(f fixtures.Fixture, x replay.Exchange) (operations []string) {
	for _, s := range x.Steps {
		op, answer := f.StepOperation(s.ID), s.Exchange.Response
		if isComplete := s.Exchange.Failure == nil && answer != nil; isComplete && answer.Status/100 == 2 && op != nil && !slices.Contains(operations, op.ID) {
			operations = append(operations, op.ID)
		}
	}
	return operations
}

// Exchange judges what a target answered to a fixture. An exchange that says
// nothing about the service, because there was no connection or the run was
// cut off, is unjudged. So is one whose body exceeds a limit, unless it shows a
// violation all the same.
//
// What the target answered to the requests that went with that of the fixture is judged too.
//
// Where the context ends first, the exchange gets its end as its failure.
func Exchange(ctx context.Context, contract *spec.Contract, f fixtures.Fixture, x replay.Exchange, o Options) Judged {
	result := exchange(ctx, contract, f, x, o)
	for _, other := range x.Others {
		result.join(exchange(ctx, contract, sentAs(f, other), other, o))
	}
	return result
}

// sentAs is the fixture that a request was sent for together with that of another one. Of the
// repetitions the last counts, so that each answer to the others is right. So is a refusal of a
// companion if it is only known after the run whether it breaks the contract.
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

// join adds the violations that were found in an exchange that went with that of the fixture. The result shows
// that exchange if it alone has a violation.
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
		if !slices.Contains(r.Exercised, f.Clause) {
			r.Exercised = append(r.Exercised, f.Clause)
		}
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
	result := Judged{Exchange: x.Forget(), Outcome: outcomeOf(contract, f, x)}
	j := judging{contract: contract, fixture: f, exchange: x, options: o, findings: []Finding{}, exercised: []spec.ClauseID{}}
	if j.response.Header, j.response.Body = x.Raw(); x.Response != nil {
		j.response.Status, j.response.Cut = x.Response.Status, x.Response.Cut
	}
	isOver := x.Failure != nil && x.Failure.Kind == replay.OverLimit && x.Response != nil
	if x.Failure != nil && x.Failure.Kind != replay.Incomplete && !isOver {
		result.Status, result.Reason = Unjudged, ValidText(x.Failure.Message)
		result.Excused = x.Failure.Kind == replay.StepFailed && f.IsDerived() // which may follow from what the contract leaves open
		if j.steps(); len(j.findings) > 0 {
			result.Findings, result.Exercised, result.Status, result.Reason, result.Excused = j.findings, j.exercised, Failed, "", false
		}
		return result
	}
	var unread error // why the body was not judged
	if x.Failure != nil && !isOver {
		j.incomplete()
	} else {
		result.Answer = x.Response.Status
		unread = j.complete(ctx)
	}
	if isOver && !f.Operation.Declares(x.Response.Status) { // the contract says nothing of its body
		isOver, result.Exchange.Failure = false, nil
	}
	if f.OnlyAnswers && !j.isOwn() {
		j.keepAnswers()
		unread = nil
	}
	if _, exceeded := errors.AsType[*instance.LimitError](unread); unread != nil && !exceeded {
		result.Exchange.Failure = replay.Ended(ctx)
		result.Status, result.Reason = Unjudged, ValidText(result.Exchange.Failure.Message)
		return result
	}
	j.connection()
	j.steps()
	result.Findings, result.Exercised, result.Status = j.findings, j.exercised, StatusOf(j.findings)
	if j.flaw != nil && unread == nil && !f.OnlyAnswers {
		unread = errors.New(Flawed + j.flaw.Sentence())
		result.Excused = f.IsDerived() && result.Status != Failed // or one flaw would make every run inconclusive
	}
	if isOver && result.Status != Failed {
		result.Status, result.Reason = Unjudged, ValidText(x.Failure.Message)
	}
	if unread != nil && result.Status != Failed {
		result.Status, result.Reason = Unjudged, ValidText(unread.Error())
	}
	return result
}

// outcomeOf is what is known of an exchange before it is judged.
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
	if x.Failure == nil && !x.Sent.IsZero() { // or it was recorded elsewhere
		o.Replies = []Reply{{x.Sent.UTC(), x.Sent.Add(x.Duration).UTC(), x.Response.Status}}
	}
	return o
}

// Flawed begins the reason of a result that is unjudged because of a flaw in the contract.
// A derived fixture is excused then, and its clause remains untested.
const Flawed = "the contract has a flaw: "

// judging is the work on one exchange.
type judging struct {
	contract  *spec.Contract
	fixture   fixtures.Fixture
	exchange  replay.Exchange
	response  spec.Response // of the exchange, with the target's secrets
	options   Options
	findings  []Finding
	exercised []spec.ClauseID
	flaw      *spec.Note // of the contract: why something was not judged
}

func (j *judging) ids() spec.ClauseIDs { return j.fixture.Operation.ClauseIDs() }

// complete judges a response that is all there. The error says why its body
// was not judged, or not to its end.
func (j *judging) complete(ctx context.Context) error {
	if j.exchange.Response.Unchunked {
		j.rejected(ctx, false)
		return nil
	}
	check, unread := j.fixture.Operation.CheckResponse(ctx, j.response, j.options.Limits)
	j.adopt(check)
	status, declared := j.response.Status, check.Declared != ""
	switch {
	case status/100 == 2:
		j.accepted(ctx, declared)
		if declared && j.fixture.Expect != fixtures.Rejected {
			j.coveredByDefault(check.Declared)
			j.filtered(ctx)
			j.sorted(ctx)
			j.sized(ctx)
			j.followed(ctx)
			j.identified(ctx, check.Declared)
			j.written(ctx, check.Declared)
		}
		if unread == nil && !j.response.Cut && !j.fixture.NamesKnown() && j.fixture.Expect != fixtures.Rejected { // of what must be rejected, the acceptance is the fault
			check, unread = j.fixture.Operation.CheckEcho(ctx, sentBy(j.fixture.Operation, j.exchange.Request.Header, j.exchange.Request.Body), j.response, j.options.Limits)
			j.adopt(check)
		}
		if unread == nil && !j.response.Cut && j.fixture.Expect == fixtures.Accepted {
			unread = j.state(ctx)
		}
	case status/100 == 4, j.fixture.Operation.DeclaresFailure(status):
		j.rejected(ctx, declared)
	case status == http.StatusNotModified && j.fixture.Expect == fixtures.Accepted && j.isUnconditionalRead():
		// The client is told to use a response that it does not have (RFC 9110 §15.4.5). A contract
		// that declares 304 may mean something else by it.
		j.breach(j.ids().Answers(), j.warning(), "304 refers to a response that the client already has, and the request has no If-None-Match or If-Modified-Since",
			j.acceptance(), j.answer())
	case status == http.StatusNotModified && j.fixture.Clause.ID.State() == spec.StateVersioned:
		j.unmodified()
	case len(check.Breaches) == 0 && j.fixture.Expect != fixtures.Rejected:
		j.accepted(ctx, declared) // by a redirect that the contract declares
	}
	j.answerQuestions(declared)
	return unread
}

// isOwn reports whether the response is the service's own, and not that of a gateway: it accepts the
// request. It may have another form, if the client asks for that (RFC 9110 §12.5.1).
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
	return slices.ContainsFunc(j.findings, func(f Finding) bool { return strings.HasSuffix(f.Clause.Part(), "/media-type") })
}

// isBrowserOrUnnamed reports whether the request is from a client that takes anything but prefers
// HTML, or that does not say what it is: the fixture has a field for it without a value.
func (j *judging) isBrowserOrUnnamed() bool {
	header := j.fixture.Message(0, 0).Header
	accept, _ := fixtures.FindField(header, "Accept")
	agent, isRemoved := fixtures.FindField(header, "User-Agent")
	return strings.Contains(accept, "text/html") && strings.Contains(accept, "*/*") || isRemoved && agent == ""
}

// keepAnswers leaves nothing but whether there was an answer, and how an open
// question is answered. A rejection in the declared media type is judged, if what may keep a service
// from it is only what the client is, and not what it sends.
func (j *judging) keepAnswers() {
	answers := j.ids().Answers()
	isDeclared := j.response.Status/100 == 4 && j.isBrowserOrUnnamed() && !j.hasOtherMediaType()
	other := func(clause spec.ClauseID) bool {
		return clause != answers && !(isDeclared && clause.Status() != "") && (clause != j.fixture.Clause.ID || j.fixture.Clause.Level != spec.Silent)
	}
	j.findings = slices.DeleteFunc(j.findings, func(f Finding) bool { return other(f.Clause) })
	j.exercised = slices.DeleteFunc(j.exercised, other)
}

// adopt takes over what the contract's own check of the response says.
func (j *judging) adopt(check spec.Check) {
	j.flaw = cmp.Or(j.flaw, check.Flaw)
	escape := invalidEscape.FindString(j.exchange.Request.URL)
	for _, clause := range check.Exercised {
		j.exercise(clause)
	}
	for _, b := range check.Breaches {
		if b.Message == "has the wrong format" && escape != "" && strings.Contains(b.Actual, escape) {
			continue // it repeats what makes the URL of the request invalid (RFC 3986 §2.1), as a link to itself does
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
	for _, a := range check.Answers {
		j.noteAnswer(a.Clause, "", a.Text)
	}
}

// invalidEscape matches a percent sign that two hexadecimal digits do not follow.
var invalidEscape = regexp.MustCompile(`%(?:[^0-9A-Fa-f].?|[0-9A-Fa-f][^0-9A-Fa-f]|[0-9A-Fa-f]?$)`)

// warning is the severity of what only should be otherwise.
func (j *judging) warning() Severity {
	if j.options.Strict {
		return Violation
	}
	return Warning
}

func (j *judging) exercise(clause spec.ClauseID) {
	if !slices.Contains(j.exercised, clause) {
		j.exercised = append(j.exercised, clause)
	}
}

// breach exercises a clause and finds that the exchange as a whole breaks it.
func (j *judging) breach(clause spec.ClauseID, severity Severity, message, expected, actual string) {
	j.exercise(clause)
	j.find(Finding{Clause: clause, Severity: severity, Message: message, Expected: expected, Actual: actual, Offset: -1})
}

// maxEvidence bounds the length of each text of a finding, in bytes.
const maxEvidence = 400

// find adds a finding. Only here is its evidence redacted: before it is cut, because
// otherwise a part of a secret could remain.
func (j *judging) find(f Finding) {
	var around int
	var redacted string
	if len(j.response.Body) > 0 && f.Actual == string(j.response.Body) {
		around, redacted = int(f.Offset), string(j.exchange.Response.Body) // which was searched when it was recorded
	} else {
		redacted = j.exchange.Redact(f.Actual)
	}
	if redacted != f.Actual {
		f.Actual, around = redacted, 0                 // the mask moved what the offset points at
		f.Message, _, _ = strings.Cut(f.Message, ": ") // what follows quotes parts of it
	}
	f.Actual = ValidText(cut(f.Actual, around))
	for _, text := range []*string{&f.Message, &f.Pointer, &f.Expected} {
		*text = ValidText(cut(j.exchange.Redact(*text), 0))
	}
	j.findings = append(j.findings, f)
}

// coveredByDefault: a default response covers each status that has no response of its own (OpenAPI 3.0.3, Responses
// Object), but if the contract names successes, it most often describes errors.
func (j *judging) coveredByDefault(declared string) {
	successes := lists.Map(j.fixture.Operation.Successes(), func(d *spec.Declared) string { return d.Status })
	if declared == "default" && len(successes) > 0 && !j.isAskedFor() {
		j.breach(j.ids().Accepts(), j.warning(), "a request is accepted with a status that only the default response covers, though the contract names successes",
			"acceptance: "+strings.Join(successes, " or "), j.answer())
	}
}

// sentBy is a request as it was sent.
func sentBy(op *spec.Operation, header []fixtures.Field, body []byte) spec.Sent {
	mediaType, _ := fixtures.FindField(header, "Content-Type")
	return spec.Sent{Operation: op, MediaType: mediaType, Body: body}
}
