package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/cmd/conformance/settings"
)

func newConfig(s streams) *cli.Command {
	var asJSON bool
	o := newOptions()
	list := append(o.flags(), in(outputHeading, flag{name: "json", usage: "print JSON", take: takeSwitch(&asJSON)})...)
	return &cli.Command{
		Name:      "config",
		Usage:     "print the effective settings, and the source of each",
		UsageText: "conformance config [flags of run] [--json]",
		Description: `Prints the effective settings of run. Precedence: flag, variable, file,
default. The output is itself a configuration file, with paths relative to
this folder. Secrets are hidden in comments.

It reports the same errors as run, but sends nothing and changes no file.`,
		Flags:              list.parsed(),
		CustomHelpTemplate: list.help(),
		Action: func(ctx context.Context, c *cli.Command) error {
			var e effective
			if err := interruptibly(ctx, func() error {
				all, err := list.takeSettings(c)
				if err != nil {
					return err
				}
				e, err = o.effective(all, configGiven(c))
				return err
			}); err != nil {
				return err
			}
			if asJSON {
				return s.printJSON(e)
			}
			return s.print(e.file())
		},
	}
}

// effective is what counts for a run, and where it was given.
type effective struct {
	Config        *shown             `json:"config"`        // the configuration file; null where there is none
	Credential    string             `json:"credential"`    // where it was given; empty where there is none
	SecretHeaders []string           `json:"secretHeaders"` // the names of those in the environment
	Settings      []effectiveSetting `json:"settings"`      // in the order of the help
}

type effectiveSetting struct {
	flag   flag
	Key    string  `json:"key"`
	Values []shown `json:"values"` // none where nothing was given and nothing is the default
}

// shown is a text as it may be shown.
type shown struct {
	Text     string `json:"text"`
	From     string `json:"from"`   // --timeout, CONFORMANCE_TIMEOUT, conformance.yaml:3 or default
	Hidden   bool   `json:"hidden"` // what stands here is not what counts
	flagOnly bool   // a file that holds the text would say something else
}

// effective checks the settings as a run does, and gives account of them. The
// credential on standard input is left there.
func (o *options) effective(all []setting, file given) (effective, error) {
	o.view.outputs.inputs = inputsOf(all)
	if err := o.checkAll(); err != nil {
		return effective{}, err
	}
	o.config.Target.Token = ""
	if o.tokenFile.text != stdinPath {
		var err error
		if o.config.Target.Token, err = readToken(o.tokenFile, nil); err != nil {
			return effective{}, err
		}
	}
	e := effective{Credential: o.credentialFrom(), SecretHeaders: secretHeaderNames()}
	if file.text != "" {
		e.Config = &shown{Text: file.text, From: cmp.Or(file.name, "default")}
	}
	for _, s := range all {
		if s.inFile {
			e.Settings = append(e.Settings, effectiveSetting{s.flag, s.name, s.shown()})
		}
	}
	return e, nil
}

// checkAll makes the checks of a run, or of those of several targets. A credential
// on standard input stays there, and another stands in for it.
func (o *options) checkAll() error {
	several, err := o.several()
	switch {
	case err != nil:
		return err
	case several:
		r, err := o.prepareTargets(strings.NewReader("stand-in"))
		if err != nil {
			return err
		}
		return r.prepareReports()
	}
	if _, err := o.check(); err != nil {
		return err
	}
	return o.view.outputs.check()
}

// credentialFrom says where the credential was given.
func (o *options) credentialFrom() string {
	switch {
	case readsToken(o.tokenFile):
		return "token-file"
	case o.config.Target.Token != "":
		return tokenVariable
	}
	return ""
}

// shown are the texts that count.
func (s setting) shown() []shown {
	var list []shown
	for _, g := range s.given {
		list = append(list, s.show(g))
	}
	switch {
	case len(list) > 0:
		return list
	case s.fallback != "":
		return []shown{{Text: s.fallback, From: "default"}}
	case s.value == "": // a switch
		return []shown{{Text: "false", From: "default"}}
	}
	return []shown{}
}

func (f flag) show(g given) shown {
	v := shown{Text: g.text, From: strings.TrimSuffix(g.name, ": "+f.name)}
	if f.expand && g.from == byFile {
		v.Text = g.written
	}
	v.flagOnly = f.expand && g.from != byFile && settings.HasVariables(g.text)
	if f.hide == nil {
		return v
	}
	if instead := f.hide(g); instead != "" {
		v.Text, v.Hidden = instead, true
	}
	return v
}
