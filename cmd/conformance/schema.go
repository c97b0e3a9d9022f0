package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
)

// configSchema tells editors what a configuration file may hold.
//
//go:embed conformance.schema.json
var configSchema []byte

// configExamples are texts as they might stand in a configuration file, by key.
func configExamples() (map[string]string, error) {
	var schema struct {
		Properties map[string]struct{ Examples []any }
	}
	decoder := json.NewDecoder(bytes.NewReader(configSchema))
	decoder.UseNumber() // as it is written
	if err := decoder.Decode(&schema); err != nil {
		return nil, fmt.Errorf("reading the schema that is built in: %w", err)
	}
	examples := map[string]string{}
	for key, property := range schema.Properties {
		if len(property.Examples) > 0 {
			examples[key] = fmt.Sprint(property.Examples[0])
		}
	}
	return examples, nil
}
