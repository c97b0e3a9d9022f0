package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/replay"
)

// listed looks in a list for the id of what was created, or deleted, before. A missing id is not
// evidence if the list has pages, or if an entry shows no id by a known name. If the id must be
// absent, an entry with several ids may use it for another resource. Below another resource, the id may
// be that of another entry, unless all values are the same.
func (j *judging) listed(ctx context.Context) {
	id, err := j.exchange.Values.ID(j.fixture.Entry)
	list, ok := j.listIn(ctx, j.response.Body)
	if err != nil || !ok { // the id is not a text or number, or there is no list
		return
	}
	state := j.fixture.Clause.ID.State()
	wanted, isWithin := j.wantsEntry(), state == spec.StateListedWithin
	if state == spec.StateFiltered && (j.leading() != nil || j.isSearch() || !j.matchesQuery(ctx, j.fixture.Entry)) {
		return
	}
	if isWithin {
		j.ofAnother(ctx, list)
		list = slices.DeleteFunc(list, func(entry any) bool { return !j.wasListed(ctx, entry) })
	}
	there, certain := j.has(ctx, list, j.fixture.Entry)
	if wanted {
		certain = certain && (len(list) > 0 || !j.mustChoose()) && j.isInSpan() && j.isWhole(ctx, len(list))
	} else if certain { // evidence only if the list showed it before the deletion
		certain = slices.ContainsFunc(j.earlier(), func(before *replay.Response) bool {
			list, _ := j.listIn(ctx, before.Body)
			was, _ := j.has(ctx, list, j.fixture.Entry)
			return was
		})
	}
	if !there && !certain {
		return
	}
	j.exercise(j.fixture.Clause.ID)
	if there && wanted {
		j.totalAtLeast(ctx, 1)
		if j.isTwice(ctx, list, id) {
			j.breaks("has what was created before twice", "one entry with the id "+id)
		}
		if certain {
			j.overwritten(ctx, list)
		}
	}
	if there == wanted {
		return
	}
	message, expected, severity := "still has what was deleted before", "no entry with the id "+id, j.severity()
	switch {
	case wanted:
		message, expected = "does not have what was created before", "an entry with the id "+id
		if state == spec.StateFiltered {
			message += " with the value that was asked for"
		}
	case isWithin:
		message = "has what was created below another resource"
	case !j.fixture.Operation.HidesDeleted() && j.isMarked(ctx, list, id):
		message, severity = message+", in another state than before", Observation
	}
	j.breach(j.fixture.Clause.ID, severity, message, expected, j.answer())
}

// ofAnother finds an entry that belongs to another resource than the path of the list: accountId is the id in the path of
// a creation, but not the one in the path of the list. Of a long list, a page may not have what was created.
func (j *judging) ofAnother(ctx context.Context, list []any) {
	step, _, _ := strings.Cut(j.fixture.Entry, ".")
	path, create := j.fixture.Operation.Path, j.fixture.StepOperation(step)
	names, now := idsInPath(path, path), idsInPath(path, j.exchange.Request.URL)
	made, _ := j.madeBy(create)
	if len(made) != 1 || create.Path != path || len(now) == 0 {
		return
	}
	before := idsInPath(path, made[0].Exchange.Request.URL)[0]
	plain := func(name string) string {
		return strings.ToLower(strings.Trim(strings.ReplaceAll(name, "_", ""), "{}"))
	}
	for name, shown := range j.object(ctx, made[0].Exchange.Response.Body) {
		if plain(name) != plain(names[0]) || fixtures.IDOf(shown) != before {
			continue
		}
		for _, entry := range list {
			object, _ := entry.(map[string]any)
			if id := fixtures.IDOf(object[name]); id != "" && !strings.EqualFold(id, now[0]) {
				j.breaks("has an entry of another resource than that of its path", "entries whose "+name+" is "+now[0])
				return
			}
		}
	}
}

// wantsEntry reports whether the list must have what was created before.
func (j *judging) wantsEntry() bool {
	return slices.Contains([]string{spec.StateListed, spec.StateFiltered}, j.fixture.Clause.ID.State())
}

// isTwice reports whether a list has two equal entries with an id that the service gave. A list may
// repeat what the client chose, such as a product in a cart.
func (j *judging) isTwice(ctx context.Context, list []any, id string) bool {
	if !j.isGiven(ctx, id) {
		return false
	}
	for i, entry := range list {
		ids := idsIn(entry, j.fixture.EntryNames())
		if len(ids) == 1 && fixtures.IDOf(ids[0]) == id && instance.Contains(list[i+1:], entry) {
			return true
		}
	}
	return false
}

