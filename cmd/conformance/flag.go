package main

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/cmd/conformance/settings"
)

// flag is one flag of a command. urfave/cli finds its text on the command
// line; the environment and the configuration file are read and every text is
// made sense of here, so that a mistake is told in the same way wherever it was
// made.
type flag struct {
	category   string
	name       string
	value      string // what the help calls its value; a switch has none
	usage      string
	variable   string // the environment variable that stands in for it, if any
	fallback   string // what counts where it is not given, if the help shows that: a text that could be given, too
	otherwise  string // in words, what is done where it is not given and no text says so
	repeatable bool
	inFile     bool                             // a configuration file may hold it
	expand     bool                             // in a file, ${NAME} stands for an environment variable
	reads      bool                             // it names a file or folder that is read
	locate     func(folder, text string) string // of what names a file: see settings.Key
	hide       func(given) string               // what is shown in place of a text that must not be; "" where it may be
	take       func(given) error
}

// given is the text of a flag and the name under which the user gave it:
// --timeout, CONFORMANCE_TIMEOUT or conformance.yaml:3: timeout. Where the flag
// is not given it is zero.
type given struct {
	name, text string
	from       origin
	written    string // in a file, the text with ${NAME} as it stands there
	fault      error  // in a file, why there is no text
}

// origin is where a flag was given. What is said in the first of these counts.
type origin int

const (
	byFlag origin = iota // or by the one of --targets that it is about
	byVariable
	byFile
)

// valued is a flag with one value.
func valued(name, value, usage string, take func(given) error) flag {
	return flag{name: name, value: value, usage: usage, variable: variable(name), take: take}
}

// repeated is a flag that may be given several times, and so has no variable.
func repeated(name, value, usage string, take func(given) error) flag {
	return flag{name: name, value: value, usage: usage, take: take, repeatable: true}
}

// toggle is a flag that is on or off.
func toggle(name, usage string, take func(given) error) flag {
	return flag{name: name, usage: usage, variable: variable(name), take: take}
}

// defaultsTo says in the help what counts where the flag is not given.
func (f flag) defaultsTo(text string) flag {
	f.fallback = text
	return f
}

// or says in words what is done where the flag is not given.
func (f flag) or(words string) flag {
	f.otherwise = words
	return f
}

// path is a flag that names a file or folder to be read, which in a configuration
// file counts from that file's folder.
func (f flag) path() flag {
	f.reads, f.locate = true, settings.Beside
	return f
}

// expanded is a flag in whose text a configuration file may name an environment
// variable, to keep a secret out of the file.
func (f flag) expanded() flag {
	f.expand = true
	return f
}

// hidden is a flag of which not every text may be shown.
func (f flag) hidden(hide func(given) string) flag {
	f.hide = hide
	return f
}

func variable(name string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// given is what the user says by the flag: on the command line, or else in the
// environment, or else in the configuration file.
func (f flag) given(c *cli.Command, file settings.Settings) []given {
	if c.IsSet(f.name) {
		return f.givenByFlag(c)
	}
	if text, ok := os.LookupEnv(f.variable); ok {
		return []given{{name: f.variable, text: text, from: byVariable}}
	}
	if !f.inFile {
		return nil
	}
	return f.givenIn(file, byFile)
}

// givenIn is what a file says by the name of the flag.
func (f flag) givenIn(file settings.Settings, from origin) []given {
	var all []given
	for _, v := range file[f.name] {
		all = append(all, given{v.Place + ": " + f.name, v.Text, from, v.Written, v.Fault})
	}
	return all
}

func (f flag) givenByFlag(c *cli.Command) []given {
	name := "--" + f.name
	switch {
	case f.value == "":
		return []given{{name: name, text: strconv.FormatBool(c.Bool(f.name))}}
	case !f.repeatable:
		return []given{{name: name, text: c.String(f.name)}}
	}
	var all []given
	for _, text := range c.StringSlice(f.name) {
		all = append(all, given{name: name, text: text})
	}
	return all
}

// flags are the flags of a command, in the order of the help.
type flags []flag

// in puts flags under a heading of the help.
func in(category string, list ...flag) flags {
	for i := range list {
		list[i].category = category
	}
	return list
}

// filed are the flags with what says that a configuration file may hold them,
// all but the one that names the file.
func (list flags) filed() flags {
	for i := range list {
		list[i].inFile = !isConfigFlag(list[i])
	}
	return list
}

// parsed are the flags as urfave/cli parses them.
func (list flags) parsed() []cli.Flag {
	var out []cli.Flag
	for _, f := range list {
		switch {
		case f.value == "":
			out = append(out, &cli.BoolFlag{Name: f.name, Usage: f.usage})
		case f.repeatable:
			out = append(out, &cli.StringSliceFlag{Name: f.name, Usage: f.usage})
		default:
			out = append(out, &cli.StringFlag{Name: f.name, Usage: f.usage})
		}
	}
	return out
}

// setting is a flag and what was given for it.
type setting struct {
	flag
	given []given
}

// take hands every flag what was given for it.
func (list flags) take(c *cli.Command) error {
	_, err := list.takeSettings(c)
	return err
}

// takeSettings does the same and gives account of it.
func (list flags) takeSettings(c *cli.Command) ([]setting, error) {
	if err := checkEnvironment(); err != nil {
		return nil, err
	}
	file, err := list.configFile(c)
	if err != nil {
		return nil, err
	}
	var all []setting
	for _, f := range list {
		s := setting{f, f.given(c, file)}
		if isConfigFlag(f) {
			s.given = slices.DeleteFunc([]given{configGiven(c)}, func(g given) bool { return g == given{} })
		}
		if err := f.takeAll(s.given); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func (f flag) takeAll(list []given) error {
	for _, g := range list {
		if g.fault != nil {
			return usageError{g.fault}
		}
		if g.text == "" { // an unset variable in a script, usually
			return usagef("%s is empty; give it a value or leave it out", g.name)
		}
		if err := f.take(g); err != nil {
			return err
		}
	}
	return nil
}
