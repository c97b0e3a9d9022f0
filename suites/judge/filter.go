package judge

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
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
