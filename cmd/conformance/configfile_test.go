package main

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/suites/report/console"
)

// The file in the folder is read, unless another one is named.
func TestConfigFile(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(target.TokenVariable, "from-the-environment")
	write(t, cli.ConfigName, "concurrency: 3\nonly: [a, b]\nverbose: true\n")
	write(t, "ci/other.yaml", `
# What CI needs beside.
concurrency: 5
header: 'X-Key: <${CONFORMANCE_TOKEN}>'
fixtures: ../mine
report: [json=out/r.json, junit=-]
token-file: secret
`)
	write(t, "unset.yaml", "header: 'X: ${NOT_SET_HERE}'\n")
	write(t, "mine/one.yaml", "")
	for _, row := range []struct {
		name string
		args []string
		read func(*runOptions) any
		want any
	}{
		{"found in the folder", nil, func(o *runOptions) any { return o.Config.Limits.Concurrency }, 3},
		{"a list", nil, func(o *runOptions) any { return o.Config.Only }, []string{"a", "b"}},
		{"a flag instead of the whole list", []string{"--only", "c"}, func(o *runOptions) any { return o.Config.Only }, []string{"c"}},
		{"a flag against a switch", []string{"--quiet"}, func(o *runOptions) any { return o.View.Detail }, console.Quiet},
		{"a switch turned off", []string{"--verbose=false"}, func(o *runOptions) any { return o.View.Detail }, console.Normal},
		{"named", []string{"--config", "ci/other.yaml"}, func(o *runOptions) any { return o.Config.Limits.Concurrency }, 5},
		{"a file instead of the other", []string{"--config", "ci/other.yaml"}, func(o *runOptions) any { return len(o.Config.Only) }, 0},
		{"none at all", []string{"--config", "/dev/null"}, func(o *runOptions) any { return o.Config.Limits.Concurrency }, 8},
		{"a variable in a header", []string{"--config", "ci/other.yaml"}, func(o *runOptions) any { return o.Config.Target.Headers[0].Value }, "<from-the-environment>"},
		{"a variable that is not set, in a header that does not count", []string{"--config", "unset.yaml", "--header", "Y: 1"}, func(o *runOptions) any { return o.Config.Target.Headers[0].Name }, "Y"},
		{"paths count from the file", []string{"--config", "ci/other.yaml"}, func(o *runOptions) any { return o.Config.Fixtures[0].Name }, "mine"},
		{"so do those of reports", []string{"--config", "ci/other.yaml"}, func(o *runOptions) any {
			var paths []string
			for _, out := range o.View.Files.List {
				paths = append(paths, out.Path)
			}
			return paths
		}, []string{"ci/out/r.json", "-"}},
		{"and of the credential", []string{"--config", "ci/other.yaml"}, func(o *runOptions) any { return o.TokenFile.Text }, "ci/secret"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.read(parse(t, row.args...)); !reflect.DeepEqual(got, row.want) {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
}

// The credential in the environment overrides the file that the configuration names. A file that a
// flag names overrides both.
func TestTokenOfTheConfigFile(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, cli.ConfigName, "token-file: token\n")
	write(t, "token", "from-the-file")
	write(t, "other", "from-the-flag")
	read := func(args ...string) string {
		t.Helper()
		token, err := target.ReadToken(parse(t, args...).TokenFile, nil)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	t.Setenv(target.TokenVariable, "")
	if got := read(); got != "from-the-file" {
		t.Errorf("by the file alone it is %s", got)
	}
	t.Setenv(target.TokenVariable, "from-the-environment")
	if got := read(); got != "from-the-environment" {
		t.Errorf("by file and environment it is %s", got)
	}
	if got := read("--token-file", "other"); got != "from-the-flag" {
		t.Errorf("by all three it is %s", got)
	}
}

// Other commands read the settings about the contract from the file, and ignore the others.
func TestConfigFileOfOtherCommands(t *testing.T) {
	layOutFiles(t)
	write(t, "own/ping/valid/a.yaml", "title: a ping\nclause: ping/accepts\nexpect: accepted\n")
	write(t, cli.ConfigName, "spec: openapi.yaml\nfixtures: own\nconcurrency: 3\nheader: 'X: ${NOT_SET_HERE}'\nreport: json=report.json\n")
	for _, row := range []struct{ line, want string }{
		{"list clauses", "ping/answers"},
		{"explain ping/answers", "ping/answers"},
		{"list deviations", "missing-name-accepted"},
	} {
		t.Run(row.line, func(t *testing.T) {
			conformance(t, strings.Fields(row.line)...).wants(t, exitConformant, row.want)
			if left := filesIn(t, "."); slices.Contains(left, "report.json") {
				t.Errorf("a report was written: %v", left)
			}
		})
	}
}

// A service that a flag names overrides the targets of the file, and other settings of the file
// about one service.
func TestTargetsOfTheFileThatDoNotCount(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "targets.yaml", list())
	server := serve(t, plantStore())
	t.Setenv("CONFORMANCE_BASE_URL", "") // the test restores it afterwards
	_ = os.Unsetenv("CONFORMANCE_BASE_URL")
	one := " --only createPlant/valid/plain --base-url " + server.URL
	for _, row := range []struct {
		name, text, line string
		code             int
		want             string
	}{
		{"neither does their matrix", "matrix: html=matrix.html", "run" + one, exitConformant, "conformant in 5 of 15 must-clauses: "},
		{"a matrix that a flag asks for", "strict: true", "run --matrix html=matrix.html" + one, exitUsage, "conformance: --matrix needs --targets; "},
		{"their reports", "report: json={target}.json", "run" + one, exitUsage, "conformance: conformance.yaml:2: report json={target}.json: {target} stands for the name of one of the targets of targets.yaml, which --base-url overrides; --report overrides it\n"},
		{"a report instead of theirs", "report: json={target}.json", "run --report json=report.json" + one, exitConformant, "conformant in 5 of 15 must-clauses: "},
		{"their report by a flag", "strict: true", "run --report json={target}.json" + one, exitUsage, "conformance: --report json={target}.json: {target} stands for the name of one of the targets of targets.yaml, which --base-url overrides\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			write(t, cli.ConfigName, "targets: targets.yaml\n"+row.text+"\n")
			conformance(t, strings.Fields(row.line)...).wants(t, row.code, row.want)
			if left := filesIn(t, "."); slices.Contains(left, "matrix.html") || slices.Contains(left, "{target}.json") {
				t.Errorf("it left %v", left)
			}
		})
	}
}

func TestMistakesInTheConfigFile(t *testing.T) {
	layOutFiles(t)
	for _, row := range []struct {
		name, text, line string
		want             string
	}{
		{"an unknown key", "frobnicate: 1\n", "run", `conformance.yaml:1:1: unknown key "frobnicate"; known are base-url, `},
		{"a mistyped key", "basurl: http://x\n", "run", `conformance.yaml:1:1: unknown key "basurl"; did you mean base-url?` + "\n"},
		{"a key in upper case", "Timeout: 3s\n", "run", `unknown key "Timeout"; did you mean timeout?` + "\n"},
		{"a key as variables have it", "ca_cert: x\n", "run", `unknown key "ca_cert"; did you mean ca-cert?` + "\n"},
		{"the file of the credential in upper case", "TOKEN_FILE: x\n", "run", `unknown key "TOKEN_FILE"; did you mean token-file?` + "\n"},
		{"a list of settings", "- timeout: 3s\n", "run", "conformance.yaml:1:1: must be a mapping of settings"},
		{"a star without quotes", "only: *\n", "run", "conformance.yaml:1:8: not valid YAML or JSON: did not find expected alphabetic or numeric character while scanning an alias; a value that begins with * must be in quotes"},
		{"a header without quotes", "header: X-Api-Key: hunter2\n", "run", `a value with ": " in it must be in quotes`},
		{"a header without quotes in a list", "header:\n  - X-Api-Key: hunter2\n", "run", "conformance.yaml:2:5: header must be written as for the flag, found a mapping; put the whole value in quotes"},
		{"a variable that is not set", "header: 'X: ${NOT_SET_HERE}'\n", "run", "conformance.yaml:1:9: header: the environment variable NOT_SET_HERE is not set"},
		{"a value that is none", "\ntimeout: 10\n", "run", `conformance.yaml:2: timeout is "10"; it must be a time of more than 0s`},
		{"a file that is missing", "ca-cert: missing\n", "run", "conformance.yaml:1: ca-cert missing cannot be read: no such file"},
		{"an empty value", "base-url: ''\n", "run", "conformance.yaml:1: base-url is empty; give it a value or omit it"},
		{"two details", "quiet: true\nverbose: true\n", "run", "conformance.yaml:1: quiet and conformance.yaml:2: verbose exclude each other"},
		{"a report that cannot be", "report: pdf=x\n", "run", "conformance.yaml:1: report"},
		{"a configuration in it", "config: x\n", "run", `unknown key "config"`},
		{"a credential in it", "token: hunter2\n", "run", `unknown key "token"; no key takes the credential itself: set CONFORMANCE_TOKEN to it, or name a file with token-file` + "\n"},
		{"a credential as its variable", "CONFORMANCE_TOKEN: hunter2\n", "run", `unknown key "CONFORMANCE_TOKEN"; no key takes the credential itself`},
		{"a password in it", "Password: hunter2\n", "run", `unknown key "Password"; no key takes the credential itself`},
		{"a credential in another word", "password: hunter2\n", "run", `unknown key "password"; no key takes the credential itself`},
		{"a credential that is a number", "token: 007\n", "run", "conformance.yaml:1:8: the value is not a valid JSON number; quote it if it is text\n"},
		{"a password in the URL", "base-url: http://admin:hunter2@127.0.0.1\n", "run", "conformance.yaml:1: base-url must be a URL without user name and password"},
		{"a contract that is missing, to list", "spec: missing\n", "list clauses", "conformance.yaml:1: spec missing cannot be read: no such file"},
		{"a name of the bundled reference", "implementation-version: 1\nimplementation: x\n", "run", "conformance: conformance.yaml:2: implementation needs --base-url: "},
		{"a version of the bundled reference", "implementation-version: 1\n", "run", "conformance: conformance.yaml:1: implementation-version needs --base-url: "},
		{"a folder without fixtures", "\nfixtures: none\n", "run", "conformance: conformance.yaml:2: fixtures none holds no fixture"},
		{"a folder without fixtures, to list", "fixtures: [none]\n", "list fixtures", "conformance: conformance.yaml:1: fixtures none holds no fixture"},
		{"a matrix without targets", "matrix: html=m\n", "run", "conformance: conformance.yaml:1: matrix needs --targets; "},
		{"a report of a target without targets", "report: json={target}.json\n", "run", "{target} stands for the name of one of --targets, which is not given; --report overrides it\n"},
		{"everything skipped", "skip: '*'\n", "run", "conformance: --skip excludes all selected fixtures; "},
		{"everything skipped that was chosen", "only: createPlant/valid\nskip: createPlant\n", "run", "conformance: --skip excludes all selected fixtures; "},
		{"a file that is no YAML", "base-url: [\n", "run", "conformance.yaml:1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			write(t, cli.ConfigName, row.text)
			result := conformance(t, strings.Fields(row.line)...)
			result.wants(t, exitUsage, row.want)
			checkOneLine(t, result)
		})
	}
	conformance(t, "run", "--config", "missing").wants(t, exitUsage, "--config missing cannot be read: no such file")
	conformance(t, "run", "--config=").wants(t, exitUsage, "--config is empty")
	conformance(t, "list", "deviations", "--config", "x").wants(t, exitUsage, "unknown flag --config")
}

