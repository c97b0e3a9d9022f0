package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/spec/lists"
)

func newConfig(s output.Streams) *cli.Command {
	var asJSON bool
	o := newRunOptions()
	return &cli.Command{
		Name:     "config",
		Usage:    "print the effective settings, and the source of each",
		Synopsis: "[flags of run] [--json]",
		Description: `Prints the effective settings of run. Precedence: flag, variable, file,
default. The output is itself a configuration file, with paths relative to
this folder. Secrets are hidden in comments.

It reports the same errors as run, but sends nothing and changes no file.`,
		Flags: append(o.flags(), cli.JSON(&asJSON)),
		Run: func(ctx context.Context, call *cli.Call) error {
			e, err := cli.Interruptibly(ctx, func() (effective, error) { return o.effective(call) })
			if err != nil {
				return err
			}
			if asJSON {
				return s.PrintJSON(e)
			}
			return s.Print(e.file())
		},
	}
}

// effective holds the effective settings of a run, and the source of each.
type effective struct {
	Config        *shown             `json:"config"`        // the configuration file; null without one
	Credential    string             `json:"credential"`    // its source; empty without a credential
	Credentials   []string           `json:"credentials"`   // variables with the credentials of security schemes
	SecretHeaders []string           `json:"secretHeaders"` // names of the secret header fields in the environment
	Settings      []effectiveSetting `json:"settings"`      // in the order of the help
}

type effectiveSetting struct {
	flag   cli.Flag
	Key    string  `json:"key"`
	Values []shown `json:"values"` // empty if the setting has no value and no default
}

// shown is a value in the output of config, where secrets are hidden.
type shown struct {
	Text     string `json:"text"`
	From     string `json:"from"`   // --timeout, CONFORMANCE_TIMEOUT, conformance.yaml:3 or default
	Hidden   bool   `json:"hidden"` // Text is not the effective value
	flagOnly bool   // in a configuration file, Text would be expanded to another value
}

// effective checks the settings as a run does, and returns them with their sources. It does not
// read a credential from standard input.
func (o *runOptions) effective(call *cli.Call) (effective, error) {
	o.View.Files.Inputs = output.InputsOf(call.Settings)
	if err := o.checkAll(); err != nil {
		return effective{}, err
	}
	o.Config.Target.Token = ""
	if o.TokenFile.Text != output.Stdin {
		var err error
		if o.Config.Target.Token, err = target.ReadToken(o.TokenFile, nil); err != nil {
			return effective{}, err
		}
	}
	e := effective{Credential: o.CredentialFrom(), Credentials: target.CredentialVariables(), SecretHeaders: target.SecretHeaderNames()}
	if file := call.Config; file.Text != "" {
		e.Config = &shown{Text: file.Text, From: cmp.Or(file.Name, "default")}
	}
	inFile := lists.Filter(call.Settings, func(s cli.Setting) bool { return s.InFile })
	e.Settings = lists.Map(inFile, func(s cli.Setting) effectiveSetting { return effectiveSetting{s.Flag, s.Name, shownOf(s)} })
	return e, nil
}

// checkAll makes the checks of a run. It uses a placeholder for a credential on standard input,
// which it does not read.
func (o *runOptions) checkAll() error {
	several, err := o.Several()
	switch {
	case err != nil:
		return err
	case several:
		_, err := o.prepareAll(strings.NewReader("stand-in"))
		return err
	}
	if _, err := o.check(); err != nil {
		return err
	}
	if err := o.ReadNamed(strings.NewReader("stand-in")); err != nil {
		return err
	}
	return o.View.Files.Check()
}

func shownOf(s cli.Setting) []shown {
	list := lists.Map(s.Given, func(g cli.Given) shown { return show(s.Flag, g) })
	switch {
	case len(list) > 0:
		return list
	case s.Default != "":
		return []shown{{Text: s.Default, From: "default"}}
	case s.Value == "": // a switch
		return []shown{{Text: "false", From: "default"}}
	}
	return []shown{}
}

func show(f cli.Flag, g cli.Given) shown {
	v := shown{Text: g.Text, From: strings.TrimSuffix(g.Name, ": "+f.Name)}
	if f.Expand && g.From == cli.ByFile {
		v.Text = g.Written
	}
	v.flagOnly = f.Expand && g.From != cli.ByFile && settings.HasVariables(g.Text)
	if f.Hide == nil {
		return v
	}
	if instead := f.Hide(g); instead != "" {
		v.Text, v.Hidden = instead, true
	}
	return v
}

// file returns a configuration file with the same settings, except for those that are hidden. A
// comment above each setting names its source.
func (e effective) file() string {
	config, credential := "none", "none"
	if e.Config != nil {
		config = e.Config.Text + " (" + e.Config.From + ")"
	}
	if e.Credential != "" {
		credential = e.Credential + " (hidden)"
	}
	lines := []string{
		commentLine("Effective settings of `conformance run` in this folder, each below its source."),
		commentLine("config: " + config),
		commentLine("credential: " + credential),
	}
	if len(e.Credentials) > 0 {
		lines = append(lines, commentLine(strings.Join(e.Credentials, ", ")+": (hidden)"))
	}
	if len(e.SecretHeaders) > 0 {
		lines = append(lines, commentLine(target.SecretHeadersVariable+": "+strings.Join(e.SecretHeaders, ", ")+" (hidden)"))
	}
	category := ""
	for _, s := range e.Settings {
		if s.flag.Category != category {
			category = s.flag.Category
			lines = append(lines, "", commentLine(category))
		}
		lines = append(lines, s.lines()...)
	}
	return strings.Join(lines, "\n") + "\n"
}

func (s effectiveSetting) lines() []string {
	switch {
	case len(s.Values) == 0 && s.flag.Otherwise != "":
		return []string{commentLine(s.Key + ": not set (" + s.flag.Otherwise + ")")}
	case len(s.Values) == 0:
		return []string{commentLine(s.Key + ": not set")}
	case !s.flag.Repeatable:
		return s.Values[0].lines("", s.Key+": ")
	}
	isShown := func(v shown) bool { return !v.inert() }
	list := []string{s.Key + ":"}
	if !slices.ContainsFunc(s.Values, isShown) { // otherwise the key would have no value
		list[0] = commentLine(list[0])
	}
	for _, v := range s.Values {
		list = append(list, v.lines("  ", "- ")...)
	}
	return list
}

// lines returns a comment with the source of the value, and a line with the text before and the
// value.
func (v shown) lines(indent, before string) []string {
	text := v.Text
	if !v.Hidden {
		text = settings.Quote(text)
	}
	text = oneLine(indent + before + text)
	if v.inert() {
		text = commentLine(text)
	}
	return []string{indent + commentLine(v.From), text}
}

func (v shown) inert() bool { return v.Hidden || v.flagOnly }

// commentLine returns a text as a comment of one line, even if it contains line breaks.
func commentLine(text string) string { return "# " + oneLine(text) }

// oneLine replaces characters that are not printable, such as line breaks.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}
