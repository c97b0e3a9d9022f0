package judge

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/replay"
)

// action is the step with an action that the fixture reads the effect of; nil if it is about something else.
func (j *judging) action() *replay.Step {
	for i, s := range j.exchange.Steps {
		if j.isShown(s.ID) && slices.Contains(j.fixture.Operation.Actions(), j.fixture.StepOperation(s.ID)) {
			return &j.exchange.Steps[i]
		}
	}
	return nil
}

// acted looks for a value that is read as it was before an action, though the response to the action told of
// another state of the same thing.
func (j *judging) acted(ctx context.Context, action *replay.Step) {
	answer := action.Exchange.Response
	before, ids := j.earlier(), idsInPath(j.fixture.Operation.Path, j.exchange.Request.URL)
	if len(before) == 0 || len(ids) == 0 || answer == nil || answer.Status == http.StatusCreated {
		return
	}
	was, _ := j.value(ctx, before[len(before)-1].Body)
	told, _ := j.value(ctx, answer.Body)
	is, _ := j.value(ctx, j.response.Body)
	if instance.Equal(was, told) || !isSame(was, told, ids[0]) {
		return
	}
	j.exercise(j.fixture.Clause.ID)
	by := j.fixture.StepOperation(action.ID).Security
	if path := stale(was, told, is, slices.EqualFunc(j.fixture.Operation.Security, by, slices.Equal)); path != nil {
		wanted, _ := instance.At(told, path)
		offset, shown, _ := instance.Find(j.response.Body, path)
		j.find(Finding{
			Clause: j.fixture.Clause.ID, Severity: j.severity(), Message: "is as before an action whose response showed another value",
			Pointer: instance.Pointer(path), Expected: instance.Compact(wanted), Actual: shown, Offset: offset,
		})
	}
}

// isSame reports whether two objects have an id at the same place: a copy may name what it is a copy of.
func isSame(was, told any, id string) bool {
	before, isObject := was.(map[string]any)
	answer, _ := told.(map[string]any)
	if !isObject {
		return fixtures.IDOf(was) == id && fixtures.IDOf(told) == id
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(before)), func(name string) bool { return isSame(before[name], answer[name], id) })
}

// stale is the path to a value that is as it was, though an answer in between told of another state; nil if
// there is none.
func stale(was, told, is any, isCallerSame bool) []string {
	before, _ := was.(map[string]any)
	answer, _ := told.(map[string]any)
	now, _ := is.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		old, value, shown := before[name], answer[name], now[name]
		if inner := stale(old, value, shown, isCallerSame); inner != nil {
			return append([]string{name}, inner...)
		}
		_, isTold := answer[name]
		_, isShown := now[name]
		isPlain := !slices.Contains([]string{"object", "array"}, instance.TypeOf(old))
		if isPlain && isTold && isShown && instance.Equal(old, shown) && isLasting(name, old, value, isCallerSame) {
			return []string{name}
		}
	}
	return nil
}

// isLasting reports whether a value in place of an old one tells of another state, of which a later read
// has to tell, too.
func isLasting(name string, old, value any, isCallerSame bool) bool {
	text, isText := value.(string)
	_, wasText := old.(string)
	switch {
	case !wasText && !isCallerSame: // what is true, or null, may depend on the caller
		return false
	case underWay.MatchString(text), value == true && doing.MatchString(name): // "pausing" is soon over
		return false
	case old == nil && isText && !lasting.MatchString(text): // a key or a link may be shown once
		return false
	}
	return isNew(old, value)
}

// isNew reports whether a value in place of another one tells of another state.
func isNew(old, value any) bool {
	was, wasText := old.(string)
	is, isText := value.(string)
	if wasText && isText && !(word.MatchString(was) && word.MatchString(is)) || instance.TypeOf(old) == "number" {
		return false
	}
	return !instance.Equal(old, value)
}

var (
	word     = regexp.MustCompile(`^[A-Za-z][A-Za-z _-]*$`)                                                      // a state such as "in progress"
	underWay = regexp.MustCompile(`(?i)ing$|pending|progress|request|queue|schedul|accepted|busy|start|offline`) // something is still being done
	doing    = regexp.MustCompile(`(?i)ing$|pending|progress|busy`)                                              // the same, as the name of a flag
	lasting  = regexp.MustCompile(word.String() + `|^\d{4}-\d\d-\d\d`)                                           // a word, or a time
)
