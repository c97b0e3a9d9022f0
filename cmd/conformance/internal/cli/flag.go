package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/plantstore/conformance/cmd/conformance/internal/settings"
)

// Flag is one flag of a command, with its key in the configuration file and its variable.
type Flag struct {
	Category   string // its heading in the help
	Name       string
	Value      string // the name of its value in the help; "" for a switch
	Usage      string
	Variable   string // the environment variable of the flag, if any
	Default    string // the default as a value; "" if the help shows none
	Otherwise  string // the default in words, if it is not a value
	Repeatable bool
	Config     bool                             // it names the configuration file
	InFile     bool                             // a configuration file may hold it
	Expand     bool                             // in a file, ${NAME} is replaced by an environment variable
	Reads      func(text string) string         // returns the path of the input that the flag names; nil if it names none
	Locate     func(folder, text string) string // for a flag that names a file: see settings.Key
	Hide       func(Given) string               // returns the text to show instead of a secret; "" if the text is not secret
	Complete   func() []string                  // values for shell completion
	Take       func(Given) error
}

// Value returns a flag with one value.
func Value(name, value, usage string, take func(Given) error) Flag {
	return Flag{Name: name, Value: value, Usage: usage, Variable: Variable(name), Take: take}
}

// List returns a flag that may be repeated. So it has no variable.
func List(name, value, usage string, take func(Given) error) Flag {
	return Flag{Name: name, Value: value, Usage: usage, Take: take, Repeatable: true}
}

// Switch returns a flag that is on or off.
func Switch(name, usage string, take func(Given) error) Flag {
	return Flag{Name: name, Usage: usage, Variable: Variable(name), Take: take}
}

// JSON returns the switch for JSON output. It has no variable, because that would change the output
// of several commands.
func JSON(into *bool) Flag {
	return Flag{Category: "Output", Name: "json", Usage: "print JSON", Take: OnOff(into)}
}

// DefaultsTo sets the default that the help shows.
func (f Flag) DefaultsTo(text string) Flag {
	f.Default = text
	return f
}

// Or sets the words in the help for what happens without the flag.
func (f Flag) Or(words string) Flag {
	f.Otherwise = words
	return f
}

// Path makes the flag name a file or folder to be read. In a configuration file the path is
// relative to the folder of that file.
func (f Flag) Path() Flag {
	f.Reads, f.Locate = func(text string) string { return text }, settings.Beside
	return f
}

// Completed sets the values for shell completion.
func (f Flag) Completed(values func() []string) Flag {
	f.Complete = values
	return f
}

// Explanation returns the usage of the flag, and its default.
func (f Flag) Explanation() string {
	if without := cmp.Or(f.Default, f.Otherwise); without != "" {
		return f.Usage + " (default: " + without + ")"
	}
	return f.Usage
}

// Synopsis returns how to write the flag.
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

// Key returns the flag as a key of a file.
func (f Flag) Key() settings.Key {
	return settings.Key{Name: f.Name, Repeatable: f.Repeatable, Expand: f.Expand, Locate: f.Locate}
}

// TakeAll takes all texts that were given for the flag.
func (f Flag) TakeAll(list []Given) error {
	for _, g := range list {
		if g.Fault != nil {
			return UsageError{g.Fault}
		}
		if g.Text == "" { // usually an unset variable in a script
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

// Variable returns the name of the environment variable for the flag with the name.
func Variable(name string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Flags are the flags of a command, in the order of the help.
type Flags []Flag

// In sets the heading of flags in the help.
func In(category string, list ...Flag) Flags {
	for i := range list {
		list[i].Category = category
	}
	return list
}

// Filed allows the flags in a configuration file, except for the one that names the file.
func (list Flags) Filed() Flags {
	for i := range list {
		list[i].InFile = !list[i].Config
	}
	return list
}

// Named returns the flags with these names.
func (list Flags) Named(names ...string) Flags {
	return slices.DeleteFunc(slices.Clone(list), func(f Flag) bool { return !slices.Contains(names, f.Name) })
}

// typed holds the texts of a flag on the command line, as urfave/cli passes them. The value types
// of urfave/cli would parse them as well, but their errors are plain texts without the cause.
type typed struct {
	flag  Flag
	texts []string
}

// IsBoolFlag tells urfave/cli whether the flag has no value.
func (t *typed) IsBoolFlag() bool { return t.flag.Value == "" }

// String implements the interface flag.Value.
func (t *typed) String() string { return "" }

// Get implements the interface flag.Getter.
func (t *typed) Get() any { return t.texts }

// Set adds a text. Unless the flag is repeatable, the last text overrides the others.
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
