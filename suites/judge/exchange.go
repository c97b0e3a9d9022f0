package judge

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/replay"
)

// Options change how strict the judge is.
type Options struct {
	// Strict makes warnings and undeclared statuses violations.
	Strict bool
}

// Exchange judges what a target answered to a fixture.
func Exchange(contract *spec.Contract, f fixtures.Fixture, x replay.Exchange, o Options) Result {
	j := judging{contract: contract, fixture: f, exchange: x, options: o}
	if x.Failure != nil && x.Failure.Kind != replay.Incomplete {
		return Result{Fixture: f, Exchange: x.Forget(), Status: Unjudged, Reason: x.Failure.Message}
	}
	j.judge()
	return Result{
		Fixture:   f,
		Exchange:  x.Forget(),
		Findings:  j.findings,
		Status:    status(j.findings),
		Exercised: j.exercised,
	}
}

type judging struct {
	contract  *spec.Contract
	fixture   fixtures.Fixture
	exchange  replay.Exchange
	options   Options
	findings  []Finding
	exercised []string
}

func (j *judging) judge() {
	if j.exchange.Failure != nil {
		j.incomplete()
		return
	}
	op := j.fixture.Operation
	header, body := j.exchange.Raw()
	response := spec.Response{Status: j.exchange.Response.Status, Header: header, Body: body}
	check := op.CheckResponse(response)
	j.note(check)
	class := response.Status / 100
	undeclared := check.Declared == ""
	switch {
	case class != 2 && class != 4:
		// A redirect that the contract declares accepts in its way; anything
		// else broke a clause already, and there is no more to be said.
		if len(check.Breaches) == 0 {
			j.exercise(j.fixture.Clause.ID)
		}
	case j.fixture.Expect == fixtures.Accepted:
		j.expectAccepted(class, undeclared)
	case j.fixture.Expect == fixtures.Rejected:
		j.expectRejected(class)
	case class == 2 && undeclared:
		j.undeclaredSuccess()
	}
	if class == 4 && undeclared && j.fixture.Expect != fixtures.Accepted {
		j.undeclaredRejection()
	}
	if class == 2 {
		j.note(op.CheckEcho(j.exchange.Request.Body, response))
	}
	if j.fixture.Clause.Level == spec.Silent {
		j.exercise(j.fixture.Clause.ID)
		j.observe(j.fixture.Clause.ID, Observation)
	}
}

// incomplete: rule 1, no complete response within the limits.
func (j *judging) incomplete() {
	j.exercise(j.fixture.Operation.ID + "/answers")
	actual := "no response"
	if r := j.exchange.Response; r != nil {
		actual = fmt.Sprintf("%d, and of its body %d bytes", r.Status, len(r.Body))
	}
	j.find(Finding{
		Clause: j.fixture.Operation.ID + "/answers", Severity: Violation, Message: j.exchange.Failure.Message,
		Expected: "one complete HTTP response", Actual: actual, Offset: -1,
	})
}

// expectAccepted: rule 2, a valid request that is rejected, or accepted with
// a status that the contract does not declare.
func (j *judging) expectAccepted(class int, undeclared bool) {
	j.exercise(j.fixture.Operation.ID + "/accepts")
	switch {
	case class == 4:
		j.find(Finding{
			Clause: j.fixture.Operation.ID + "/accepts", Severity: Violation, Message: "a request that meets the contract is rejected",
			Expected: "acceptance" + j.successes(), Actual: j.answer(), Offset: -1,
		})
	case undeclared:
		j.undeclaredSuccess()
	}
}

func (j *judging) undeclaredSuccess() {
	j.exercise(j.fixture.Operation.ID + "/accepts")
	j.find(Finding{
		Clause: j.fixture.Operation.ID + "/accepts", Severity: Violation, Message: "a request is accepted with a status that the contract does not declare",
		Expected: "acceptance" + j.successes(), Actual: j.answer(), Offset: -1,
	})
}

