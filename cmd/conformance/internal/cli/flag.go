package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
)

// Flag is one flag of a command, and the key and the variable of the same name.
type Flag struct {
	Category   string // the heading of the help that it stands under
	Name       string
	Value      string // what the help calls its value; a switch has none
	Usage      string
	Variable   string // the environment variable that stands in for it, if any
	Default    string // a text that could be given as well; empty if the help shows none
	Otherwise  string // the default in words, where no text says it
	Repeatable bool
	Config     bool                             // it names the configuration file
	InFile     bool                             // a configuration file may hold it
	Expand     bool                             // in a file, ${NAME} stands for an environment variable
	Reads      func(text string) string         // the path of the input that the flag names; nil if it names none
	Locate     func(folder, text string) string // of what names a file: see settings.Key
	Hide       func(Given) string               // what is shown instead of a secret text; "" for any other text
	Complete   func() []string                  // what a shell may offer as its value
	Take       func(Given) error
}

// Value is a flag with one value.
func Value(name, value, usage string, take func(Given) error) Flag {
	return Flag{Name: name, Value: value, Usage: usage, Variable: Variable(name), Take: take}
}

// List is a flag that may be given several times, and so has no variable.
func List(name, value, usage string, take func(Given) error) Flag {
	return Flag{Name: name, Value: value, Usage: usage, Take: take, Repeatable: true}
}

// Switch is a flag that is on or off.
func Switch(name, usage string, take func(Given) error) Flag {
	return Flag{Name: name, Usage: usage, Variable: Variable(name), Take: take}
}

// JSON is the switch that asks a command for JSON. It has no variable: that
// would change the output of several commands.
func JSON(into *bool) Flag {
	return Flag{Category: "Output", Name: "json", Usage: "print JSON", Take: OnOff(into)}
}

// DefaultsTo says in the help which text is the default.
func (f Flag) DefaultsTo(text string) Flag {
	f.Default = text
	return f
}

// Or says in words what is done if the flag is not given.
func (f Flag) Or(words string) Flag {
	f.Otherwise = words
	return f
}

// Path is a flag that names a file or folder to be read. In a configuration file
// the path is relative to that file's folder.
func (f Flag) Path() Flag {
	f.Reads, f.Locate = func(text string) string { return text }, settings.Beside
	return f
}

// Completed is a flag for which a shell may offer values.
func (f Flag) Completed(values func() []string) Flag {
	f.Complete = values
	return f
}

// Explanation is what the flag does, and its default.
func (f Flag) Explanation() string {
	if without := cmp.Or(f.Default, f.Otherwise); without != "" {
		return f.Usage + " (default: " + without + ")"
	}
	return f.Usage
}

// Synopsis is how the flag is given.
func (f Flag) Synopsis() string {
	text := "--" + f.Name
	if f.Value != "" {
		text += " " + f.Value
	}
	if f.Repeatable {
		text += " (repeatable)"
	}
	if f.Variable != "" {
		text += " [$" + f.Variable + "]"
	}
	return text
}

// Key is the flag as a key of a file.
func (f Flag) Key() settings.Key {
	return settings.Key{Name: f.Name, Repeatable: f.Repeatable, Expand: f.Expand, Locate: f.Locate}
}

// TakeAll takes all that was given for the flag.
func (f Flag) TakeAll(list []Given) error {
	for _, g := range list {
		if g.Fault != nil {
			return UsageError{g.Fault}
		}
		if g.Text == "" { // an unset variable in a script, usually
			return Usagef("%s is empty; give it a value or omit it", g.Name)
		}
		if err := f.Take(g); err != nil {
			return err
		}
	}
	return nil
}

// variablePrefix begins the name of every environment variable of this program.
const variablePrefix = "CONFORMANCE_"

// Variable is the name of the variable that a flag of this name has.
func Variable(name string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Flags are the flags of a command, in the order of the help.
type Flags []Flag

// In puts flags under a heading of the help.
func In(category string, list ...Flag) Flags {
	for i := range list {
		list[i].Category = category
	}
	return list
}

// Filed are the flags that a configuration file may hold: all but the one that
// names the file.
func (list Flags) Filed() Flags {
	for i := range list {
		list[i].InFile = !list[i].Config
	}
	return list
}

// Named are the flags of these names.
func (list Flags) Named(names ...string) Flags {
	return slices.DeleteFunc(slices.Clone(list), func(f Flag) bool { return !slices.Contains(names, f.Name) })
}

// typed are the texts of a flag on the command line, as urfave/cli hands them
// over. Its own types would parse them as well, but their errors are plain texts
// without the cause.
type typed struct {
	flag  Flag
	texts []string
}

// IsBoolFlag tells urfave/cli whether the flag stands alone.
func (t *typed) IsBoolFlag() bool { return t.flag.Value == "" }

// String is part of the interface, as Get is.
func (t *typed) String() string { return "" }

// Get is part of the interface, as String is.
func (t *typed) Get() any { return t.texts }

// Set takes one text. The last counts, unless the flag is repeatable.
func (t *typed) Set(text string) error {
	if on, err := strconv.ParseBool(text); t.IsBoolFlag() && err == nil {
		text = strconv.FormatBool(on)
	}
	if !t.flag.Repeatable {
		t.texts = nil
	}
	t.texts = append(t.texts, text)
	return nil
}
