package judge

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
)

// state holds a success against what the steps before it did. The error says why the
// body was not judged.
func (j *judging) state(ctx context.Context, r spec.Response) error {
	clause := j.fixture.Clause.ID
	switch spec.ClauseID(clause).State() {
	case "":
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
	var sent []spec.Sent
	for _, id := range j.fixture.Shows {
		for _, step := range j.exchange.Steps {
			if step.ID == id && !step.Cleanup {
				at := slices.IndexFunc(step.Message.Header, func(f fixtures.Field) bool { return f.Name == "Content-Type" })
				if operation := j.fixture.StepOperation(id); operation != nil && at >= 0 {
					sent = append(sent, spec.Sent{Operation: operation, MediaType: step.Message.Header[at].Value, Body: step.Message.Body})
				}
			}
		}
	}
	if sent == nil {
		return nil
	}
	check, err := j.fixture.Operation.CheckShown(ctx, clause, sent, r, j.options.Limits)
	j.adopt(check)
	return err //nolint:wrapcheck // a sentence about the body, or the end of the run
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
			j.find(Finding{
				Clause: clause, Severity: j.severity(), Message: "other content has the same strong ETag as before",
				Expected: "another ETag than " + before, Actual: "ETag: " + after, Offset: -1,
			})
		}
		return
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
	body, err := instance.Read(ctx, r.Body, j.options.Limits)
	list, isList := listIn(body.Value)
	if err != nil || !isList {
		return nil //nolint:nilerr // told where the body is judged
	}
	asked := address.Query().Get(size.Name)
	most, err := strconv.Atoi(asked)
	if err != nil {
		return nil //nolint:nilerr // only a number says how many
	}
	clause := j.fixture.Clause.ID
	j.exercise(clause)
	if len(list) > most {
		j.find(Finding{
			Clause: clause, Severity: j.severity(), Message: "has more entries than were asked for",
			Expected: "at most " + asked + " entries, by " + size.Name + "=" + asked, Actual: fmt.Sprintf("%d entries", len(list)), Offset: -1,
		})
	}
	return nil
}
