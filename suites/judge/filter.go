package judge

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/suites/replay"
)

// filtered compares the entries of a list with the values that the query asks for.
func (j *judging) filtered(ctx context.Context) {
	clause := j.ids().State(spec.StateFiltered)
	query := j.selection()
	if _, is := j.contract.Clause(clause); !is || len(query) == 0 {
		return
	}
	var entries []any
	filters := j.filters(ctx, query)
	if slices.ContainsFunc(j.fixture.Operation.Filters(), func(f spec.Filter) bool { return len(f.Asked(query)) > 0 }) {
		j.overcounted(ctx, clause, filters, query)
	}
	for _, f := range filters {
		asked := f.Asked(query)
		if len(asked) == 0 || f.By.IsBound() && slices.ContainsFunc(filters, f.IsOtherEnd) { // the two bounds may leave nothing between them, and a service may swap them
			continue
		}
		if entries == nil {
			entries, _ = j.listIn(ctx, j.response.Body)
		}
		others := j.others(f, asked, entries)
		if f.By.IsBound() {
			delete(others, int(f.By))
		}
		if len(others) > 1 || len(others) == 1 && f.By != spec.OfNumber { // otherwise the filter may mean "at least" or "at most"
			text := slices.Sorted(maps.Values(others))[0]
			j.breach(clause, j.warning(), "has an entry with another "+f.Property+" than was asked for", "entries whose "+f.Property+" is "+f.Words()+strings.Join(asked, " or "), "one whose "+f.Property+" is "+text)
		}
	}
}

// selection returns the query of the request. A page to which another one leads has the entries that the query for the
// first page selects: a link may have only a token. Only fixtures about filters are known to follow such a page.
func (j *judging) selection() url.Values {
	query := j.query()
	if first := j.leading(); first != nil && j.fixture.Clause.ID.State() == spec.StateFiltered {
		for name, values := range queryOf(first.Exchange.Request.URL) {
			if !query.Has(name) {
				query[name] = values
			}
		}
	}
	return query
}

// isSearch reports whether the query searches for a text. A service may find what was created only some time later.
func (j *judging) isSearch() bool {
	query := j.query()
	return slices.ContainsFunc(j.fixture.Operation.Filters(), func(f spec.Filter) bool { return f.IsSearch && query.Has(f.Key) })
}

// leading returns the step with the page that leads to the page of the request, or nil.
func (j *judging) leading() *replay.Step {
	for i, s := range j.exchange.Steps {
		if !s.Cleanup && s.Exchange.Response != nil && j.fixture.StepOperation(s.ID) == j.fixture.Operation && len(j.fixture.StepOutputs(s.ID)) > 0 {
			return &j.exchange.Steps[i]
		}
	}
	return nil
}

// others returns values that entries have and the filter does not ask for, by whether they are lower or higher.
func (j *judging) others(f spec.Filter, asked []string, entries []any) map[int]string {
	others := map[int]string{}
	shows := func(entry any) bool { shown, _ := instance.At(entry, f.Path); return shown != nil }
	isEmpty := f.IsByList() && slices.ContainsFunc(entries, shows) // if others show the property, an entry without it has no values
	for _, entry := range entries {
		shown, _ := instance.At(entry, f.Path)
		if shown == nil && !isEmpty {
			continue
		}
		j.exercise(j.ids().State(spec.StateFiltered))
		text := instance.Compact(shown)
		if f.Edge == spec.EdgeExcluded || !slices.ContainsFunc(asked, func(asked string) bool { return isChosen(shown, asked) || isFound(f, text, asked) }) {
			others[order(strings.Trim(text, `"`), asked[0])] = text
		}
	}
	return others
}

// sorted compares each entry of a list with the one before, if the query asks for an order. An
// entry without the value may be anywhere.
func (j *judging) sorted(ctx context.Context) {
	clause, query := j.ids().State(spec.StateSorted), j.query()
	for _, by := range j.fixture.Operation.Orders() {
		if !by.IsAskedBy(query) {
			continue
		}
		var shown []string
		list, _ := j.listIn(ctx, j.response.Body)
		for _, entry := range list {
			if value, _ := instance.At(entry, by.Path); value != nil {
				shown = append(shown, strings.Trim(instance.Compact(value), `"`))
			}
		}
		steps := neighbors(shown)
		if by.IsText {
			steps = pairs(shown)
		}
		if len(steps) > 0 {
			j.exercise(clause)
		}
		isChosen := by.IsNamed && slices.ContainsFunc(j.sentBefore(anyStep), func(s check.Sent) bool {
			body, _ := j.value(ctx, s.Body)
			value, _ := instance.At(body, instance.PlaceIn(body, by.Path))
			return value != nil
		})
		if by.IsUsual() && !isChosen && (len(steps) > 1 || len(slices.Compact(shown)) < 3) { // a service may swap entries with the same time
			continue
		}
		if wrong := steps[cmp.Or(by.Sign, 1)]; wrong != "" && (by.Sign != 0 || len(steps) > 1) {
			name := by.Path[len(by.Path)-1]
			j.breach(clause, j.warning(), "is not sorted as asked for", map[int]string{1: "rising", 0: "rising or falling", -1: "falling"}[by.Sign]+" values of "+name, wrong)
			return
		}
	}
}

// neighbors compares values with the next ones. It returns an example of falling values under 1, and of rising ones under -1.
func neighbors(values []string) map[int]string {
	steps := map[int]string{}
	for i := range len(values) - 1 {
		steps[order(values[i], values[i+1])] = values[i] + " comes before " + values[i+1]
	}
	delete(steps, 0)
	return steps
}

