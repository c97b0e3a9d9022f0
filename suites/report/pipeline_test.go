package report_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	replaycurl "github.com/plantstore/conformance/suites/replay/curl"
	"github.com/plantstore/conformance/suites/report"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

const token = "a-token-that-nobody-may-see"

// run sends fixtures to a service and returns the report.
func run(t *testing.T, contract *spec.Contract, list []fixtures.Fixture, service http.HandlerFunc) result.Report {
	t.Helper()
	server := httptest.NewServer(service)
	defer server.Close()
	target := replay.Target{BaseURL: server.URL, Token: token}
	limits := replay.DefaultLimits()
	limits.Timeout = 2 * time.Second
	client, err := replay.NewClient(target, limits)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	recording := result.Recording{Clauses: verdict.Clauses(contract.Clauses(), contract.File)}
	for i, f := range list {
		if i%24 > 0 && f.ID != "createPlant/valid/plain" {
			continue // a sample contains every kind
		}
		var x replay.Exchange
		client.All(t.Context(), replay.OneBatch(f.Message(7, 0)), func(_, _ int, answered replay.Exchange) { x = answered })
		judged := judge.Exchange(t.Context(), contract, f, x, judge.Options{})
		recording.Results = append(recording.Results, result.NewResult(judged, i, replaycurl.Command(target, f.Message(7, 0))))
	}
	recording.Head = result.Head{Contract: result.Contract{Title: contract.Title}, Run: result.Run{Started: time.Now(), Complete: true, Fixtures: len(recording.Results)}}
	return result.Conclude(recording)
}

func answer(status int, mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// Responses of real services, from the network to each format. None of the services conforms to
// the contract.
func TestReportsOfRealRuns(t *testing.T) {
	contract := reporttest.PlantStore(t)
	list, err := fixtures.Load(contract, fixtures.Bundled())
	if err != nil {
		t.Fatal(err)
	}
	schema := reporttest.CompileFile("../result/report.schema.json")(t)
	for name, service := range map[string]http.HandlerFunc{
		"accepts everything": answer(200, "application/json", `{"name":"monstera"}`),
		"rejects everything": answer(400, "application/problem+json", `{"status":400,"title":"Bad Request","error":"Bad Request"}`),
		"is not there":       answer(404, "text/html", "<html>\r\n<body>404</body></html>"),
		"fails":              answer(500, "text/plain", "panic: \x1b[31mnil\x00"),
		"answers bytes":      answer(200, "application/json", "{\"name\":\"\xff\xfe\"}"),
		"answers at length":  answer(400, "application/json", `{"error":400,"message":"`+strings.Repeat("é", 20_000)+`"} and more`),
		"hangs up":           func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"repeats secrets": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Echo", r.Header.Get("Authorization"))
			answer(400, "text/plain", r.Header.Get("Authorization")+" "+r.URL.RawQuery)(w, r)
		},
	} {
		if os.Getenv("LONG_TESTS") == "" && name != "fails" && name != "answers bytes" && name != "repeats secrets" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := run(t, contract, list, service)
			reporttest.Meets(t, schema, reporttest.Written(t, result.WriteJSON, r))
			page := string(reporttest.Written(t, console.Printer{Detail: console.Verbose}.Write, r))
			others := ""
			for _, format := range report.Formats() {
				others += string(reporttest.Written(t, format.Write, r))
			}
			reporttest.Harmless(t, "the page", page)
			if r.Verdict != verdict.Nonconformant {
				t.Errorf("verdict is %s: %s", r.Verdict, r.Reason)
			}
			if strings.Contains(page+others, token) {
				t.Error("the token is in a report")
			}
			causes := strings.Count(string(reporttest.Written(t, console.Printer{Detail: console.Normal}.Write, r)), "   breaks ")
			if causes < 1 || causes > 12 {
				t.Errorf("%d failures for one fault:\n%s", causes, page)
			}
		})
	}
}
