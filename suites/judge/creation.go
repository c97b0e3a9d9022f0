package judge

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/replay"
)

// creation judges what the service says about a creation.
func (j *judging) creation(ctx context.Context) {
	j.toldOfCreation()
	j.located()
	j.begunWith(ctx)
}

// toldOfCreation finds a PUT that created a resource with a new id from the client, without the 201
// that the contract declares, or that replaced the resource with 201, though the contract declares
// another status. RFC 9110 §9.3.4 requires 201 for a creation, and 200 or 204 for a replacement.
func (j *judging) toldOfCreation() {
	before, op := j.earlier(), j.fixture.Operation
	if j.fixture.Clause.ID.State() != spec.StateIdempotent || len(before) == 0 || !j.fixture.DrawsID() || !op.Names("201") {
		return
	}
	switch first, now := before[0].Status, j.response.Status; {
	case first == http.StatusOK || first == http.StatusNoContent:
		j.breach(j.ids().Accepts(), j.warning(), "a PUT that created something does not answer 201, though the contract declares it", "201 to the first request", fmt.Sprintf("%d to the first request", first))
	case now == http.StatusCreated && (op.Names("200") || op.Names("204")):
		j.breach(j.ids().Accepts(), j.warning(), "a PUT that replaced something answers 201, though the contract declares another status", "200 or 204 to the second request", "201 to the second request")
	}
}

// located finds a 201 response whose Location names the list, or another resource in it than the one that was
// created. It must name what was created (RFC 9110 §15.3.2), as an absolute or relative reference.
func (j *judging) located() {
	ids := idsInPath(j.fixture.Operation.Path, j.exchange.Request.URL)
	if j.fixture.Clause.ID.State() != spec.StateCreated || len(j.fixture.Shows) == 0 || len(ids) == 0 {
		return
	}
	create := j.fixture.StepOperation(j.fixture.Shows[0])
	made, _ := j.madeBy(create)
	if len(made) == 0 || !create.AddsEntry() || made[0].Exchange.Response.Status != http.StatusCreated {
		return
	}
	location, id := made[0].Exchange.Response.Header.Get("Location"), ids[0]
	base, err := url.Parse(made[0].Exchange.Request.URL)
	if err != nil || location == "" {
		return
	}
	to, err := base.Parse(location)
	if err != nil || to.RawQuery+to.Fragment != "" {
		return
	}
	list, at := strings.TrimSuffix(base.Path, "/"), strings.TrimSuffix(to.Path, "/")
	last := path.Base(at)
	var what string
	switch {
	case at == list:
		what = "the list"
	case path.Base(path.Dir(at)) == path.Base(list) && (isOther(last, id) || isOther(`"`+last+`"`, `"`+id+`"`)):
		what = "another resource"
	default:
		return
	}
	j.breach(j.fixture.Clause.ID, j.severity(), "the Location of the creation is that of "+what, "that of what was created, with the id "+id, "Location: "+location)
}

// overwritten finds a list that has the second of two resources that were created before, but not the
// first. If both got the same id for different values, the second replaced the first.
func (j *judging) overwritten(ctx context.Context, list []any) {
	step, output, _ := strings.Cut(j.fixture.Entry, ".")
	made, areNew := j.madeBy(j.fixture.StepOperation(step))
	areRelated := slices.ContainsFunc(j.exchange.Steps, func(s replay.Step) bool { return j.fixture.StepOperation(s.ID).Relates() }) // the list has only the second
	if len(made) != 2 || made[1].ID != step || areRelated {
		return
	}
	first := made[0].ID + "." + output
	if j.fixture.Clause.ID.State() == spec.StateFiltered && !j.matchesQuery(ctx, first) {
		return
	}
	id, _ := j.exchange.Values.ID(first)
	there, _ := j.has(ctx, list, first)
	entries := slices.DeleteFunc(slices.Clone(list), func(entry any) bool { there, _ := j.has(ctx, []any{entry}, first); return !there })
	isSame := j.exchange.Values[first] == j.exchange.Values[j.fixture.Entry]
	switch {
	case !there && id != "":
		j.breaks("does not have the first of two resources that were created before", "an entry with the id "+id)
	case isSame && areNew && len(entries) == 1 && !bytes.Equal(made[0].Message.Body, made[1].Message.Body) && j.isGiven(ctx, id):
		j.breaks("has one entry for two resources that were created before with the same id", "an entry for each")
	}
}

// madeBy returns the steps of an operation that creates resources. areNew is false if the contract
// declares 201 and the service did not answer it: it may have found, or changed, an existing resource.
func (j *judging) madeBy(create *spec.Operation) (made []replay.Step, areNew bool) {
	areNew = true
	for _, s := range j.exchange.Steps {
		if r := s.Exchange.Response; r != nil && j.fixture.StepOperation(s.ID) == create {
			made, areNew = append(made, s), areNew && (r.Status == http.StatusCreated || !create.Names("201"))
		}
	}
	return made, areNew
}

// mayDiffer returns the values that a response may show differently than they were sent, because
// earlier responses did so, too. After a second creation, a value may also change, such as a
// counter, but not to the value of the second resource. ok is false if the values cannot be compared.
func (j *judging) mayDiffer(ctx context.Context, sent []check.Sent) (list []check.Breach, ok bool) {
	before, state := j.earlier(), j.fixture.Clause.ID.State()
	isBeside := state == spec.StateCreated && len(before) > 0
	if !isBeside && state != spec.StateApart {
		return nil, true
	}
	made, areNew := j.madeBy(sent[0].Operation)
	if isBeside && !areNew || slices.ContainsFunc(before, func(r *replay.Response) bool { return r.Cut }) {
		return nil, false
	}
	list = j.changed(ctx, sent, before...)
	if isBeside {
		second := j.sentBefore(func(step string) bool { return step == made[len(made)-1].ID })
		list = append(list, j.changed(ctx, second, j.exchange.Response)...)
	}
	return list, true
}

