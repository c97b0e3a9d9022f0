package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
)

// --report github does what GitHub Actions expects: it writes annotations to standard output, and
// appends to the summary.
func TestReportGitHub(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "summary.md", "of another command") // without a line break at the end
	t.Setenv(output.SummaryVariable, "summary.md")
	serve(t, acceptEverything)
	result := conformance(t, "run", "--only", "createPlant/missing-required/name", "--report", "github")
	result.wants(t, exitNonconformant)
	const want = "::error file=fixtures/createPlant/missing-required/name.yaml,line=2,title=breaks createPlant/request/body/name ("
	if !strings.HasPrefix(result.out, want) || strings.Count(result.out, "\n") != strings.Count("\n"+result.out, "\n::") {
		t.Errorf("standard output is %q, want %q…", result.out, want)
	}
	if !strings.Contains(result.err, "\nnonconformant: ") {
		t.Errorf("on standard error: %s", result.err)
	}
	summary := string(readFile(t, "summary.md"))
	if !strings.HasPrefix(summary, "of another command\n### ✗ nonconformant: breaks 1 of 15 clauses (1 fault; 1 of 1 fixture)") {
		t.Errorf("the summary is %q", summary)
	}
	conformance(t, "run", "--only", "createPlant/missing-required/name", "--report", "github").wants(t, exitNonconformant)
	if again := string(readFile(t, "summary.md")); !strings.HasPrefix(again, summary+"\n### ✗ ") {
		t.Errorf("the summary became %q", again)
	}
}

// The outputs are appended to those that the step has set before.
func TestReportGitHubOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "output", "before=1\n")
	t.Setenv(output.OutputVariable, "output")
	serve(t, acceptEverything)
	conformance(t, "run", "--only", "createPlant/missing-required/name", "--report", "github").wants(t, exitNonconformant)
	const want = "before=1\n\nverdict=nonconformant\nheadline=nonconformant\nreason="
	if got := string(readFile(t, "output")); !strings.HasPrefix(got, want) || !strings.Contains(got, "\nfixtures=1\npassed=0\nfailed=1\n") {
		t.Errorf("the outputs are %q", got)
	}
	write(t, "output", "")
	conformance(t, "run", "--only", "no/such/fixture", "--report", "github").wants(t, exitUsage)
	if got := readFile(t, "output"); len(got) > 0 {
		t.Errorf("where nothing was sent, the outputs are %q", got)
	}
}

// Without GitHub Actions there is no summary. The annotations can be written to a file.
func TestReportGitHubElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, plantStore())
	result := conformance(t, "run", "--only", "createPlant/valid/plain", "--report", "github")
	result.wants(t, exitConformant, "\nconformant in 5 of 15 must-clauses: ")
	if want := "::warning title=conformant in 5 of 15 must-clauses::one fixture was judged"; !strings.HasPrefix(result.out, want) || strings.Count(result.out, "\n") != 1 {
		t.Errorf("only the verdict needs an annotation, but on standard output: %s", result.out)
	}
	serve(t, acceptEverything)
	conformance(t, "run", "--only", "createPlant/missing-required/name", "--report", "github=annotations").wants(t, exitNonconformant)
	if text := string(readFile(t, "annotations")); !strings.HasPrefix(text, "::error file=") {
		t.Errorf("the annotations are %q", text)
	}
}

// A target cannot send commands to the runner.
func TestTargetsGiveTheRunnerNoCommands(t *testing.T) {
	needsLong(t, "runs hostile targets")
	const hostile = "\r\n::set-output name=a::b\r\n::stop-commands::c\r\n##[add-mask]d\r\n ##vso[task.complete]e"
	serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; a="+"##[set-output name=a]b")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, hostile)
	})
	for _, args := range []string{"--quiet", "--color always", "--verbose", "--report github", "--report json=-", "--report junit=-", "--report markdown=-", "--report sarif=-", "--report ctrf=-", "--report har=-", "--report badge=-"} {
		result := conformance(t, append([]string{"run", "--only", "createPlant/valid"}, strings.Fields(args)...)...)
		result.wants(t, exitNonconformant)
		for line := range strings.SplitSeq(strings.ReplaceAll(result.out+"\n"+result.err, "\r", "\n"), "\n") {
			ours := args == "--report github" && (strings.HasPrefix(line, "::error file=fixtures/createPlant/valid/") || strings.HasPrefix(line, "::notice title=reached a part of the contract::"))
			if strings.HasPrefix(strings.TrimSpace(line), "::") && !ours || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
				t.Errorf("%s: the runner obeys %q", args, line)
			}
		}
	}
}

// The same is true for invalid settings and files that an error quotes.
func TestMistakesGiveTheRunnerNoCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "conformance.yaml", "\"##[group]\\n::add-mask::a\": b\n")
	const hostile = "a\n::add-mask::b\n  ::stop-commands::c\n##[add-mask]d"
	for _, args := range [][]string{
		{"run"}, {"run", "--spec", hostile}, {"run", "--only", hostile}, {"run", "--strict=" + hostile}, {"run", "--header", hostile},
		{"run", "--base-url", hostile}, {"run", "--report", "json=" + hostile + "/a"}, {"run", "--" + hostile}, {"run", hostile}, {hostile},
		{"report", hostile}, {"compare", hostile, hostile}, {"verify", hostile}, {"explain", hostile},
	} {
		result := conformance(t, args...)
		result.wants(t, exitUsage)
		for line := range strings.Lines(result.err) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Errorf("%q: the runner obeys %q", args, line)
			}
		}
	}
}
