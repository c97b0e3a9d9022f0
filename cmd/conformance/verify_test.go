package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/reference"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/result"
)

// recorder is a transport that records a HAR of its traffic, as a proxy does.
type recorder struct{ entries []map[string]any }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	request.Body = io.NopCloser(bytes.NewReader(sent))
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	r.entries = append(r.entries, map[string]any{
		"request": map[string]any{
			"method": request.Method, "url": request.URL.String(), "headers": harFields(request.Header),
			"postData": map[string]any{"text": string(sent)},
		},
		"response": map[string]any{
			"status": response.StatusCode, "headers": harFields(response.Header),
			"content": map[string]any{"size": len(body), "text": string(body)},
		},
	})
	return response, nil
}

func harFields(header http.Header) []map[string]string {
	list := []map[string]string{}
	for name, values := range header {
		for _, value := range values {
			list = append(list, map[string]string{"name": name, "value": value})
		}
	}
	return list
}

// recorded returns a HAR of requests to the reference, with a deviation or without: a valid one,
// one without a name, and one for no operation.
func recorded(t *testing.T, deviation string) string {
	t.Helper()
	o := reference.Options{Tokens: []string{testToken}}
	for _, d := range reference.Deviations() {
		if d.Name == deviation {
			o.Deviation = d
		}
	}
	server := httptest.NewServer(reference.New(o))
	defer server.Close()
	r := &recorder{}
	client := http.Client{Transport: r}
	for _, send := range []struct{ method, path, body string }{
		{http.MethodPost, "/plants", `{"id":7,"name":"fern"}`},
		{http.MethodPost, "/plants", `{"id":8}`},
		{http.MethodPut, "/plants", ""},
	} {
		request, err := http.NewRequestWithContext(t.Context(), send.method, server.URL+send.path, strings.NewReader(send.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + testToken}, "Cookie": {"session=" + testCookie}}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	client.CloseIdleConnections()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	text, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": r.entries}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const testCookie = "0123456789abcdef"

func TestVerify(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "good.har", recorded(t, ""))
	write(t, "bad.har", recorded(t, "rejects-with-500"))
	write(t, "empty.har", `{"log":{"version":"1.2","entries":[]}}`)
	write(t, "waivers.yaml", "- {match: createPlant/answers, reason: known, owner: me}\n")
	for _, row := range []struct {
		what, line string
		code       int
		says       []string
	}{
		{"what keeps the contract", "good.har", exitConformant, []string{
			"good.har: 3 entries, 2 for operations of the contract, 1 for none\n", "\nfor no operation\n      1  PUT /plants\n", "\nconformant in 8 of 15 must-clauses: all 2 fixtures were judged"}},
		{"what breaks it", "bad.har", exitNonconformant, []string{
			"createPlant/traffic/entry-0002   breaks createPlant/answers (must, §4)\n", `sent      POST /plants: {"id":8}`, "got       500 ", "nonconformant: breaks 1 of 15 clauses (1 fault; 1 of 2 fixtures)"}},
		{"with waivers", "bad.har --waivers waivers.yaml", exitConformant, []string{"conformant in 3 of 15 must-clauses, with 1 waived clause: "}},
		{"nothing", "empty.har", exitInconclusive, []string{"empty.har: 0 entries", "inconclusive: nothing was judged"}},
		{"what is elsewhere", "good.har --base-url http://store.example", exitInconclusive, []string{"0 for none, 3 not below http://store.example\n"}},
		{"what is too long to be judged", "good.har --max-body 5", exitInconclusive, []string{"longer than 5 bytes"}},
		{"the verdict only", "good.har --quiet", exitConformant, []string{"conformant in 8 of 15 must-clauses: "}},
		{"every entry", "good.har --verbose", exitConformant, []string{"createPlant/traffic/entry-0001  either", "200"}},
		{"with a name", "good.har --implementation greenhouse --implementation-version 2", exitConformant, []string{"greenhouse 2 at http://127.0.0.1:"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			result := conformance(t, append([]string{"verify"}, strings.Fields(row.line)...)...)
			result.wants(t, row.code, row.says...)
			if result.err != "" {
				t.Errorf("on standard error: %s", result.err)
			}
			if strings.Contains(row.line, "--quiet") && strings.Count(result.out, "\n") != 1 {
				t.Errorf("that is more than the verdict: %s", result.out)
			}
		})
	}
}

// Piped traffic is judged like a file. No temporary file is left.
func TestVerifyStandardInput(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	result := conformanceReading(t, recorded(t, ""), "verify", "-")
	result.wants(t, exitConformant, "standard input: 3 entries, 2 for operations")
	if left := filesIn(t, os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	conformanceReading(t, "", "verify", "-").wants(t, exitUsage, "conformance: standard input is empty\n")
}

// An interrupt ends the wait for a recording.
func TestVerifyIsInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	in, never := io.Pipe()
	defer never.Close()
	go func() {
		_, _ = never.Write([]byte(`{"log"`)) // it is read by now
		cancel()
	}()
	var out, err bytes.Buffer
	code := execute(ctx, []string{"conformance", "verify", "-"}, output.Streams{In: in, Out: &out, Err: &err})
	outcome{code, out.String(), err.String()}.wants(t, exitInconclusive, "interrupted before all of the traffic was read")
	if left := filesIn(t, os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func formatNames() []string {
	v := output.NewView()
	return v.Files.FormatNames()
}

// Every report has the same form as that of a run, and none contains a secret.
func TestVerifyReports(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "bad.har", recorded(t, "rejects-with-500"))
	line := []string{"verify", "bad.har", "--verbose"}
	for _, name := range formatNames() {
		if name != "json" {
			line = append(line, "--report", name+"=report."+name)
		}
	}
	result := conformance(t, append(line, "--report", "json=-")...)
	result.wants(t, exitNonconformant)
	r := readReport(t, []byte(result.out))
	if len(r.Results) != 2 || r.Results[1].Source != "bad.har:1" || r.Counts.Failed != 1 || !strings.Contains(result.err, "for no operation") {
		t.Errorf("the report is %+v; on standard error: %s", r, result.err)
	}
	all := result.out + result.err
	for _, name := range filesIn(t, ".") {
		if name != "bad.har" {
			all += string(readFile(t, name))
		}
	}
	for _, secret := range []string{testToken, testCookie} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is there", secret)
		}
	}
	// The saved report gives the same verdict.
	write(t, "report.json", result.out)
	conformance(t, "report", "report.json").wants(t, exitNonconformant, "nonconformant: breaks ", " of 2 fixtures)")
}

