package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// logOf sends one request and returns the access log's record of it.
func logOf(t *testing.T, method, path, body string, header http.Header) (record map[string]any, text string) {
	t.Helper()
	var log bytes.Buffer
	server := startServer(t, Options{Tokens: []string{testToken}, Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	server.send(t, method, path, body, header)
	server.stop() // waits for the handler, which logs after it has answered
	if err := json.Unmarshal(log.Bytes(), &record); err != nil {
		t.Fatalf("the log is not one record: %s (%v)", &log, err)
	}
	return record, log.String()
}

func TestAccessLogHasOneRecordARequest(t *testing.T) {
	for _, test := range []struct {
		method, path, body string
		status             float64
		rejected           any
	}{
		{"POST", "/plants", `{"name":"fern","id":7}`, 200, nil},
		{"POST", "/plants", `{"name":"fern"}`, 400, "id"},
		{"POST", "/plants", `{"name":`, 400, "body"},
		{"GET", "/plants", ``, 405, "method"},
		{"POST", "/trees", ``, 404, "path"},
	} {
		t.Run(fmt.Sprint(test.method, test.path, test.rejected), func(t *testing.T) {
			record, text := logOf(t, test.method, test.path, test.body, plantHeader(testToken))
			for key, want := range map[string]any{
				"msg": "request", "method": test.method, "path": test.path, "status": test.status, "rejected": test.rejected,
			} {
				if record[key] != want {
					t.Errorf("%s is %v, want %v: %s", key, record[key], want, text)
				}
			}
			if ms, ok := record["ms"].(float64); !ok || ms < 0 {
				t.Errorf("no duration: %s", text)
			}
			if remote, ok := record["remote"].(string); !ok || !strings.HasPrefix(remote, "127.0.0.1:") {
				t.Errorf("no remote address: %s", text)
			}
		})
	}
}

func TestAccessLogHoldsNoSecrets(t *testing.T) {
	const secret = "tOpSeCrEt"
	for _, test := range []struct {
		what, path, body string
		header           http.Header
	}{
		{"an accepted token", "/plants", `{"name":"fern","id":7}`, plantHeader(testToken)},
		{"an unknown token", "/plants", `{"name":"fern","id":7}`, plantHeader(secret)},
		{"the credential of another scheme", "/plants", ``, http.Header{"Authorization": {"Basic " + secret}}},
		{"a token in the query", "/plants?access_token=" + secret, ``, nil},
		{"a cookie", "/plants", ``, http.Header{"Cookie": {"session=" + secret}}},
		{"a body that is wrong in a way the message quotes", "/plants", `{"` + secret + `":1,"` + secret + `":1}`, plantHeader(testToken)},
		{"a media type the message quotes", "/plants", `{}`, http.Header{"Authorization": {"Bearer " + testToken}, "Content-Type": {secret + "/x"}}},
	} {
		t.Run(test.what, func(t *testing.T) {
			_, text := logOf(t, http.MethodPost, test.path, test.body, test.header)
			if lower := strings.ToLower(text); strings.Contains(lower, strings.ToLower(secret)) || strings.Contains(lower, testToken) {
				t.Errorf("the log holds a secret: %s", text)
			}
		})
	}
}

func TestAccessLogKeepsARecordOnOneLine(t *testing.T) {
	var log bytes.Buffer
	server := startServer(t, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	server.send(t, http.MethodPost, "/%0Alevel=INFO%20msg=forged%1B[31m"+strings.Repeat("long", 1000), "", nil)
	server.stop()
	if got := log.String(); strings.Count(got, "\n") != 1 || strings.Contains(got, "\x1b") || len(got) > 400 {
		t.Errorf("the path gets out of its record: %q", got)
	}
}

func TestAccessLogHasARecordOfAnAnswerThatIsBrokenOff(t *testing.T) {
	var log bytes.Buffer
	server := startServer(t, Options{
		Deviation: Deviations()[slices.IndexFunc(Deviations(), func(d Deviation) bool { return d.Name == "hangs-up" })],
		Logger:    slog.New(slog.NewJSONHandler(&log, nil)),
	})
	if response, err := server.client.Post(server.url+plantsPath, "application/json", http.NoBody); err == nil {
		_ = response.Body.Close()
		t.Errorf("it was answered with %d", response.StatusCode)
	}
	server.stop()
	if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), `"status":400`) {
		t.Errorf("the log is not one record: %s", &log)
	}
}
