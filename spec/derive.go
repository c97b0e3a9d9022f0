package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/schema"
)

// deriver derives the clauses of one operation.
type deriver struct {
	*reader
	op      *Operation
	request []document.Place // the schemas that a JSON request body meets, for the echo
}

// derive derives the operation's clauses, when they are first asked for.
func (op *Operation) derive() {
	op.once.Do(func() {
		op.reader.deriving.Lock()
		defer op.reader.deriving.Unlock()
		op.ids = map[string]int{}
		d := deriver{reader: op.reader, op: op}
		d.general(op.at)
		d.security()
		d.parameters()
		d.requestBody()
		for _, r := range op.responses {
			d.response(r)
		}
		d.state()
		d.silences(op.at)
	})
}

// clause adds a clause to the operation and gives its id.
func (d *deriver) clause(id string, level Level, at document.Place, format string, args ...any) string {
	c := Clause{
		ID:      id,
		Level:   level,
		Section: section(at),
		Text:    fmt.Sprintf(format, args...),
		Line:    at.Line,
	}
	if file := at.File(); file != d.top.File() {
		c.File = file
	}
	d.op.add(c)
	return id
}

// section is where a clause stands for which the overlay has no better name.
func section(at document.Place) string {
	pointer := at.Origin()
	if !strings.Contains(pointer, "#") || pointer[0] == '/' {
		pointer = "#" + pointer
	}
	return fmt.Sprintf("%s (line %d)", pointer, at.Line)
}

func (d *deriver) general(at document.Place) {
	var accepted []string
	if responses := at.Get("responses"); responses != nil {
		for _, m := range responses.Members {
			if strings.HasPrefix(m.Key, "2") {
				accepted = append(accepted, m.Key)
			}
		}
	}
	with := ""
	if len(accepted) > 0 {
		with = " with " + strings.Join(accepted, " or ")
	}
	d.clause(d.op.ClauseIDs().Answers(), Must, at, "every request gets one complete HTTP response that accepts it (2xx) or rejects it (4xx)")
	d.clause(d.op.ClauseIDs().Accepts(), Must, at, "a valid request is accepted%s", with)
}

func (d *deriver) silences(at document.Place) {
	ids := d.op.ClauseIDs()
	if d.op.Security.Needed() {
		d.clause(ids.Silence(CredentialMissing), Silent, at, "which status does a request without a credential get?")
		d.clause(ids.Silence(CredentialInvalid), Silent, at, "which response does an unknown credential get?")
	}
	if !slices.ContainsFunc(d.op.responses, func(r *response) bool { return r.status == "default" }) {
		d.clause(ids.Silence(OtherStatuses), Silent, at, "which undeclared statuses are possible?")
	}
	if slices.ContainsFunc(d.op.responses, func(r *response) bool { return len(r.content) == 0 && r.bodiless == "" }) {
		d.clause(ids.Silence(undeclaredContent), Silent, at, "which body does a response have if the contract declares no content for it?")
	}
}

func (d *deriver) parameters() {
	for _, p := range d.op.Parameters {
		d.limit(d.op.ClauseIDs().Parameter(p.In, p.Name), p.at, p.In+" parameter "+p.Name, p.Required, p.Schema.Shape().DescribeText())
	}
}

// limit derives the clause on a part of a request, where there is anything
// that could break it.
func (d *deriver) limit(id string, at document.Place, name string, required bool, kind string) {
	switch {
	case required && kind == schema.Anything:
		d.clause(id, Must, at, "a request whose %s is missing must be rejected", name)
	case required:
		d.clause(id, Must, at, "a request whose %s is missing or not %s must be rejected", name, kind)
	case kind != schema.Anything:
		d.clause(id, Must, at, "a request whose %s is present and not %s must be rejected", name, kind)
	}
}

func (d *deriver) requestBody() {
	body := d.op.RequestBody
	if body == nil || body.at.Node == nil {
		return
	}
	kind := schema.Anything
	judged := body.JSON()
	if judged != nil {
		if kind = judged.Shape().Describe(); kind == schema.Anything {
			kind = "a JSON value"
		}
		d.request = judged.Shape().Includes
	}
	ids := d.op.ClauseIDs()
	d.limit(string(ids.RequestBody()), body.at, "body", body.Required, kind)
	if judged != nil {
		d.requestProperties(ids.RequestBody(), "", judged.Shape())
	}
	for _, c := range body.Content {
		if c.parsed.IsJSON() && !c.parsed.IsRange() || c.parsed.IsForm() {
			d.requestProperties(ids.RequestBody(), "", c.Schema.Shape())
		}
	}
	if len(body.Content) > 0 && !slices.ContainsFunc(body.Content, func(c Content) bool { return c.parsed.Kind == "*" }) {
		d.clause(ids.RequestMediaType(), Should, body.at.To("content"), "a request whose body is not declared as %s should be rejected", strings.Join(mediaTypes(body.Content), " or "))
	}
}

func (d *deriver) requestProperties(id ClauseID, path string, s *schema.Shape) {
	for _, p := range s.Properties {
		if p.ReadOnly {
			continue
		}
		name := strings.TrimPrefix(path+"."+p.Name, ".")
		at := id.Property(p.Name)
		d.limit(string(at), p.At, name, p.Required, p.Shape.Describe())
		d.requestProperties(at, name, p.Shape)
	}
	if s.Each != nil {
		d.requestProperties(id.Items(), path+"[]", s.Each)
	}
}