// The recorded traffic of a run gets the same findings about responses as the run.
func TestVerifyOfWhatARunWrote(t *testing.T) {
	needsLong(t, "verifies a whole run")
	quicklyUnlessLong(t)
	t.Chdir(t.TempDir())
	alone := byAnswerAlone(t)
	for _, name := range []string{"error-as-text", "text-after-error", "number-for-tag", "error-quoting-bytes", "rejects-with-500"} {
		if !long && name != "error-as-text" && name != "error-quoting-bytes" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			serve(t, reference.New(reference.Options{Tokens: []string{testToken}, Deviation: deviationNamed(t, name)}).ServeHTTP)
			conformance(t, "run", "--report", "har=run.har", "--report", "json=run.json", "--skip", "createPlant/no-token/cookie-given").wants(t, exitNonconformant) // it has two exchanges
			t.Setenv("CONFORMANCE_BASE_URL", "")
			os.Unsetenv("CONFORMANCE_BASE_URL")
			conformance(t, "verify", "run.har", "--report", "json=again.json").wants(t, exitNonconformant)
			ran, verified := readReport(t, readFile(t, "run.json")), readReport(t, readFile(t, "again.json"))
			if len(ran.Results) != len(verified.Results) {
				t.Fatalf("%d results of %d exchanges", len(verified.Results), len(ran.Results))
			}
			for i, result := range verified.Results {
				if result.Status == judge.Unjudged || alone[ran.Results[i].Fixture] {
					continue // the body was cut in the HAR, or verify judges more
				}
				if got, want := brokenAnswers(result), brokenAnswers(ran.Results[i]); !slices.Equal(got, want) {
					t.Errorf("%s breaks %v, and verified %v", ran.Results[i].Fixture, want, got)
				}
			}
			if verified.Counts.Unjudged > 5 {
				t.Errorf("%d are unjudged", verified.Counts.Unjudged)
			}
		})
	}
}

