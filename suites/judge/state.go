package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/replay"
)

// state holds a success against what the steps before it did. The error says why the
// body was not judged.
func (j *judging) state(ctx context.Context, r spec.Response) error {
	clause := j.fixture.Clause.ID
	if j.isPending() {
		return nil
	}
	switch spec.ClauseID(clause).State() {
	case "":
		return nil
	case spec.StateFiltered: // see filtered
		return nil
	case spec.StateListed, spec.StateUnlisted:
		return j.listed(ctx, r)
	case spec.StatePaged:
		return j.paged(ctx, r)
	case spec.StateVersioned:
		j.versioned()
		return nil
	}
	j.exercise(clause)
	j.identified(r)
	sent := j.sentBefore(func(step string) bool { return slices.Contains(j.fixture.Shows, step) })
	if sent == nil {
		return nil
	}
	if r.Status == http.StatusNoContent {
		j.breach(clause, j.severity(), "shows nothing, though values were sent before", "the values that were sent", j.answer())
		return nil
	}
	check, err := j.fixture.Operation.CheckShown(ctx, clause, sent, r, j.options.Limits)
	if spec.ClauseID(clause).State() == spec.StateApart && j.wasOtherwise(ctx, sent) {
		return err
	}
	j.adopt(check)
	return err
}

// sentBefore are the requests of those steps that had a body, in their order.
func (j *judging) sentBefore(such func(step string) bool) (sent []spec.Sent) {
	for _, step := range j.exchange.Steps {
		if step.Cleanup || !such(step.ID) {
			continue
		}
		if one := sentBy(j.fixture.StepOperation(step.ID), step.Message.Header, step.Message.Body); one.Operation != nil && one.MediaType != "" {
			sent = append(sent, one)
		}
	}
	return sent
}

// showsAnother reports whether what can be read is not what these steps created: a store may give
// an id again, or for another list.
func (j *judging) showsAnother(ctx context.Context, such func(step string) bool) bool {
	header, body := j.exchange.Raw()
	sent := j.sentBefore(such)
	check, err := j.fixture.Operation.CheckShown(ctx, j.fixture.Clause.ID, sent, spec.Response{Status: j.exchange.Response.Status, Header: header, Body: body}, j.options.Limits)
	isChanged := func(b spec.Breach) bool { return b.Offset >= 0 }
	return err == nil && len(sent) > 0 && slices.ContainsFunc(check.Breaches, isChanged)
}

// tellsNothing reports whether the read before a deletion shows neither the id nor one of the values
// that were sent, so that the one after it tells nothing. If this is as declared and has an empty
// list, and none of these, what was deleted is gone.
func (j *judging) tellsNothing(ctx context.Context) bool {
	known := idsInPath(j.fixture.Operation.Path, j.exchange.Request.URL)
	for _, s := range j.sentBefore(func(string) bool { return true }) {
		body, err := instance.Read(ctx, s.Body, j.options.Limits)
		if err != nil {
			return false
		}
		instance.Rewrite(body.Value, nil, func(text string) any {
			known = append(known, text)
			return nil
		})
		anyValue(body.Value, func(value any) bool {
			known = append(known, fixtures.IDOf(value))
			return false
		})
	}
	shows := func(body []byte) bool {
		return slices.ContainsFunc(known, func(text string) bool { return text != "" && bytes.Contains(body, []byte(text)) })
	}
	_, after := j.exchange.Raw()
	if list, ok := j.listIn(ctx, after); ok && len(list) == 0 && len(j.findings) == 0 && !shows(after) {
		return true
	}
	return slices.ContainsFunc(j.exchange.Steps, func(s replay.Step) bool {
		r := s.Exchange.Response
		return !s.Cleanup && j.fixture.StepOperation(s.ID) == j.fixture.Operation && r != nil && !r.Cut && json.Valid(r.Body) && !shows(r.Body)
	})
}

// idsInPath are what a URL has in the place of the parameters of a path.
func idsInPath(path, address string) (ids []string) {
	sent, err := url.Parse(address)
	if err != nil {
		return nil
	}
	segments, has := strings.Split(path, "/"), strings.Split(sent.Path, "/")
	for i := range min(len(segments), len(has)) { // from the end: the base URL may have a path
		if strings.Contains(segments[len(segments)-1-i], "{") {
			ids = append(ids, has[len(has)-1-i])
		}
	}
	return ids
}

