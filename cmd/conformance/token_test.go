package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestTokenComesFromItsSource(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "token", " "+testToken+"\r\n")
	for _, row := range []struct {
		what, variable, stdin string
		args                  []string
	}{
		{"the environment", testToken + "\n", "", nil},
		{"a file", "", "", []string{"--token-file", "token"}},
		{"a file, whatever the environment has", "another", "", []string{"--token-file", "token"}},
		{"standard input", "another", testToken + "\n", []string{"--token-file", "-"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			serve(t, plantStore())
			t.Setenv(tokenVariable, row.variable)
			conformanceReading(t, row.stdin, append([]string{"run", "--only", "createPlant/valid/plain"}, row.args...)...).wants(t, exitConformant)
		})
	}
}

// A token that is refused says nothing about the service.
func TestRefusedTokenIsInconclusive(t *testing.T) {
	serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	conformance(t, "run").wants(t, exitInconclusive, "inconclusive: ", "credential")
}

// The token is in nothing that comes out, even if the service gives it back.
func TestTokenStaysSecret(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error": 1, "message": "`+r.Header.Get("Authorization")+`"}`+r.URL.RawQuery+string(body))
	})
	result := conformance(t, "run", "--verbose", "--header", "X-Api-Key: "+testToken, "--report", "json=report.json", "--report", "junit=report.xml")
	result.wants(t, exitNonconformant)
	dry := conformance(t, "run", "--dry-run")
	dry.wants(t, exitConformant, `"Authorization: Bearer $CONFORMANCE_TOKEN"`)
	everything := result.out + result.err + dry.out + dry.err
	everything += string(readFile(t, "report.json")) + string(readFile(t, "report.xml"))
	for _, secret := range []string{testToken, base64.StdEncoding.EncodeToString([]byte(testToken))} {
		if i := strings.Index(everything, secret); i >= 0 {
			t.Errorf("%s came out: %s", secret, everything[max(0, i-200):i+50])
		}
	}
}

// Whoever is asked for a token can change their mind.
func TestInterruptWhileTheTokenIsAwaited(t *testing.T) {
	serve(t, untouched(t))
	ctx, interrupt := context.WithCancel(t.Context())
	stdin, keyboard := io.Pipe()
	defer keyboard.Close()
	asked := make(chan struct{})
	var out, err bytes.Buffer
	ended := make(chan int)
	go func() {
		ended <- execute(ctx, []string{"conformance", "run", "--token-file", "-"}, streams{&watchedReader{stdin, asked}, &out, &err})
	}()
	<-asked
	interrupt()
	outcome{<-ended, out.String(), err.String()}.wants(t, exitInconclusive, "conformance: interrupted before there was a credential on standard input; nothing was sent\n")
}

// watchedReader tells when it is read from for the first time.
type watchedReader struct {
	io.Reader
	asked chan struct{}
}

func (r *watchedReader) Read(p []byte) (int, error) {
	close(r.asked)
	return r.Reader.Read(p)
}
