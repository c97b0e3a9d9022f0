package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// isWhole reports whether a page with so many entries has all of them: it is empty, is not full or has as
// many as the service says that there are, and nothing around it leads to another page.
func (j *judging) isWhole(ctx context.Context, entries int) bool {
	_, total := j.total(ctx)
	size, ok := j.fixture.Operation.FirstPage(j.query())
	body, _ := j.value(ctx, j.response.Body)
	if !ok || leadsOn(body) || strings.Contains(strings.Join(j.response.Header.Values("Link"), ","), "next") {
		return total == "0"
	}
	return entries == 0 || entries < size || size == 0 && total == strconv.Itoa(entries)
}

// leadsOn reports whether an object around a list tells of another page.
func leadsOn(body any) bool {
	object, _ := body.(map[string]any)
	for name, value := range object {
		isNothing := slices.Contains([]any{nil, "", false, json.Number("0")}, value)
		if leadsOn(value) || furtherPage.MatchString(name) && !isNothing || lastPage.MatchString(name) && value == false {
			return true
		}
	}
	return false
}

var (
	furtherPage = regexp.MustCompile(`(?i)next|more|cursor|token|truncated|partial|incomplete`)
	lastPage    = regexp.MustCompile(`(?i)^(is[_-]?)?last([_-]?page)?$`)
)

// sized counts the entries of a page, whatever the request is about.
func (j *judging) sized(ctx context.Context) {
	clause := j.ids().State(spec.StatePaged)
	size, ok := j.fixture.Operation.PageSize()
	asked := j.query()[size.Name]
	if _, is := j.contract.Clause(clause); !is || !ok || len(asked) != 1 {
		return
	}
	most, err := strconv.Atoi(asked[0])
	list, _ := j.listIn(ctx, j.response.Body)
	if err != nil || most < 1 || len(list) == 0 { // 0 may stand for all
		return
	}
	if j.fixture.Clause.ID != clause || len(j.earlier()) == 0 { // what is compared with the page before, followed exercises
		j.exercise(clause)
	}
	if len(list) > most {
		j.breach(clause, j.warning(), "has more entries than were asked for",
			"at most "+asked[0]+" entries, by "+size.Name+"="+asked[0], fmt.Sprintf("%d entries", len(list)))
	}
}

// paged compares what a page says of all entries with what was created before.
func (j *judging) paged(ctx context.Context) {
	j.counted(ctx, 2)
	body, _ := j.value(ctx, j.response.Body)
	if list, _ := j.listIn(ctx, j.response.Body); len(list) != 1 {
		return
	}
	for _, next := range j.fixture.Operation.NextPages() {
		if value, _ := instance.At(body, next.Path); next.Path != nil && (value == nil || value == "") {
			j.breach(j.fixture.Clause.ID, j.severity(), "leads to no other page, though more than one entry was created before", strings.Join(next.Path, "/")+" for "+next.Name, j.answer())
		}
	}
}

// counted compares what a page says of how many entries there are with how many were created before. A
// negative number may stand for one that is unknown.
func (j *judging) counted(ctx context.Context, created int) {
	name, total := j.total(ctx)
	if n, err := strconv.Atoi(total); err == nil && n >= 0 && n < created {
		j.breach(j.fixture.Clause.ID, j.severity(), "says that there are fewer entries than were created before", fmt.Sprintf("%s is %d or more", name, created), name+" is "+total)
	}
}

// followed compares a page of one entry with the first entries. Others may write at the same time, and
// undo that at once: what was read before the page, after it, and around it when it was read again must
// all be the same. It knows an entry by its id and all its other values.
func (j *judging) followed(ctx context.Context) {
	if spec.ClauseID(j.fixture.Clause.ID).State() != spec.StatePaged {
		return
	}
	page, _ := j.listIn(ctx, j.response.Body)
	var pages, read [][]any
	for _, s := range j.exchange.Steps {
		if j.fixture.StepOperation(s.ID) != j.fixture.Operation || s.Exchange.Response == nil {
			continue
		}
		if list, _ := j.listIn(ctx, s.Exchange.Response.Body); s.Exchange.Request.URL == j.exchange.Request.URL {
			pages = append(pages, list)
		} else {
			read = append(read, list)
		}
	}
	isOther := func(list []any) bool {
		return len(list) == 0 || len(list) > 2 || !instance.Equal(list[0], read[0][0]) || len(list) == len(read[0]) && !instance.Equal(list, read[0])
	}
	isOtherPage := func(list []any) bool { return !instance.Equal(list, page) }
	if len(pages) == 0 || len(read) < 3 || len(page) != 1 || len(read[0]) == 0 || slices.ContainsFunc(read, isOther) || slices.ContainsFunc(pages, isOtherPage) {
		return
	}
	first := read[0]
	if instance.TypeOf(first[0]) != "object" || len(idsIn(first[0], j.fixture.EntryNames())) != 1 {
		return
	}
	clause := j.fixture.Clause.ID
	j.exercise(clause)
	switch {
	case instance.Equal(page[0], first[0]):
		j.breach(clause, j.severity(), "shows the entry of the page before again", "the entry after that", j.answer())
	case len(first) == 2 && !instance.Equal(page[0], first[1]):
		j.breach(clause, j.severity(), "does not show the entry after that of the page before", instance.Compact(first[1]), j.answer())
	}
}

// total is what the header, or the object around a list, says of how many entries there are on
// all pages.
func (j *judging) total(ctx context.Context) (name, total string) {
	for _, name = range []string{"X-Total-Count", "X-Total"} {
		if total = j.response.Header.Get(name); total != "" {
			return name, total
		}
	}
	body, _ := j.value(ctx, j.response.Body)
	object, _ := body.(map[string]any)
	around := []map[string]any{object}
	for _, name := range []string{"page", "meta", "pagination"} {
		inner, _ := object[name].(map[string]any)
		around = append(around, inner)
	}
	for _, such := range []string{"total", "totalcount", "totalitems", "totalelements", "totalresults", "totalsize", "@odata.count", "count"} {
		for _, object := range around {
			for name, value := range object {
				_, isOfAll := object["previous"] // or count may be that of this page
				if n, ok := value.(json.Number); ok && strings.ToLower(strings.ReplaceAll(name, "_", "")) == such && (such != "count" || isOfAll) {
					return name, n.String()
				}
			}
		}
	}
	return "", ""
}