// A file with almost the right name is an error. Otherwise the user would not notice that it is
// ignored.
func TestConfigFileThatIsMissed(t *testing.T) {
	for _, row := range []struct {
		what string
		lay  func(t *testing.T)
		line string
		want string
	}{
		{"another ending", func(t *testing.T) { write(t, "conformance.yml", "seed: 7\n") }, "", "conformance.yml is not read; call it conformance.yaml, or name the file with --config"},
		{"another ending, named", func(t *testing.T) { write(t, "conformance.yml", "seed: 7\n") }, "--config conformance.yml", ""},
		{"another ending beside the right one", func(t *testing.T) {
			write(t, "conformance.yml", "seed: 7\n")
			write(t, cli.ConfigName, "seed: 8\n")
		}, "", ""},
		{"a link that leads nowhere", func(t *testing.T) {
			if err := os.Symlink("missing", cli.ConfigName); err != nil {
				t.Fatal(err)
			}
		}, "", "conformance: conformance.yaml cannot be read: no such file or directory"},
		{"a folder", func(t *testing.T) { write(t, cli.ConfigName+"/file", "") }, "", "conformance: conformance.yaml cannot be read: is a directory"},
	} {
		t.Run(row.what, func(t *testing.T) {
			t.Chdir(t.TempDir())
			row.lay(t)
			result := conformance(t, append([]string{"run", "--only", "createPlant/valid/plain"}, strings.Fields(row.line)...)...)
			if row.want == "" {
				result.wants(t, exitConformant)
				return
			}
			result.wants(t, exitUsage, row.want)
			checkOneLine(t, result)
		})
	}
}
