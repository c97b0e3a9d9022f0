package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/replay"
)

// state compares a success with what the steps before it did. The error says why the
// body was not judged.
func (j *judging) state(ctx context.Context) error {
	clause := j.fixture.Clause.ID
	if j.isPending() {
		return nil
	}
	switch clause.State() {
	case "", spec.StateSorted: // see sorted
		return nil
	case spec.StateInitial:
		j.begun(ctx, j.fixture.Operation, j.exchange.Request.Body)
		return nil
	case spec.StateListed, spec.StateUnlisted, spec.StateListedWithin, spec.StateFiltered: // see filtered, too
		j.listed(ctx)
		return nil
	case spec.StatePaged:
		if len(j.earlier()) == 0 { // see followed
			j.paged(ctx)
		}
		return nil
	case spec.StateVersioned:
		j.versioned()
		return nil
	case spec.StateReached:
		j.reached(ctx)
		return nil
	}
	if j.isRepeated() {
		j.repeated(ctx)
		return nil
	}
	if action := j.action(); action != nil {
		j.acted(ctx, action)
		return nil
	}
	j.exercise(clause)
	j.creation(ctx)
	sent := j.sentBefore(j.isShown)
	if sent == nil {
		return nil
	}
	j.octets(sent[len(sent)-1])
	isNull := func(body []byte) bool { return string(bytes.TrimSpace(body)) == "null" }
	isSent := slices.ContainsFunc(sent, func(s check.Sent) bool { return isNull(s.Body) })
	if j.response.Status == http.StatusNoContent || isNull(j.response.Body) && !isSent && len(j.Findings) == 0 {
		j.breaks("shows nothing, though values were sent before", "the values that were sent")
		return nil
	}
	checked, err := j.response.CheckShown(ctx, j.fixture.Operation, clause, sent, j.options.Limits)
	if known, ok := j.mayDiffer(ctx, sent); ok {
		checked.Breaches = slices.DeleteFunc(checked.Breaches, func(b check.Breach) bool {
			return slices.ContainsFunc(known, func(a check.Breach) bool { return a.Pointer == b.Pointer })
		})
		j.adopt(checked)
	}
	return err
}

// octets compares the bytes that a PUT sent last with those of a response in the same media type,
// unless the contract describes parts of them (RFC 9110 §9.3.4). A service may reformat texts and
// documents, so for them only unchanged old bytes are a fault. It may do anything to an image. The file
// in a form is compared only if it and the response are octets.
func (j *judging) octets(put check.Sent) {
	const octets = "application/octet-stream"
	mediaType, shown, now, body := MediaType(put.MediaType), MediaType(j.exchange.Response.Header.Get("Content-Type")), j.exchange.Response, put.Operation.RequestBody
	if now.Cut || now.Header.Get("Content-Encoding") != "" || body == nil || bytes.Equal(put.Body, j.response.Body) {
		return
	}
	file := []byte("Content-Type: " + octets + "\r\n\r\n")
	if put.Operation == j.fixture.Operation.Uploader() && shown == octets && bytes.Contains(put.Body, file) && !bytes.Contains(put.Body, slices.Concat(file, j.response.Body, []byte("\r\n--"))) {
		j.breaks("does not show the bytes of the file that was uploaded", string(put.Body))
	}
	if put.Operation.Method != http.MethodPut || mediaType != shown || strings.HasPrefix(mediaType, "image/") {
		return
	}
	same := slices.DeleteFunc(j.sentBefore(anyStep), func(s check.Sent) bool { return !bytes.Equal(s.Body, put.Body) })
	isOld := len(same) == 1 && slices.ContainsFunc(j.earlier(), func(r *replay.Response) bool {
		return r.Status == now.Status && !r.Cut && bytes.Equal(r.Body, now.Body)
	})
	if c := body.Of(mediaType); c != nil && !c.Schema.Shape().HasParts() && (isOld || mediaType == octets) {
		j.breaks("does not show the bytes that were sent", string(put.Body))
	}
}