// wasListed reports whether a list that was read before had an object with the same values.
func (j *judging) wasListed(ctx context.Context, entry any) bool {
	return instance.TypeOf(entry) == "object" && slices.ContainsFunc(j.earlier(), func(before *replay.Response) bool {
		list, _ := j.listIn(ctx, before.Body)
		return instance.Contains(list, entry)
	})
}

// has reports whether a list has the resource with that id, as far as its entries show ids, and
// whether this is certain. The id is an output of a step.
func (j *judging) has(ctx context.Context, list []any, output string) (there, certain bool) {
	id, err := j.exchange.Values.ID(output)
	value, ok := j.value(ctx, []byte(j.exchange.Values[output]))
	if err != nil || !ok {
		return false, false
	}
	names := j.fixture.EntryNames()
	wanted := j.wantsEntry()
	is := func(shown any) bool { return fixtures.IDOf(shown) == id || instance.Equal(shown, value) }
	// like compares the value of any property. The number 3 does not match the text id "3", because
	// it may be a size.
	like := func(shown any) bool {
		_, isText := shown.(string)
		return instance.Equal(shown, value) || (isText || value != id) && is(shown)
	}
	certain = true
	for _, entry := range list {
		ids := idsIn(entry, names)
		if wanted {
			there = there || slices.ContainsFunc(ids, is) || anyValue(entry, like)
			certain = certain && len(ids) > 0
		} else {
			there = there || len(ids) == 1 && is(ids[0]) && !j.isDeletion(ctx, entry)
			certain = certain && len(ids) == 1
		}
	}
	return there, certain
}

// isWhole reports whether a list with this number of entries has all of them: nothing around it
// leads to another page or tells of more. If the contract declares pages, it must also be empty,
// shorter than a page, or as long as the total.
func (j *judging) isWhole(ctx context.Context, entries int) bool {
	_, total := j.total(ctx)
	all, _ := strconv.Atoi(total) // the service may have fewer entries per page than the client asks for
	leads := j.leads(ctx)
	if !j.fixture.Operation.IsPaged() {
		return !leads && all <= entries
	}
	query := j.query()
	for _, f := range j.fixture.Operation.Filters() {
		if !f.IsSearch { // a page may have all entries that match the filter
			query.Del(f.Key)
		}
	}
	size, ok := j.fixture.Operation.FirstPage(query)
	if !ok || leads || entries > 0 && all > entries {
		return total == "0"
	}
	return entries == 0 || entries < size || size == 0 && total == strconv.Itoa(entries)
}

// leads reports whether the response refers to another page.
func (j *judging) leads(ctx context.Context) bool {
	body, _ := j.value(ctx, j.response.Body)
	return leadsOn(body) || strings.Contains(strings.Join(j.response.Header.Values("Link"), ","), "next")
}

// leadsOn reports whether an object around a list refers to another page.
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

// endsAt returns the name of the value around a list that says that there is no other page; "" if
// there is none. Other objects may describe another list.
func endsAt(body any) string {
	object, _ := body.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if value := object[name]; hasMore.MatchString(name) && value == false || lastPage.MatchString(name) && value == true {
			return name
		}
		if inner := endsAt(object[name]); inner != "" && aboutPages.MatchString(name) {
			return name + "." + inner
		}
	}
	return ""
}

var (
	hasMore     = regexp.MustCompile(`(?i)^has[_-]?(more|next([_-]?page)?)$`)
	furtherPage = regexp.MustCompile(`(?i)next|more|cursor|token|truncated|partial|incomplete`)
	aboutPages  = regexp.MustCompile(`(?i)^_?(links|pages?|paging|pagination|meta|metadata|page[_-]?info)$`)
	backwards   = regexp.MustCompile(`(?i)before|prev`)
	lastPage    = regexp.MustCompile(`(?i)^(is[_-]?)?last([_-]?page)?$`)
)

// mustChoose reports whether each request for the list must select entries, for example by a day.
// Then the list may be empty.
func (j *judging) mustChoose() bool {
	return slices.ContainsFunc(j.fixture.Operation.Parameters, func(p spec.Parameter) bool {
		return p.In == "query" && p.Required && !strings.Contains(strings.ToLower(p.Name), "version")
	})
}

// isInSpan reports whether what was created was sent with the first day of the list, if the list
// must have a first and a last day. A resource with another day may be outside.
func (j *judging) isInSpan() bool {
	var days []string
	query := j.query()
	for _, p := range j.fixture.Operation.Parameters {
		if day := query.Get(p.Name); p.In == "query" && p.Required && strings.HasPrefix(p.Schema.Shape().Format, "date") && day != "" {
			days = append(days, day[:min(len(day), len(time.DateOnly))])
		}
	}
	return len(days) < 2 || slices.ContainsFunc(j.sentBefore(anyStep), func(s check.Sent) bool {
		return bytes.Contains(s.Body, []byte(slices.Min(days)))
	})
}

