package judge

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/replay"
)

// action returns the step with the action whose effect the fixture reads; nil if it tests something else.
func (j *judging) action() *replay.Step {
	for i, s := range j.exchange.Steps {
		if j.isShown(s.ID) && slices.Contains(j.fixture.Operation.Actions(), j.fixture.StepOperation(s.ID)) {
			return &j.exchange.Steps[i]
		}
	}
	return nil
}

// acted finds a value that is the same as before an action, or absent, though the response to the action
// showed another value for the same resource.
func (j *judging) acted(ctx context.Context, action *replay.Step) {
	answer := action.Exchange.Response
	before, ids := j.earlier(), idsInPath(j.fixture.Operation.Path, j.exchange.Request.URL)
	if len(before) == 0 || len(ids) == 0 || answer == nil || answer.Status == http.StatusCreated {
		return
	}
	was, _ := j.value(ctx, before[len(before)-1].Body)
	told, _ := j.value(ctx, answer.Body)
	is, _ := j.value(ctx, j.response.Body)
	if !isSame(was, told, ids[0]) {
		return
	}
	by := j.fixture.StepOperation(action.ID)
	j.unset(ctx, action, told, was)
	isCallerSame := slices.EqualFunc(j.fixture.Operation.Security, by.Security, slices.Equal)
	path := stale(was, told, is, isCallerSame)
	if path == nil && isCallerSame {
		path = j.forgotten(ctx, action, told, is)
	}
	wanted, _ := instance.At(told, path)
	if path == nil && instance.Equal(was, told) {
		return
	}
	j.exercise(j.fixture.Clause.ID)
	if path != nil {
		offset, shown, _ := instance.Find(j.response.Body, path)
		j.find(Finding{
			Clause: j.fixture.Clause.ID, Severity: j.severity(), Message: "is as before an action whose response showed another value",
			Pointer: instance.Pointer(path), Expected: instance.Compact(wanted), Actual: shown, Offset: offset,
		})
	}
}

// forgotten returns the path to a value that an action sent and its response showed, but that a later read by the same
// caller lacks. The contract must declare the value in that read. It returns nil if nothing is lacking.
func (j *judging) forgotten(ctx context.Context, action *replay.Step, told, is any) []string {
	read, sent := j.fixture.Operation, j.object(ctx, action.Message.Body)
	for _, of := range read.SuccessShapes() {
		for _, name := range slices.Sorted(maps.Keys(sent)) {
			path := []string{name}
			answer, isTold := instance.At(told, path)
			_, isShown := instance.At(is, path)
			if isTold && !isShown && instance.Equal(answer, sent[name]) && of.Property(name) != nil && !read.MayHide(of, path) {
				return path
			}
		}
	}
	return nil
}

// unset finds a property that is null before and after an action, though the action sent a value for it, and no
// creation or change of the resource takes one.
func (j *judging) unset(ctx context.Context, action *replay.Step, told, was any) {
	op := j.fixture.Operation
	takers := []*spec.Operation{op.Changer(), op.Replacer()}
	for _, s := range j.exchange.Steps {
		takers = append(takers, j.fixture.StepOperation(s.ID))
	}
	by := j.fixture.StepOperation(action.ID)
	for _, b := range j.changed(ctx, j.sentBefore(func(step string) bool { return step == action.ID }), j.exchange.Response) {
		name := strings.TrimPrefix(b.Pointer, "/")
		isNull := func(shown any) bool { value, has := instance.At(shown, []string{name}); return has && value == nil }
		isTaken := func(taker *spec.Operation) bool {
			return taker != nil && taker != by && taker.RequestBody.JSON() != nil && taker.RequestBody.JSON().Shape().Property(name) != nil
		}
		if b.Actual == "null" && isNull(told) && isNull(was) && action.Exchange.Response.Status != http.StatusAccepted && !slices.ContainsFunc(takers, isTaken) {
			j.exercise(j.fixture.Clause.ID)
			message := "is null, though " + by.ID + " sent a value for it, and nothing else sets it"
			j.find(Finding{Clause: j.fixture.Clause.ID, Severity: j.warning(), Message: message, Pointer: b.Pointer, Expected: b.Expected, Actual: b.Actual, Offset: b.Offset})
		}
	}
}

