package reporttest

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Meets holds a written report against a published schema.
func Meets(t testing.TB, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
}

// Harmless holds when nothing in a text is for the terminal but line breaks.
func Harmless(t testing.TB, name, text string) {
	t.Helper()
	for i, c := range text {
		if c != '\n' && !unicode.IsPrint(c) {
			t.Errorf("%s: %U at byte %d", name, c, i)
		}
	}
}

// A step's output is read by the CI system, standard error too. GitHub's runner
// obeys a line that begins, after white space, with ::name…:: and one that has
// ##[name…] anywhere (actions/runner, ActionCommand.cs); Azure Pipelines and
// TeamCity put a word before the bracket.
var (
	atLineStart = regexp.MustCompile(`(?m)^[\s\pZ]*::.*$`)
	InLine      = regexp.MustCompile(`##[A-Za-z]*\[.*`)
)

// CheckNoCommands holds when a step's output has nothing that a CI system would obey.
func CheckNoCommands(t testing.TB, name, output string) {
	t.Helper()
	output = strings.ReplaceAll(output, "\r", "\n") // ends a line for the runner, too
	if found := append(atLineStart.FindAllString(output, -1), InLine.FindAllString(output, -1)...); len(found) > 0 {
		t.Errorf("%s gives commands: %q", name, found)
	}
}