// listIn finds the list in a body.
func (j *judging) listIn(ctx context.Context, body []byte) ([]any, bool) {
	if value, ok := j.value(ctx, body); ok {
		return j.fixture.Operation.ListIn(value)
	}
	return nil, false
}

// anyValue reports whether is(value) is true for the entry itself or, if it is an object, for any value in it.
func anyValue(entry any, is func(any) bool) bool {
	object, ok := entry.(map[string]any)
	if !ok {
		return is(entry)
	}
	return slices.ContainsFunc(slices.Collect(maps.Values(object)), func(value any) bool { return anyValue(value, is) })
}

// idsIn returns the ids that an entry shows: the entry itself, the property with the first matching
// name, or the ids of the objects in it.
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

// query returns the parameters in the query of the request, as far as it can be parsed.
func (j *judging) query() url.Values { return queryOf(j.exchange.Request.URL) }

func queryOf(address string) url.Values {
	_, text, _ := strings.Cut(address, "?")
	values, _ := url.ParseQuery(text)
	return values
}

// sized checks the number of entries of a page, whatever the fixture tests. Without the size
// parameter, its default is the maximum, if the query has no other parameters.
func (j *judging) sized(ctx context.Context) {
	clause, query := j.ids().State(spec.StatePaged), j.query()
	size, ok := j.fixture.Operation.PageSize()
	asked, message, reason := query[size.Name], "has more entries than were asked for", "by "+size.Name+"="+query.Get(size.Name)
	if preset, _ := j.fixture.Operation.FirstPage(query); len(asked) == 0 && preset > 0 {
		asked, message, reason = []string{strconv.Itoa(preset)}, "has more entries than by default", "the default of "+size.Name
	}
	if _, is := j.contract.Clause(clause); !is || !ok || len(asked) != 1 {
		return
	}
	most, err := strconv.Atoi(asked[0])
	list, _ := j.listIn(ctx, j.response.Body)
	if err != nil || most < 1 || len(list) == 0 { // 0 may mean all
		return
	}
	if query.Has(size.Name) && (j.fixture.Clause.ID != clause || len(j.earlier()) == 0) { // for a page that is compared with others, followed exercises it
		j.exercise(clause)
	}
	if len(list) > most {
		j.breach(clause, j.warning(), message,
			"at most "+asked[0]+" entries, "+reason, fmt.Sprintf("%d entries", len(list)))
	}
}

// paged compares what a page says about all entries with what was created before.
func (j *judging) paged(ctx context.Context) {
	body, _ := j.value(ctx, j.response.Body)
	list, _ := j.listIn(ctx, j.response.Body)
	if len(list) > 0 || !j.mustChoose() {
		j.totalAtLeast(ctx, 2)
	}
	if len(list) != 1 {
		return
	}
	if name := endsAt(body); name != "" {
		j.breaks("says that it is the last page, though more than one entry was created before", name+" tells of another page")
	}
	for _, next := range j.fixture.Operation.NextPages() {
		if value, _ := instance.At(body, next.Path); next.Path != nil && (value == nil || value == "") {
			expected := strings.Join(next.Path, "/")
			if expected += " for " + next.Name; next.IsLink {
				expected = next.Name + " with the address of the next page"
			}
			j.breaks("leads to no other page, though more than one entry was created before", expected)
		}
	}
}

// followed compares a page of one entry with the first entries. Other clients may write at the same
// time, and undo it. So the reads before, between and after those of the page must all agree, and
// so must those of the page. Entries are the same if their ids and all other values are.
func (j *judging) followed(ctx context.Context) {
	if j.fixture.Clause.ID.State() != spec.StatePaged {
		return
	}
	page, ok := j.listIn(ctx, j.response.Body)
	body, _ := j.value(ctx, j.response.Body)
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
	if !ok || len(pages) == 0 || len(read) < 3 || len(page) > 1 || len(read[0]) == 0 || slices.ContainsFunc(read, isOther) || slices.ContainsFunc(pages, isOtherPage) {
		return
	}
	first := read[0]
	if instance.TypeOf(first[0]) != "object" || len(idsIn(first[0], j.fixture.EntryNames())) != 1 {
		return
	}
	if len(page) == 0 && (len(first) < 2 || leadsOn(body)) {
		return
	}
	j.exercise(j.fixture.Clause.ID)
	switch {
	case len(page) == 0:
		j.breaks("is empty, though there is an entry after that of the page before", instance.Compact(first[1]))
	case instance.Equal(page[0], first[0]):
		j.breaks("shows the entry of the page before again", "the entry after that")
	case len(first) == 2 && !instance.Equal(page[0], first[1]):
		j.breaks("does not show the entry after that of the page before", instance.Compact(first[1]))
	}
}
