package check

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/mediatype"
	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/shown"
)

// Sent is an earlier request that created or changed a resource.
type Sent struct {
	Operation *spec.Operation
	MediaType string
	Body      []byte
}

// read converts the request for package shown. A body that is neither JSON nor a form is left out.
func (s Sent) read(ctx context.Context, l instance.Limits) shown.Sent {
	of := shown.Sent{Method: s.Operation.Method}
	if s.Operation.IsChange() || s.Operation.LeavesRest() {
		of.Method = http.MethodPatch
	}
	c := s.Operation.RequestBody.Of(s.MediaType)
	if c == nil || !c.MayBeJSON() && !c.IsForm() {
		return of
	}
	of.Schema, of.MergePatch, of.Patch = c.Schema, c.IsMergePatch(), c.IsPatch()
	of.Kept = s.Operation.KeptAttributes(*c)
	switch {
	case c.IsForm():
		named, _ := mediatype.Parse(s.MediaType) // cannot fail, as Of has parsed it
		fields, _ := c.Read(named, s.Body)       //nolint:contextcheck // what the run itself wrote is small
		of.Body = instance.Rewrite(fields, nil, orNull)
	case of.Patch:
		text, _ := instance.Read(ctx, s.Body, l)
		of.Body = text.Value
	default:
		of.Body = plain(ctx, s.Body, l)
	}
	return of
}

// orNull returns null for an empty text: a form has no null, so an empty field often means that there is no value.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// Value returns the value of a JSON text or a form, or nil for another or invalid body.
func (s Sent) Value(ctx context.Context, l instance.Limits) any { return s.read(ctx, l).Body }

// plain returns the value of a JSON text, or nil if the text is invalid or ambiguous.
func plain(ctx context.Context, body []byte, l instance.Limits) any {
	text, err := instance.Read(ctx, body, l)
	if err != nil || len(text.Duplicates) > 0 || text.Surrogates > 0 {
		return nil
	}
	return text.Value
}

// CheckEcho compares a success with its request. If the contract gives both the same schema,
// the response should contain what was sent. Otherwise, if the resource can be read, this holds
// for the properties that both describe alike. CheckEcho finds nothing if the request or the
// response is not a JSON object, or can be read in several ways.
//
// The error is an [*instance.LimitError] if the response exceeds a limit, or that of the
// context if it ended first.
func (r Response) CheckEcho(ctx context.Context, request Sent, l instance.Limits) (Result, error) {
	op := request.Operation
	declared := op.Response(r.Status)
	if declared == nil || declared.Echo == spec.EchoNothing {
		return Result{}, nil
	}
	clause, content := declared.ClauseIDs().Echo(), r.json(declared)
	if content == nil {
		return Result{}, nil
	}
	if declared.Echo == spec.EchoPart {
		return r.CheckShown(ctx, op, clause, []Sent{request}, l)
	}
	sent, isObject := plain(ctx, request.Body, l).(map[string]any)
	if ctx.Err() != nil || !isObject || !instance.IsObject(r.Body) {
		return Result{}, ctx.Err()
	}
	text, err := instance.Read(ctx, r.Body, l)
	got, isObject := text.Value.(map[string]any)
	switch _, isFlaw := errors.AsType[*instance.FlawError](err); {
	case err != nil && !isFlaw:
		return Result{}, err
	case !isObject, len(text.Duplicates) > 0:
		return Result{}, nil // the judgement of the body reports it
	}
	c := Result{Declared: declared.Status, Exercised: []spec.ClauseID{clause}}
	c.Breaches = request.breaches(clause, shown.Whole(content.Schema.Shape(), sent, got, op.IsWorded(clause)), r.Body, false)
	return c, nil
}

// CheckShown compares a success with earlier requests: each value that was sent and that the
// contract describes alike for request and response. The service may add other values.
//
// The error is that of the context if it ended first.
func (r Response) CheckShown(ctx context.Context, op *spec.Operation, clause spec.ClauseID, sent []Sent, l instance.Limits) (Result, error) {
	var c Result
	declared := op.Response(r.Status)
	if declared == nil || len(sent) == 0 {
		return c, nil
	}
	content := r.json(declared)
	if content == nil {
		return c, nil
	}
	text, err := instance.Read(ctx, r.Body, l)
	if ctx.Err() != nil || err != nil || len(text.Duplicates) > 0 {
		return c, ctx.Err() // the judgement of the body reports the rest
	}
	c.Exercised = []spec.ClauseID{clause}
	requests := lists.Map(sent, func(s Sent) shown.Sent { return s.read(ctx, l) })
	differences := slices.DeleteFunc(shown.Parts(content.Schema, requests, text.Value), func(d shown.Difference) bool {
		_, inPath := op.Parameter("path", d.Path[0]) // a PUT on that path cannot remove it
		return d.Message == shown.NotShown && op.MayHide(content.Schema.Shape(), d.Path) || d.Message == shown.KeepsOld && inPath
	})
	c.Breaches = sent[0].breaches(clause, differences, r.Body, true)
	return c, nil
}

// mayAssign reports whether a path leads to an etag, which only says what the client has seen, or to an id that the
// service may choose instead of the client: that of a created resource if a request may omit it, or one that the
// path names, too. Then the service may show another value.
func (s Sent) mayAssign(path []string) bool {
	if len(path) > 0 && isETag().MatchString(path[len(path)-1]) {
		return true
	}
	c := s.Operation.RequestBody.Of(s.MediaType)
	if c == nil || len(path) != 1 {
		return false
	}
	if s.Operation.Method != http.MethodPost {
		return spec.IsID(path[0]) && strings.HasSuffix(spec.Stem(s.Operation.Path), "/{"+path[0]+"}")
	}
	p := c.Schema.Shape().Property(path[0])
	return (p == nil || !p.Required) && (shown.IsID(path[0]) || s.Operation.CreatesByID(path[0]))
}

var isETag = pattern.Lazy(`(?i)^\W?_?e_?tag$`)

// breaches returns the breaches of a clause by values that differ from those sent. If should is
// true, each is only a warning.
func (s Sent) breaches(clause spec.ClauseID, list []shown.Difference, body []byte, should bool) (breaches []Breach) {
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

// json returns the declared JSON content of the response: the only one, or the one that the response
// names. It returns nil if there is none, or if it has a flaw.
func (r Response) json(declared *spec.Declared) *mediatype.Content {
	if only := declared.Content; len(only) == 1 && only[0].Flaw == nil && only[0].MayBeJSON() {
		return &only[0]
	}
	named, _ := mediatype.Parse(r.Header.Get("Content-Type")) // is not JSON if it is malformed
	if best := declared.Of(named); best != nil && best.Flaw == nil && named.IsJSON() {
		return best
	}
	return nil
}
