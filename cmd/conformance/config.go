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

// effective is what counts for a run, and where it was given.
type effective struct {
	Config        *shown             `json:"config"`        // the configuration file; null where there is none
	Credential    string             `json:"credential"`    // where it was given; empty where there is none
	Credentials   []string           `json:"credentials"`   // the variables that hold those of security schemes
	SecretHeaders []string           `json:"secretHeaders"` // the names of those in the environment
	Settings      []effectiveSetting `json:"settings"`      // in the order of the help
}

type effectiveSetting struct {
	flag   cli.Flag
	Key    string  `json:"key"`
	Values []shown `json:"values"` // none where nothing was given and nothing is the default
}

// shown is a text as it may be shown.
type shown struct {
	Text     string `json:"text"`
	From     string `json:"from"`   // --timeout, CONFORMANCE_TIMEOUT, conformance.yaml:3 or default
	Hidden   bool   `json:"hidden"` // the value here is not the effective one
	flagOnly bool   // a file that holds the text would say something else
}

// effective checks the settings as a run does, and gives account of them. The
// credential on standard input is left there.
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
	for _, s := range call.Settings {
		if s.InFile {
			e.Settings = append(e.Settings, effectiveSetting{s.Flag, s.Name, shownOf(s)})
		}
	}
	return e, nil
}

// checkAll makes the checks of a run. A credential on standard input stays there,
// and another stands in for it.
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

// shownOf are the effective texts of a setting.
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

// file writes the settings as a configuration file that says the same again,
// as far as it may be shown. The source of each is a comment above it.
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
	if !slices.ContainsFunc(s.Values, isShown) { // or the key would have no value
		list[0] = commentLine(list[0])
	}
	for _, v := range s.Values {
		list = append(list, v.lines("  ", "- ")...)
	}
	return list
}

// lines are the source of a value, and the value behind what comes before it.
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

// commentLine makes a text a comment of one line, even if it holds line breaks.
func commentLine(text string) string { return "# " + oneLine(text) }

// oneLine keeps a text from ending its line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}
