package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/lists"
	"github.com/plantstore/conformance/spec/pattern"
)

// SchemeKind is a way to carry a credential.
type SchemeKind string

// The kinds of credential. OAuth 2 and OpenID Connect tokens are carried as bearer tokens (RFC 6750
// §2.1). Other is a credential that this harness cannot carry, such as mutual TLS.
const (
	Bearer SchemeKind = "bearer"
	Basic  SchemeKind = "basic"
	APIKey SchemeKind = "apiKey"
	Other  SchemeKind = "other"
)

// Security is a list of alternatives. A request to the operation needs one of them. If the list is
// empty, no credential is needed.
type Security []Alternative

// Alternative is a set of credentials that are sent together. The empty set means that no
// credential is needed.
type Alternative []Scheme

// Scheme is one way to carry a credential.
type Scheme struct {
	Name      string // in the document
	Kind      SchemeKind
	In, Field string // where it is carried: header, query or cookie, and its name there; "" for Other
}

// IsCarried reports whether a request can carry the credential.
func (s Scheme) IsCarried() bool { return s.Kind != Other }

// Needed reports whether every request needs a credential.
func (s Security) Needed() bool {
	return len(s) > 0 && !slices.ContainsFunc(s, func(a Alternative) bool { return len(a) == 0 })
}

// Carried returns the first alternative whose credentials a request can carry, as if all
// credentials were given. It returns false if there is none.
func (s Security) Carried() (Alternative, bool) { return s.Choose(Scheme.IsCarried) }

// Choose returns the first alternative with schemes that are all available. If there is none, it
// returns the alternative without a credential. It returns false if that is not allowed.
func (s Security) Choose(available func(Scheme) bool) (Alternative, bool) {
	for _, a := range s {
		if len(a) > 0 && a.IsCarriable() && !slices.ContainsFunc(a, func(one Scheme) bool { return !available(one) }) {
			return a, true
		}
	}
	return Alternative{}, !s.Needed()
}

// Combining returns the alternatives that require the scheme together with others, unless
// the others alone suffice.
func (s Security) Combining(name string) (list Security) {
	for _, a := range s {
		rest := lists.Filter(a, func(one Scheme) bool { return one.Name != name })
		enough := func(other Alternative) bool {
			return !slices.ContainsFunc(other, func(one Scheme) bool { return !slices.Contains(rest, one) })
		}
		if 0 < len(rest) && len(rest) < len(a) && !slices.ContainsFunc(s, enough) {
			list = append(list, a)
		}
	}
	return list
}

// Names returns the names of the schemes.
func (a Alternative) Names() []string { return Security{a}.Names() }

// IsCarriable reports whether one request can carry all credentials. It cannot if two
// schemes use the same field.
func (a Alternative) IsCarriable() bool {
	taken := map[string]bool{}
	for _, scheme := range a {
		place := scheme.In + " " + strings.ToLower(scheme.Field)
		if scheme.IsCarried() && taken[place] {
			return false
		}
		taken[place] = true
	}
	return true
}

// Lacks returns the names of the unavailable schemes of one alternative: the first with the
// fewest of them.
func (s Security) Lacks(available func(Scheme) bool) (fewest []string) {
	for _, a := range s {
		names := lists.Filter(a, func(one Scheme) bool { return !available(one) }).Names()
		if fewest == nil || len(names) < len(fewest) {
			fewest = names
		}
	}
	return fewest
}

// Names returns the names of all schemes.
func (s Security) Names() []string {
	return lists.Unique(lists.Map(slices.Concat(s...), func(one Scheme) string { return one.Name }))
}

// Scheme returns the scheme with that name.
func (s Security) Scheme(name string) (scheme Scheme, ok bool) {
	return lists.First(slices.Concat(s...), func(scheme Scheme) bool { return scheme.Name == name })
}

// readSecurity reads the credentials that the operation needs. An undeclared scheme has the kind
// Other.
func (op *Operation) readSecurity() {
	list := op.security()
	for _, item := range list.List() {
		alternative := Alternative{}
		for _, m := range item.All() {
			scheme, note := op.reader.mapping(op.reader.top.To("components", "securitySchemes", m.Key), "a security scheme")
			one := Scheme{Name: m.Key, Kind: Other}
			if scheme.Node != nil {
				one = newScheme(m.Key, scheme)
			} else if note == nil {
				op.reader.notes.Add(item.KeyErrorf(m, "there is no security scheme %s", m.Key))
			}
			alternative = append(alternative, one)
		}
		op.Security = append(op.Security, alternative)
	}
	if list.Node != nil {
		op.reader.made[list.Pointer] = append(op.reader.made[list.Pointer], op.ID)
	}
}

