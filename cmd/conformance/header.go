package main

import (
	"os"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/settings"
	"github.com/plantstore/conformance/fixtures"
)

// secretHeadersVariable holds headers that are credentials, one a line. As of
// the token, no flag takes them: it would show in the process list.
const secretHeadersVariable = "CONFORMANCE_SECRET_HEADERS"

// takeHeader reads a header as curl takes it. What a file leaves to a variable it
// keeps secret, whatever the header is called.
func (o *options) takeHeader(g given) error {
	if !strings.Contains(g.text, ":") {
		return usagef("%s number %d has no colon; write it as 'Name: value'", g.name, len(o.config.Target.Headers)+1)
	}
	return o.addHeader(g, settings.HasVariables(g.written))
}

// addHeader adds a header, of which the value may be secret. Errors name the header
// and never its value.
func (o *options) addHeader(g given, secret bool) error {
	target := o.config.Target
	name, value, _ := strings.Cut(g.text, ":")
	name = strings.TrimSpace(name)
	target.Headers = append(target.Headers, fixtures.Field{Name: name, Value: strings.TrimSpace(value)})
	if target.BaseURL == "" {
		target.BaseURL = exampleBaseURL // of which nothing is wrong
	}
	if err := target.Validate(); err != nil {
		return g.refused(err, "header")
	}
	if (secret || target.IsSecret(name)) && o.secretHeader.name == "" {
		o.secretHeader = g
	}
	if secret {
		target.Secret = append(slices.Clip(target.Secret), name)
	}
	o.config.Target.Headers, o.config.Target.Secret = target.Headers, target.Secret
	return nil
}

// takeSecretHeaders takes those of the environment. What they are called does not
// matter: none of their values is shown anywhere.
func (o *options) takeSecretHeaders() error {
	for _, text := range secretHeaders() {
		if !strings.Contains(text, ":") {
			return usagef("%s has a line without a colon; write each as 'Name: value'", secretHeadersVariable)
		}
		if err := o.addHeader(given{name: secretHeadersVariable, text: text}, true); err != nil {
			return err
		}
	}
	return nil
}

func secretHeaders() []string {
	var list []string
	for line := range strings.Lines(os.Getenv(secretHeadersVariable)) {
		if text := strings.TrimSpace(line); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// secretHeaderNames are what may be shown of them.
func secretHeaderNames() []string {
	names := []string{}
	for _, text := range secretHeaders() {
		name, _, _ := strings.Cut(text, ":")
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// hideHeader hides a value that is a credential by its name or by what it is. A
// file that leaves it to a variable holds no secret. It wants settings that were
// checked: the contract names headers, too.
func (o *options) hideHeader(g given) string {
	target := o.config.Target
	target.Secret = slices.Concat(secretHeaderNames(), o.config.Contract.SecretHeaders)
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