// brokenAnswers returns the clauses about responses that a result violates.
func brokenAnswers(r result.Result) []string {
	var clauses []string
	for _, f := range r.Findings {
		part := strings.TrimPrefix(string(f.Clause), r.Operation+"/")
		if f.Severity == judge.Violation && part != "accepts" && !strings.HasPrefix(part, "request/") {
			clauses = append(clauses, string(f.Clause))
		}
	}
	return clauses
}

func TestVerifyListsNoMoreThanAFew(t *testing.T) {
	t.Chdir(t.TempDir())
	var entries []string
	for i := range 25 {
		entries = append(entries, fmt.Sprintf(`{"request":{"method":"GET","url":"http://store.example/%d"}}`, i))
	}
	write(t, "many.har", `{"log":{"entries":[`+strings.Join(entries, ",")+`]}}`)
	conformance(t, "verify", "many.har").wants(t, exitInconclusive, "0 for operations of the contract, 25 for none", "GET /0\n", "         and 5 more\n")
	if all := conformance(t, "verify", "many.har", "--verbose"); strings.Count(all.out, "GET /") != 25 {
		t.Errorf("not all are listed: %s", all.out)
	}
}

func TestMistakesInTraffic(t *testing.T) {
	checkMistakes(t, []mistake{
		{"no file", "verify", "", []string{"verify what? name a HAR file, or - for standard input"}},
		{"an empty name", "verify ", "", []string{"verify what? name a HAR file"}},
		{"two files", "verify a.har b.har", "", []string{`unexpected argument "b.har"; conformance verify takes one HAR file`}},
		{"a missing file", "verify missing.har" + withReport, "", []string{"the HAR file missing.har cannot be read: no such file"}},
		{"a folder", "verify none", "", []string{"the HAR file none is a folder; name a file"}},
		{"an empty file", "verify depth/b.yaml" + withReport, "", []string{"depth/b.yaml is empty"}},
		{"a file that is no JSON", "verify prose.yaml" + withReport, "", []string{"prose.yaml is not JSON: invalid character 'h'", "in line 1"}},
		{"an unknown flag", "verify x.har --only y", "", []string{"unknown flag --only"}},
		{"a flag of another command", "verify x.har --token-file y", "", []string{"unknown flag --token-file"}},
		{"a bad URL", "verify x.har --base-url store.example", "", []string{`--base-url is "store.example"; it must begin with http:// or https://`}},
		{"a URL with a password", "verify x.har --base-url http://me:hunter2@store.example", "", []string{"--base-url must be a URL without user name and password"}},
		{"a missing document", "verify x.har --spec missing", "", []string{"--spec missing cannot be read"}},
		{"a missing list of waivers", "verify x.har --waivers missing", "", []string{"--waivers missing cannot be read"}},
		{"a report that cannot be written", "verify empty --report json=/dev/null/report.json", "", []string{"--report: /dev/null/report.json cannot be written"}},
	})
}

// byAnswerAlone returns the fixtures that only require a response. In traffic it is unknown which
// fixture a request comes from.
func byAnswerAlone(t *testing.T) map[string]bool {
	t.Helper()
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	all, err := fixtures.Load(contract, fixtures.Bundled())
	if err != nil {
		t.Fatal(err)
	}
	alone := map[string]bool{}
	for _, f := range all {
		alone[f.ID] = f.OnlyAnswers
	}
	return alone
}
