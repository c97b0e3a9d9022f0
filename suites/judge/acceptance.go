package judge

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
)

// letThrough adds the finding for a request that is accepted although the contract forbids it.
func (j *judging) letThrough(ctx context.Context) {
	if j.rejectsPart() {
		j.exercise(j.fixture.Clause.ID)
		return
	}
	message := "the service accepts a request that the contract forbids"
	if other := j.fixture.Alternative(); other != nil {
		message = fmt.Sprintf("the service accepts the credential %s, but the operation is declared to take %s alone", strings.Join(other, " and "), strings.Join(j.fixture.Operation.Security.Names(), " or "))
	}
	if j.saysNo(ctx) {
		message = SaysNo
	}
	state := j.fixture.Clause.ID.State()
	if slices.Contains([]string{spec.StateDeleted, spec.StateUnique, spec.StateOccupied, spec.StateConflict}, state) && j.isPending() {
		return
	}
	switch state {
	case spec.StateDeleted:
		shown, ok := j.value(ctx, j.response.Body)
		j.identified(ctx, "")
		// A read may show the response of the deletion itself, such as a resource that is now cancelled:
		// the service decides what remains, if the contract does not say it.
		mayMark := ok && !j.fixture.Operation.HidesDeleted()
		if j.tellsNothing(ctx) || mayMark && j.isDeletion(ctx, shown) || j.showsAnother(ctx, anyStep) {
			return
		}
		message = "what was deleted, or lay below that, can still be read"
		if mayMark && j.wasInAnotherState(ctx, shown) {
			j.breach(j.fixture.Clause.ID, Observation, message+", in another state than before", j.rejection(), j.answer())
			return
		}
	case spec.StateWithin:
		if j.showsAnother(ctx, j.isShown) {
			return
		}
		message = "what was created below one resource can be read below another one"
	case spec.StateAtomic:
		if _, isApplicable := j.patched(ctx); isApplicable || j.response.Status == http.StatusAccepted { // 202: it may fail later
			return
		}
		message = "the service accepts a JSON Patch of which one operation cannot be applied"
	case spec.StatePrecondition:
		message = j.acceptedChange()
	case spec.StateReference:
		if j.response.Status == http.StatusAccepted { // it may fail later
			return
		}
		message = "the service accepts the id of a resource that does not exist, though the contract says that it must"
	case spec.StateUnique:
		if j.fixture.Operation.ChangesEntry() && !j.showsUnique(ctx) {
			return
		}
		message = "the service accepts a second resource with a value that the contract calls unique"
	case spec.StateConflict:
		j.inConflict(ctx)
		return
	case spec.StateOccupied:
		message = "the service deletes a resource that has entries, though the contract says that it does not"
	}
	j.breaks(message, j.rejection())
}

// SaysNo is the message of a finding that is the same fault of a service for all requests.
const SaysNo = "the service rejects the request, but with a status that accepts it"

// saysNo reports whether a response that accepts has the body that the contract declares for a
// rejection, with something that the contract does not declare for an acceptance.
func (j *judging) saysNo(ctx context.Context) bool {
	if !slices.ContainsFunc(j.Findings, func(f Finding) bool { return f.Clause.IsUndeclared() }) {
		return false
	}
	return slices.ContainsFunc([]int{400, 401, 403, 404, 409, 415, 422}, func(status int) bool {
		checked, err := check.Response{Status: status, Header: j.response.Header, Body: j.response.Body}.Check(ctx, j.fixture.Operation, j.options.Limits)
		return err == nil && len(checked.Breaches) == 0 && slices.ContainsFunc(checked.Exercised, func(clause spec.ClauseID) bool {
			return clause.OnResponseValue() && !clause.IsUndeclared()
		})
	})
}

// rejectsPart reports whether a Multi-Status response says that a part of the request failed, such
// as one of many resources to create (RFC 4918 §13). The credential is not that of a part: without it,
// no part may succeed.
func (j *judging) rejectsPart() bool {
	isOfAll := j.fixture.Clause.ID == j.ids().Credential()
	return j.response.Status == http.StatusMultiStatus && failedPart.Match(j.response.Body) && !(isOfAll && madePart.Match(j.response.Body))
}

// failedPart matches the status of a part that failed.
var failedPart = regexp.MustCompile(`\b[45][0-9]{2}\b`)

// madePart matches the status of a part that succeeded, in JSON.
var madePart = regexp.MustCompile(`"(?i:status|code|status_?code)"\s*:\s*"?2[0-9]{2}\b`)

// patched returns the values that the JSON Patch of the request changes in the resource that was read
// before it. If an operation cannot be applied, isApplicable is false, and only the operations
// before it count. If it is unknown, isApplicable is true.
func (j *judging) patched(ctx context.Context) (values map[string]any, isApplicable bool) {
	patch, _ := j.value(ctx, j.exchange.Request.Body)
	operations, isList := patch.([]any)
	before := j.read(ctx, false)
	if before == nil || !isList {
		return nil, true
	}
	after, isApplicable := instance.Patched(before, operations)
	values, _ = after.(map[string]any)
	for name, value := range values {
		if instance.Equal(before[name], value) {
			delete(values, name)
		}
	}
	return values, isApplicable
}

// read returns the resource as the first step before or after the request shows it, or nil if no step reads it.
func (j *judging) read(ctx context.Context, after bool) map[string]any {
	for _, s := range j.exchange.Steps {
		r, op := s.Exchange.Response, j.fixture.StepOperation(s.ID)
		if s.Cleanup == after && r != nil && r.Status == http.StatusOK && op.IsSafe() && op.Path == j.fixture.Operation.Path {
			return j.object(ctx, r.Body)
		}
	}
	return nil
}

// showsUnique reports whether the response to a change, or a read after it, shows the unique values that the change
// sent: a service may keep the old ones.
func (j *judging) showsUnique(ctx context.Context) bool {
	within, names := j.fixture.Operation.Unique()
	sent, _ := j.value(ctx, j.exchange.Request.Body)
	bodies := [][]byte{j.response.Body}
	for _, s := range j.exchange.Steps {
		if s.Cleanup && s.Exchange.Response != nil && j.fixture.StepOperation(s.ID).IsSafe() {
			bodies = append(bodies, s.Exchange.Response.Body)
		}
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		value, _ := instance.At(sent, instance.Below(within, name))
		isShown := func(body []byte) bool { return bytes.Contains(body, []byte(instance.Compact(value))) }
		return !slices.ContainsFunc(bodies, isShown)
	})
}

// appliedInPart finds a value that a rejected JSON Patch has set (RFC 5789 §2).
func (j *judging) appliedInPart(ctx context.Context) {
	if j.fixture.Clause.ID.State() != spec.StateAtomic {
		return
	}
	after := j.read(ctx, true)
	values, isApplicable := j.patched(ctx)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if now, there := after[name]; there && !isApplicable && instance.Equal(now, values[name]) {
			j.breach(j.fixture.Clause.ID, j.severity(), "a JSON Patch is applied in part, though it is rejected", "the "+name+" from before the patch", instance.Compact(now))
		}
	}
}

// acceptedChange says which change the service accepts that it must reject for its version.
func (j *judging) acceptedChange() string {
	if _, isSent := fixtures.FindField(j.exchange.Request.Header, "If-Match"); !isSent {
		return "the service accepts a change without If-Match, though the contract says that it is rejected"
	}
	return "the service accepts a change although If-Match does not match the current version"
}
