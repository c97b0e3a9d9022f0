package fleet

import (
	"cmp"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/spec/lists"
)

// Keys that are not flags: that of the list, and those of a target.
const (
	targetsKey       = "targets"
	targetNameKey    = "name"
	tokenVariableKey = "token-variable"
)

// Target is one service of the list. Its entry overrides the flags, which are for all services.
type Target struct {
	target.Options
	view   output.View
	Name   string
	place  string        // where its name is, for errors
	inputs output.Inputs // only those of its entry
}

// Keys returns the keys that the entry of a service may have.
func Keys() []settings.Key {
	o := target.New()
	own := lists.Map(o.OwnFlags(), cli.Flag.Key)
	return slices.Concat([]settings.Key{{Name: targetNameKey}}, own, []settings.Key{{Name: tokenVariableKey}})
}

// loadTargets reads the list. It reports every target that has a mistake.
func (o *Options) loadTargets(stdin io.Reader) ([]*Target, error) {
	list, err := settings.LoadList(o.List.Text, targetsKey, Keys(), cli.UnknownKey("name the variable that holds it with "+tokenVariableKey+", or a file with token-file"))
	if err != nil {
		return nil, o.List.Failed(err, cli.Misuse(err))
	}
	if slices.ContainsFunc(list, needsCommonToken) {
		if o.Config.Target.Token, err = target.ReadToken(o.TokenFile, stdin); err != nil {
			return nil, err
		}
	}
	if err := o.ReadNamed(stdin); err != nil {
		return nil, err
	}
	var all []*Target
	var faults []error
	named := map[string]string{} // place by name; in lower case, because names become file names
	for i, s := range list {
		t := &Target{Options: o.Options, view: o.View}
		err := t.takeName(s, i)
		if err == nil {
			err = t.take(s)
		}
		if other, twice := named[strings.ToLower(t.Name)]; err == nil && twice {
			err = cli.Usagef("%s: %s is %q, and so is the one of %s; give each target its own", t.place, targetNameKey, t.Name, other)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		named[strings.ToLower(t.Name)] = t.place
		all = append(all, t)
	}
	return all, errors.Join(faults...)
}

// needsCommonToken reports whether a target has neither token-file nor token-variable.
func needsCommonToken(s settings.Settings) bool {
	return s["token-file"] == nil && s[tokenVariableKey] == nil
}

// targetName matches names that are valid in file names on every system.
var targetName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// takeName sets the name of a target. It runs first, because later errors contain the name.
func (t *Target) takeName(s settings.Settings, place int) error {
	values := s[targetNameKey]
	if len(values) == 0 {
		return cli.Usagef("%s: target number %d has no %s; give it one", cmp.Or(firstPlace(s), t.List.Text), place+1, targetNameKey)
	}
	g := cli.Given{Name: values[0].Place + ": " + targetNameKey, Text: values[0].Text}
	if !targetName.MatchString(g.Text) {
		return g.MustBe("at most 100 letters (A to Z), digits, dots, hyphens and underscores, with a letter or a digit first, because it becomes a part of file names")
	}
	t.Name, t.place = g.Text, values[0].Place
	t.Config.Implementation.Name = t.Name
	return nil
}

// firstPlace returns the place of the first setting.
func firstPlace(s settings.Settings) string {
	for _, key := range Keys() {
		if values := s[key.Name]; len(values) > 0 {
			return values[0].Place
		}
	}
	return ""
}

// take takes the settings of a target as the flags of the same names do.
func (t *Target) take(s settings.Settings) error {
	if s["base-url"] == nil {
		return cli.Usagef("%s: the target %s has no base-url; give it one", t.place, t.Name)
	}
	if _, own := s["header"]; own {
		t.Config.Target.Headers = nil // the target's header fields replace the common ones
	}
	if _, own := s["credential"]; own {
		t.Credentials = nil // likewise
	}
	t.Config.Target.Resolve = "" // it applies to a single host
	var all []cli.Setting
	for _, f := range t.OwnFlags() {
		all = append(all, cli.Setting{Flag: f, Given: f.GivenIn(s, cli.ByFlag)})
		if err := f.TakeAll(all[len(all)-1].Given); err != nil {
			return err
		}
	}
	t.inputs = output.InputsOf(all)
	if err := t.takeCredential(s); err != nil {
		return err
	}
	if own := s["credential"]; own != nil {
		if slices.ContainsFunc(own, func(v settings.Value) bool { return strings.HasSuffix(v.Text, "="+output.Stdin) }) {
			return cli.Usagef("%s: credential is standard input, which cannot hold the credentials of several targets; name a file", own[0].Place)
		}
		if err := t.ReadNamed(nil); err != nil {
			return err
		}
	}
	return t.TakeTLS()
}

func (t *Target) takeCredential(s settings.Settings) error {
	file, variable := s["token-file"], s[tokenVariableKey]
	var err error
	switch {
	case needsCommonToken(s):
	case file == nil:
		t.Config.Target.Token, err = tokenIn(variable[0])
		t.Config.Target.TokenVariable = variable[0].Text
	case variable != nil:
		err = cli.Usagef("%s: token-file and %s: %s exclude each other; give one of them", file[0].Place, variable[0].Place, tokenVariableKey)
	case t.TokenFile.Text == "-":
		err = cli.Usagef("%s is standard input, which cannot hold the credentials of several targets; name a file", t.TokenFile.Name)
	default:
		t.Config.Target.Token, err = target.ReadToken(t.TokenFile, nil)
	}
	return err
}

func tokenIn(v settings.Value) (string, error) {
	name := v.Place + ": " + tokenVariableKey
	token := strings.TrimSpace(os.Getenv(v.Text))
	if token == "" {
		// The name may be the credential itself, which must not get into a log.
		return "", cli.Usagef("%s names an environment variable that is not set or is empty; the name is hidden in case it is the credential itself", name)
	}
	return token, target.CheckToken(name, token)
}

// fault returns the error for a mistake in the combined settings of a target.
func (t *Target) fault(err error) error {
	err = cli.Explained(err, "give one with "+tokenVariableKey+" or token-file in its own lines, or one for all with --token-file or "+target.TokenVariable)
	return cli.Usagef("%s: the target %s: %s", t.place, t.Name, output.Message(err))
}
