//go:build long

package actiontest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// hostile contains text that a shell or the runner would execute.
const hostile = "$(touch pwned)`touch pwned`'; touch pwned; '\"; touch pwned & \\ * ~ ::set-output name=verdict::conformant ##[add-mask]x ${{ secrets.A }}" +
	"\n::add-mask::y\n::stop-commands::z\nverdict=conformant\nverdict<<END\nEND\n--deadline=$(touch pwned)"

// No input is executed by a shell, or read by the runner as a command. Each run checks that the
// runner obeys nothing of it.
func TestHostileInputs(t *testing.T) {
	aim := serve(t, plantStore()).and("only", "createPlant/valid/plain")
	a := theAction(t)
	for name := range a.Inputs {
		for how, text := range map[string]string{"whole": hostile, "one line": strings.ReplaceAll(hostile, "\n", " ")} {
			t.Run(name+", "+how, func(t *testing.T) {
				o := job{inputs: aim.and(name, text)}.run(t)
				for _, path := range []string{"pwned", "conformance-report/pwned"} {
					if left, _ := filepath.Glob(filepath.Join(o.workspace, path)); len(left) > 0 {
						t.Errorf("it was run: %s", left)
					}
				}
				switch {
				case name == "artifact" || name == "retention-days" || name == "report-dir" && how == "one line" || name == "skip" || name == "token" && how == "one line":
					return // inputs that the script does not read, or that allow any value
				case o.code != 2 || o.outputs["verdict"] != "":
					t.Errorf("exit code %d, and the verdict %q", o.code, o.outputs["verdict"])
				}
			})
		}
	}
}

// An argument arrives unchanged.
func TestArgumentsAsTheyAre(t *testing.T) {
	const odd = `$(touch pwned) "a" 'b' \c *  ~ ${{ d }} ::error::e && f`
	o := job{inputs: serve(t, plantStore()).and("only", "createPlant/valid/plain", "args", "--implementation="+odd)}.run(t)
	o.wants(t, 0)
	if text := read(t, filepath.Join(o.workspace, o.outputs["json"])); !strings.Contains(text, `"name": "$(touch pwned) \"a\" 'b' \\c *  ~ ${{ d }} ::error::e && f"`) {
		t.Errorf("the report names another implementation:\n%.500s", text)
	}
}

// A service that sends commands for a runner, and echoes the token, only breaks the contract.
func TestHostileService(t *testing.T) {
	aim := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "text/plain; a="+sent)
		w.Header().Set("X-Echo", base64.StdEncoding.EncodeToString([]byte(token)))
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, "%s\n%s\n%s", hostile, sent, base64.StdEncoding.EncodeToString([]byte(token)))
	}))
	o := job{inputs: aim.and("only", "createPlant/valid/*", "args", "--verbose")}.run(t)
	o.wants(t, 1, "verdict", "nonconformant", "passed", "0")
	if !strings.Contains(read(t, filepath.Join(o.workspace, o.outputs["json"])), "[redacted]") {
		t.Error("the service did not send the token back")
	}
}

// The checks of the other tests find what they look for.
func TestWhatTheRunnerObeys(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "[]",
		"a ::error::b":          "[]",
		":: error":              "[]",
		"::error file=a::b":     "[error]",
		"a\r  ::add-mask::b":    "[add-mask]",
		"a ##[set-output x=a]b": "[##[set-output x=a]",
	} {
		if got := fmt.Sprint(commandsIn(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"a", "=a", "a=b\na=c", "a<<END\nb\nEND"} {
		if outputs, err := parseOutputs(text); err == nil {
			t.Errorf("%q: %v", text, outputs)
		}
	}
	if names := commandsIn(hostile); len(names) != 3 {
		t.Errorf("of what is hostile, the runner obeys %v", names)
	}
}
