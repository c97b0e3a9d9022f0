package document_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/plantstore/conformance/spec/document"
)

// TestJSONIsReadAsYAMLWouldBe compares all places. A comment, which JSON does not have, makes the
// same text a YAML document.
func TestJSONIsReadAsYAMLWouldBe(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `[1, -2.5e3, 1e400, true, false, null, "a"]`,
		"{\n  \"é\": \"ü\", \"b\": {\"c\": [ {}, [] ]},\n\t\"d/e~f\": \"\\u00e9\\n\\\"\"\n}\n",
		"[\r\n  {\"a\" : 1 ,\r\n   \"b\" : [ \"x\" ] }\r\n]",
		`{"a": "𝄞 and more", "b": 1}`,
	} {
		asJSON, err := document.Parse("x.json", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		asYAML, err := document.Parse("x.json", []byte("# no JSON\n"+text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		oneUp(asYAML)
		if diff := cmp.Diff(asYAML, asJSON, cmpopts.IgnoreUnexported(document.Node{})); diff != "" {
			t.Errorf("%s (-YAML +JSON):\n%s", text, diff)
		}
	}
}

// oneUp subtracts one from the lines of a document.
func oneUp(n *document.Node) {
	n.Line--
	for _, item := range n.Items {
		oneUp(item)
	}
	for _, m := range n.Members {
		m.Line--
		oneUp(m.Value)
	}
}

// TestFlawsOfJSON checks that they are reported as in YAML, and that YAML with a JSON beginning is
// read.
func TestFlawsOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1, "é": 2, "a": 3}`: "x.json:1:18: duplicate key \"a\"",
		`{"a": 1} {}`:              "x.json:1:",
		"{\"a\": [1, 2}":           "x.json:1:",
		"{a: 1, b: [x, y]}":        "",
		"[1, 2] # two":             "",
		strings.Repeat("[", 1002) + strings.Repeat("]", 1002): "x.json:1:1002: nests deeper than 1000 levels",
	} {
		_, err := document.Parse("x.json", []byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
}
