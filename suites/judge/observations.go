package judge

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
)

// answerQuestions notes what the exchange says about the questions that the
// contract leaves open.
func (j *judging) answerQuestions(declared bool) {
	clause, ids, status := j.fixture.Clause, j.ids(), j.response.Status
	switch {
	case clause.Level == spec.Silent:
		j.observe(clause.ID)
	case clause.ID.IsCredential() && j.fixture.Level == spec.Must: // the others send a credential
		j.observe(ids.Silence(spec.CredentialMissing))
	case declared && status/100 == 4 && j.fixture.Expect == fixtures.Rejected:
		question := ids.Silence(spec.RejectionConditions)
		if _, asked := j.contract.Clause(question); asked {
			j.observe(question)
		}
	}
	if !declared {
		j.observe(ids.Silence(spec.OtherStatuses))
	}
	if status >= 400 {
		j.answerValues(status)
	}
}

// observe notes with which status and media type the target answers a question.
func (j *judging) observe(question spec.ClauseID) {
	answer := strconv.Itoa(j.response.Status)
	if contentType := j.exchange.Response.Header.Get("Content-Type"); contentType != "" {
		answer += " " + MediaType(contentType)
	}
	j.noteAnswer(question, "", answer)
}

// answerValues notes the values that the contract's open questions ask for, each with its status.
func (j *judging) answerValues(status int) {
	var object map[string]json.RawMessage
	if json.Unmarshal(j.response.Body, &object) != nil {
		return // what is wrong with the body is judged elsewhere
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		question := j.ids().Silence(spec.ValueQuestion(name))
		if _, asked := j.contract.Clause(question); asked {
			j.noteAnswer(question, "/"+name, strconv.Itoa(status)+" with "+name+" "+string(object[name]))
		}
	}
}

func (j *judging) noteAnswer(question spec.ClauseID, pointer, answer string) {
	j.exercise(question)
	j.find(Finding{Clause: question, Severity: Observation, Message: "the contract leaves this open", Pointer: pointer, Actual: answer, Offset: -1})
}

// silence returns the question that an undeclared status answers.
func (j *judging) silence() spec.ClauseID {
	switch {
	case j.fixture.Clause.Level == spec.Silent:
		return j.fixture.Clause.ID
	case j.fixture.Clause.ID.IsCredential():
		return j.ids().Silence(spec.CredentialMissing)
	}
	return j.ids().Silence(spec.OtherStatuses)
}
