package spec

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/shown"
)

// Sent is an earlier request that created or changed a thing.
type Sent struct {
	Operation *Operation
	MediaType string
	Body      []byte
}

// read is the request for package shown. What is neither a JSON text nor a form is not described.
func (s Sent) read(ctx context.Context, l instance.Limits) shown.Sent {
	of := shown.Sent{Method: s.Operation.Method}
	if s.Operation.IsChange() {
		of.Method = http.MethodPatch
	}
	var c *Content
	if body := s.Operation.RequestBody; body != nil {
		c = body.Of(s.MediaType)
	}
	if c == nil || !c.MayBeJSON() && !c.parsed.IsForm() {
		return of
	}
	of.Schema, of.MergePatch, of.JSONPatch = c.Schema, c.IsMergePatch(), c.IsJSONPatch()
	of.Kept = s.Operation.KeptAttributes(*c)
	switch {
	case c.parsed.IsForm():
		named, _ := mediatype.Parse(s.MediaType) // as Of did
		of.Body, _ = c.read(named, s.Body)       //nolint:contextcheck // what the run itself wrote is small
	case of.JSONPatch:
		text, _ := instance.Read(ctx, s.Body, l)
		of.Body = text.Value
	default:
		of.Body = plain(ctx, s.Body, l)
	}
	return of
}

// KeptAttributes is the path to the attributes in a body, as in {"data": {"attributes": {…}}}, if those that it
// leaves out stay as they are: JSON:API says so, or the description does. It is nil if they do not.
func (op *Operation) KeptAttributes(c Content) []string {
	path, thing := c.Schema.Shape().Inside()
	words := op.at.Get("description").Text()
	isKept := strings.HasPrefix(c.MediaType, "application/vnd.api+json") || aboutAttributes.MatchString(words) && saysRestStays(words)
	if op.Method != http.MethodPatch || path == nil || thing.Property("attributes") == nil || !isKept {
		return nil
	}
	return append(path, "attributes")
}

// LeavesRest reports whether the operation leaves the values of a thing that a request does not name: a PATCH, or
// another change whose description says so.
func (op *Operation) LeavesRest() bool {
	return op.Method == http.MethodPatch || op.IsChange() && saysRestStays(op.at.Get("description").Text())
}

// saysRestStays reports whether a description says that what a request leaves out stays as it is. What keeps its
// default does not.
func saysRestStays(words string) bool {
	return slices.ContainsFunc(leavesRest.FindAllString(words, -1), func(sentence string) bool { return !strings.Contains(sentence, "default") })
}

var (
	aboutAttributes = regexp.MustCompile(`(?i)\battributes\b`)
	leavesRest      = regexp.MustCompile(`(?i)\b(left out|omitted|missing|absent|not (sent|given|provided|passed|specified|included))\b[^.]*\b(stay|keep|kept|remain|unchanged|untouched)[^.]*`)
)

// plain is the value of a JSON text; nil if it has none, or if it can be read in several ways.
func plain(ctx context.Context, body []byte, l instance.Limits) any {
	text, err := instance.Read(ctx, body, l)
	if err != nil || len(text.Duplicates) > 0 || text.Surrogates > 0 {
		return nil
	}
	return text.Value
}

// CheckEcho compares a success with its request. If the contract gives both the same schema,
// the response should contain what was sent. Otherwise, if the thing can be read, this holds
// for the properties that both describe alike. CheckEcho finds nothing if the request or the
// response is not a JSON object, or can be read in several ways.
//
// The error is an [*instance.LimitError] if the response exceeds a limit, or that of the
// context if it ended first.
func (op *Operation) CheckEcho(ctx context.Context, request Sent, r Response, l instance.Limits) (Check, error) {
	op.derive()
	declared := op.response(r.Status)
	if declared == nil || declared.echo == echoNothing {
		return Check{}, nil
	}
	clause, content := declared.ids.Echo(), declared.json(r.Header)
	if content == nil {
		return Check{}, nil
	}
	if declared.echo == echoPart {
		return op.CheckShown(ctx, clause, []Sent{request}, r, l)
	}
	sent, isObject := plain(ctx, request.Body, l).(map[string]any)
	if ctx.Err() != nil || !isObject || !instance.IsObject(r.Body) {
		return Check{}, ctx.Err()
	}
	text, err := instance.Read(ctx, r.Body, l)
	got, isObject := text.Value.(map[string]any)
	switch _, isFlaw := errors.AsType[*instance.FlawError](err); {
	case err != nil && !isFlaw:
		return Check{}, err
	case !isObject, len(text.Duplicates) > 0:
		return Check{}, nil // the judgement of the body reports it
	}
	c := Check{Declared: declared.Status, Exercised: []ClauseID{clause}}
	c.Breaches = request.breaches(clause, shown.Whole(content.Schema.Shape(), sent, got, op.worded[clause]), r.Body, false)
	return c, nil
}

// CheckShown compares a success with earlier requests: each value that was sent and that the
// contract describes alike for request and response. The service may add other values.
//
// The error is that of the context if it ended first.
func (op *Operation) CheckShown(ctx context.Context, clause ClauseID, sent []Sent, r Response, l instance.Limits) (Check, error) {
	var c Check
	declared := op.response(r.Status)
	if declared == nil || len(sent) == 0 {
		return c, nil
	}
	content := declared.json(r.Header)
	if content == nil {
		return c, nil
	}
	text, err := instance.Read(ctx, r.Body, l)
	if ctx.Err() != nil || err != nil || len(text.Duplicates) > 0 {
		return c, ctx.Err() // the judgement of the body reports the rest
	}
	c.Exercised = []ClauseID{clause}
	requests := lists.Map(sent, func(s Sent) shown.Sent { return s.read(ctx, l) })
	c.Breaches = sent[0].breaches(clause, shown.Parts(content.Schema, requests, text.Value), r.Body, true)
	return c, nil
}

// mayAssign reports whether a path leads to the id of the thing that the request created without having
// to name it: the document leaves open whether the service gives its own.
func (s Sent) mayAssign(path []string) bool {
	body := s.Operation.RequestBody
	if s.Operation.Method != http.MethodPost || body == nil || len(path) != 1 || !shown.IsID(path[0]) {
		return false
	}
	c := body.Of(s.MediaType)
	if c == nil {
		return false
	}
	p := c.Schema.Shape().Property(path[0])
	return p == nil || !p.Required
}

// breaches are those of a clause by values that are not shown as they were sent. should says that each
// is only a warning.
func (s Sent) breaches(clause ClauseID, list []shown.Difference, body []byte, should bool) (breaches []Breach) {
	for _, d := range list {
		if s.mayAssign(d.Path) {
			continue
		}
		b := Breach{Clause: clause, Message: d.Message, Pointer: instance.Pointer(d.Path), Expected: d.Expected, Should: should}
		if isThere := b.locate(body, d.Path); should && !isThere {
			b.Offset = -1
		}
		breaches = append(breaches, b)
	}
	return breaches
}

// json is the JSON content that a response names, or the only one if it names none of
// those declared; nil if it is not known.
func (r *Declared) json(header http.Header) *Content {
	if len(r.Content) == 1 && r.Content[0].Flaw == nil && r.Content[0].MayBeJSON() {
		return &r.Content[0]
	}
	named, err := mediatype.Parse(header.Get("Content-Type"))
	if err != nil {
		return nil
	}
	if best := mostSpecific(r.Content, named); best != nil && best.Flaw == nil && named.IsJSON() {
		return best
	}
	return nil
}