// pairs does the same for texts, of which neighbors may have no order. Only the first texts count, because a target
// decides how many there are.
func pairs(texts []string) map[int]string {
	const most = 500
	steps := map[int]string{}
	texts = texts[:min(most, len(texts))]
	for i, text := range texts {
		for _, later := range texts[i+1:] {
			steps[orderOfTexts(text, later)] = text + " comes before " + later
		}
	}
	delete(steps, 0)
	return steps
}

// filters returns the filters that the query uses. A filter by any text is included only if the
// created resource has that text. If several filters may be joined by OR, none is.
func (j *judging) filters(ctx context.Context, query url.Values) []spec.Filter {
	list := slices.DeleteFunc(j.fixture.Operation.Filters(), func(f spec.Filter) bool {
		return !query.Has(f.Key) || f.By == spec.OfText && !j.matchesQuery(ctx, j.fixture.Entry)
	})
	if len(list) > 1 && j.fixture.Operation.JoinsFilters() {
		return nil
	}
	return list
}

// isFound reports whether a filter by any text may match a longer text with the one asked for, or a filter by a day a
// time that is on that day somewhere on earth.
func isFound(f spec.Filter, text, asked string) bool {
	day, err := time.Parse(time.DateOnly, asked)
	if at, other := time.Parse(`"`+time.RFC3339+`"`, text); f.By == spec.OfDay && err == nil {
		const east, west = 14 * time.Hour, 12 * time.Hour // of Greenwich
		return other != nil || !at.Before(day.Add(-east)) && at.Before(day.AddDate(0, 0, 1).Add(west))
	}
	return f.By == spec.OfText && strings.Contains(strings.ToLower(text), strings.ToLower(asked))
}

// isChosen reports whether a value, or one in a list, is the one that a query asks for.
func isChosen(shown any, asked string) bool {
	if list, ok := shown.([]any); ok {
		return slices.ContainsFunc(list, func(one any) bool { return isChosen(one, asked) })
	}
	text := strings.Trim(instance.Compact(shown), `"`)
	return strings.EqualFold(text, asked) || order(text, asked) == 0 // 1.0 is 1
}

// isBeyond reports whether a value is beyond a bound. It is false for times, because a service may round them.
func isBeyond(f spec.Filter, shown any, asked string) bool {
	return f.By.IsBound() && f.Of.Shape().Format != "date-time" && order(strings.Trim(instance.Compact(shown), `"`), asked) == int(f.By)
}

// order compares two numbers, times, dates or other texts.
func order(one, other string) int {
	a, isNumber := instance.Rational(json.Number(one))
	if b, ok := instance.Rational(json.Number(other)); ok && isNumber {
		return a.Cmp(b)
	}
	then, err := time.Parse(time.RFC3339, one)
	if now, otherErr := time.Parse(time.RFC3339, other); err == nil && otherErr == nil {
		return then.Compare(now)
	}
	return strings.Compare(one, other)
}

// orderOfTexts compares two texts that all languages sort alike: they differ first in a letter that is a word. It returns
// 0 for other texts.
func orderOfTexts(one, other string) int {
	n := 0
	for n < min(len(one), len(other)) && one[n] == other[n] {
		n++
	}
	if isWord := ownLetter.MatchString; n > 0 && letter.MatchString(one[n-1:n]) || !isWord(one[n:]) || !isWord(other[n:]) {
		return 0
	}
	return strings.Compare(one[n:], other[n:])
}

// ownLetter matches a text that begins with a word of one letter. It leaves out letters that some languages sort
// elsewhere, such as z.
var ownLetter = regexp.MustCompile(`^[a-hj-u](\P{L}|$)`)

// letter matches a letter, or a byte of one.
var letter = regexp.MustCompile(`[A-Za-z]|[^\x00-\x7F]`)

// matchesQuery reports whether a step sent the values that the query asks for, and its response
// shows them. A value that the service gives may have changed since then, and so may a word for
// work in progress. The output names the step.
func (j *judging) matchesQuery(ctx context.Context, output string) bool {
	query := j.selection()
	for _, s := range j.exchange.Steps {
		if !strings.HasPrefix(output, s.ID+".") || s.Exchange.Response == nil {
			continue
		}
		sent := sentBy(j.fixture.StepOperation(s.ID), s.Message.Header, s.Message.Body).Value(ctx, j.options.Limits)
		got, _ := j.value(ctx, s.Exchange.Response.Body)
		has := func(whole any, f spec.Filter, asked string) bool {
			value, there := instance.At(whole, instance.PlaceIn(whole, f.Path))
			return there && (isChosen(value, asked) && (f.Edge == spec.EdgeIncluded || !f.By.IsBound()) || isBeyond(f, value, asked))
		}
		filters := slices.DeleteFunc(j.fixture.Operation.Filters(), func(f spec.Filter) bool { return !query.Has(f.Key) })
		return !slices.ContainsFunc(filters, func(f spec.Filter) bool {
			isMet := func(asked string) bool {
				return !underWay.MatchString(asked) && has(sent, f, asked) && has(got, f, asked)
			}
			asked := f.Asked(query)
			met := lists.Count(asked, isMet)
			return slices.ContainsFunc(filters, f.IsOtherEnd) || met == 0 || met < len(asked) && f.IsByList()
		})
	}
	return false
}
