package main

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/suites/report"
)

// scanContract has an operation that requires two credentials together.
const scanContract = `openapi: 3.0.3
info: {title: Scans, version: '1'}
paths:
  /scans:
    get:
      operationId: readScan
      security: [{customer: [], terminal: []}]
      responses:
        '204': {description: read}
        '401': {description: refused}
components:
  securitySchemes:
    customer: {type: http, scheme: basic}
    terminal: {type: apiKey, in: query, name: terminal}
    partner: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://a.example', scopes: {}}}}
    mtls: {type: http, scheme: mutual}
`

// serveScans serves the contract, or another handler. It changes to a folder with the document, and
// with one credential file for each scheme.
func serveScans(t *testing.T, handler http.HandlerFunc) map[string]string {
	t.Helper()
	all := map[string]string{"customer": "dispatch:p4rcel-9d41e0", "terminal": "Token 55e1b0c2"}
	t.Chdir(t.TempDir())
	if handler == nil {
		handler = func(w http.ResponseWriter, r *http.Request) {
			user, password, _ := r.BasicAuth()
			if user+":"+password == all["customer"] && r.URL.Query().Get("terminal") == all["terminal"] {
				w.WriteHeader(http.StatusNoContent)
				return
			}
			w.WriteHeader(http.StatusUnauthorized)
		}
	}
	serve(t, handler)
	t.Setenv(target.TokenVariable, "")
	write(t, "api.yaml", scanContract)
	for name, text := range all {
		write(t, name, text+"\n")
	}
	write(t, "empty", "\n")
	return all
}

const readScan = "run --spec api.yaml --only readScan/valid/minimal --tries 1"

func TestCredentialsComeFromTheirSources(t *testing.T) {
	for _, row := range []struct {
		what, line, file, stdin string
		env                     map[string]string // variable to scheme
	}{
		{what: "files", line: " --credential customer=customer --credential terminal=terminal"},
		{what: "a file and standard input", line: " --credential customer=customer --credential terminal=-", stdin: "terminal"},
		{what: "variables", env: map[string]string{"CONFORMANCE_CREDENTIAL_CUSTOMER": "customer", "CONFORMANCE_CREDENTIAL_TERMINAL": "terminal"}},
		{what: "a file and a variable", line: " --credential customer=customer", env: map[string]string{"CONFORMANCE_CREDENTIAL_TERMINAL": "terminal"}},
		{what: "the configuration", file: "credential: [customer=customer, terminal=terminal]\n"},
		{what: "a variable before the configuration", file: "credential: [customer=empty, terminal=terminal]\n", env: map[string]string{"CONFORMANCE_CREDENTIAL_CUSTOMER": "customer"}},
		{what: "a flag before the configuration", file: "credential: terminal=empty\n", line: " --credential customer=customer --credential terminal=terminal"},
		{what: "a name, and the token for the other", line: " --credential customer=customer --token-file terminal"},
		{what: "a name, and the token's variable", line: " --credential customer=customer", env: map[string]string{target.TokenVariable: "terminal"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			all := serveScans(t, nil)
			for variable, scheme := range row.env {
				t.Setenv(variable, all[scheme])
			}
			if row.file != "" {
				write(t, cli.ConfigName, row.file)
			}
			conformanceReading(t, all[row.stdin], strings.Split(readScan+row.line, " ")...).wants(t, exitConformant)
		})
	}
}