// isRepeated reports whether the fixture sends a creation again, with the same idempotency key or with another one.
func (j *judging) isRepeated() bool {
	return j.fixture.Clause.ID.State() == spec.StateIdempotent && j.fixture.Operation.Method == http.MethodPost
}

// repeated compares the ids that the same POST got twice. With the same idempotency key it creates
// one resource, with another key two, unless the service says that it found the first one.
func (j *judging) repeated(ctx context.Context) {
	key, _ := j.fixture.Operation.IdempotencyKey()
	body, _ := j.value(ctx, j.response.Body)
	isSame, certain := j.has(ctx, []any{body}, j.fixture.Entry)
	id, err := j.exchange.Values.ID(j.fixture.Entry)
	made, _ := j.madeBy(j.fixture.Operation)
	if err != nil || !certain || !j.isGiven(ctx, id) || len(made) == 0 {
		return
	}
	before, _ := fixtures.FindField(made[0].Message.Header, key.Name)
	now, _ := fixtures.FindField(j.exchange.Request.Header, key.Name)
	j.exercise(j.fixture.Clause.ID)
	switch isNew := j.response.Status == http.StatusCreated || !j.fixture.Operation.Names("201"); {
	case before == now && !isSame:
		j.breaks("the same request with the same "+key.Name+" creates a second resource", "the resource with the id "+id)
	case before != now && isSame && isNew:
		j.breaks("a request with another "+key.Name+" creates nothing, though the service says that it does", "another id than "+id)
	}
}

// sendsKeyAgain reports whether a creation has the idempotency key of the one before, which must get its response.
func (j *judging) sendsKeyAgain() bool {
	key, _ := j.fixture.Operation.IdempotencyKey()
	made, _ := j.madeBy(j.fixture.Operation)
	now, _ := fixtures.FindField(j.exchange.Request.Header, key.Name)
	return j.fixture.Operation.ReturnsFirst() && slices.ContainsFunc(made, func(s replay.Step) bool {
		before, _ := fixtures.FindField(s.Message.Header, key.Name)
		return before == now
	})
}

// isGiven reports whether the service gave an id: no step sent it.
func (j *judging) isGiven(ctx context.Context, id string) bool {
	return !slices.ContainsFunc(j.sentBefore(anyStep), func(s check.Sent) bool {
		body, ok := j.value(ctx, s.Body)
		form, err := url.QueryUnescape(string(s.Body)) // or another text
		return !ok && (err != nil || strings.Contains(form, id)) || anyValue(body, func(sent any) bool { return fixtures.IDOf(sent) == id })
	})
}

// begunWith judges the state that the first read after a creation shows.
func (j *judging) begunWith(ctx context.Context) {
	isOther := func(s replay.Step) bool {
		by := j.fixture.StepOperation(s.ID)
		return !s.Cleanup && !by.IsSafe() && !by.AddsEntry()
	}
	if j.fixture.Clause.ID.State() != spec.StateCreated || len(j.fixture.Shows) == 0 || slices.ContainsFunc(j.exchange.Steps, isOther) {
		return
	}
	if made, _ := j.madeBy(j.fixture.StepOperation(j.fixture.Shows[0])); len(made) == 1 {
		j.begun(ctx, j.fixture.StepOperation(made[0].ID), made[0].Message.Body)
	}
}

// begun compares the state of a new resource in the response to its creation, or in the first read of it, with the one
// that the contract names. Optional values of the request may lead to another state, and a state may end by itself.
func (j *judging) begun(ctx context.Context, create *spec.Operation, sent []byte) {
	to, ok := create.Initial()
	clause, _ := j.contract.Clause(create.ClauseIDs().State(spec.StateInitial))
	if body := create.RequestBody.JSON(); body != nil && ok {
		within, resource := body.Shape().Inside()
		inner, _ := instance.At(j.object(ctx, sent), within)
		object, _ := inner.(map[string]any)
		for name := range object {
			p := resource.Property(name)
			ok = ok && p != nil && p.Required
		}
	}
	whole, _ := j.value(ctx, j.response.Body)
	place := instance.PlaceIn(whole, to.Path)
	state, _ := instance.At(whole, place)
	text, _ := to.Value.(string)
	isRead, mayEnd, severity := j.fixture.Operation != create, underWay.MatchString(text) || first.MatchString(text), j.warning()
	if !ok || !instance.Contains(to.Listed, state) || isRead && mayEnd {
		return
	}
	message := "is another " + to.Path[len(to.Path)-1] + " than the contract gives a new resource"
	switch {
	case clause.Level == spec.Must && !mayEnd && !isRead:
		severity = Violation
	case clause.Level == spec.Must:
		message += ", though it may have changed since"
	}
	j.exercise(clause.ID)
	if !instance.Equal(state, to.Value) {
		offset, text, _ := instance.Find(j.response.Body, place)
		j.find(Finding{Clause: clause.ID, Severity: severity, Message: message, Pointer: instance.Pointer(place), Expected: instance.Compact(to.Value), Actual: text, Offset: offset})
	}
}

// first matches states that soon lead to others.
var first = regexp.MustCompile(`(?i)\b(new|created|received|registered|submitted)\b`)
