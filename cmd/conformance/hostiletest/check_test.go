//go:build long

package hostiletest

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// checkStreams checks that the output contains no control sequences.
func checkStreams(t *testing.T, o outcome) {
	t.Helper()
	for name, text := range map[string]string{"standard output": o.out, "standard error": o.stderr} {
		if !utf8.ValidString(text) {
			t.Errorf("%s is no UTF-8", name)
		}
		for _, r := range text {
			if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)) {
				t.Errorf("%s holds %U", name, r)
				break
			}
		}
	}
}

// checkReports checks that every report can be parsed, and returns the JSON report.
func checkReports(t *testing.T, o outcome) result.Report {
	t.Helper()
	checkXML(t, o.files["junit"])
	return readReport(t, o.files["json"])
}

var compileSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("../../../suites/result/report.schema.json")
})

func readReport(t *testing.T, text string) result.Report {
	t.Helper()
	schema, err := compileSchema()
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("the report is no JSON: %v", err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
	var r result.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// checkXML parses the whole text: the decoder rejects characters that XML does not allow, such as
// control characters.
func checkXML(t *testing.T, text string) {
	t.Helper()
	decoder, elements := xml.NewDecoder(strings.NewReader(text)), 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the JUnit report: %v", err)
		}
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
	if elements < 3 {
		t.Errorf("the JUnit report has %d elements", elements)
	}
}

// violated returns the ids of the clauses that a report says are violated, sorted.
func violated(r result.Report) []string {
	var ids []string
	for _, result := range r.Results {
		for _, f := range result.Findings {
			if f.Severity == judge.Violation && !slices.Contains(ids, string(f.Clause)) {
				ids = append(ids, string(f.Clause))
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// checkVerdict checks the exit code, and that exactly these clauses are violated.
func checkVerdict(t *testing.T, o outcome, code int, clauses ...string) {
	t.Helper()
	r := checkReports(t, o)
	clauses = slices.Sorted(slices.Values(clauses))
	if got := violated(r); o.code != code || !slices.Equal(got, clauses) {
		t.Errorf("exit code %d, want %d; broken is %v, want %v", o.code, code, got, clauses)
	}
	verdict := []verdict.Verdict{verdict.Conformant, verdict.Nonconformant, "", verdict.Inconclusive}[code]
	if !strings.HasPrefix(lastLine(o.out), r.Headline+": ") || !strings.HasPrefix(r.Headline, string(verdict)) || r.Verdict != verdict {
		t.Errorf("the verdict is %s, and on the console %q", r.Verdict, lastLine(o.out))
	}
}

func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// checkSays checks that standard output contains each part.
func checkSays(t *testing.T, o outcome, parts ...string) {
	t.Helper()
	unbroken := strings.Join(strings.Fields(o.out), " ")
	for _, part := range parts {
		if !strings.Contains(unbroken, strings.TrimSpace(part)) {
			t.Errorf("it does not say %q", part)
		}
	}
}

// show logs the output of a failed run.
func show(t *testing.T, o outcome) {
	t.Helper()
	if t.Failed() {
		t.Logf("standard output ends:\n%s\nstandard error ends:\n%s", tail(o.out), tail(o.stderr))
	}
}

func tail(text string) string { return text[max(0, len(text)-2000):] }