func TestMistakesInCredentials(t *testing.T) {
	const customer = "CONFORMANCE_CREDENTIAL_CUSTOMER"
	for _, row := range []struct{ what, line, env, says string }{
		{"a scheme that does not exist", "--credential customers=customer", "", "--credential customers is not a security scheme of the contract, which has customer, terminal, partner, mtls"},
		{"a scheme that requests cannot carry", "--credential mtls=customer", "", "--credential mtls is of a kind that requests cannot carry; use a client certificate or a secret header"},
		{"an empty file", "--credential customer=empty", "", "--credential customer empty is empty; it must hold the credential"},
		{"a missing file", "--credential customer=hunter2", "", "--credential customer names a file that cannot be read: no such file or directory; the path is hidden in case it is the credential itself"},
		{"a folder", "--credential customer=.", "", "--credential customer . cannot be read: is a directory"},
		{"no file", "--credential hunter2", "", "--credential must be SCHEME=FILE: a security scheme of the contract, and a file with its credential"},
		{"no path", "--credential customer=", "", "--credential must be SCHEME=FILE"},
		{"twice", "--credential customer=customer --credential customer=empty", "", "--credential names the security scheme customer twice; give it one credential"},
		{"a flag and a variable", "--credential customer=customer", customer + "=dispatch:hunter2", "--credential and CONFORMANCE_CREDENTIAL_CUSTOMER both give the credential for customer; give one of them"},
		{"standard input twice", "--credential customer=- --credential terminal=-", "", "--credential customer and --credential terminal both read standard input, which holds one credential; name a file"},
		{"standard input for the token, too", "--token-file - --credential terminal=-", "", "--token-file and --credential terminal both read standard input"},
		{"a variable for a scheme that does not exist", "", "CONFORMANCE_CREDENTIAL_ADMIN=hunter2", "CONFORMANCE_CREDENTIAL_ADMIN is for no security scheme of the contract; the variables of its schemes are CONFORMANCE_CREDENTIAL_CUSTOMER, CONFORMANCE_CREDENTIAL_TERMINAL, CONFORMANCE_CREDENTIAL_PARTNER and CONFORMANCE_CREDENTIAL_MTLS"},
		{"a variable without a scheme", "", "CONFORMANCE_CREDENTIAL_=hunter2", "unknown environment variable CONFORMANCE_CREDENTIAL_"},
		{"two lines in a variable", "", customer + "=hunter2\nhunter2", "CONFORMANCE_CREDENTIAL_CUSTOMER has a line break or a control character in it"},
		{"no credential", "", "", "the contract requires a credential, but the target has none (readScan/valid/minimal needs it)"},
		{"one of two", "--credential customer=customer", "", "the contract requires a credential, but the target has no credential for terminal (readScan/valid/minimal needs it)"},
	} {
		t.Run(row.what, func(t *testing.T) {
			serveScans(t, untouched(t))
			if name, value, ok := strings.Cut(row.env, "="); ok {
				t.Setenv(name, value)
			}
			line := strings.TrimSpace(readScan + " " + row.line)
			result := conformanceReading(t, "from-stdin", strings.Split(line, " ")...)
			result.wants(t, exitUsage, row.says)
			checkOneLine(t, result)
			if strings.Contains(result.err, "hunter2") {
				t.Error("it shows what may be a credential")
			}
		})
	}
}

// The output never contains two named credentials, even if the service echoes them, whole or in
// part.
func TestNamedCredentialsStaySecret(t *testing.T) {
	all := serveScans(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		w.Header().Set("X-Echo", r.Header.Get("Authorization")+" "+r.URL.RawQuery)
		w.WriteHeader(http.StatusBadRequest)
		_, key, _ := strings.Cut(r.URL.Query().Get("terminal"), " ")
		_, _ = w.Write([]byte(key + " " + user + " " + password + " " + r.Header.Get("Authorization") + r.URL.RequestURI()))
	})
	arguments := strings.Split(readScan+" --verbose --credential customer=customer --credential terminal=terminal", " ")
	run := slices.Clone(arguments)
	for _, format := range report.Formats() {
		run = append(run, "--report", format.Name+"=report."+format.Name)
	}
	result := conformance(t, run...)
	if !strings.Contains(result.out, "[redacted]") {
		t.Errorf("the service shows nothing: %s", result.out)
	}
	dry := conformance(t, append(arguments, "--dry-run")...)
	dry.wants(t, exitConformant, "$(printf %s \"${CONFORMANCE_CREDENTIAL_CUSTOMER}\" | base64", "$CONFORMANCE_CREDENTIAL_TERMINAL")
	config := conformance(t, append([]string{"config"}, arguments[1:5]...)...)
	everything := result.out + result.err + dry.out + dry.err + config.out + config.err
	for _, format := range report.Formats() {
		everything += string(readFile(t, "report."+format.Name))
	}
	user, password, _ := strings.Cut(all["customer"], ":")
	_, key, _ := strings.Cut(all["terminal"], " ")
	for _, secret := range []string{all["terminal"], key, user, password, all["customer"], base64.StdEncoding.EncodeToString([]byte(all["customer"]))} {
		if i := strings.Index(everything, secret); i >= 0 {
			t.Errorf("%s came out: %s", secret, everything[max(0, i-200):i+50])
		}
	}
}
