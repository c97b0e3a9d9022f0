package main

import (
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/reference"
)

// choose returns the one of all that has the name, the zero value for no name,
// or an error that tells which one was probably meant.
func choose(flag, name string, all []reference.Deviation) (reference.Deviation, error) {
	if name == "" {
		return reference.Deviation{}, nil
	}
	var names []cli.Flag // urfave/cli finds the nearest of those
	for _, one := range all {
		if one.Name == name {
			return one, nil
		}
		names = append(names, &cli.StringFlag{Name: one.Name})
	}
	nearest := strings.TrimPrefix(cli.SuggestFlag(names, name, true), "--")
	if nearest == "" {
		nearest = all[0].Name
	}
	return reference.Deviation{}, usageErrorf("--%s %q is unknown: the nearest is %s, and --%s names all", flag, name, nearest, listFlag)
}