// asksForCondition reports whether a request is refused because of a precondition that the contract mentions
// (RFC 9110 §15.5.13, RFC 6585 §3). The first request created the resource, or changed its ETag.
func (j *judging) asksForCondition() bool {
	op, status := j.fixture.Operation, j.response.Status
	_, hasIfMatch := op.IfMatch()
	return (status == http.StatusPreconditionFailed || status == http.StatusPreconditionRequired) && (hasIfMatch || op.Declares(status))
}

// isShown reports whether the response must show the values of a step.
func (j *judging) isShown(step string) bool { return slices.Contains(j.fixture.Shows, step) }

func anyStep(string) bool { return true }

// sentBefore returns the requests with a body of the chosen steps, in order.
func (j *judging) sentBefore(such func(step string) bool) (sent []check.Sent) {
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

// showsAnother reports whether the response does not show what these steps created: a store may
// reuse an id, also in another list. A value that an earlier read also showed was changed by the
// service. Both responses are compared in redacted form.
func (j *judging) showsAnother(ctx context.Context, such func(step string) bool) bool {
	sent := j.sentBefore(such)
	was := j.changed(ctx, sent, j.earlier()...)
	return slices.ContainsFunc(j.changed(ctx, sent, j.exchange.Response), func(now check.Breach) bool {
		isSame := func(b check.Breach) bool { return b.Pointer == now.Pointer && b.Actual == now.Actual }
		return now.Offset >= 0 && !slices.ContainsFunc(was, isSame)
	})
}

// changed returns the values that responses show differently than they were sent.
func (j *judging) changed(ctx context.Context, sent []check.Sent, responses ...*replay.Response) (list []check.Breach) {
	for _, r := range responses {
		response := check.Response{Status: r.Status, Header: r.Header, Body: r.Body}
		checked, err := response.CheckShown(ctx, j.fixture.Operation, j.fixture.Clause.ID, sent, j.options.Limits)
		if err == nil {
			list = append(list, checked.Breaches...)
		}
	}
	return list
}

// tellsNothing reports whether the read before a deletion shows neither the id nor a value that was
// sent, so that the read after it is not evidence. If the later read is as declared, with an empty
// list and none of these values, the deleted resource is gone.
func (j *judging) tellsNothing(ctx context.Context) bool {
	known := idsInPath(j.fixture.Operation.Path, j.exchange.Request.URL)
	for _, s := range j.sentBefore(anyStep) {
		body, ok := j.value(ctx, s.Body)
		if !ok {
			return false
		}
		instance.Rewrite(body, nil, func(text string) any {
			known = append(known, text)
			return nil
		})
		anyValue(body, func(value any) bool {
			known = append(known, fixtures.IDOf(value))
			return false
		})
	}
	shows := func(body []byte) bool {
		return slices.ContainsFunc(known, func(text string) bool { return text != "" && bytes.Contains(body, []byte(text)) })
	}
	after := j.response.Body
	if list, ok := j.listIn(ctx, after); ok && len(list) == 0 && len(j.Findings) == 0 && !shows(after) {
		return true
	}
	return slices.ContainsFunc(j.earlier(), func(r *replay.Response) bool { return !r.Cut && json.Valid(r.Body) && !shows(r.Body) })
}

// idsInPath returns what a URL has in place of the parameters of a path.
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

// identified finds a response that shows another id than its path, in the property in which a
// response first showed the id.
func (j *judging) identified(ctx context.Context, declared string) {
	op := j.fixture.Operation
	if !slices.Contains([]string{http.MethodGet, http.MethodPut, http.MethodPatch}, op.Method) || !strings.HasSuffix(spec.Stem(op.Path), "}") || j.response.Status == http.StatusAccepted || !json.Valid(j.response.Body) {
		return
	}
	sent := j.object(ctx, j.exchange.Request.Body)
	for _, called := range j.calls(idsInPath(op.Path, j.exchange.Request.URL)) {
		name, wanted := called[0], called[1]
		offset, shown, there := instance.Find(j.response.Body, []string{name})
		if sent[name] != nil || !there || !isOther(wanted, shown) {
			continue
		}
		clause, severity := j.fixture.Clause.ID, j.severity()
		if clause.State() == "" || op.Method != http.MethodGet {
			clause, severity = j.shownAs(declared, name), j.warning()
		}
		j.find(Finding{
			Clause: clause, Severity: severity, Message: "is another one than the path names",
			Pointer: instance.Pointer([]string{name}), Expected: wanted, Actual: shown, Offset: offset,
		})
		return
	}
}

// calls returns the names that steps use for the last id of a path, each with the id as JSON. An
// entry below another resource may show the id of that resource.
func (j *judging) calls(ids []string) (list [][2]string) {
	j.places(ids, func(at []string, id string) {
		if len(at) == 1 || slices.Contains(at, "0") { // of the first entry of a list
			list = append(list, [2]string{at[len(at)-1], id})
		}
	})
	return list
}

// places calls found with each place in the response of a step that has the last id of a path, and with the id as JSON.
func (j *judging) places(ids []string, found func(at []string, id string)) {
	for _, s := range j.exchange.Steps {
		for _, o := range j.fixture.StepOutputs(s.ID) {
			from := s.ID + "." + o.Name
			if id, err := j.exchange.Values.ID(from); err != nil || len(ids) == 0 || id != ids[0] || len(ids) > 1 && j.fixture.StepOperation(s.ID).IsSafe() {
				continue
			}
			for _, place := range o.From {
				if at := place.Path(); len(at) > 0 {
					found(at, j.exchange.Values[from])
				}
			}
		}
	}
}

// isMoved reports whether the response to PUT shows another name than the path has, in the place where the creation
// showed it. A name such as a slug may follow from the values; an id stays.
func (j *judging) isMoved(ctx context.Context) (is bool) {
	j.places(idsInPath(j.fixture.Operation.Path, j.exchange.Request.URL), func(at []string, id string) {
		for _, s := range j.exchange.Steps {
			if r := s.Exchange.Response; !spec.IsID(at[len(at)-1]) && !s.Cleanup && r != nil && s.Message.Method == http.MethodPut {
				body, _ := j.value(ctx, r.Body)
				now, _ := instance.At(body, at)
				is = is || now != nil && instance.Compact(now) != id
			}
		}
	})
	return is
}

// shownAs returns the clause about a property of a response.
func (j *judging) shownAs(declared, name string) spec.ClauseID {
	body := j.ids().Response(declared).Body()
	if clause, ok := j.contract.Clause(body.Property(name)); ok {
		return clause.ID
	}
	return body
}

// written finds values of read-only properties that are returned as they were sent.
func (j *judging) written(ctx context.Context, declared string) {
	body := j.fixture.Operation.RequestBody
	if body == nil || body.JSON() == nil {
		return
	}
	var readOnly []string
	for _, p := range body.JSON().Shape().Properties {
		if p.ReadOnly {
			readOnly = append(readOnly, p.Name)
		}
	}
	if readOnly == nil {
		return // avoids reading large bodies
	}
	sent, shown := j.object(ctx, j.exchange.Request.Body), j.object(ctx, j.response.Body)
	for _, name := range readOnly {
		if value := sent[name]; value != nil && instance.Equal(value, shown[name]) && instance.Contains(spec.Foreign(), value) {
			j.breach(j.shownAs(declared, name), j.warning(), name+" is read-only, but comes back as it was sent", "a value that the service gives", j.answer())
		}
	}
}

// isOther reports whether two JSON texts are different ids of one form, ignoring case. Ids with
// different prefixes may be of different kinds.
func isOther(one, other string) bool {
	a, b := idForm.FindStringSubmatch(one), idForm.FindStringSubmatch(other)
	return a != nil && b != nil && (one[0] == '"') == (other[0] == '"') && slices.Equal(a[1:], b[1:]) && !strings.EqualFold(one, other)
}

// idForm matches numbers, also as texts, UUIDs (RFC 9562 §4), ids with a prefix such as cus_4fXq81, and tokens that
// are too long for a name.
var idForm = regexp.MustCompile(`^(?:[0-9]+|"(?:0|[1-9][0-9]*|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|([a-z]+_)[0-9A-Za-z]{6,}|([a-z]+-)[0-9]+|[0-9A-Za-z]{20,})")$`)

// earlier returns the responses to the same operation before that of the fixture.
func (j *judging) earlier() (list []*replay.Response) {
	for _, s := range j.exchange.Steps {
		if !s.Cleanup && s.Exchange.Response != nil && j.fixture.StepOperation(s.ID) == j.fixture.Operation {
			list = append(list, s.Exchange.Response)
		}
	}
	return list
}

// isPending reports whether an earlier step got 202: the service may do later what was asked, or
// never (RFC 9110 §15.3.3). A resource that was read has been created, so only the step whose effect is read counts.
// A resource that can be read after its deletion is only marked, and what is below it may stay.
func (j *judging) isPending() bool {
	state := j.fixture.Clause.ID.State()
	isThere := slices.ContainsFunc(j.earlier(), func(r *replay.Response) bool { return r.Status == http.StatusOK })
	counts := func(s replay.Step) bool {
		switch {
		case isThere && state == spec.StateDeleted:
			return s.Message.Method == http.MethodDelete
		case isThere && state == spec.StateChanged:
			return j.isShown(s.ID)
		case isThere && state == spec.StateConflict: // the action was carried out before
			return j.fixture.StepOperation(s.ID) == j.fixture.Operation
		}
		return true
	}
	return slices.ContainsFunc(j.exchange.Steps, func(s replay.Step) bool {
		r := s.Exchange.Response
		if s.Cleanup {
			return r != nil && r.Status/100 == 2 && s.Message.Method == http.MethodGet && (state == spec.StateDeleted || state == spec.StateUnlisted)
		}
		return r != nil && r.Status == http.StatusAccepted && counts(s)
	})
}

// value returns the value of a body. Faults of a body are reported where it is judged.
func (j *judging) value(ctx context.Context, body []byte) (value any, ok bool) {
	text, err := instance.Read(ctx, body, j.options.Limits)
	return text.Value, err == nil
}

// object returns the object in a body, or nil if there is none.
func (j *judging) object(ctx context.Context, body []byte) map[string]any {
	value, _ := j.value(ctx, body)
	object, _ := value.(map[string]any)
	return object
}

// isDeletion reports whether a value is the response to a deletion, and was not read before it.
func (j *judging) isDeletion(ctx context.Context, value any) bool {
	wasRead := slices.ContainsFunc(j.earlier(), func(r *replay.Response) bool {
		before, ok := j.value(ctx, r.Body)
		return ok && instance.Equal(before, value)
	})
	return !wasRead && !j.wasListed(ctx, value) && slices.ContainsFunc(j.exchange.Steps, func(s replay.Step) bool {
		if s.Cleanup || s.Message.Method != http.MethodDelete || s.Exchange.Response == nil {
			return false
		}
		answer, ok := j.value(ctx, s.Exchange.Response.Body)
		return ok && instance.Equal(answer, value)
	})
}

// wasInAnotherState reports whether a read before the deletion shows another state than now: a
// service may mark a resource as deleted, and still show it.
func (j *judging) wasInAnotherState(ctx context.Context, shown any) bool {
	return slices.ContainsFunc(j.earlier(), func(r *replay.Response) bool {
		before, ok := j.value(ctx, r.Body)
		return ok && r.Status/100 == 2 && !r.Cut && isAnotherState(before, shown)
	})
}
