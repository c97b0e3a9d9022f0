package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/settings"
)

// What a list of targets says beside flags: the key that the list is under, and
// those keys of a target that are no flags.
const (
	targetsKey       = "targets"
	targetNameKey    = "name"
	tokenVariableKey = "token-variable"
)

// target is one of the services that are listed: what the flags say for all,
// and what its own lines say instead.
type target struct {
	options
	name   string
	place  string // where it is named
	inputs inputs // its own
}

// ownFlags are the names of the flags that a target may say for itself.
func ownFlags() []string {
	return []string{
		"base-url", "resolve", "token-file", "header", "waivers",
		"ca-cert", "client-cert", "client-key", "insecure-skip-verify",
		"implementation-version", "implementation-url",
	}
}

// own are those of the flags that a target may say for itself.
func (list flags) own() flags {
	return slices.DeleteFunc(slices.Clone(list), func(f flag) bool { return !slices.Contains(ownFlags(), f.name) })
}

func targetKeys() []settings.Key {
	known := []settings.Key{{Name: targetNameKey}}
	for _, f := range newOptions().flags().own() {
		known = append(known, f.key())
	}
	return append(known, settings.Key{Name: tokenVariableKey})
}

// loadTargets reads the list. Every target with a mistake in it is told.
func (o *options) loadTargets(stdin io.Reader) ([]*target, error) {
	list, err := settings.LoadList(o.list.text, targetsKey, targetKeys(), unknownKey)
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, o.list.unreadable(err)
	}
	if err != nil {
		return nil, usageError{err}
	}
	if slices.ContainsFunc(list, needsCommonToken) {
		if o.config.Target.Token, err = readToken(o.tokenFile, stdin); err != nil {
			return nil, err
		}
	}
	var all []*target
	var faults []error
	named := map[string]string{} // in lower case, for they become names of files: where
	for i, s := range list {
		t := &target{options: *o}
		err := t.takeName(s, i)
		if err == nil {
			err = t.take(s)
		}
		if other, twice := named[strings.ToLower(t.name)]; err == nil && twice {
			err = usagef("%s: %s is %q, and so is the one of %s; give each target its own", t.place, targetNameKey, t.name, other)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		named[strings.ToLower(t.name)] = t.place
		all = append(all, t)
	}
	return all, errors.Join(faults...)
}

// needsCommonToken says whether a target has no credential of its own.
func needsCommonToken(s settings.Settings) bool {
	return s["token-file"] == nil && s[tokenVariableKey] == nil
}

// targetName is what can be a part of a file's name anywhere.
var targetName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// takeName comes first, for the name tells which target a mistake is in.
func (t *target) takeName(s settings.Settings, place int) error {
	values := s[targetNameKey]
	if len(values) == 0 {
		return usagef("%s: target number %d has no %s; give it one", cmp.Or(firstPlace(s), t.list.text), place+1, targetNameKey)
	}
	g := given{name: values[0].Place + ": " + targetNameKey, text: values[0].Text}
	if !targetName.MatchString(g.text) {
		return g.mustBe("at most 100 letters (A to Z), digits, dots, hyphens and underscores, with a letter or a digit first, for it becomes a part of file names")
	}
	t.name, t.place = g.text, values[0].Place
	t.config.Implementation.Name = t.name
	return nil
}

// firstPlace is where any of the settings stands.
func firstPlace(s settings.Settings) string {
	for _, key := range targetKeys() {
		if values := s[key.Name]; len(values) > 0 {
			return values[0].Place
		}
	}
	return ""
}

// take makes sense of a target's own settings as the flags of their names do.
func (t *target) take(s settings.Settings) error {
	if s["base-url"] == nil {
		return usagef("%s: the target %s has no base-url; give it one", t.place, t.name)
	}
	if _, own := s["header"]; own {
		t.config.Target.Headers = nil // its own come in their place, not behind them
	}
	t.config.Target.Resolve = "" // which is for one host
	var all []setting
	for _, f := range t.flags().own() {
		all = append(all, setting{f, f.givenIn(s, byFlag)})
		if err := f.takeAll(all[len(all)-1].given); err != nil {
			return err
		}
	}
	t.inputs = inputsOf(all)
	if err := t.takeCredential(s); err != nil {
		return err
	}
	return t.takeTLS()
}

func (t *target) takeCredential(s settings.Settings) error {
	file, variable := s["token-file"], s[tokenVariableKey]
	var err error
	switch {
	case needsCommonToken(s):
	case file == nil:
		t.config.Target.Token, err = tokenIn(variable[0])
		t.config.Target.TokenVariable = variable[0].Text
	case variable != nil:
		err = usagef("%s: token-file and %s: %s exclude each other; give one of them", file[0].Place, variable[0].Place, tokenVariableKey)
	case t.tokenFile.text == "-":
		err = usagef("%s is standard input, which has no room for the credentials of several targets; name a file", t.tokenFile.name)
	default:
		t.config.Target.Token, err = readToken(t.tokenFile, nil)
	}
	return err
}

// tokenIn reads a credential from the environment.
func tokenIn(v settings.Value) (string, error) {
	name := v.Place + ": " + tokenVariableKey
	token := strings.TrimSpace(os.Getenv(v.Text))
	if token == "" {
		// Who writes the credential itself there must not find it in a log.
		return "", usagef("%s names no environment variable that is set, or an empty one; what was given is not shown, lest it be the credential itself", name)
	}
	return token, checkToken(name, token)
}

// fault is a mistake that shows in all of a target's settings together. The engine,
// which knows of no list, says only what gives all targets their credential.
func (t *target) fault(err error) error {
	const common = "--token-file or " + tokenVariable
	text := strings.Replace(message(err), common, tokenVariableKey+" or token-file in its own lines, or one for all with "+common, 1)
	return usageError{fmt.Errorf("%s: the target %s: %s", t.place, t.name, text)}
}