// identified finds a thing that is shown with another id than its path names, as the response
// that created it called that.
func (j *judging) identified(r spec.Response) {
	if !json.Valid(r.Body) {
		return
	}
	for _, id := range j.fixture.Shows {
		for _, o := range j.fixture.StepOutputs(id) {
			for _, place := range o.From {
				at := place.Path()
				wanted := j.exchange.Values[id+"."+o.Name]
				if offset, shown, there := instance.Find(r.Body, at); there && len(at) == 1 && isOther(wanted, shown) {
					j.find(Finding{
						Clause: j.fixture.Clause.ID, Severity: j.severity(), Message: "is another one than the path names",
						Pointer: instance.Pointer(at), Expected: wanted, Actual: shown, Offset: offset,
					})
					return
				}
			}
		}
	}
}

// isOther reports whether two JSON texts are different ids, however they are spelled.
func isOther(one, other string) bool {
	return idForm.MatchString(one) && idForm.MatchString(other) && (one[0] == '"') == (other[0] == '"') && !strings.EqualFold(one, other)
}

// idForm matches numbers, and UUIDs (RFC 9562 §4).
var idForm = regexp.MustCompile(`^([0-9]+|"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")$`)

// wasOtherwise reports whether what was sent was not shown before the request about another
// thing either, as far as that response is kept.
func (j *judging) wasOtherwise(ctx context.Context, sent []spec.Sent) bool {
	return slices.ContainsFunc(j.exchange.Steps, func(s replay.Step) bool {
		if s.Cleanup || s.Exchange.Response == nil || j.fixture.StepOperation(s.ID) != j.fixture.Operation {
			return false
		}
		before := s.Exchange.Response
		check, err := j.fixture.Operation.CheckShown(ctx, j.fixture.Clause.ID, sent, spec.Response{Status: before.Status, Header: before.Header, Body: before.Body}, j.options.Limits)
		return err != nil || before.Cut || len(check.Breaches) > 0
	})
}

// sentBy is a request as it was sent.
func sentBy(op *spec.Operation, header []fixtures.Field, body []byte) spec.Sent {
	s := spec.Sent{Operation: op, Body: body}
	if at := slices.IndexFunc(header, func(f fixtures.Field) bool { return f.Name == "Content-Type" }); at >= 0 {
		s.MediaType = header[at].Value
	}
	return s
}

// isPending reports whether a step before was only taken note of: with 202, a service may do
// later what was asked, or never (RFC 9110 §15.3.3).
func (j *judging) isPending() bool {
	return slices.ContainsFunc(j.exchange.Steps, func(s replay.Step) bool {
		return !s.Cleanup && s.Exchange.Response != nil && s.Exchange.Response.Status == http.StatusAccepted
	})
}

// listed looks for the id of what was created, or deleted, before in a list. Without it a
// list says nothing if it has pages, or an entry shows no id by a name that is known. Where
// the id must be gone, an entry with several ids may show it as that of another thing.
func (j *judging) listed(ctx context.Context, r spec.Response) error {
	id, err := j.exchange.Values.ID(j.fixture.Entry)
	if err != nil {
		return nil //nolint:nilerr // it is no text or number that could be looked for
	}
	value, err := instance.Read(ctx, []byte(j.exchange.Values[j.fixture.Entry]), j.options.Limits)
	if err != nil {
		return err
	}
	list, ok := j.listIn(ctx, r.Body)
	if !ok {
		return nil
	}
	clause, names := j.fixture.Clause.ID, j.fixture.EntryNames()
	wanted := spec.ClauseID(clause).State() == spec.StateListed
	is := func(shown any) bool { return fixtures.IDOf(shown) == id || instance.Equal(shown, value.Value) }
	// like compares a value of any name. If the id is the text "3", the number 3 is not like
	// it: it may be a size.
	like := func(shown any) bool {
		_, isText := shown.(string)
		return instance.Equal(shown, value.Value) || (isText || value.Value != id) && is(shown)
	}
	_, total := j.total(ctx, r)
	there, certain := false, !wanted || !j.fixture.Operation.IsPaged() || total == "0"
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
	if !there && !certain {
		return nil
	}
	j.exercise(clause)
	if there == wanted {
		return nil
	}
	message, expected := "still has what was deleted before", "no entry with the id "+id
	if wanted {
		message, expected = "does not have what was created before", "an entry with the id "+id
	}
	j.breach(clause, j.severity(), message, expected, j.answer())
	return nil
}

