package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// total returns how many entries there are on all pages, by the header or the object around the list.
func (j *judging) total(ctx context.Context) (name, total string) {
	for _, name = range []string{"X-Total-Count", "X-Total"} {
		if total = j.response.Header.Get(name); total != "" {
			return name, total
		}
	}
	object := j.object(ctx, j.response.Body)
	around := []map[string]any{object}
	for _, name := range []string{"page", "meta", "pagination"} {
		inner, _ := object[name].(map[string]any)
		around = append(around, inner)
	}
	for _, such := range []string{"total", "totalcount", "totalitems", "totalelements", "totalresults", "totalsize", "@odata.count", "count"} {
		for _, object := range around {
			for name, value := range object {
				_, isOfAll := object["previous"] // otherwise count may be that of this page
				if n, ok := value.(json.Number); ok && strings.ToLower(strings.ReplaceAll(name, "_", "")) == such && (such != "count" || isOfAll) {
					return name, n.String()
				}
			}
		}
	}
	return "", ""
}

// totalAtLeast compares the number of entries that a page states with the number of those created
// before. A negative number may mean unknown.
func (j *judging) totalAtLeast(ctx context.Context, created int) {
	name, total := j.total(ctx)
	if n, err := strconv.Atoi(total); err == nil && n >= 0 && n < created {
		j.breach(j.fixture.Clause.ID, j.severity(), "says that there are fewer entries than were created before", fmt.Sprintf("%s is %d or more", name, created), name+" is "+total)
	}
}

// overcounted finds a larger number of matching entries than the list has, though it has no other page. Between counting
// and listing, a service may create an entry that another request asks for, but not one with a text that only this
// fixture sends. A list may have fewer entries than a client asks for, but a fixture with such a text creates only two.
func (j *judging) overcounted(ctx context.Context, clause spec.ClauseID, filters []spec.Filter, query url.Values) {
	name, text := j.total(ctx)
	total, err := strconv.Atoi(text)
	op := j.fixture.Operation
	if err != nil || !op.CountsMatches(name) {
		return
	}
	rest := maps.Clone(query)
	for _, f := range op.Filters() {
		rest.Del(f.Key)
	}
	list, ok := j.listIn(ctx, j.response.Body)
	size, isFirst := op.FirstPage(rest)
	by, _ := op.PageSize()
	isAlone := slices.ContainsFunc(filters, func(f spec.Filter) bool { return f.By == spec.OfText })
	isWhole := len(list) == 0 || isAlone && len(list) <= 2 || size > 0 && !rest.Has(by.Name)
	isMore := total > len(list)+1 || isAlone && total > len(list)
	if ok && isMore && isWhole && (isFirst && (size == 0 || len(list) < size) || !op.IsPaged()) && !j.leads(ctx) {
		j.breach(clause, j.warning(), "says that more entries match the query than it lists, though it has no other page", fmt.Sprintf("%s is %d", name, len(list)), name+" is "+text)
	}
}

// contradicted finds a page whose has_more contradicts its cursor, if a cursor is the only way to the next page.
func (j *judging) contradicted(ctx context.Context) {
	clause, next := j.ids().State(spec.StatePaged), j.fixture.Operation.NextPages()
	isBackwards := func(name string) bool { return backwards.MatchString(name) }
	if _, is := j.contract.Clause(clause); !is || len(next) != 1 || next[0].Path == nil || slices.ContainsFunc(slices.Collect(maps.Keys(j.query())), isBackwards) {
		return
	}
	whole := j.object(ctx, j.response.Body)
	cursor, _ := instance.At(whole, next[0].Path)
	isNone, place := cursor == nil || cursor == "", strings.Join(next[0].Path, ".")
	around := []map[string]any{whole}
	if inner, isObject := whole[next[0].Path[0]].(map[string]any); isObject {
		around = append(around, inner)
	}
	for _, object := range around {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			switch more, isFlag := object[name].(bool); {
			case !isFlag || !hasMore.MatchString(name):
			case more && isNone:
				j.breach(clause, j.warning(), "says that there is another page, but leads to none", place+", or "+name+" is false", name+" is true")
			case !more && !isNone && next[0].IsEnded:
				j.breach(clause, j.warning(), "says that there is no other page, but leads to one", "no "+place+" on the last page, as the document says", instance.Compact(cursor))
			}
		}
	}
}
