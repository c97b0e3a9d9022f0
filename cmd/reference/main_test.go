package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// beMainEnv makes the test binary run as the program.
const beMainEnv = "REFERENCE_TEST_BE_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(beMainEnv) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

// writeFile writes a file in a new directory and returns its path.
func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMistakesAreExplainedInOneSentence(t *testing.T) {
	tokens := writeFile(t, "tokens", "one\r\n\n two \n")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	notTokens := writeFile(t, "not-tokens", "one\ntwo words\n")
	missing := filepath.Join(t.TempDir(), "missing")

	for _, test := range []struct {
		what    string
		args    []string
		env     string // REFERENCE_TOKENS
		stdin   string
		message []string // parts of the error: the fault and the fix
	}{
		{what: "no tokens", message: []string{"without a token", "--token-file", "REFERENCE_TOKENS"}},
		{what: "a blank variable", env: " \n", message: []string{"without a token", "REFERENCE_TOKENS"}},
		{what: "a token that cannot be sent", env: "one zwölf", message: []string{"token 2 of REFERENCE_TOKENS", "visible ASCII"}},
		{what: "no such token file", args: []string{"--token-file", missing}, message: []string{"--token-file " + missing, "no such file", "name a file"}},
		{what: "no such token file, though the variable has one", args: []string{"--token-file", missing}, env: "one", message: []string{missing}},
		{what: "nothing on standard input", args: []string{"--token-file", "-"}, stdin: "\n", message: []string{"--token-file - holds no token", "one a line"}},
		{what: "two tokens on a line", args: []string{"--token-file", notTokens}, message: []string{"line 2 of --token-file " + notTokens}},
		{what: "an unset variable as file name", args: []string{"--token-file="}, env: "one", message: []string{"--token-file is empty", "omit it"}},
		{what: "a flag without its value", args: []string{"--token-file"}, message: []string{"--token-file has no value"}},
		{what: "a token as a flag", args: []string{"--token", "one"}, message: []string{`unknown flag "token"`, "--token-file"}},
		{what: "an argument", args: []string{"plants.db"}, env: "one", message: []string{`unexpected argument "plants.db"`, "--help"}},
		{what: "an unknown log format", args: []string{"--log", "xml"}, env: "one", message: []string{`--log "xml"`, "text, json or off"}},
		{what: "no address to listen on", args: []string{"--listen", ""}, env: "one", message: []string{"--listen is empty"}},
		{what: "a port alone", args: []string{"--listen", "8080"}, env: "one", message: []string{"--listen 8080", "missing port", "host:port"}},
		{what: "a port in use", args: []string{"--listen", taken.Addr().String()}, env: "one", message: []string{"--listen " + taken.Addr().String(), "in use", "127.0.0.1:0"}},
		{what: "a store that is a directory", args: []string{"--store", t.TempDir()}, env: "one", message: []string{"--store", "is a directory", "another file"}},
		{what: "a store that is something else", args: []string{"--store", tokens}, env: "one", message: []string{"--store", tokens, "not a plant store", "another file"}},
		{what: "an unknown deviation", args: []string{"--deviation", "creatd"}, env: "one", message: []string{`--deviation "creatd"`, "is created", "--list"}},
		{what: "an unknown variation", args: []string{"--variation", "http2"}, env: "one", message: []string{`--variation "http2"`, "is http-2", "--list"}},
		{what: "a name like no other", args: []string{"--deviation", "日本"}, env: "one", message: []string{`--deviation "日本"`, "--list"}},
		{what: "no name", args: []string{"--deviation="}, env: "one", message: []string{"--deviation is empty", "omit it"}},
		{what: "a variation without its certificate", args: []string{"--variation", "tls"}, env: "one", message: []string{"--variation tls", "--tls-cert", "--tls-key"}},
		{what: "JSON of nothing", args: []string{"--json"}, env: "one", message: []string{"--json", "--list", "both"}},
		{what: "a certificate without a key", args: []string{"--tls-cert", tokens}, env: "one", message: []string{"--tls-cert", "--tls-key", "both"}},
		{what: "a certificate that is none", args: []string{"--tls-cert", tokens, "--tls-key", tokens}, env: "one", message: []string{"--tls-cert " + tokens, "PEM"}},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Setenv(tokensEnv, test.env)
			var stdout, stderr bytes.Buffer
			args := append([]string{"reference", "--listen", "127.0.0.1:0"}, test.args...)
			code := run(t.Context(), args, strings.NewReader(test.stdin), &stdout, &stderr)
			if code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			said := stderr.String()
			if stdout.Len() > 0 || strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "reference: ") {
				t.Errorf("it is not told in one sentence on standard error: %q, and %q on standard output", said, stdout.String())
			}
			for _, part := range test.message {
				if !strings.Contains(said, part) {
					t.Errorf("the message has no %q: %s", part, said)
				}
			}
		})
	}
}

// running is a program that start has started.
type running struct {
	url    string // from the line that the program prints when it is ready
	stdout *bytes.Buffer
	end    context.CancelFunc
	code   chan int
}

