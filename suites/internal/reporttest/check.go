package reporttest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
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

// Golden compares with a file in testdata. UPDATE_GOLDEN=1 go test writes the
// files anew: read what changed before you commit it.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s:\n%s", path, got)
	}
}

// Written is what write makes of content.
func Written[T any](t testing.TB, write func(io.Writer, T) error, content T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, content); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ErrFull is what a writer to a full disk says.
var ErrFull = errors.New("no space left")

// Full is a writer to a full disk.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, ErrFull }
