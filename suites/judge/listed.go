package judge

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// listed looks for the id of what the steps before it created, or deleted, in the list.
// Nothing is evidence that it is not there if the list has pages, or does not show the ids
// of its entries by a name that is known; and nothing that it is there, if an entry shows
// the ids of several things.
func (j *judging) listed(ctx context.Context, r spec.Response) error {
	clause := j.fixture.Clause.ID
	id, err := j.exchange.Values.ID(j.fixture.Entry)
	if err != nil {
		return err //nolint:wrapcheck // names the output
	}
	value, err := instance.Read(ctx, []byte(j.exchange.Values[j.fixture.Entry]), j.options.Limits)
	if err != nil {
		return err //nolint:wrapcheck // a sentence about the value, or the end of the run
	}
	body, err := instance.Read(ctx, r.Body, j.options.Limits)
	if err != nil {
		return nil //nolint:nilerr // told where the body is judged
	}
	list, ok := listIn(body.Value)
	if !ok {
		return nil
	}
	names := append(j.fixture.EntryNames(), "id")
	is := func(shown any) bool { return fixtures.IDOf(shown) == id || instance.Equal(shown, value.Value) }
	// like compares a value with any name, which may be a number of something else: the id
	// "3" of a body is no number.
	like := func(shown any) bool {
		_, isText := shown.(string)
		return instance.Equal(shown, value.Value) || (isText || value.Value != id) && is(shown)
	}
	if spec.ClauseID(clause).State() == spec.StateListed {
		there := slices.ContainsFunc(list, func(entry any) bool { return slices.ContainsFunc(idsIn(entry, names), is) || anyValue(entry, like) })
		if !there && (j.fixture.Operation.IsPaged() || slices.ContainsFunc(list, func(entry any) bool { return len(idsIn(entry, names)) == 0 })) {
			return nil
		}
		j.exercise(clause)
		if !there {
			j.find(Finding{
				Clause: clause, Severity: j.severity(), Message: "does not have what was created before",
				Expected: "an entry with the id " + id, Actual: j.answer(), Offset: -1,
			})
		}
		return nil
	}
	for _, entry := range list {
		switch ids := idsIn(entry, names); {
		case len(ids) != 1:
			return nil
		case is(ids[0]):
			j.exercise(clause)
			j.find(Finding{
				Clause: clause, Severity: j.severity(), Message: "still has what was deleted before",
				Expected: "no entry with the id " + id, Actual: j.answer(), Offset: -1,
			})
			return nil
		}
	}
	j.exercise(clause)
	return nil
}

// listIn is the list that a body is, or that is the only one in its object.
func listIn(body any) ([]any, bool) {
	if list, ok := body.([]any); ok {
		return list, true
	}
	var found []any
	n := 0
	object, _ := body.(map[string]any)
	for _, value := range object {
		if list, ok := value.([]any); ok {
			found, n = list, n+1
		}
	}
	return found, n == 1
}

// anyValue says whether an entry, or a value in it or in its objects, is such a one.
func anyValue(entry any, is func(any) bool) bool {
	object, ok := entry.(map[string]any)
	if !ok {
		return is(entry)
	}
	for _, value := range object {
		if anyValue(value, is) {
			return true
		}
	}
	return false
}

// idsIn are the ids that an entry shows: itself, what it calls by the first of the names
// that it has, or those of the objects in it.
func idsIn(entry any, names []string) (ids []any) {
	switch value := entry.(type) {
	case string, json.Number:
		return []any{value}
	case map[string]any:
		for _, name := range names {
			for key, shown := range value {
				if strings.EqualFold(strings.ReplaceAll(key, "_", ""), strings.ReplaceAll(name, "_", "")) && fixtures.IDOf(shown) != "" {
					return []any{shown}
				}
			}
		}
		for _, inner := range value {
			if _, isObject := inner.(map[string]any); isObject {
				ids = append(ids, idsIn(inner, names)...)
			}
		}
	}
	return ids
}
