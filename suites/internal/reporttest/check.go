package reporttest

import (
	"bytes"
	"embed"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed testdata/schema
var published embed.FS

// Compile compiles a schema that somebody else published, see testdata/schema.
// What it refers to is in the same folder.
func Compile(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	name = path.Join("testdata/schema", name)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	files, err := fs.Glob(published, path.Join(path.Dir(name), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := published.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(path.Base(file), parsed); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(path.Base(name))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

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

// Colours are the sequences by which the console changes the color of its text.
var Colours = regexp.MustCompile("\x1b\\[(0|1|2|31|32|33)m") // no others are used

// A step's output is read by the CI system, standard error too. GitHub's runner
// obeys a line that begins, after white space, with ::name…:: and one that has
// ##[name…] anywhere (actions/runner, ActionCommand.cs); Azure Pipelines and
// TeamCity put a word before the bracket.
var (
	atLineStart = regexp.MustCompile(`(?m)^[\s\pZ]*::.*$`)
	InLine      = regexp.MustCompile(`##[A-Za-z]*\[.*`)
)

// commandsIn are what a CI system would obey in a step's output.
func commandsIn(output string) []string {
	output = strings.ReplaceAll(output, "\r", "\n") // ends a line for the runner, too
	return append(atLineStart.FindAllString(output, -1), InLine.FindAllString(output, -1)...)
}

func CheckNoCommands(t testing.TB, name, output string) {
	t.Helper()
	if found := commandsIn(output); len(found) > 0 {
		t.Errorf("%s gives commands: %q", name, found)
	}
}

// Element is any XML element.
type Element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []Element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (e Element) Attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e Element) All(name string) []Element {
	return slices.DeleteFunc(slices.Clone(e.Children), func(c Element) bool { return c.XMLName.Local != name })
}

func ParseXML(t testing.TB, text []byte) Element {
	t.Helper()
	var root Element
	decoder := xml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&root); err != nil {
		t.Fatal(err)
	}
	for { // what follows the root may be white space only
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if text, ok := token.(xml.CharData); err != nil || !ok || len(bytes.TrimSpace(text)) > 0 {
			t.Fatalf("after the root: %v %v", token, err)
		}
	}
}
