package main

import (
	"errors"
	"io/fs"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/waivers"
)

func takeWaivers(into *[]judge.Waiver) func(given) error {
	return func(g given) error {
		list, err := waivers.LoadFile(g.text)
		if _, ok := errors.AsType[*fs.PathError](err); ok {
			return g.unreadable(err)
		}
		if err != nil {
			return usagef("%s: %w", g.name, err)
		}
		*into = list
		return nil
	}
}
