package judge

import (
	"context"
	"encoding/json"
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

// filtered compares the entries of a list with the values that the query asks for.
func (j *judging) filtered(ctx context.Context) {
	clause := j.ids().State(spec.StateFiltered)
	query := j.query()
	if _, is := j.contract.Clause(clause); !is || len(query) == 0 {
		return
	}
	var entries []any
	for _, f := range j.fixture.Operation.Filters() {
		asked := query[f.Key]
		if len(asked) != 1 || !f.Chooses(asked[0]) { // a service may leave such a value aside
			continue
		}
		if entries == nil {
			entries, _ = j.listIn(ctx, j.response.Body)
		}
		others := map[int]string{} // by whether they are lower or higher
		for _, entry := range entries {
			shown, _ := instance.At(entry, f.Path)
			if shown == nil {
				continue
			}
			j.exercise(clause)
			if text := instance.Compact(shown); !isChosen(shown, asked[0]) {
				others[order(strings.Trim(text, `"`), asked[0])] = text
			}
		}
		if len(others) > 1 || len(others) == 1 && !f.IsOrder { // or the filter asks for "at least" or "at most"
			text := slices.Sorted(maps.Values(others))[0]
			j.breach(clause, j.warning(), "has an entry with another "+f.Property+" than was asked for", "entries whose "+f.Property+" is "+asked[0], "one whose "+f.Property+" is "+text)
		}
	}
}

// isChosen reports whether a value, or one in a list, is that which a query asks for.
func isChosen(shown any, asked string) bool {
	if list, ok := shown.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return isChosen(one, asked) })
	}
	text := strings.Trim(instance.Compact(shown), `"`)
	return strings.EqualFold(text, asked) || order(text, asked) == 0 // 1.0 is 1
}

// order compares two numbers, or two dates.
func order(one, other string) int {
	a, isNumber := instance.Rational(json.Number(one))
	if b, ok := instance.Rational(json.Number(other)); ok && isNumber {
		return a.Cmp(b)
	}
	return strings.Compare(one, other)
}

// isAskedForByValue reports whether what was created before was sent with each value that the query asks
// for, and shown with it by the response. A value that the service gives may be another one by now.
func (j *judging) isAskedForByValue(ctx context.Context) bool {
	for _, s := range j.exchange.Steps {
		if !strings.HasPrefix(j.fixture.Entry, s.ID+".") || s.Exchange.Response == nil {
			continue
		}
		sent, _ := j.value(ctx, s.Message.Body)
		shown, _ := j.value(ctx, s.Exchange.Response.Body)
		query := j.query()
		return !slices.ContainsFunc(j.fixture.Operation.Filters(), func(f spec.Filter) bool {
			has := func(body any) bool {
				object, _ := body.(map[string]any)
				return slices.ContainsFunc(append(slices.Collect(maps.Values(object)), body), func(one any) bool { // it may be in an envelope
					value, there := instance.At(one, f.Path)
					return there && isChosen(value, query.Get(f.Key))
				})
			}
			return query.Has(f.Key) && (!f.Chooses(query.Get(f.Key)) || !has(sent) || !has(shown))
		})
	}
	return false
}

// action is the step with an action that the fixture reads the effect of; nil if it is about something else.
func (j *judging) action() *replay.Step {
	actions := j.fixture.Operation.Actions()
	i := slices.IndexFunc(j.exchange.Steps, func(s replay.Step) bool {
		return slices.Contains(j.fixture.Shows, s.ID) && slices.Contains(actions, j.fixture.StepOperation(s.ID))
	})
	if i < 0 || spec.ClauseID(j.fixture.Clause.ID).State() != spec.StateChanged {
		return nil
	}
	return &j.exchange.Steps[i]
}

// acted looks for a value that is read as it was before an action, though the response to the action told of
// another state.
func (j *judging) acted(ctx context.Context, action *replay.Step) {
	before, answer, ids := j.earlier(), action.Exchange.Response, idsInPath(j.fixture.Operation.Path, j.exchange.Request.URL)
	if len(before) == 0 || len(ids) == 0 || answer == nil || answer.Status == http.StatusCreated || answer.Cut {
		return
	}
	was, _ := j.value(ctx, before[len(before)-1].Body)
	told, _ := j.value(ctx, answer.Body)
	is, _ := j.value(ctx, j.response.Body)
	path, tells := stale(was, told, is, nil)
	if !tells || !anyValue(told, func(value any) bool { return fixtures.IDOf(value) == ids[0] }) {
		return
	}
	clause := j.fixture.Clause.ID
	j.exercise(clause)
	if path != nil {
		j.breach(clause, j.severity(), strings.Join(path, ".")+" is as before an action whose response showed another value", string(answer.Body), j.answer())
	}
}

// stale is the path to a value that is as it was, though an answer between told of another state; tells reports
// whether it told of any. An answer with a word such as "pausing" tells of a state that is yet to come.
func stale(was, told, is any, path []string) (at []string, tells bool) {
	before, _ := was.(map[string]any)
	answer, _ := told.(map[string]any)
	now, _ := is.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		old, value, here := before[name], answer[name], append(slices.Clip(path), name)
		text, _ := value.(string)
		shown, isShown := now[name]
		_, isTold := answer[name]
		switch kind := instance.TypeOf(old); {
		case !isTold || !isShown || kind == "array" || underWay.MatchString(text):
		case kind == "object":
			inner, tellsInner := stale(old, value, shown, here)
			if tells = tells || tellsInner; at == nil {
				at = inner
			}
		case isNew(old, value):
			tells = true
			if at == nil && instance.Equal(old, shown) {
				at = here
			}
		}
	}
	return at, tells
}

// underWay matches a word for a state in which something is still being done.
var underWay = regexp.MustCompile(`(?i)ing$|pending|progress|request|queue|schedul|accepted`)