// start runs the program with these arguments and waits until it is ready.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{stdout: new(bytes.Buffer), end: cancel, code: make(chan int, 1)}
	stderr, write := io.Pipe()
	args = append([]string{"reference", "--listen", "127.0.0.1:0"}, args...)
	go func() {
		r.code <- run(ctx, args, strings.NewReader("from-stdin\n"), r.stdout, write)
		_ = write.Close()
	}()
	r.url = readReadyLine(t, stderr)
	return r
}

// readReadyLine waits for the line with the address of the program. It also reads the rest, so that
// the program does not block.
func readReadyLine(t *testing.T, stderr io.Reader) (url string) {
	t.Helper()
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("the program did not get ready: %q (%v)", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "reference: listening on ")
	if !ok {
		t.Fatalf("instead of getting ready it said %q", line)
	}
	return url
}

// stop ends the program as a signal would, and checks that it ends without an error.
func (r *running) stop(t *testing.T) {
	t.Helper()
	r.end()
	if code := <-r.code; code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

// post creates a plant and returns the status.
func post(t *testing.T, url, token string, id int) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/plants", strings.NewReader(fmt.Sprintf(`{"name":"fern","id":%d}`, id)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // a test certificate
	}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func TestTokensComeFromTheirSource(t *testing.T) {
	file := writeFile(t, "tokens", "from-file\r\n\n also-from-file \n")
	for _, test := range []struct {
		what     string
		args     []string
		accepted []string
		refused  []string
	}{
		{"the environment", nil, []string{"from-env", "also-from-env"}, []string{"from-file", "from-env also-from-env"}},
		{"a file, which counts alone", []string{"--token-file", file}, []string{"from-file", "also-from-file"}, []string{"from-env"}},
		{"standard input", []string{"--token-file", "-"}, []string{"from-stdin"}, []string{"from-env", "from-file"}},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Setenv(tokensEnv, "from-env\n\talso-from-env")
			program := start(t, test.args...)
			defer program.stop(t)
			for id, token := range test.accepted {
				if status := post(t, program.url, token, id); status != http.StatusOK {
					t.Errorf("token %s: %d", token, status)
				}
			}
			for id, token := range test.refused {
				if status := post(t, program.url, token, 100+id); status != http.StatusBadRequest {
					t.Errorf("token %s: %d", token, status)
				}
			}
		})
	}
}

func TestLogFormats(t *testing.T) {
	t.Setenv(tokensEnv, "one")
	for format, want := range map[string]string{"text": "status=200", "json": `"status":200`, "off": ""} {
		t.Run(format, func(t *testing.T) {
			program := start(t, "--log", format)
			post(t, program.url, "one", 7)
			program.stop(t)
			if log := program.stdout.String(); !strings.Contains(log, want) || (want == "") != (log == "") {
				t.Errorf("the log is %q", log)
			}
		})
	}
}

func TestHelpTellsEverything(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), []string{"reference", "--help"}, nil, &stdout, &stderr); code != exitOK || stderr.Len() > 0 {
		t.Errorf("exit code %d, standard error %q", code, stderr.String())
	}
	for _, word := range []string{"--listen", "127.0.0.1:8080", "--token-file", tokensEnv, "--store", "--tls-cert", "--tls-key", "--log", "--deviation", "--variation", "--list", "--json", "Exit codes"} {
		if !strings.Contains(stdout.String(), word) {
			t.Errorf("the help does not mention %s", word)
		}
	}
}

// TestProcess runs the program as a process: signals, exit codes and a store that survives it.
func TestProcess(t *testing.T) {
	store := filepath.Join(t.TempDir(), "plants.db")
	launch := func() (process *exec.Cmd, url string) {
		t.Helper()
		process = command(t, "--store", store)
		stderr, err := process.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = process.Process.Kill() })
		return process, readReadyLine(t, stderr)
	}

	for _, round := range []struct {
		signal os.Signal
		status int // of the same plant in each run
	}{
		{syscall.SIGTERM, http.StatusOK},
		{os.Interrupt, http.StatusBadRequest},
	} {
		process, url := launch()
		if status := post(t, url, "one", 7); status != round.status {
			t.Errorf("status %d, want %d", status, round.status)
		}
		if rival, err := command(t, "--store", store).CombinedOutput(); err == nil || !strings.Contains(string(rival), "another process is using it") {
			t.Errorf("a second process over the same store: %s (%v)", rival, err)
		}
		if err := process.Process.Signal(round.signal); err != nil {
			t.Fatal(err)
		}
		if err := process.Wait(); err != nil {
			t.Errorf("after %v: %v, want exit code 0", round.signal, err)
		}
	}
}

// command returns the program as a process, with the token "one".
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Command(executable, append([]string{"--listen", "127.0.0.1:0"}, args...)...)
	process.Env = append(os.Environ(), beMainEnv+"=1", tokensEnv+"=one")
	return process
}
