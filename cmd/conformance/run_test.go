package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/suites/result"
)

// Each verdict has an exit code, and is in the last line.
func TestVerdicts(t *testing.T) {
	quickly(t)
	for _, row := range []struct {
		what    string
		handler http.HandlerFunc
		code    int
		verdict string
	}{
		{"a service that keeps the contract", plantStore(), exitConformant, "conformant in "},
		{"a service that accepts everything", acceptEverything, exitNonconformant, "nonconformant: "},
		{"a service that is not there", http.NotFound, exitNonconformant, "nonconformant: "},
		{"a service that asks for patience it was not promised", busy, exitInconclusive, "inconclusive: "},
	} {
		t.Run(row.what, func(t *testing.T) {
			serve(t, row.handler)
			result := conformance(t, "run", "--only", "createPlant/valid", "--only", "createPlant/missing-required")
			result.wants(t, row.code)
			lines := strings.Split(strings.TrimSpace(result.out), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, row.verdict) {
				t.Errorf("the last line is %q", last)
			}
			if !regexp.MustCompile(`^sending 22 [^;]*;[^;]*;[^;]* easy\s+clean-up\n$`).MatchString(result.err) {
				t.Errorf("on standard error: %s", result.err)
			}
		})
	}
}

func acceptEverything(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"name": "fern"}`)
}

func busy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Retry-After", "86400")
	w.WriteHeader(http.StatusServiceUnavailable)
}

// closedPort is an address without a listener: the system does not assign ports as low as this.
const closedPort = "127.0.0.1:1"

func TestTargetsThatCannotBeReached(t *testing.T) {
	for _, row := range []struct{ what, url, cause string }{
		{"a port that is closed", "http://" + closedPort, "nothing listens on " + closedPort},
		{"a host that is unknown", "http://store.invalid", "store.invalid"},
	} {
		t.Run(row.what, func(t *testing.T) {
			aim(t, row.url)
			result := conformance(t, "run", "--quiet", "--timeout", "5s", "--only", "createPlant/valid/plain")
			result.wants(t, exitInconclusive)
			if strings.Count(result.out, "\n") != 1 || !strings.HasPrefix(result.out, "inconclusive: ") || !strings.Contains(result.out, row.cause) {
				t.Errorf("the verdict is %q, without %q", result.out, row.cause)
			}
		})
	}
}

// Without a target the bundled reference is tested, and the verdict says so.
func TestBundledReference(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, row := range []struct{ args, headline string }{
		{"", "the bundled reference is conformant"},
		{" --only createPlant/valid/plain", "the bundled reference is conformant in 5 of 15 must-clauses"},
	} {
		result := conformance(t, strings.Fields("run --report json=report.json --report markdown=report.md --header X-Team:plants"+row.args)...)
		result.wants(t, exitConformant, "bundled reference", "http://127.0.0.1:", "\n"+row.headline+": ")
		if r := readReport(t, readFile(t, "report.json")); r.Headline != row.headline || r.Verdict != "conformant" || !r.Implementation.Bundled {
			t.Errorf("%q, %s, %+v", r.Headline, r.Verdict, r.Implementation)
		}
		if text := string(readFile(t, "report.md")); !strings.Contains(text, row.headline+": ") {
			t.Errorf("the Markdown says %s", text)
		}
	}
}

// The bundled reference cannot get another name.
func TestBundledReferenceGoesByItsOwnName(t *testing.T) {
	for _, flag := range []string{"--implementation=Acme", "--implementation-version=1", "--implementation-url=https://acme.example"} {
		result := conformance(t, "run", flag)
		name, _, _ := strings.Cut(flag, "=")
		result.wants(t, exitUsage, "conformance: "+name+" needs --base-url: the bundled reference already has a name")
		checkOneLine(t, result)
	}
}

func TestFilters(t *testing.T) {
	var sent atomic.Int64
	store := plantStore()
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent.Add(1)
		store(w, r)
	})
	for _, row := range []struct {
		args []string
		want int64
	}{
		{[]string{"--only", "createPlant/valid/plain"}, 2}, // the second time at the end of the run
		{[]string{"--only", "createPlant/valid/pl*", "--only", "createPlant/valid/tag", "--skip", "*.with-*", "--skip", "*/tag"}, 2},
		{[]string{"--only", "createPlant/valid/tag", "--only", "createPlant/valid/plain"}, 3},
		{[]string{"--only", "createPlant/missing-required/name"}, 4}, // three tries, and the control
		{[]string{"--only", "createPlant/missing-required/name", "--tries", "1"}, 2},
	} {
		sent.Store(0)
		conformance(t, append([]string{"run"}, row.args...)...).wants(t, exitConformant)
		if got := sent.Load(); got != row.want {
			t.Errorf("%v: %d requests, want %d", row.args, got, row.want)
		}
	}
}

// With --strict, a warning is a violation.
func TestStrict(t *testing.T) {
	serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"name": "another plant"}`)
	})
	conformance(t, "run", "--only", "createPlant/valid/plain").wants(t, exitConformant, "warnings")
	conformance(t, "run", "--only", "createPlant/valid/plain", "--strict").wants(t, exitNonconformant, "breaks createPlant/200/echo")
}

