package main

import (
	"strings"

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
