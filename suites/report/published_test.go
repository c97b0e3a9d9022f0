package report_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// published compiles a schema that somebody else published, see
// testdata/schema. What it refers to lies beside it.
func published(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	path := filepath.Join("testdata", "schema", filepath.FromSlash(name))
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(filepath.Base(file), parsed); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// checkPublished holds a written report against a published schema.
func checkPublished(t testing.TB, schema *jsonschema.Schema, text []byte) {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
}

// hostileTexts are what a report may hold anywhere, each with the reason why
// it is hard to display.
func hostileTexts() map[string]string {
	return map[string]string{
		"nothing":       "",
		"markup":        `<script>alert(1)</script><img src=x onerror="alert(1)">&lt;!--]]>`,
		"Markdown":      "| a | `b` ``` ~~~ **c** [d](https://evil.example) ![e](f) # @everyone </details> \\| \\",
		"control":       "a\x00b\x1b[31m\x07\x08\x7f\u009b31m",
		"lines":         "a\r\nb\n\n```\n# c\n\u2028d\u0085e",
		"direction":     "\u202eabc\u2066\u200b",
		"no UTF-8":      "caf\xe9\xff\xfe\xf0\x9f",
		"no characters": "\ufffe\uffff\U0010ffff",
		"commands":      "::error file=a,line=1::b ##[set-output name=c]d\n::stop-commands::e",
		"placeholders":  `{0} {{1}} %s %d %25 ${{ secrets.TOKEN }} $TOKEN`,
		"one long word": strings.Repeat("x", 1<<20),
		"long markup":   strings.Repeat("<`|é", 1<<17/5),
	}
}

// eachHostile runs a test with reports that hold one of those texts in every
// place where there may be a text, and each word that a word may be.
func eachHostile(t *testing.T, check func(t *testing.T, text string, write func(format string) []byte)) {
	t.Helper()
	for name, text := range hostileTexts() {
		t.Run(name, func(t *testing.T) {
			if len(text) > 1<<16 {
				r := filledWith(1, text, 1)
				check(t, text, func(format string) []byte { return writtenAs(t, format, r) })
				return
			}
			for number := range uint16(6) {
				r := filled(text, number)
				check(t, text, func(format string) []byte { return writtenAs(t, format, r) })
			}
		})
	}
}

// Whatever a report holds, the views that others read keep their forms.
func FuzzViews(f *testing.F) {
	schemas := map[string]*jsonschema.Schema{
		"ctrf": published(f, ctrfSchema), "har": published(f, harSchema), "sarif": published(f, sarifSchema),
	}
	for _, text := range hostileTexts() {
		if len(text) < 1<<10 {
			f.Add(text, uint16(len(text)))
		}
	}
	f.Fuzz(func(t *testing.T, text string, number uint16) {
		r := filledWith(2, text, number)
		for name, schema := range schemas {
			written := writtenAs(t, name, r)
			checkPublished(t, schema, written)
			checkNoCommands(t, name, string(written))
		}
		markdown := string(writtenAs(t, "markdown", r))
		checkMarkdown(t, markdown)
		checkNoCommands(t, "Markdown", markdown)
		runnerReads(t, string(writtenAs(t, "github", r)))
		badge := writtenAs(t, "badge", r)
		checkBadge(t, badge)
		checkNoCommands(t, "the badge", string(badge))
	})
}

func TestJSONAndJUnitOfHostileTexts(t *testing.T) {
	eachHostile(t, func(t *testing.T, _ string, write func(string) []byte) {
		validate(t, write("json"))
		parseXML(t, write("junit"))
	})
}
