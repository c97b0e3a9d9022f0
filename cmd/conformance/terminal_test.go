package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// watched keeps what is written to it, and signals when a text has appeared.
type watched struct {
	mu       sync.Mutex
	data     bytes.Buffer
	text     string
	appeared chan struct{}
	once     sync.Once
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.data.Write(p)
	if strings.Contains(w.data.String(), w.text) {
		w.once.Do(func() { close(w.appeared) })
	}
	return len(p), nil
}

// onTerminal returns the program on a new terminal, which script(1) creates.
func (p program) onTerminal(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	script, err := exec.LookPath("script")
	if err != nil || runtime.GOOS != "linux" { // other systems have other flags
		t.Skip("script(1) of util-linux, which makes terminals, is not here")
	}
	c, _, _ := p.command(t)
	c.Path, c.Args = script, []string{"script", "--quiet", "--return", "--command", string(p) + " " + strings.Join(args, " "), "/dev/null"}
	return c
}

// The service answers only after progress is shown. So the test ends only if it is shown.
func (p program) testProgress(t *testing.T) {
	screen := &watched{text: "waiting for the first response", appeared: make(chan struct{})}
	store := plantStore()
	serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-screen.appeared:
			store(w, r)
		case <-t.Context().Done():
		}
	})
	c := p.onTerminal(t, "run", "--only", "createPlant/valid")
	c.Stdout = screen
	if err := c.Run(); err != nil {
		t.Error(err)
	}
	shown := screen.data.String()
	progress, result, _ := strings.Cut(shown, "Plant Store")
	_, progress, _ = strings.Cut(progress, "clean-up\r\n") // the end of the announcement
	if !strings.HasPrefix(progress, "\r\x1b[Kwaiting for the first response") || !strings.HasSuffix(progress, "\r\x1b[K") && !strings.HasSuffix(progress, "\r\x1b[K\x1b[1m") {
		t.Errorf("progress is not shown and taken away: %q", progress)
	}
	if strings.Contains(result, "\x1b[K") || !strings.Contains(result, "conformant") {
		t.Errorf("after it comes %q", result)
	}
}

// The whole help fits a narrow terminal.
func (p program) testNarrowTerminal(t *testing.T) {
	const columns = 50
	for _, args := range []string{"--help", "run --help"} {
		c := p.onTerminal(t, args)
		command := &c.Args[slices.Index(c.Args, "--command")+1]
		*command = fmt.Sprintf("stty cols %d && %s", columns, *command)
		c.Stdout = nil
		shown, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(shown, []byte("\n   --help, -h\r\n")) {
			t.Errorf("this is no help: %s", shown)
		}
		for line := range strings.Lines(string(shown)) {
			if line = strings.TrimRight(line, "\r\n"); utf8.RuneCountInString(line) > columns && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("this is wider than %d: %s", columns, line)
			}
		}
	}
}

func (p program) testColors(t *testing.T) {
	color := regexp.MustCompile(`\x1b\[[0-9;]*m`) // without the sequence that removes the progress line
	check := func(what, text string, want bool) {
		t.Helper()
		if color.MatchString(text) != want {
			t.Errorf("%s: colours are expected to be there: %v\n%q", what, want, text)
		}
	}
	run := []string{"run", "--only", "createPlant/valid/plain"}
	check("no terminal", p.run(t, run...).out, false)
	check("no terminal, always", p.run(t, append(run, "--color", "always")...).out, true)
	terminal := func(args ...string) string {
		c := p.onTerminal(t, append(run, args...)...)
		c.Stdout = nil
		data, err := c.Output()
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	t.Setenv("TERM", "xterm")
	check("a terminal", terminal(), true)
	check("a terminal, never", terminal("--color", "never"), false)
	t.Setenv("NO_COLOR", "1")
	check("a terminal and NO_COLOR", terminal(), false)
	check("a terminal and NO_COLOR, always", terminal("--color", "always"), true)
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	check("a dumb terminal", terminal(), false)
}
