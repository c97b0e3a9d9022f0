package target

import (
	"os"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/fixtures"
)

// SecretHeadersVariable holds headers that are credentials, one a line. As of
// the token, no flag takes them: it would show in the process list.
const SecretHeadersVariable = "CONFORMANCE_SECRET_HEADERS"

// takeHeader reads a header as curl takes it. What a file leaves to a variable it
// keeps secret, whatever the header is called.
func (o *Options) takeHeader(g cli.Given) error {
	if !strings.Contains(g.Text, ":") {
		return cli.Usagef("%s number %d has no colon; write it as 'Name: value'", g.Name, len(o.Config.Target.Headers)+1)
	}
	return o.addHeader(g, settings.HasVariables(g.Written))
}

// addHeader adds a header, of which the value may be secret. Errors name the header
// and never its value.
func (o *Options) addHeader(g cli.Given, secret bool) error {
	target := o.Config.Target
	name, value, _ := strings.Cut(g.Text, ":")
	name = strings.TrimSpace(name)
	target.Headers = append(target.Headers, fixtures.Field{Name: name, Value: strings.TrimSpace(value)})
	if target.BaseURL == "" {
		target.BaseURL = ExampleBaseURL // of which nothing is wrong
	}
	if err := target.Validate(); err != nil {
		return g.Refused(err)
	}
	if (secret || target.IsSecret(name)) && o.secretHeader.Name == "" {
		o.secretHeader = g
	}
	if secret {
		target.Secret = append(slices.Clip(target.Secret), name)
	}
	o.Config.Target.Headers, o.Config.Target.Secret = target.Headers, target.Secret
	return nil
}

// TakeSecretHeaders takes those of the environment. What they are called does not
// matter: none of their values is shown anywhere.
func (o *Options) TakeSecretHeaders() error {
	for _, text := range secretHeaders() {
		if !strings.Contains(text, ":") {
			return cli.Usagef("%s has a line without a colon; write each as 'Name: value'", SecretHeadersVariable)
		}
		if err := o.addHeader(cli.Given{Name: SecretHeadersVariable, Text: text}, true); err != nil {
			return err
		}
	}
	return nil
}

func secretHeaders() []string {
	var list []string
	for line := range strings.Lines(os.Getenv(SecretHeadersVariable)) {
		if text := strings.TrimSpace(line); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// SecretHeaderNames are what may be shown of them.
func SecretHeaderNames() []string {
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
func (o *Options) hideHeader(g cli.Given) string {
	target := o.Config.Target
	target.Secret = slices.Concat(SecretHeaderNames(), o.Config.Contract.SecretHeaders())
	name, value, _ := strings.Cut(g.Text, ":")
	if g.From == cli.ByFile {
		_, value, _ = strings.Cut(settings.WithoutVariables(g.Written), ":")
	}
	secret := target.IsSecret(strings.TrimSpace(name)) || target.Token != "" && strings.Contains(value, target.Token)
	if !secret || strings.TrimSpace(value) == "" {
		return ""
	}
	return name + ": (hidden)"
}
