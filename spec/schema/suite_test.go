package schema_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/schema"
)

// A suiteCase is a schema of the JSON Schema Test Suite with tests of values.
type suiteCase struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// TestSchemaTestSuite runs the JSON Schema Test Suite in the folder that the variable SCHEMA_TESTS
// names. OpenAPI 3.1 must pass the required tests of 2020-12, and OpenAPI 3.0 the tests of draft 4
// that use its keywords. Asserted formats must pass their optional tests.
func TestSchemaTestSuite(t *testing.T) {
	folder := os.Getenv("SCHEMA_TESTS")
	if folder == "" {
		t.Skip("SCHEMA_TESTS names no folder of the JSON Schema Test Suite")
	}
	for _, row := range []struct{ version, tests string }{
		{"3.1.0", "draft2020-12/*.json"},
		{"3.1.0", "draft2020-12/optional/format/{date,date-time,email,hostname,ipv4,ipv6,uri,uri-reference,uuid,unknown}.json"},
		{"3.0.3", "draft4/*.json"},
	} {
		files := suiteFiles(t, folder, row.tests)
		judged, left := 0, 0
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var cases []suiteCase
			if err := json.Unmarshal(data, &cases); err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				if reason := foreign(row.version, filepath.Base(file), c); reason != "" {
					left += len(c.Tests)
					continue
				}
				judged += suite(t, row.version, filepath.Base(file), c)
			}
		}
		t.Logf("OpenAPI %s, %s: %d judged, %d left out", row.version, row.tests, judged, left)
	}
}

// suiteFiles returns the files that match a pattern, in which {a,b} stands for a or b.
func suiteFiles(t *testing.T, folder, tests string) []string {
	t.Helper()
	before, rest, several := strings.Cut(tests, "{")
	names, after, _ := strings.Cut(rest, "}")
	patterns := []string{tests}
	if several {
		patterns = nil
		for name := range strings.SplitSeq(names, ",") {
			patterns = append(patterns, before+name+after)
		}
	}
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no tests: %v", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

// suite validates the values of one case and returns their number.
func suite(t *testing.T, version, file string, c suiteCase) int {
	// A reference to the root means the schema, which is a component here.
	inPlace := references.ReplaceAllString(string(c.Schema), `"$1":"#/components/schemas/T$2"`)
	text := fmt.Sprintf(`{"openapi": %q, "components": {"schemas": {"T": %s}}}`, version, inPlace)
	name := file + ": " + c.Description
	root, err := document.Parse(name, []byte(text))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	s := schema.NewSet(root).At(document.Top(root).To("components", "schemas", "T"))
	for _, test := range c.Tests {
		value, err := instance.Read(t.Context(), test.Data, instance.Limits{})
		if err != nil {
			t.Errorf("%s: %s: %v", name, test.Description, err)
			continue
		}
		faults, err := s.Faults(schema.Response, value.Value)
		if err != nil {
			t.Errorf("%s: %s: %v", name, test.Description, err)
			return 0
		}
		if (len(faults) == 0) != test.Valid {
			t.Errorf("%s: %s: %s by %s: valid is %v, faults %v", name, test.Description, test.Data, c.Schema, test.Valid, faults)
		}
	}
	return len(c.Tests)
}

var references = regexp.MustCompile(`"(\$ref|\$dynamicRef)"\s*:\s*"#((?:/[^"]*)?)"`)

// foreign says why a case cannot be put into an OpenAPI document.
func foreign(version, file string, c suiteCase) string {
	text := string(c.Schema)
	switch {
	case file == "format.json" && strings.Contains(text, `"format"`):
		return "formats are asserted here (OpenAPI 3.1.0, Data Types), by tests of their own"
	case strings.HasPrefix(c.Description, "validation of A-label"):
		return "labels that begin with xn-- are not decoded"
	case strings.HasPrefix(c.Description, "naive replacement"):
		return "references are replaced here"
	case strings.Contains(text, `"$id"`), strings.Contains(text, `"id":`), strings.Contains(text, "http://localhost:1234"):
		return "it is about identifiers"
	case strings.Contains(text, "json-schema.org/draft"):
		if version == "3.1.0" && !strings.Contains(text, `"$ref": "https://json-schema.org`) && !strings.Contains(text, `"$vocabulary"`) {
			return ""
		}
		return "it is about meta-schemas"
	}
	if version != "3.0.3" {
		return ""
	}
	if slices.Contains([]string{"additionalItems.json", "definitions.json", "dependencies.json", "format.json", "patternProperties.json", "ref.json", "refRemote.json"}, file) {
		return "OpenAPI 3.0 does not have the keyword"
	}
	for _, keyword := range []string{`"patternProperties"`, `"additionalItems"`, `"dependencies"`, `"definitions"`, `"items": [`, `"type": [`, `"null"`} {
		if strings.Contains(text, keyword) {
			return "OpenAPI 3.0 does not have the keyword"
		}
	}
	return ""
}
