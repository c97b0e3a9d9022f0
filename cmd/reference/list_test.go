package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/reference"
)

// listed returns the output of the program with these arguments.
func listed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), append([]string{"reference"}, args...), nil, &stdout, &stderr); code != exitOK || stderr.Len() > 0 {
		t.Fatalf("exit code %d, standard error %q", code, stderr.String())
	}
	return stdout.String()
}

func TestListNamesAll(t *testing.T) {
	text := listed(t, "--list")
	var rows []row
	if err := json.Unmarshal([]byte(listed(t, "--list", "--json")), &rows); err != nil {
		t.Fatal(err)
	}
	if want := len(reference.Deviations()) + len(reference.Variations()); len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	for _, r := range rows {
		if r.Name == "" || r.Summary == "" || r.Clauses == nil || r.Warns == nil || len(r.Clauses)+len(r.Warns) == 0 {
			t.Errorf("a row is not complete: %+v", r)
		}
		for _, part := range append(r.Clauses, "--"+r.Kind+" "+r.Name+"\n", "    "+r.Summary+"\n") {
			if !strings.Contains(text, part) {
				t.Errorf("the text has no %q", part)
			}
		}
	}
}

func TestDeviationAndVariationAreServed(t *testing.T) {
	t.Setenv(tokensEnv, "one")
	cert, key := selfSigned(t)
	for _, test := range []struct {
		args   []string
		base   string // the beginning of the base URL
		prefix string // its end
		status int    // of an accepted plant
	}{
		{[]string{"--deviation", "created"}, "http://", "", http.StatusCreated},
		{[]string{"--variation", "version-in-path"}, "http://", "/api/v1", http.StatusOK},
		{[]string{"--variation", "http-2", "--tls-cert", cert, "--tls-key", key}, "https://", "", http.StatusOK},
		{[]string{"--variation", "tls", "--tls-cert", cert, "--tls-key", key, "--deviation", "created"}, "https://", "", http.StatusCreated},
	} {
		t.Run(strings.Join(test.args[:2], " "), func(t *testing.T) {
			program := start(t, test.args...)
			defer program.stop(t)
			if !strings.HasPrefix(program.url, test.base) || !strings.HasSuffix(program.url, test.prefix) {
				t.Errorf("it listens on %s", program.url)
			}
			if status := post(t, program.url, "one", 7); status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
		})
	}
}
