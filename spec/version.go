package spec

import (
	"net/http"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/pattern"
	"github.com/plantstore/conformance/spec/schema"
)

// IfMatch returns the parameter If-Match, unless the operation is safe. Its value is the
// version that a change is meant for.
func (op *Operation) IfMatch() (Parameter, bool) {
	return op.parameter(func(p Parameter) bool { return !op.IsSafe() && p.isHeader("If-Match") })
}

// NeedsVersion reports whether the description of 428, or a sentence about If-Match that names it, says that a request
// without If-Match is rejected.
func (op *Operation) NeedsVersion() bool {
	p, takes := op.IfMatch()
	says := func(about string) bool {
		said := ifMatch().ReplaceAllString(about, "version")
		return withoutVersion().MatchString(said) && !conditional().MatchString(said)
	}
	return takes && op.Names("428") && (slices.ContainsFunc(op.Responses(), func(r *Declared) bool { return r.Status == "428" && says(r.Description()) }) ||
		slices.ContainsFunc(endOfSentence().Split(p.Description(), -1), func(sentence string) bool {
			return strings.Contains(sentence, "428") && says(ofIt().ReplaceAllString(sentence, "version"))
		}))
}

var (
	ifMatch        = pattern.Lazy(`(?i)\b((if|when) )?((the|an?) )?if-match\b`)
	ofIt           = pattern.Lazy(`(?i)\b((if|when) )?(it|(this|the) header)\b`)
	withoutVersion = pattern.Lazy(`(?i)\bversion( (request )?header( field)?)? (is|was) (missing|absent|required|not (sent|given|present|provided))\b|\b(no|missing|lacks|without)( an?| the)? version\b`)
)

// IfNoneMatch returns the header parameter If-None-Match of a GET operation.
func (op *Operation) IfNoneMatch() (Parameter, bool) {
	return op.parameter(func(p Parameter) bool { return op.Method == http.MethodGet && p.isHeader("If-None-Match") })
}

func (p Parameter) isHeader(name string) bool {
	return p.In == "header" && strings.EqualFold(p.Name, name)
}

// TakesVersion reports whether the schema of If-Match allows that text.
func (op *Operation) TakesVersion(tag string) bool {
	p, ok := op.IfMatch()
	return ok && p.Schema.Meets(schema.Request, tag)
}

// HasETag reports whether a declared success has the header ETag.
func (op *Operation) HasETag() bool {
	return slices.ContainsFunc(op.Successes(), func(d *Declared) bool { return d.Header("ETag") != nil })
}