func TestDetail(t *testing.T) {
	serve(t, acceptEverything)
	args := []string{"run", "--only", "createPlant/valid/plain", "--only", "createPlant/missing-required"}
	quiet := conformance(t, append(args, "--quiet")...)
	quiet.wants(t, exitNonconformant)
	if strings.Count(quiet.out, "\n") != 1 || !strings.HasPrefix(quiet.out, "nonconformant: ") {
		t.Errorf("quiet is %q", quiet.out)
	}
	normal := conformance(t, args...)
	normal.wants(t, exitNonconformant, "createPlant/missing-required/", "curl ")
	verbose := conformance(t, append(args, "--verbose")...)
	verbose.wants(t, exitNonconformant, "createPlant/valid/plain")
	if len(quiet.out) >= len(normal.out) || len(normal.out) >= len(verbose.out) {
		t.Errorf("it prints %d bytes with --quiet, %d without, %d with --verbose", len(quiet.out), len(normal.out), len(verbose.out))
	}
}

// The output has one request for each fixture, and nothing is sent.
func TestDryRun(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, untouched(t))
	fixtures := len(bundledFixtures(t))
	result := conformance(t, "run", "--dry-run", "--report", "json=report.json")
	result.wants(t, exitConformant, " requests to http://127.0.0.1:", "nothing was sent", "createPlant/malformed/comment (rejected, sent 3 times)",
		`for easy clean-up; fresh ids are drawn from the seed`, "User-Agent: conformance/", "same-id (either, sent 2 times)", "--dry-run writes no report; run without it to get one\n")
	n := 0
	for line := range strings.Lines(result.out) { // one fixture has a second request, for its steps
		if strings.Contains(line, "curl ") {
			n++
		}
	}
	if n != fixtures {
		t.Errorf("%d requests for %d fixtures", n, fixtures)
	}
	for _, verdict := range []string{"conformant:", "inconclusive:", testToken} {
		if strings.Contains(result.out+result.err, verdict) {
			t.Errorf("%q is in it", verdict)
		}
	}
	if left := filesIn(t, "."); len(left) > 0 {
		t.Errorf("it wrote %v", left)
	}
	if again := conformance(t, "run", "--dry-run"); again.out != result.out {
		t.Error("a second dry run shows other requests")
	}
	if other := conformance(t, "run", "--dry-run", "--seed", "2"); other.out == result.out {
		t.Error("another seed shows the same requests")
	}
}

func TestReportFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "old.json", "the report of yesterday")
	serve(t, acceptEverything)
	ran := conformance(t, "run", "--only", "createPlant/missing-required/name", "--report", "json=old.json", "--report", "junit=new.xml",
		"--implementation", "Acme Plants", "--implementation-version", "4.2", "--implementation-url", "https://acme.example")
	ran.wants(t, exitNonconformant, "Acme Plants 4.2 at http://127.0.0.1:")
	r := readReport(t, readFile(t, "old.json"))
	if r.Verdict != "nonconformant" || !r.Run.Complete || len(r.Results) != 1 || r.Results[0].Fixture != "createPlant/missing-required/name" {
		t.Errorf("the report says %s of %d results, complete %v", r.Verdict, len(r.Results), r.Run.Complete)
	}
	if want := (result.Implementation{Name: "Acme Plants", Version: "4.2", URL: "https://acme.example"}); r.Implementation != want {
		t.Errorf("the implementation is %+v", r.Implementation)
	}
	checkJUnit(t, readFile(t, "new.xml"), 1)
	if files := filesIn(t, "."); !slices.Equal(files, []string{"new.xml", "old.json"}) {
		t.Errorf("the files are %v", files)
	}
}