// TestsAuthorization reports whether fixtures vary the header Authorization, or another
// credential in a document that uses this header. Then requests must not have another
// Authorization.
func (op *Operation) TestsAuthorization() bool {
	return len(op.Security.Names()) > 0 && slices.ContainsFunc(op.reader.schemes, func(s Scheme) bool { return s.Field == "Authorization" })
}

// IsPublic reports whether the document says by an empty list that the operation needs no
// credential, and does not declare a 401 for it.
func (op *Operation) IsPublic() bool {
	list := op.security()
	return list.Node != nil && len(list.List()) == 0 && !op.Names("401")
}

// security returns the place that says which credentials the operation needs.
func (op *Operation) security() document.Place {
	if list := op.at.To("security"); list.Node != nil {
		return list
	}
	return op.reader.top.To("security")
}

func (d *deriver) security() {
	if !d.op.Security.Needed() {
		return
	}
	words := "a credential"
	switch one := d.op.Security[0]; {
	case len(d.op.Security) > 1:
		words = "any of the permitted credentials"
	case len(one) > 1:
	case one[0].Kind == APIKey:
		words = "an API key"
	case one[0].Kind != Other:
		words = fmt.Sprintf("a %s credential", one[0].Kind)
	}
	d.clause(d.op.ClauseIDs().Credential(), Must, d.op.security(), "a request without %s must be rejected", words)
}

// RefusesUnknown reports whether the description of 401 says that a credential is refused which the
// service did not issue: "The token is missing or invalid".
func (op *Operation) RefusesUnknown() bool {
	return slices.ContainsFunc(op.Responses(), func(r *Declared) bool { return r.Status == "401" && invalidCredential().MatchString(r.Description()) })
}

// invalidCredential matches a description of an error that an invalid credential causes.
var invalidCredential = pattern.Lazy(`(?i)\b(invalid|unknown|wrong|incorrect|unrecogni[sz]ed|bad)` + fewWords + aCredential + `|\b` + aCredential + fewWords + `(invalid|unknown|wrong|incorrect|not (valid|known|recogni[sz]ed|correct))\b|\b` + aCredential + `( |,)+(is|are)(( |,)+(missing|absent|malformed|expired|revoked|empty|or|not (present|sent|given)))* (invalid|unknown|wrong|incorrect)\b`)

const (
	aCredential = `(credentials?|tokens?|(api[ -]?|access )keys?|authentication|authori[sz]ation)\b`
	fewWords    = `([^\w.;]+\w+){0,3}?[^\w.;]+`
)

// newScheme reads a security scheme. A scheme with a name that a placeholder cannot contain has the
// kind Other. The case of a type does not matter: type: HTTP has one meaning.
func newScheme(name string, at document.Place) Scheme {
	header := func(kind SchemeKind) Scheme { return Scheme{name, kind, "header", "Authorization"} }
	switch kind, scheme := strings.ToLower(at.Node.Get("type").Text()), strings.ToLower(at.Get("scheme").Text()); {
	case strings.Contains(name, "}"):
	case kind == "oauth2", kind == "openidconnect", kind == "http" && scheme == "bearer":
		return header(Bearer)
	case kind == "apikey":
		return Scheme{name, APIKey, strings.ToLower(at.Get("in").Text()), at.Get("name").Text()}
	case kind == "http" && scheme == "basic":
		return header(Basic)
	}
	return Scheme{Name: name, Kind: Other}
}

// OtherSchemes returns the security schemes of the document that the operation does not use,
// and whose credentials a request can carry.
func (op *Operation) OtherSchemes() []Scheme {
	used := op.Security.Names()
	return lists.Filter(op.reader.schemes, func(s Scheme) bool { return s.IsCarried() && !slices.Contains(used, s.Name) })
}

// SecretHeaders returns the header fields that carry the API keys of the security schemes in
// the document.
func (c *Contract) SecretHeaders() []string {
	keys := lists.Filter(c.Schemes, func(s Scheme) bool { return s.Kind == APIKey && s.In == "header" })
	return lists.Unique(lists.Map(keys, func(s Scheme) string { return s.Field }))
}
