package main

import (
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/settings"
	"github.com/plantstore/conformance/fixtures"
)

// exampleBaseURL stands for the service where none is named: it is where the
// reference listens unless told otherwise.
const exampleBaseURL = "http://127.0.0.1:8080"

func (o *options) takeBaseURL(g given) error {
	target := o.config.Target
	target.BaseURL = g.text
	err := target.Validate()
	switch {
	case err == nil:
		o.config.Target, o.baseURL = target, g
		return nil
	case strings.Contains(g.text, "@"): // what is wrong might repeat a password
		return usagef("%s must be a URL without user name and password; give a credential with --token-file or %s", g.name, tokenVariable)
	case !strings.Contains(g.text, "://"):
		return usagef("%s is %q; it must begin with http:// or https://", g.name, g.text)
	}
	return g.refused(err, "base URL")
}

// takeHeader reads a header as curl takes it. Errors name the header and never
// its value.
func (o *options) takeHeader(g given) error {
	target := o.config.Target
	name, value, ok := strings.Cut(g.text, ":")
	if !ok {
		return usagef("%s number %d has no colon; write it as 'Name: value'", g.name, len(target.Headers)+1)
	}
	target.Headers = append(target.Headers, fixtures.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	if target.BaseURL == "" {
		target.BaseURL = exampleBaseURL // of which nothing is wrong
	}
	if err := target.Validate(); err != nil {
		return g.refused(err, "header")
	}
	o.config.Target.Headers = target.Headers
	return nil
}

func (o *options) takeResolve(g given) error {
	target := o.config.Target
	if target.BaseURL == "" {
		return usagef("%s needs --base-url: there is no host to connect to otherwise", g.name)
	}
	target.Resolve = g.text
	if err := target.Validate(); err != nil {
		return g.refused(err, "resolve")
	}
	o.config.Target = target
	return nil
}

// hideHeader hides a value that is a credential by its name or by what it is. A
// file that leaves it to a variable holds no secret. It wants settings that were
// checked: the contract names headers, too.
func (o *options) hideHeader(g given) string {
	target := o.config.Target
	target.Secret = o.config.Contract.SecretHeaders
	name, value, _ := strings.Cut(g.text, ":")
	if g.from == byFile {
		_, value, _ = strings.Cut(settings.WithoutVariables(g.written), ":")
	}
	secret := target.IsSecret(strings.TrimSpace(name)) || target.Token != "" && strings.Contains(value, target.Token)
	if !secret || strings.TrimSpace(value) == "" {
		return ""
	}
	return name + ": (hidden)"
}
