package judge

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/replay"
)

// inConflict judges a success of an action that the document says is rejected in some states. What the resource showed
// before and after the action in between is evidence that it is in such a state: it may be back in the former one. A
// new resource shows its only state. If the reads show no states, a repeated action whose state does not end by itself
// is likely to be one that must be rejected.
func (j *judging) inConflict(ctx context.Context) {
	steps := slices.DeleteFunc(slices.Clone(j.exchange.Steps), func(s replay.Step) bool { return s.Cleanup || s.Exchange.Response == nil })
	isAction := func(s replay.Step) bool { return !j.fixture.StepOperation(s.ID).IsSafe() }
	at := len(steps) - 1
	for at >= 0 && !isAction(steps[at]) {
		at--
	}
	if at < 0 || j.response.Status == http.StatusAccepted {
		return
	}
	op, by := j.fixture.Operation, j.fixture.StepOperation(steps[at].ID)
	isNew := !slices.Contains(op.Beside(), by)
	was, is, ok := j.around(ctx, steps, at, isNew)
	if !ok {
		return
	}
	showsState := false
	for _, name := range slices.Sorted(maps.Keys(is)) {
		now, isText := is[name].(string)
		old, _ := was[name].(string)
		showsState = showsState || isText && spec.IsState(name)
		isBad := isText && (isNew || old != "" && now != old) && (op.RefusedIn(now) || op.RefusedFrom(now))
		if flag := ofFlag.ReplaceAllString(name, ""); isBad || isUnset(was[name]) && !isUnset(is[name]) && op.RefusedIn(flag) {
			severity := map[bool]Severity{true: j.warning(), false: j.severity()}[isNew && underWay.MatchString(now)] // the state may have ended
			j.exercise(j.fixture.Clause.ID)
			j.breach(j.fixture.Clause.ID, severity, "the service accepts "+op.ID+" after "+by.ID+", though the resource is in a state for which the contract says that it is rejected", j.rejection(), j.answer())
			return
		}
	}
	if !showsState && by == op && slices.ContainsFunc(op.States(), op.RefusedIn) && !passing.MatchString(strings.Join(op.States(), " ")) {
		j.exercise(j.fixture.Clause.ID)
		j.breach(j.fixture.Clause.ID, j.warning(), "the service accepts "+op.ID+" a second time, though the contract says that it is then rejected", j.rejection(), j.answer())
	}
}

// around returns what the reads before and after a step show, if there are reads. Nothing was there before a creation.
func (j *judging) around(ctx context.Context, steps []replay.Step, at int, isNew bool) (was, is map[string]any, ok bool) {
	if at+1 == len(steps) || at == 0 && !isNew {
		return nil, nil, true
	}
	is = j.resource(ctx, steps[at+1])
	if !isNew {
		was = j.resource(ctx, steps[at-1])
	}
	return was, is, is != nil && (was != nil || isNew)
}

// resource returns what the response to a read shows of a resource. It leaves out an envelope, and returns nil if the
// response shows no object.
func (j *judging) resource(ctx context.Context, s replay.Step) map[string]any {
	object := j.object(ctx, s.Exchange.Response.Body)
	for _, inner := range object {
		if of, isObject := inner.(map[string]any); isObject && len(object) == 1 {
			return of
		}
	}
	if s.Exchange.Response.Cut || !j.fixture.StepOperation(s.ID).IsSafe() {
		return nil
	}
	return object
}

func isUnset(value any) bool { return value == nil || value == false }

var (
	ofFlag = regexp.MustCompile(`^is_?|_?([aA]t|[oO]n|[dD]ate)$`)
	// passing matches states that may end by themselves.
	passing = regexp.MustCompile(`(?i)\b(start|run|execut|trigger|begin|process|sync|refresh|play|resum|lock|open|retri|sent|paus)`)
)