// reached compares what a resource shows after an action with what the contract says that the action leads to. The
// resource may be in a third state by then. If only the name of the action suggests the state, anything new that the
// resource or the response to the action shows may mean that the service is doing it.
func (j *judging) reached(ctx context.Context) {
	to, _ := j.fixture.Operation.Reached()
	read := j.fixture.Operation.Item()
	var was, is any
	for _, s := range j.exchange.Steps {
		if r := s.Exchange.Response; r != nil && j.fixture.StepOperation(s.ID) == read && r.Status == http.StatusOK {
			body, _ := j.value(ctx, r.Body)
			if is = body; !s.Cleanup {
				was, is = body, nil
			}
		}
	}
	before, _ := instance.At(was, instance.PlaceIn(was, to.Path))
	now, _ := instance.At(is, instance.PlaceIn(is, to.Path))
	text, isText := to.Value.(string)
	isSame := instance.Equal(now, before)
	isOver := isSame && (isText && doing.MatchString(text) || !isText && doing.MatchString(to.Path[len(to.Path)-1])) // it may have ended before the read
	if before == nil || now == nil || isOver || instance.Equal(before, to.Value) || j.response.Status == http.StatusAccepted {
		return
	}
	j.exercise(j.fixture.Clause.ID)
	told, _ := j.value(ctx, j.response.Body)
	if !isSame || !to.IsSaid && (isAnotherState(was, is) || isAnotherState(was, told)) {
		return
	}
	name := to.Path[len(to.Path)-1]
	j.breach(j.fixture.Clause.ID, j.severity(), "the resource shows the same "+name+" as before the action, though the contract says that the action changes it",
		name+" "+instance.Compact(to.Value), name+" "+instance.Compact(now)+" in the read after "+j.answer())
}

// isSame reports whether two objects have the id in the same property, perhaps at the end of a name such as
// things/7: a copy may name its original in another one.
func isSame(was, told any, id string) bool {
	before, isObject := was.(map[string]any)
	answer, _ := told.(map[string]any)
	if !isObject {
		isID := func(value any) bool { return strings.HasSuffix("/"+fixtures.IDOf(value), "/"+id) }
		return isID(was) && isID(told)
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(before)), func(name string) bool { return isSame(before[name], answer[name], id) })
}

// stale returns the path to a value that is unchanged, though a response in between showed another
// state; nil if there is none.
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

// isLasting reports whether a value that replaced an old one means another state that a later read
// must show too.
func isLasting(name string, old, value any, isCallerSame bool) bool {
	text, isText := value.(string)
	_, wasText := old.(string)
	switch {
	case !wasText && !isCallerSame: // a boolean or null may depend on the caller
		return false
	case underWay.MatchString(text), value == true && doing.MatchString(name): // "pausing" is soon over
		return false
	case old == nil && isText && !lasting.MatchString(text): // a key or a link may be shown only once
		return false
	}
	return isNew(old, value)
}

// isNew reports whether a value that replaced an old one means another state.
func isNew(old, value any) bool {
	was, wasText := old.(string)
	is, isText := value.(string)
	if wasText && isText && !(word.MatchString(was) && word.MatchString(is)) || instance.TypeOf(old) == "number" {
		return false
	}
	return !instance.Equal(old, value)
}

// isAnotherState reports whether an object still has all its texts, numbers and booleans, and shows something
// new: one more property, another boolean or word. Times, numbers and codes may differ in each response.
func isAnotherState(before, shown any) bool {
	was, _ := before.(map[string]any)
	is, _ := shown.(map[string]any)
	other := len(is) > len(was)
	for name, old := range was {
		value, has := is[name]
		switch kind := instance.TypeOf(old); {
		case kind == "object":
			other = other || has && isAnotherState(old, value)
		case kind == "array":
		case !has && old != nil:
			return false
		default:
			other = other || isNew(old, value)
		}
	}
	return other
}

// isMarked reports whether a list shows a deleted resource in another state than an earlier response did.
func (j *judging) isMarked(ctx context.Context, list []any, id string) bool {
	isIt := func(resource any) bool {
		ids := idsIn(resource, j.fixture.EntryNames())
		return len(ids) == 1 && fixtures.IDOf(ids[0]) == id
	}
	now := slices.IndexFunc(list, isIt)
	return now >= 0 && slices.ContainsFunc(j.exchange.Steps, func(s replay.Step) bool {
		if s.Exchange.Response == nil {
			return false
		}
		value, _ := j.value(ctx, s.Exchange.Response.Body)
		former, isList := []any{value}, j.fixture.StepOperation(s.ID) == j.fixture.Operation
		if isList {
			former, _ = j.fixture.Operation.ListIn(value)
		}
		was := slices.IndexFunc(former, isIt)
		if was < 0 {
			return false
		}
		before, _ := former[was].(map[string]any)
		after, _ := list[now].(map[string]any)
		return (isList || len(before) >= len(after)) && isAnotherState(before, after) // another operation may show less
	})
}

var (
	word     = regexp.MustCompile(`^[A-Za-z][A-Za-z _-]*$`)                                                      // a state such as "in progress"
	underWay = regexp.MustCompile(`(?i)ing$|pending|progress|request|queue|schedul|accepted|busy|start|offline`) // something is still being done
	doing    = regexp.MustCompile(`(?i)ing$|pending|progress|busy`)                                              // the same, as the name of a flag
	lasting  = regexp.MustCompile(word.String() + `|^\d{4}-\d\d-\d\d`)                                           // a word, or a time
)
