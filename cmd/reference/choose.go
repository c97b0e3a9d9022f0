package main

import (
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/plantstore/conformance/reference"
)

func chooseDeviation(name string) (reference.Deviation, error) {
	return choose(deviationFlag, name, reference.Deviations(), func(d reference.Deviation) string { return d.Name })
}

func chooseVariation(name string) (reference.Variation, error) {
	return choose(variationFlag, name, reference.Variations(), func(v reference.Variation) string { return v.Name })
}

// choose returns the one of all that has the name, the zero value for no name,
// or an error that tells which one was probably meant.
func choose[T any](flag, name string, all []T, nameOf func(T) string) (T, error) {
	var none T
	if name == "" {
		return none, nil
	}
	var names []cli.Flag // urfave/cli finds the nearest of those
	for _, one := range all {
		if nameOf(one) == name {
			return one, nil
		}
		names = append(names, &cli.StringFlag{Name: nameOf(one)})
	}
	nearest := strings.TrimPrefix(cli.SuggestFlag(names, name, true), "--")
	if nearest == "" {
		nearest = nameOf(all[0])
	}
	return none, usageErrorf("--%s %q is unknown: the nearest is %s, and --%s names all", flag, name, nearest, listFlag)
}
