package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"
)

// flag is one flag of a command. urfave/cli finds its text on the command
// line; the environment is read and every text is made sense of here, so that
// a mistake is told in the same way wherever it was made.
type flag struct {
	category   string
	name       string
	value      string // what the help calls its value; a switch has none
	usage      string
	variable   string // the environment variable that stands in for it, if any
	repeatable bool
	take       func(given) error
}

// given is the text of a flag and the name under which the user gave it:
// --timeout or CONFORMANCE_TIMEOUT. Where the flag is not given it is zero.
type given struct{ name, text string }

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

func variable(name string) string {
	return "CONFORMANCE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// given is what the user says by the flag: on the command line, or else in the
// environment.
func (f flag) given(c *cli.Command) []given {
	if !c.IsSet(f.name) {
		if text, ok := os.LookupEnv(f.variable); ok {
			return []given{{f.variable, text}}
		}
		return nil
	}
	name := "--" + f.name
	switch {
	case f.value == "":
		return []given{{name, strconv.FormatBool(c.Bool(f.name))}}
	case f.repeatable:
		var all []given
		for _, text := range c.StringSlice(f.name) {
			all = append(all, given{name, text})
		}
		return all
	}
	return []given{{name, c.String(f.name)}}
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

// take hands every flag what was given for it.
func (list flags) take(c *cli.Command) error {
	for _, f := range list {
		for _, g := range f.given(c) {
			if g.text == "" { // an unset variable in a script, usually
				return usagef("%s is empty; give it a value or leave it out", g.name)
			}
			if err := f.take(g); err != nil {
				return err
			}
		}
	}
	return nil
}
