package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plantstore/conformance/spec/document"
)

// SchemeKind is a way to carry a credential.
type SchemeKind string

// The kinds of credential. OAuth 2 and OpenID Connect tokens are carried as
// bearer tokens (RFC 6750 §2.1). Other stands for what this harness cannot
// carry by itself: mutual TLS, several schemes at once.
const (
	Bearer SchemeKind = "bearer"
	Basic  SchemeKind = "basic"
	APIKey SchemeKind = "apiKey"
	Other  SchemeKind = "other"
)

// Security is what an operation asks for as credentials: any one of the
// alternatives will do. Without any, no credential is asked for.
type Security []Alternative

// Alternative is a set of credentials that are sent together. An empty one
// allows a request without any.
type Alternative []Scheme

// Scheme is one way to carry a credential.
type Scheme struct {
	Name      string // in the document
	Kind      SchemeKind
	In, Field string // where it is carried: header, query or cookie, and its name there; "" for Other
}

// Needed says whether a request without a credential is ruled out.
func (s Security) Needed() bool {
	return len(s) > 0 && !slices.ContainsFunc(s, func(a Alternative) bool { return len(a) == 0 })
}

// Carried is the scheme that this harness uses: the first that suffices by
// itself and is of a kind that it can carry. There may be none.
func (s Security) Carried() (Scheme, bool) {
	for _, a := range s {
		if len(a) == 1 && a[0].Kind != Other {
			return a[0], true
		}
	}
	return Scheme{Kind: Other}, false
}

// readSecurity reads the credentials that the operation asks for. One of a scheme
// that is not declared is carried in a way that nobody knows.
func (op *Operation) readSecurity() {
	list := op.security()
	for _, item := range list.List() {
		alternative := Alternative{}
		for _, m := range item.All() {
			scheme, note := op.reader.mapping(op.reader.top.To("components", "securitySchemes", m.Key), "a security scheme")
			one := Scheme{Name: m.Key, Kind: Other}
			if scheme.Node != nil {
				one.Kind, one.In, one.Field = carrier(scheme)
			} else if note == nil {
				op.reader.notes.Add(item.KeyErrorf(m, "there is no security scheme %s", m.Key))
			}
			alternative = append(alternative, one)
		}
		op.Security = append(op.Security, alternative)
	}
	if list.Node != nil {
		made := op.reader.made
		if ids := made[list.Pointer]; !slices.Contains(ids, op.ID) {
			made[list.Pointer] = append(ids, op.ID)
		}
	}
}

// security is where the document says which credentials the operation asks for.
func (op *Operation) security() document.Place {
	if list := op.at.To("security"); list.Node != nil {
		return list
	}
	return op.reader.top.To("security")
}

// security derives the clause on the credential.
func (d *deriver) security() {
	if !d.op.Security.Needed() {
		return
	}
	carried, _ := d.op.Security.Carried()
	words := credentialWords(carried.Kind)
	if len(d.op.Security) > 1 {
		words = "any of the permitted credentials"
	}
	d.clause(d.op.ClauseIDs().Credential(), Must, d.op.security(), "a request without %s must be rejected", words)
}

func credentialWords(kind SchemeKind) string {
	switch kind {
	case Bearer, Basic:
		return fmt.Sprintf("a %s credential", kind)
	case APIKey:
		return "an API key"
	}
	return "a credential"
}

func carrier(scheme document.Place) (kind SchemeKind, in, name string) {
	switch scheme.Node.Get("type").Text() {
	case "oauth2", "openIdConnect":
		return Bearer, "header", "Authorization"
	case "apiKey":
		return APIKey, scheme.Get("in").Text(), scheme.Get("name").Text()
	case "http":
		switch strings.ToLower(scheme.Get("scheme").Text()) {
		case "bearer":
			return Bearer, "header", "Authorization"
		case "basic":
			return Basic, "header", "Authorization"
		}
	}
	return Other, "", ""
}

// secretHeaders are the header fields in which the document's security schemes
// carry keys, whether or not an operation asks for them, and however many it
// asks for at once.
func secretHeaders(r *reader) (names []string) {
	schemes, _ := r.mapping(r.top.To("components", "securitySchemes"), "securitySchemes")
	for _, m := range schemes.All() {
		scheme, _ := r.mapping(schemes.To(m.Key), "a security scheme")
		if kind, in, name := carrier(scheme); kind == APIKey && in == "header" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
