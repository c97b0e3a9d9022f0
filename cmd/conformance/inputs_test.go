package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// No report overwrites an input: this is an error, nothing is sent, and the input does not change.
func TestReportsSpareInputs(t *testing.T) {
	needsLong(t, "tries each report with each input")
	made := t.TempDir()
	conformance(t, "run", "--only", "createPlant/valid", "--report", "json="+made+"/report.json", "--report", "har="+made+"/traffic.har").wants(t, exitConformant)
	conformance(t, "run", "--quiet", "--only", "createPlant/valid", "--report", "json="+made+"/again.json").wants(t, exitConformant)
	for _, row := range []struct{ line, victim, named string }{
		{"run --report json=conformance.yaml", "conformance.yaml", "conformance.yaml"},
		{"run --report json=./conformance.yaml", "conformance.yaml", "conformance.yaml"},
		{"run --config other.yaml --report json=other.yaml", "other.yaml", "--config"},
		{"run --token-file token --report html=token", "token", "--token-file"},
		{"run --token-file token --report html=link", "token", "--token-file"},
		{"run --token-file token --credential bearerAuth=first-token --report html=first-token", "first-token", "--credential"},
		{"run --waivers waivers.yaml --report ndjson=waivers.yaml", "waivers.yaml", "--waivers"},
		{"run --fixtures mine --report json=mine/createPlant/names/a.yaml", "mine/createPlant/names/a.yaml", "--fixtures"},
		{"run --targets targets.yaml --report json={target}.yaml", "targets.yaml", "--targets"},
		{"run --targets targets.yaml --report json={target}.json --matrix json=targets.yaml", "targets.yaml", "--targets"},
		{"run --targets targets.yaml --report json={target}-token", "first-token", "targets.yaml:2: token-file"},
		{"report report.json --report html=report.json", "report.json", "report.json"},
		{"compare report.json again.json --report html=again.json", "again.json", "again.json"},
		{"verify traffic.har --report json=traffic.har", "traffic.har", "traffic.har"},
		{"verify traffic.har --waivers waivers.yaml --report json=waivers.yaml", "waivers.yaml", "--waivers"},
	} {
		t.Run(row.line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.CopyFS(".", os.DirFS(made)); err != nil {
				t.Fatal(err)
			}
			write(t, "conformance.yaml", "seed: 7\n")
			write(t, "other.yaml", "seed: 7\n")
			write(t, "token", testToken)
			write(t, "first-token", testToken)
			write(t, "waivers.yaml", "- {match: 'createPlant/*', reason: r, owner: o}\n")
			write(t, "mine/createPlant/names/a.yaml", "title: a\nclause: createPlant/request/body/name\nexpect: rejected\nrequest: {body: {}}\n")
			write(t, "targets.yaml", "targets:\n- {name: first, token-file: first-token, base-url: 'http://127.0.0.1:1'}\n- {name: targets, base-url: 'http://127.0.0.1:1'}\n")
			if err := os.Symlink("token", "link"); err != nil {
				t.Fatal(err)
			}
			serve(t, untouched(t))
			before := string(readFile(t, row.victim))
			result := conformance(t, strings.Fields(row.line)...)
			result.wants(t, exitUsage, " would overwrite a file that is read ("+row.named+"); give the report another path\n")
			checkOneLine(t, result)
			if after := string(readFile(t, row.victim)); after != before {
				t.Errorf("%s holds %.100q now", row.victim, after)
			}
		})
	}
}

// A report next to an input can be overwritten again.
func TestReportsBesideInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "mine/createPlant/names/a.yaml", "title: a\nclause: createPlant/request/body/name\nexpect: rejected\nrequest: {body: {}}\n")
	for range 2 {
		conformance(t, "run", "--fixtures", "mine", "--only", "createPlant/names", "--report", "json=mine/report.json").wants(t, exitConformant)
	}
}

// Pipes are not opened in advance. Opening one waits for a reader, and closing it tells the reader
// that the report is complete.
func TestNoPipeIsTried(t *testing.T) {
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip("there are no pipes with names here")
	}
	t.Chdir(t.TempDir())
	if err := exec.CommandContext(t.Context(), mkfifo, "pipe").Run(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"config --report json=pipe", "config --report ndjson=pipe", "run --dry-run --report json=pipe"} {
		conformance(t, strings.Fields(line)...).wants(t, exitConformant)
	}
}
