package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/suites/result"
)

func TestMain(m *testing.M) {
	// No variable of the caller may change the command under test.
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "CONFORMANCE_") || name == "NO_COLOR" || name == output.SummaryVariable || name == output.OutputVariable {
			_ = os.Unsetenv(name)
		}
	}
	// This saves a third of the time, in this process and in those that it starts.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 29)
	_ = os.Setenv("GOGC", "400")
	goleak.VerifyTestMain(m)
}

// long turns on all tests, as the gate does. Without it the large fleet is skipped, and samples are
// smaller.
var long = os.Getenv("LONG_TESTS") != ""

// needsLong skips a test that tries every case of something. what describes the test.
func needsLong(t *testing.T, what string) {
	t.Helper()
	if !long {
		t.Skip(what + "; LONG_TESTS=1 asks for it")
	}
}

// testToken is the token that the servers of the tests accept.
const testToken = "a-secret-token"

// outcome is how a command ended, and its output.
type outcome struct {
	code     int
	out, err string
}

// conformance runs a command line in this process.
func conformance(t *testing.T, args ...string) outcome {
	t.Helper()
	return conformanceReading(t, "", args...)
}

func conformanceReading(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := execute(t.Context(), append([]string{"conformance"}, args...), output.Streams{In: strings.NewReader(stdin), Out: &out, Err: &err})
	return outcome{code, out.String(), err.String()}
}

// wants checks the exit code, and parts of the output on either stream.
func (o outcome) wants(t *testing.T, code int, parts ...string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, want %d", o.code, code)
	}
	for _, part := range parts {
		if !strings.Contains(o.out+o.err, part) {
			t.Errorf("it does not say %q", part)
		}
	}
	if t.Failed() {
		t.Logf("standard output:\n%s\nstandard error:\n%s", o.out, o.err)
	}
}

// serve starts a server and makes it the target, with the test's token.
func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	aim(t, server.URL)
	return server
}

// aim makes a URL the target of later commands.
func aim(t *testing.T, url string) {
	t.Helper()
	t.Setenv("CONFORMANCE_BASE_URL", url)
	t.Setenv(target.TokenVariable, testToken)
}

// quickly makes later commands send each of the plainest fixtures once, for tests in which the
// number of requests does not matter.
func quickly(t *testing.T) {
	t.Helper()
	t.Setenv("CONFORMANCE_QUICK", "true")
	t.Setenv("CONFORMANCE_TRIES", "1")
}

// quicklyUnlessLong is quickly, but does nothing in long tests.
func quicklyUnlessLong(t *testing.T) {
	t.Helper()
	if !long {
		quickly(t)
	}
}

// plantStore returns the reference, which satisfies the contract.
func plantStore() http.HandlerFunc {
	return reference.New(reference.Options{Tokens: []string{testToken}}).ServeHTTP
}

// untouched fails the test when a request arrives.
func untouched(t *testing.T) http.HandlerFunc {
	t.Helper()
	return func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("something was sent: %s %s", r.Method, r.URL)
	}
}

// write writes a file below the working directory.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// readReport reads a report in JSON.
func readReport(t *testing.T, data []byte) result.Report {
	t.Helper()
	var r result.Report
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		t.Fatalf("this is no report: %v\n%s", err, data)
	}
	if decoder.More() {
		t.Fatal("something follows the report")
	}
	return r
}

func asJSON(t *testing.T, r result.Report) string {
	t.Helper()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parsed returns the root of a document in YAML or JSON.
func parsed(t *testing.T, name string, text []byte) *document.Node {
	t.Helper()
	root, err := document.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// filesIn returns the names of all files in a folder.
func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