func checkJUnit(t *testing.T, data []byte, failures int) {
	t.Helper()
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(data, &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Failures != failures {
		t.Errorf("%d failures in JUnit, want %d", suites.Failures, failures)
	}
}

// If a report is written to standard output, nothing else is.
func TestReportOnStandardOutput(t *testing.T) {
	serve(t, plantStore())
	result := conformance(t, "run", "--only", "createPlant/valid", "--report", "json=-")
	result.wants(t, exitConformant)
	if r := readReport(t, []byte(result.out)); r.Verdict != "conformant" {
		t.Errorf("the verdict is %s", r.Verdict)
	}
	if !strings.Contains(result.err, "\nconformant in 10 of 15 must-clauses: ") {
		t.Errorf("on standard error: %s", result.err)
	}

	result = conformance(t, "run", "--only", "createPlant/valid", "--report", "junit=-")
	result.wants(t, exitConformant)
	checkJUnit(t, []byte(result.out), 0)
}

// A report that cannot be written is an error, even if the run is conformant.
func TestReportThatIsLost(t *testing.T) {
	t.Chdir(t.TempDir())
	for code, handler := range map[int]http.HandlerFunc{exitInconclusive: plantStore(), exitNonconformant: acceptEverything} {
		if err := os.Mkdir("reports", 0o700); err != nil {
			t.Fatal(err)
		}
		serve(t, func(w http.ResponseWriter, r *http.Request) {
			if err := os.RemoveAll("reports"); err != nil {
				t.Error(err)
			}
			handler(w, r)
		})
		result := conformance(t, "run", "--only", "createPlant/missing-required/name", "--report", "json=reports/report.json")
		result.wants(t, code, "conformant", "conformance: ", "reports/report.json")
		if !regexp.MustCompile(`^sending 4 [^;]*;[^;]*;[^;]* easy\s+clean-up\nconformance: .*\n$`).MatchString(result.err) {
			t.Errorf("on standard error: %s", result.err)
		}
	}
}

// The error names the full disk and the fix.
func TestReportOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	quickly(t)
	conformance(t, "run", "--report", "json=/dev/full").wants(t, exitInconclusive, "conformance: report path /dev/full cannot be written: no space left on device; free some space, or write to another disk\n")
}

// full is a device with no space left.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// If the verdict cannot be printed, it is still the exit code, unless it is conformant.
func TestVerdictThatCannotBePrinted(t *testing.T) {
	for code, handler := range map[int]http.HandlerFunc{exitInconclusive: plantStore(), exitNonconformant: acceptEverything} {
		serve(t, handler)
		var stderr bytes.Buffer
		got := execute(t.Context(), []string{"conformance", "run", "--only", "createPlant/missing-required/name"}, output.Streams{In: nil, Out: full{}, Err: &stderr})
		outcome{got, "", stderr.String()}.wants(t, code, "conformance: writing to the console: no space left\n")
	}
	for _, line := range []string{"list fixtures", "list clauses --json", "explain createPlant/answers", "version", "run --dry-run", "help", "run --help", "completion bash"} {
		var stderr bytes.Buffer
		got := execute(t.Context(), append([]string{"conformance"}, strings.Fields(line)...), output.Streams{In: nil, Out: full{}, Err: &stderr})
		outcome{got, "", stderr.String()}.wants(t, exitInconclusive, "conformance: writing to standard output: no space left\n")
	}
}