// expectRejected: rule 3, a request is accepted that the contract rules out.
func (j *judging) expectRejected(class int) {
	clause := j.fixture.Clause
	j.exercise(clause.ID)
	if class != 2 {
		return
	}
	severity := Violation
	if j.fixture.Level == spec.Should {
		severity = j.warning()
	}
	j.find(Finding{
		Clause: clause.ID, Severity: severity, Message: "a request that the contract rules out is accepted",
		Expected: "a rejection: 4xx" + j.rejections(), Actual: j.answer(), Offset: -1,
	})
}

// undeclaredRejection: rule 5, a 4xx about which the contract says nothing.
func (j *judging) undeclaredRejection() {
	op := j.fixture.Operation.ID
	clause := j.fixture.Clause.ID
	switch {
	case j.fixture.Clause.Level == spec.Silent:
	case strings.HasSuffix(clause, "/request/credential") && j.has(op+"/silent/credential-missing"):
		clause = op + "/silent/credential-missing"
	case j.has(op + "/silent/other-statuses"):
		clause = op + "/silent/other-statuses"
	}
	severity := Observation
	if j.options.Strict {
		severity = Violation
	}
	j.exercise(clause)
	if severity == Violation || clause != j.fixture.Clause.ID {
		j.observe(clause, severity)
	}
}

func (j *judging) has(clause string) bool {
	_, ok := j.contract.Clause(clause)
	return ok
}

// observe notes how the target answers a question that the contract leaves
// open.
func (j *judging) observe(clause string, severity Severity) {
	f := Finding{Clause: clause, Severity: severity, Message: "the contract leaves this open", Actual: j.answer(), Offset: -1}
	if severity == Violation {
		f.Message, f.Expected = "a status that the contract does not declare", "a declared status"
	}
	j.find(f)
}

// note takes over what the contract's own check of the response says.
func (j *judging) note(check spec.Check) {
	for _, clause := range check.Exercised {
		j.exercise(clause)
	}
	for _, b := range check.Breaches {
		severity := Violation
		if clause, ok := j.contract.Clause(b.Clause); ok && clause.Level == spec.Should {
			severity = j.warning()
		}
		j.find(Finding{b.Clause, severity, b.Message, b.Pointer, b.Expected, b.Actual, b.Offset})
	}
}

func (j *judging) warning() Severity {
	if j.options.Strict {
		return Violation
	}
	return Warning
}

func (j *judging) exercise(clause string) {
	for _, c := range j.exercised {
		if c == clause {
			return
		}
	}
	j.exercised = append(j.exercised, clause)
}

// find is the one place where evidence enters a finding: secrets are taken
// out of the whole text before it is cut.
func (j *judging) find(f Finding) {
	for _, text := range []*string{&f.Message, &f.Pointer, &f.Expected, &f.Actual} {
		*text = cut(j.exchange.Redact(*text))
	}
	j.findings = append(j.findings, f)
}

// maxEvidence bounds the length of each text of a finding, in bytes.
const maxEvidence = 400

func cut(text string) string {
	if len(text) <= maxEvidence {
		return text
	}
	return strings.ToValidUTF8(text[:maxEvidence], "") + fmt.Sprintf("… (%d bytes)", len(text))
}

// answer is the response in a few words: its status and what it carries.
func (j *judging) answer() string {
	r := j.exchange.Response
	_, body := j.exchange.Raw()
	words := fmt.Sprintf("%d", r.Status)
	if mediaType := r.Header.Get("Content-Type"); mediaType != "" && j.fixture.Expect == fixtures.Either {
		words += " " + mediaType
	}
	if len(body) > 0 && j.fixture.Expect != fixtures.Either {
		words += " " + strings.TrimSpace(string(body))
	}
	return words
}

func (j *judging) successes() string { return j.with(func(code int) bool { return code/100 == 2 }) }

func (j *judging) rejections() string {
	if j.fixture.Operation.Declares(http.StatusBadRequest) {
		return ", and with 400 what the contract declares for it"
	}
	return ""
}

func (j *judging) with(match func(int) bool) string {
	var codes []string
	for code := 200; code < 500; code++ {
		if match(code) && j.fixture.Operation.Declares(code) {
			codes = append(codes, fmt.Sprint(code))
		}
	}
	if len(codes) == 0 || len(codes) > 5 {
		return " (2xx)"
	}
	return ", with " + strings.Join(codes, " or ")
}
