package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
)

func TestTokenComesFromItsSource(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "token", " "+testToken+"\r\n")
	write(t, "marked", "\ufeff"+testToken+"\r\n")
	for _, row := range []struct {
		what, variable, stdin string
		args                  []string
	}{
		{"the environment", testToken + "\n", "", nil},
		{"a file", "", "", []string{"--token-file", "token"}},
		{"a file with a byte order mark", "", "", []string{"--token-file", "marked"}},
		{"a file, whatever the environment has", "another", "", []string{"--token-file", "token"}},
		{"standard input", "another", testToken + "\n", []string{"--token-file", "-"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			serve(t, plantStore())
			t.Setenv(target.TokenVariable, row.variable)
			conformanceReading(t, row.stdin, append([]string{"run", "--only", "createPlant/valid/plain"}, row.args...)...).wants(t, exitConformant)
		})
	}
}

// If the token is rejected, the run makes no statement about the service.
func TestRefusedTokenIsInconclusive(t *testing.T) {
	quicklyUnlessLong(t)
	serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	conformance(t, "run").wants(t, exitInconclusive, "inconclusive: ", "credential")
}

// The output never contains the token, even if the service echoes it.
func TestTokenStaysSecret(t *testing.T) {
	quicklyUnlessLong(t)
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

// Secret headers are sent, but never shown, under any name: those in the environment, and values
// that a file writes as variables.
func TestSecretHeaders(t *testing.T) {
	needsLong(t, "runs with each source of headers")
	quicklyUnlessLong(t)
	const secret, other = "s3cr3t-of-the-gateway", "s3cr3t-of-the-team"
	for _, row := range []struct {
		what, variable, file string
		args                 []string
	}{
		{"of the environment", "X-Gateway: " + secret + "\r\n\n  X-Team:" + other + "  \n", "seed: 7\n", nil},
		{"left to variables", "", "header: ['X-Gateway: ${GATEWAY}', 'X-Team: ${TEAM}']\n", nil},
		{"of the environment, for targets", "X-Gateway: " + secret + "\nX-Team: " + other, "seed: 7\n", []string{"--targets", "targets.yaml"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			t.Chdir(t.TempDir())
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("X-Gateway") != secret || r.Header.Get("X-Team") != other {
					t.Errorf("it gets %q", r.Header)
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"name": "`+r.Header.Get("X-Gateway")+r.Header.Get("X-Team")+`"}`)
			})
			t.Setenv(target.SecretHeadersVariable, row.variable)
			t.Setenv("GATEWAY", secret)
			t.Setenv("TEAM", other)
			write(t, cli.ConfigName, row.file)
			write(t, "targets.yaml", "targets: [{name: one, base-url: '"+server.URL+"'}]\n")
			report := "report.json"
			if row.args != nil {
				report = "{target}.json"
			}
			result := conformance(t, append([]string{"run", "--verbose", "--report", "json=" + report}, row.args...)...)
			result.wants(t, exitNonconformant, "[redacted]")
			dry := conformance(t, append([]string{"run", "--dry-run"}, row.args...)...)
			dry.wants(t, exitConformant, "X-Gateway: ")
			config := conformance(t, append([]string{"config"}, row.args...)...)
			config.wants(t, exitConformant, "X-Gateway")
			everything := result.out + result.err + dry.out + dry.err + config.out + config.err
			for _, path := range filesIn(t, ".") {
				everything += string(readFile(t, path))
			}
			for _, text := range []string{secret, other} {
				if strings.Contains(everything, text) {
					t.Errorf("%s came out", text)
				}
			}
		})
	}
}

// An interrupt ends the wait for the token.
func TestInterruptWhileTheTokenIsAwaited(t *testing.T) {
	serve(t, untouched(t))
	ctx, interrupt := context.WithCancel(t.Context())
	stdin, keyboard := io.Pipe()
	defer keyboard.Close()
	asked := make(chan struct{})
	var out, err bytes.Buffer
	ended := make(chan int)
	go func() {
		ended <- execute(ctx, []string{"conformance", "run", "--token-file", "-"}, output.Streams{In: &watchedReader{stdin, asked}, Out: &out, Err: &err})
	}()
	<-asked
	interrupt()
	outcome{<-ended, out.String(), err.String()}.wants(t, exitInconclusive, "conformance: interrupted while settings and files were read; nothing was sent\n")
}

// watchedReader signals the first read.
type watchedReader struct {
	io.Reader
	asked chan struct{}
}

func (r *watchedReader) Read(p []byte) (int, error) {
	close(r.asked)
	return r.Reader.Read(p)
}
