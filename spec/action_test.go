package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
)

// TestReached checks to which state an action leads by the words of a document, and that they leave it open where a
// service may do something else.
func TestReached(t *testing.T) {
	for _, row := range []struct{ action, words, success, want string }{
		// A sentence says it.
		{"pause", "Sets `status` to `paused`.", "d", "status paused must"},
		{"pause", "Pauses the job and sets its status to paused.", "d", "status paused must"},
		{"pause", "Changes the status of the job from running to paused.", "d", "status paused must"},
		{"pause", "Moves the job to the state `paused`. A paused job can be resumed.", "d", "status paused must"},
		{"pause", "Sets the status of a running job to `paused`.", "d", "status paused must"},
		{"pause", "Marks the job as paused", "d", "status paused must"},
		{"pause", "d", "The job is now paused.", "status paused must"},
		{"pause", "The job's status becomes `paused`, so that no step runs.", "d", "status paused must"},
		{"pause", "Sets `status` to `paused`. If the job is already paused, nothing happens.", "d", "status paused must"},
		{"pause", "Sets `status` to `paused`. Returns 409 if the job is finished.", "d", "status paused must"},
		{"hold", "Sets `isLocked` to true.", "d", "isLocked true must"},
		{"release", "Sets `isLocked` to `false`.", "d", "isLocked false must"},
		{"resume", "Sets the status to `running`.", "d", "status running must"},
		{"reject", "Marks the job as rejected.", "d", "status rejected must"},
		// The name suggests it.
		{"pause", "", "d", "status paused should"},
		{"pause", "Pauses the job.", "d", "status paused should"},
		{"pause", "Pause a job", "d", "status paused should"},
		{"pause", "Pause", "d", "status paused should"},
		{"pause", "Returns the paused job.", "d", "status paused should"},
		{"pause", "Pauses a job. Only running jobs can be paused.", "d", "status paused should"},
		{"lock", "Locks the job.", "d", "isLocked true should"},
		{"hold", "Mark a job as locked.", "d", "isLocked true should"},
		{"hold", "Mark a job as locked or open.", "d", ""},
		{"release", "Mark a job as not locked.", "d", ""},
		{"mark-as-rejected", "", "d", "status rejected should"},
		// They leave it open.
		{"pause", "Asks the owner.", "d", ""},
		{"pause", "Requests to pause the job.", "d", ""},
		{"pause", "Pauses the job asynchronously.", "d", ""},
		{"pause", "Sets `status` to `paused` eventually.", "d", ""},
		{"pause", "Sets `status` to `paused`. The work is done in the background.", "d", ""},
		{"pause", "Starts to pause the job.", "d", ""},
		{"pause", "The job will be paused.", "d", ""},
		{"pause", "Sets `status` to `paused` if it is running.", "d", ""},
		{"pause", "Sets `status` to `paused`. If the job has already finished, nothing happens.", "d", ""},
		{"pause", "Sets `status` to `paused` or `finished`.", "d", ""},
		{"pause", "Sets `status` to `paused`. The job is paused after the current step.", "d", ""},
		{"pause", "Pauses the job.\nWhen a step is running, it ends first.", "d", ""},
		{"pause", "Pauses the steps of the job.", "d", ""},
		{"pause", "Pauses all jobs.", "d", ""},
		{"pause", "Does not pause the job.", "d", ""},
		{"pause", "Sets the status of each step to paused.", "d", ""},
		{"pause", "The worker sets `status` to `paused`.", "d", ""},
		{"pause", "Pauses the job.", "The job is queued to be paused.", ""},
		{"stop", "Stops the job.", "d", ""}, // the contract lists no such state
		{"print", "Prints the job.", "d", ""},
		{"resume", "Resumes the job.", "d", ""},
		{"delay", "Sets `status` to `paused` or, for jobs that run, to `finished`.", "d", ""},
		{"check", "Checks the job.", "d", ""}, // it may not pass
		{"preview", "Sets `status` to `paused`.", "d", ""},
	} {
		t.Run(row.action+": "+row.words+" "+row.success, func(t *testing.T) {
			c, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(`openapi: 3.0.3
info: {title: Jobs, version: '1'}
paths:
  /jobs/{jobId}: {get: {operationId: read, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {status: {type: string, enum: [running, paused, finished, rejected]}, notes: {type: string, enum: [stopped]}, isLocked: {type: boolean}, checked: {type: boolean}}}}}}}}}
  /jobs/{jobId}/` + row.action + `: {post: {operationId: act, description: ` + quoted(row.words) + `, responses: {'204': {description: ` + quoted(row.success) + `}}}}
`)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			op, _ := c.Operation("act")
			got := ""
			if to, ok := op.Reached(); ok {
				got = fmt.Sprint(strings.Join(to.Path, "."), " ", to.Value)
			}
			if clause, ok := c.Clause(op.ClauseIDs().State(spec.StateReached)); ok {
				got += " " + string(clause.Level)
			}
			if got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// TestInitial checks which state a new resource has by the words of a document, and that they leave it open where a
// service may choose another one.
func TestInitial(t *testing.T) {
	for _, row := range []struct{ words, success, property, want string }{
		{"A new campaign is a `draft`.", "d", "d", "status draft must"},
		{"New campaigns are drafts.", "d", "d", "status draft must"},
		{"Creates a draft campaign.", "d", "d", "status draft must"},
		{"Creates a campaign in state `draft`.", "d", "d", "status draft must"},
		{"Create a campaign with status draft", "d", "d", "status draft must"},
		{"The campaign starts as `queued`.", "d", "d", "status queued must"},
		{"Adds one. It is created with status `queued`, until it is sent or archived.", "d", "d", "status queued must"},
		{"The initial status is `draft`.", "d", "d", "status draft must"},
		{"A new campaign starts in the state draft and must be approved.", "d", "d", "status draft must"},
		{"d", "The campaign is created as draft.", "d", "status draft must"},
		{"d", "d", "Initially `draft`.", "status draft must"},
		{"d", "d", "`draft` for a new campaign.", "status draft must"},
		{"d", "d", "New campaigns are `draft` by default.", "status draft must"},
		{"d", "d", "preset", "status draft should"},
		{"A new campaign is a draft. Returns 409 if the name is taken.", "d", "d", "status draft must"},
		// They leave it open.
		{"A new campaign is a draft, unless it has a date.", "d", "d", ""},
		{"A new campaign is a draft or queued.", "d", "d", ""},
		{"A new campaign is a draft. It is queued at once if it has a date.", "d", "d", ""},
		{"A new campaign is `queued`, and its slot becomes `booked`.", "d", "d", "status queued must"},
		{"A new campaign is `queued`, and its status becomes `draft`.", "d", "d", ""},
		{"A new campaign is a draft.", "d", "Initially `queued`.", ""},
		{"Creates a campaign from a draft.", "d", "d", ""},
		{"The draft is saved.", "d", "d", ""},
		{"Creates a campaign. A draft can be changed.", "d", "d", ""},
		{"The customer of a new campaign is a draft.", "d", "d", ""},
		{"A new campaign may be a draft.", "d", "d", ""},
		{"A new message is a draft.", "d", "d", ""},
		{"d", "d", "Whether it is a draft.", ""},
	} {
		t.Run(row.words+" "+row.success+" "+row.property, func(t *testing.T) {
			c, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(`openapi: 3.0.3
info: {title: Campaigns, version: '1'}
paths:
  /teams/{id}/campaigns: {post: {operationId: add, description: ` + quoted(row.words) + `, responses: {'201': {description: ` + quoted(row.success) + `, content: {application/json: {schema: {type: object, properties: {status: {type: string, enum: [draft, queued, sent], readOnly: true, description: ` + strings.Replace(quoted(row.property), "'preset'", "d, default: draft", 1) + `}}}}}}}}}
`)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			op, _ := c.Operation("add")
			got := ""
			if to, ok := op.Initial(); ok {
				clause, _ := c.Clause(op.ClauseIDs().State(spec.StateInitial))
				got = fmt.Sprint(strings.Join(to.Path, "."), " ", to.Value, " ", clause.Level)
			}
			if got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