// The same seed sends the same requests and gets the same responses.
func TestSeedReproduces(t *testing.T) {
	quicklyUnlessLong(t)
	store := plantStore()
	serve(t, func(w http.ResponseWriter, r *http.Request) { store(w, r) })
	run := func(seed string) result.Report {
		store = plantStore()                                                                                                                // without the ids of earlier runs
		result := conformance(t, "run", "--report", "json=-", "--seed", seed, "--tries", "2", "--skip", "createPlant/open/same-id-at-once") // the order of its two requests is random
		result.wants(t, exitConformant)
		return timeless(readReport(t, []byte(result.out)))
	}
	one, again, other := asJSON(t, run("7")), asJSON(t, run("7")), asJSON(t, run("8"))
	if one != again {
		t.Errorf("the same seed made another report:\n%s\n%s", one, again)
	}
	if one == other {
		t.Error("another seed made the same report")
	}
}

// timeless removes from a report what differs between runs.
func timeless(r result.Report) result.Report {
	r.Run.ID, r.Run.Started, r.Run.DurationMs = "", time.Time{}, 0
	for i := range r.Results {
		r.Results[i].Replies = nil
		exchanges := []*result.Exchange{&r.Results[i].Exchange}
		for j := range r.Results[i].Steps {
			exchanges = append(exchanges, &r.Results[i].Steps[j].Exchange)
		}
		for _, x := range exchanges {
			x.DurationMs = 0
			if x.Response != nil {
				delete(x.Response.Headers, "Date")
			}
		}
	}
	return r
}

// The base URL may have a path, with or without a slash at its end.
func TestPathPrefix(t *testing.T) {
	server := httptest.NewServer(http.StripPrefix("/v1/store", plantStore()))
	defer server.Close()
	for _, slash := range []string{"", "/"} {
		aim(t, server.URL+"/v1/store"+slash)
		conformance(t, "run", "--only", "createPlant/valid").wants(t, exitConformant)
	}
}

// If the base URL lacks the path of the contract's servers, a hint shows the path.
func TestServersOfTheContract(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "api.yaml", "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://example.com/api/{v}', variables: {v: {default: v2}}}]\npaths: {/ping: {get: {operationId: ping, responses: {'200': {description: d}}}}}\n")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v2/ping", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	defer server.Close()
	hint := "The servers of the contract have the path /api/v2; try --base-url " + server.URL + "/api/v2\n"
	for _, row := range []struct {
		path string
		code int
		hint bool
	}{{"", exitInconclusive, true}, {"/v2/", exitInconclusive, true}, {"/elsewhere/api/v2", exitInconclusive, false}, {"/api/v2/", exitConformant, false}} {
		result := conformance(t, "run", "--spec", "api.yaml", "--base-url", server.URL+row.path)
		result.wants(t, row.code)
		if strings.Contains(result.err, hint) != row.hint {
			t.Errorf("at %q: %s", row.path, result.err)
		}
	}
}

// Folders for reports are created, but only by a run that starts.
func TestReportFoldersAreMade(t *testing.T) {
	t.Chdir(t.TempDir())
	quickly(t)
	reports := []string{"--report", "json=a/b/report.json", "--report", "ndjson=a/c/run.ndjson"}
	conformance(t, append([]string{"config"}, reports...)...).wants(t, exitConformant)
	conformance(t, append([]string{"run", "--dry-run"}, reports...)...).wants(t, exitConformant)
	conformance(t, append([]string{"run", "--report", "html=/dev/null/x.html"}, reports...)...).wants(t, exitUsage, "cannot be written: not a directory")
	if left := filesIn(t, "."); len(left) > 0 {
		t.Errorf("there are %v before the run", left)
	}
	conformance(t, append([]string{"run"}, reports...)...).wants(t, exitConformant)
	readReport(t, readFile(t, "a/b/report.json"))
	readFile(t, "a/c/run.ndjson")
}

// The error for a filter that matches nothing names similar ids.
func TestFiltersNameTheNearest(t *testing.T) {
	conformance(t, "run", "--only", "createPlant/vaild/plain").wants(t, exitUsage,
		`--only "createPlant/vaild/plain" matches no fixture; the nearest ids are createPlant/valid/plain, `)
	conformance(t, "list", "fixtures", "--skip", "name-empty*").wants(t, exitUsage, "createPlant/boundary/name-empty")
	for _, misspelled := range []string{"wrong-typ", "wrong-typ/*", "createPlant/wrong-typ/*", "creatPlant/wrongtype", "wrong-typ/…"} {
		conformance(t, "run", "--only", misspelled).wants(t, exitUsage, "the nearest ids are createPlant/wrong-type/*, ")
	}
}