// listIn finds the list in a body. What is wrong with a body is told where it is judged.
func (j *judging) listIn(ctx context.Context, text []byte) ([]any, bool) {
	body, err := instance.Read(ctx, text, j.options.Limits)
	if err != nil {
		return nil, false
	}
	return j.fixture.Operation.ListIn(body.Value)
}

// anyValue reports whether is holds for an entry, or for a value in it or in its objects.
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

// versioned holds the ETag against the one before the change, as both are kept: without
// secrets, and of the earlier body the beginning. A weak one may stay, and any may if the
// content does.
func (j *judging) versioned() {
	now := j.exchange.Response
	for _, step := range j.exchange.Steps {
		if !slices.Contains(j.fixture.Shows, step.ID) || step.Exchange.Response == nil {
			continue
		}
		first := step.Exchange.Response
		before, after := first.Header.Get("ETag"), now.Header.Get("ETag")
		if before == "" || strings.HasPrefix(before, "W/") || after == "" || bytes.HasPrefix(now.Body, first.Body) {
			return
		}
		clause := j.fixture.Clause.ID
		j.exercise(clause)
		if after == before {
			j.breach(clause, j.severity(), "other content has the same strong ETag as before",
				"another ETag than "+before, "ETag: "+after)
		}
		return
	}
}

// filtered holds the entries of a list against the values that the query asks for.
func (j *judging) filtered(ctx context.Context, r spec.Response) {
	clause := j.ids().State(spec.StateFiltered)
	address, err := url.Parse(j.exchange.Request.URL)
	isThis := func(c spec.Clause) bool { return c.ID == clause }
	if err != nil || address.RawQuery == "" || !slices.ContainsFunc(j.fixture.Operation.Clauses(), isThis) {
		return
	}
	var entries []any
	for _, p := range j.fixture.Operation.Filters() {
		asked := address.Query()[p.Name]
		if len(asked) != 1 {
			continue
		}
		if !p.Chooses(asked[0]) {
			continue // a service may leave such a value aside
		}
		if entries == nil {
			entries, _ = j.listIn(ctx, r.Body)
		}
		for _, entry := range entries {
			object, _ := entry.(map[string]any)
			shown, there := object[p.Name]
			if !there || shown == nil {
				continue
			}
			j.exercise(clause)
			if text := strings.Trim(instance.Compact(shown), `"`); text != asked[0] {
				j.breach(clause, j.warning(), "has an entry with another "+p.Name+" than was asked for", "entries whose "+p.Name+" is "+asked[0], "one whose "+p.Name+" is "+text)
				break
			}
		}
	}
}

// paged counts the entries of a page.
func (j *judging) paged(ctx context.Context, r spec.Response) error {
	size, ok := j.fixture.Operation.PageSize()
	if !ok {
		return nil
	}
	address, err := url.Parse(j.exchange.Request.URL)
	if err != nil {
		return nil //nolint:nilerr // which then was not sent
	}
	list, ok := j.listIn(ctx, r.Body)
	if !ok {
		return nil
	}
	asked := address.Query().Get(size.Name)
	most, err := strconv.Atoi(asked)
	if err != nil {
		return nil //nolint:nilerr // only a number says how many
	}
	clause := j.fixture.Clause.ID
	j.exercise(clause)
	if len(list) > most {
		j.breach(clause, j.severity(), "has more entries than were asked for",
			"at most "+asked+" entries, by "+size.Name+"="+asked, fmt.Sprintf("%d entries", len(list)))
	}
	if name, total := j.total(ctx, r); total != "" && !j.isPending() && slices.Contains([]string{"0", "1"}, total) {
		j.breach(clause, j.severity(), "says that there are fewer entries than were created before", name+" is 2 or more", name+" is "+total)
	}
	return nil
}

// total is what the header, or the object around a list, says of how many entries there are on
// all pages.
func (j *judging) total(ctx context.Context, r spec.Response) (name, total string) {
	if total = r.Header.Get("X-Total-Count"); total != "" {
		return "X-Total-Count", total
	}
	body, _ := instance.Read(ctx, r.Body, j.options.Limits)
	object, _ := body.Value.(map[string]any)
	inner, _ := object["page"].(map[string]any)
	for _, object := range []map[string]any{object, inner} {
		for name, value := range object {
			if n, ok := value.(json.Number); ok && slices.Contains([]string{"total", "totalcount", "totalitems", "totalelements", "totalresults"}, strings.ToLower(strings.ReplaceAll(name, "_", ""))) {
				return name, n.String()
			}
		}
	}
	return "", ""
}
