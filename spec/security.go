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

// IsCarried says whether a request can carry the credential by itself.
func (s Scheme) IsCarried() bool { return s.Kind != Other }

// Needed says whether a request without a credential is ruled out.
func (s Security) Needed() bool {
	return len(s) > 0 && !slices.ContainsFunc(s, func(a Alternative) bool { return len(a) == 0 })
}

// Carried is the alternative that this harness uses if every credential is given:
// the first that it can carry. There may be none.
func (s Security) Carried() (Alternative, bool) {
	return s.Choose(Scheme.IsCarried)
}

// Choose returns the first alternative that names schemes, all of which are
// available. A request without a credential is the last choice, if it is allowed.
// There may be none.
func (s Security) Choose(available func(Scheme) bool) (Alternative, bool) {
	for _, a := range s {
		if len(a) > 0 && a.isCarriable() && !slices.ContainsFunc(a, func(one Scheme) bool { return !available(one) }) {
			return a, true
		}
	}
	return Alternative{}, !s.Needed()
}

// isCarriable says whether one request can carry all credentials: two schemes may
// use the same field.
func (a Alternative) isCarriable() bool {
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

// Lacks returns the names of the schemes that are not available, in the first
// alternative that lacks the fewest.
func (s Security) Lacks(available func(Scheme) bool) []string {
	var fewest []string
	for _, a := range s {
		var names []string
		for _, scheme := range a {
			if !available(scheme) {
				names = append(names, scheme.Name)
			}
		}
		if fewest == nil || len(names) < len(fewest) {
			fewest = names
		}
	}
	return fewest
}

// Names returns the names of all schemes.
func (s Security) Names() []string {
	var names []string
	for _, scheme := range slices.Concat(s...) {
		if !slices.Contains(names, scheme.Name) {
			names = append(names, scheme.Name)
		}
	}
	return names
}

// Scheme returns the scheme with that name.
func (s Security) Scheme(name string) (scheme Scheme, ok bool) {
	all := slices.Concat(s...)
	i := slices.IndexFunc(all, func(scheme Scheme) bool { return scheme.Name == name })
	if i < 0 {
		return Scheme{}, false
	}
	return all[i], true
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
			if carried, _ := s.Carried(); scheme.Node != nil {
				one = newScheme(m.Key, scheme)
			} else if len(item.Members) == 1 && len(carried) == 0 {
				return m.Errorf("there is no security scheme %s", m.Key)
			}
			alternative = append(alternative, one)
		}
		s = append(s, alternative)
	}
	d.op.Security = s
	if s.Needed() {
		words := "any of the permitted credentials"
		if len(s) == 1 {
			words = credentialWords(s[0])
		}
		d.clause(d.op.ClauseIDs().Credential(), Must, list, "a request without %s must be rejected", words)
	}
	return nil
}

func credentialWords(a Alternative) string {
	switch {
	case len(a) > 1:
	case a[0].Kind == APIKey:
		return "an API key"
	case a[0].Kind != Other:
		return fmt.Sprintf("a %s credential", a[0].Kind)
	}
	return "a credential"
}

// newScheme reads a security scheme. A name that a placeholder cannot contain is
// never carried.
func newScheme(name string, at document.Place) Scheme {
	header := func(kind SchemeKind) Scheme { return Scheme{name, kind, "header", "Authorization"} }
	switch kind := at.Node.Get("type").Text(); {
	case strings.Contains(name, "}"):
	case kind == "oauth2", kind == "openIdConnect":
		return header(Bearer)
	case kind == "apiKey":
		return Scheme{name, APIKey, at.Get("in").Text(), at.Get("name").Text()}
	case kind == "http" && strings.EqualFold(at.Get("scheme").Text(), "bearer"):
		return header(Bearer)
	case kind == "http" && strings.EqualFold(at.Get("scheme").Text(), "basic"):
		return header(Basic)
	}
	return Scheme{Name: name, Kind: Other}
}

// schemes are the document's security schemes, whether or not an operation asks for
// them.
func schemes(top document.Place) ([]Scheme, error) {
	list := top.To("components", "securitySchemes")
	if list.Node == nil {
		return nil, nil
	}
	var all []Scheme
	for _, m := range list.Members {
		at, err := list.To(m.Key).Resolve()
		if err != nil {
			return nil, err
		}
		all = append(all, newScheme(m.Key, at))
	}
	return all, nil
}

// SecretHeaders are the header fields in which the document's security schemes
// carry keys, however many of them an operation asks for at once.
func (c *Contract) SecretHeaders() []string {
	var names []string
	for _, s := range c.Schemes {
		if s.Kind == APIKey && s.In == "header" && !slices.Contains(names, s.Field) {
			names = append(names, s.Field)
		}
	}
	return names
}
