package main

import (
	_ "embed"
	"fmt"

	"github.com/plantstore/conformance/spec/document"
)

// configSchema tells editors what a configuration file may hold.
//
//go:embed conformance.schema.json
var configSchema []byte

// configExamples are texts as they might stand in a configuration file, by key.
func configExamples() (map[string]string, error) {
	root, err := document.Parse("conformance.schema.json", configSchema)
	if err != nil {
		return nil, fmt.Errorf("reading the schema that is built in: %w", err)
	}
	examples := map[string]string{}
	for _, m := range root.Get("properties").Members {
		if example := m.Value.At("/examples/0"); example != nil {
			examples[m.Key] = example.Literal
		}
	}
	return examples, nil
}
