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

// security reads the credentials that the operation asks for. A scheme that
// does not exist is an error only where it would be the one that is used.
func (d *deriver) security(at document.Place) error {
	list := at.To("security")
	if list.Node == nil {
		list = d.top.To("security")
	}
	if list.Node == nil || len(list.Items) == 0 {
		return nil
	}
	var s Security
	for _, item := range list.Items {
		alternative := Alternative{}
		for _, m := range item.Members {
			scheme, err := d.top.To("components", "securitySchemes", m.Key).Resolve()
			if err != nil {
				return err
			}
			one := Scheme{Name: m.Key, Kind: Other}
			if _, carried := s.Carried(); scheme.Node != nil {
				one.Kind, one.In, one.Field = carrier(scheme)
			} else if len(item.Members) == 1 && !carried {
				return m.Errorf("there is no security scheme %s", m.Key)
			}
			alternative = append(alternative, one)
		}
		s = append(s, alternative)
	}
	d.op.Security = s
	if s.Needed() {
		carried, _ := s.Carried()
		words := credentialWords(carried.Kind)
		if len(list.Items) > 1 {
			words = "any of the permitted credentials"
		}
		d.clause(d.op.ClauseIDs().Credential(), Must, list, "a request without %s must be rejected", words)
	}
	return nil
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
func secretHeaders(top document.Place) ([]string, error) {
	var names []string
	schemes := top.To("components", "securitySchemes")
	if schemes.Node == nil {
		return nil, nil
	}
	for _, m := range schemes.Members {
		scheme, err := schemes.To(m.Key).Resolve()
		if err != nil {
			return nil, err
		}
		if kind, in, name := carrier(scheme); kind == APIKey && in == "header" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}
