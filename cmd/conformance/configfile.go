package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/cmd/conformance/settings"
)

// configName is the configuration file that is read where none is named.
const configName = "conformance.yaml"

// configFlag names the file that holds what flags hold. It is read before any
// flag is taken.
func configFlag() flag {
	return valued("config", "FILE", "read settings from FILE, whose keys are the flags of run; flags and variables override it", func(given) error { return nil }).path().
		or(configName + " in this folder, if there is one")
}

func isConfigFlag(f flag) bool { return f.name == configFlag().name }

// configFile reads the configuration file, for a command that has the flag. The
// file is one for all commands, and may hold what is no flag of this one.
func (list flags) configFile(c *cli.Command) (settings.Settings, error) {
	if !slices.ContainsFunc(list, isConfigFlag) {
		return nil, nil
	}
	g := configGiven(c)
	switch {
	case g == given{}:
		return nil, checkNoNearMiss()
	case g.text == "":
		return nil, nil // which is told where the flags are taken
	}
	file, err := settings.LoadFile(g.text, newOptions().flags().keys(), unknownKey)
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, g.unreadable(err)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return file, nil
}

// configGiven is the configuration file that the user names, or without a name
// the one that is found in this folder. It is zero where there is none.
func configGiven(c *cli.Command) given {
	if named := configFlag().given(c, nil); len(named) > 0 {
		return named[0]
	}
	if _, err := os.Lstat(configName); errors.Is(err, fs.ErrNotExist) {
		return given{}
	}
	return given{text: configName} // be it a link that leads nowhere
}

// checkNoNearMiss refuses a file that was most likely meant to be the configuration
// file: without it the run would be another one than its author thinks.
func checkNoNearMiss() error {
	const near = "conformance.yml"
	if _, err := os.Lstat(near); err != nil {
		return nil //nolint:nilerr // there is none
	}
	return usagef("%s is not read; call it %s, or name the file with --config", near, configName)
}

// keys are the flags that a configuration file may hold.
func (list flags) keys() []settings.Key {
	var known []settings.Key
	for _, f := range list {
		if f.inFile {
			known = append(known, f.key())
		}
	}
	return known
}

// key is the flag as a key of a file.
func (f flag) key() settings.Key {
	return settings.Key{Name: f.name, Repeatable: f.repeatable, Expand: f.expand, Locate: f.locate}
}
