package main

import (
	"strings"
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

// takeResolve is for the base URL. Beside targets that count before one it has
// no use, unless it stands with that one and is passed over as well.
func (o *options) takeResolve(g given) error {
	target := o.config.Target
	switch {
	case o.list.text != "" && (target.BaseURL == "" || o.list.from < o.baseURL.from && g.from <= o.list.from):
		return usagef("%s is about one host; give each target in %s that needs it a resolve of its own", g.name, o.list.text)
	case target.BaseURL == "":
		return usagef("%s needs --base-url: there is no host to connect to otherwise", g.name)
	}
	target.Resolve = g.text
	if err := target.Validate(); err != nil {
		return g.refused(err, "resolve")
	}
	o.config.Target = target
	return nil
}
