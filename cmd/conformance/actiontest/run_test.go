//go:build long

package actiontest

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConformant(t *testing.T) {
	o := job{inputs: serve(t, plantStore()).and("only", "createPlant/valid/plain\ncreatePlant/valid/tag\n")}.run(t)
	o.wants(t, 0, "verdict", "conformant", "headline", "conformant in 6 of 15 must-clauses", "exit-code", "0", "failed", "0", "unjudged", "0", "waived", "0", "report-dir", "conformance-report")
	if o.outputs["fixtures"] == "0" || o.outputs["fixtures"] != o.outputs["passed"] {
		t.Errorf("the outputs are %v", o.outputs)
	}
	if !strings.HasPrefix(o.summary, "### ⚠️ conformant in 6 of 15 must-clauses: ") {
		t.Errorf("the summary is %q", o.summary)
	}
	if !strings.HasPrefix(o.out, "::warning title=conformant in 6 of 15 must-clauses::") || strings.Count(o.out, "\n") != 1 {
		t.Errorf("only the verdict needs an annotation, but: %s", o.out)
	}
}

// A run with findings sets every output.
func TestNonconformant(t *testing.T) {
	o := job{inputs: serve(t, http.HandlerFunc(acceptEverything)).and("only", "createPlant/missing-required/name")}.run(t)
	o.wants(t, 1, "verdict", "nonconformant", "exit-code", "1", "fixtures", "1", "passed", "0", "failed", "1", "warned", "0", "waived", "0", "unjudged", "0")
	if !strings.HasPrefix(o.out, "::error file=fixtures/createPlant/missing-required/name.yaml,line=2,title=breaks ") {
		t.Errorf("the annotations are %q", o.out)
	}
	if !strings.HasPrefix(o.summary, "### ✗ nonconformant: ") {
		t.Errorf("the summary is %q", o.summary)
	}
	for name, value := range o.outputs {
		if value == "" {
			t.Errorf("the output %s is empty", name)
		}
	}
	for name, begin := range map[string]string{"json": "{", "html": "<!doctype html>", "junit": "<?xml", "sarif": "{", "markdown": "### ✗ "} {
		if path := o.outputs[name]; filepath.Dir(path) != "conformance-report" || !strings.HasPrefix(read(t, filepath.Join(o.workspace, path)), begin) {
			t.Errorf("what is said to be the report %s is at %q, and another", name, path)
		}
	}
}

// Each input does the same as the flag of that name.
func TestInputs(t *testing.T) {
	lenient, strict := serve(t, http.HandlerFunc(acceptEverything)), serve(t, plantStore())
	store := plantStore()
	undeclared := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !bytes.Contains(body, []byte(`"name"`)) {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		store.ServeHTTP(w, r)
	}))
	nobody := inputs{"base-url": "http://127.0.0.1:1", "token": token, "only": "createPlant/valid/*"}
	const one, name = "only", "createPlant/missing-required/name"
	for what, c := range map[string]struct {
		inputs inputs
		code   int
		wants  []string
	}{
		"waivers":                                {lenient.and(one, name, "waivers", "waivers.yaml"), 0, []string{"verdict", "conformant", "waived", "1", "failed", "0"}},
		"a waiver that is stale":                 {strict.and(one, name, "waivers", "waivers.yaml"), 1, []string{"verdict", "nonconformant", "failed", "0"}},
		"strict":                                 {undeclared.and(one, name, "strict", "true"), 1, []string{"failed", "1"}},
		"not strict":                             {undeclared.and(one, name, "strict", "false"), 0, []string{"passed", "1"}},
		"only, two lines with space":             {strict.and(one, "\n  "+name+"\r\n\n\tcreatePlant/missing-required/id "), 0, []string{"fixtures", "2"}},
		"skip":                                   {strict.and(one, "createPlant/valid/name-*\ncreatePlant/valid/tag", "skip", "createPlant/valid/t*\ncreatePlant/valid/*-escaped"), 0, []string{"fixtures", "1"}},
		"args":                                   {strict.and(one, name, "args", "--max-body=64KiB\n--seed\n7"), 0, []string{"fixtures", "1"}},
		"fixtures of folders with spaces":        {strict.and(one, "createPlant/mine/*", "fixtures", "my fixtures\nmore of them"), 0, []string{"fixtures", "3", "passed", "3"}},
		"a contract in a folder with spaces":     {strict.and(one, "*", "spec", "my contract/openapi.yaml", "fixtures", "my fixtures"), 0, []string{"fixtures", "2", "passed", "2"}},
		"what a configuration file says":         {strict, 0, []string{"fixtures", "1"}},
		"a report folder with a space":           {strict.and(one, name, "report-dir", "a b/c"), 0, []string{"report-dir", "a b/c", "json", "a b/c/report.json"}},
		"a report folder that is no expansion":   {strict.and(one, name, "report-dir", "$(touch a) ::error::b"), 0, []string{"report-dir", "$(touch a) ::error::b"}},
		"nobody is there":                        {nobody, 3, []string{"verdict", "inconclusive", "exit-code", "3"}},
		"fail-on nonconformant, nobody is there": {nobody.and("fail-on", "nonconformant"), 0, []string{"verdict", "inconclusive", "exit-code", "3"}},
		"fail-on nonconformant, a violation":     {lenient.and(one, name, "fail-on", "nonconformant"), 1, []string{"exit-code", "1"}},
		"fail-on never, nobody is there":         {nobody.and("fail-on", "never"), 0, []string{"exit-code", "3"}},
		"fail-on never, a violation":             {lenient.and(one, name, "fail-on", "never"), 0, []string{"verdict", "nonconformant", "exit-code", "1"}},
	} {
		t.Run(what, func(t *testing.T) {
			o := job{inputs: c.inputs, workspace: workspace(t)}.run(t)
			o.wants(t, c.code, c.wants...)
			if forgiven := strings.Contains(o.out, "does not fail this step"); forgiven != (o.outputs["exit-code"] != "0" && c.code == 0) {
				t.Errorf("that it is forgiven: %t", forgiven)
			}
		})
	}
}

// workspace returns the workspace of a caller, with some files.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const fixture = "title: no name\nclause: createPlant/request/body/name\nexpect: rejected\nrequest:\n  body: {id: $freshId}\n"
	write(t, filepath.Join(dir, "my fixtures", "createPlant", "mine", "one.yaml"), fixture)
	write(t, filepath.Join(dir, "my fixtures", "createPlant", "mine", "plain.yaml"), "title: plain\nclause: createPlant/accepts\nexpect: accepted\nrequest:\n  body: {id: $freshId, name: conformance}\n")
	write(t, filepath.Join(dir, "more of them", "createPlant", "mine", "two.yaml"), fixture)
	write(t, filepath.Join(dir, "my contract", "openapi.yaml"), read(t, root+"/spec/openapi.yaml"))
	write(t, filepath.Join(dir, "waivers.yaml"), "- match: createPlant/missing-required/name\n  reason: known\n  owner: us\n")
	write(t, filepath.Join(dir, "conformance.yaml"), "only: [createPlant/missing-required/id]\n")
	return dir
}

// An annotation names a file of the caller.
func TestAnnotatedFile(t *testing.T) {
	o := job{inputs: serve(t, http.HandlerFunc(acceptEverything)).and("fixtures", "my fixtures", "only", "createPlant/mine/*"), workspace: workspace(t)}.run(t)
	o.wants(t, 1)
	if !strings.HasPrefix(o.out, "::error file=my fixtures/createPlant/mine/one.yaml,line=1,") {
		t.Errorf("the annotations are %q", o.out)
	}
}

// The token of the job is used if the step has none.
func TestTokenOfTheJob(t *testing.T) {
	aim := serve(t, plantStore()).and("token", "", "only", "createPlant/valid/plain")
	job{inputs: aim, env: []string{"CONFORMANCE_TOKEN=" + token}}.run(t).wants(t, 0, "verdict", "conformant")
	job{inputs: aim.and("token", token), env: []string{"CONFORMANCE_TOKEN=another"}}.run(t).wants(t, 0, "verdict", "conformant")
	job{inputs: aim}.run(t).wants(t, 2, "verdict", "")
}

// The file in the workspace names the service if the step does not. A mistake in the file is
// reported.
func TestConfigFileOfTheWorkspace(t *testing.T) {
	aim := serve(t, plantStore())
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "conformance.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unsaid := aim.and("base-url", "", "only", "createPlant/valid/plain")
	write("base-url: " + aim["base-url"] + "\n")
	job{inputs: unsaid, workspace: dir}.run(t).wants(t, 0, "verdict", "conformant")
	write("base-url: " + aim["base-url"] + "\nstrict: maybe\n")
	job{inputs: unsaid, workspace: dir}.run(t).wants(t, 2, "verdict", "")
	write("strict: true\n")
	job{inputs: unsaid, workspace: dir}.run(t).wants(t, 2, "verdict", "")
	job{inputs: unsaid, workspace: dir, env: []string{"CONFORMANCE_BASE_URL=" + aim["base-url"]}}.run(t).wants(t, 0, "verdict", "conformant")
}

// A mistake fails the step for every value of fail-on. Nothing is sent, and the outputs have no
// verdict and no path of a report.
func TestMistakes(t *testing.T) {
	aim := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("something was sent: %s", r.URL) }))
	for what, c := range map[string]struct {
		inputs inputs
		says   string
	}{
		"no base URL":                  {aim.and("base-url", "", "token", ""), "base-url is empty"},
		"a token and no base URL":      {aim.and("base-url", ""), "CONFORMANCE_TOKEN needs --base-url"},
		"no HTTP":                      {aim.and("base-url", "ftp://x"), "must begin with http://"},
		"an empty selection":           {aim.and("only", "no/such/fixture"), "no/such/fixture"},
		"strict that is no switch":     {aim.and("strict", "perhaps"), "must be true or false"},
		"fail-on that there is not":    {aim.and("fail-on", "sometimes"), "fail-on must be"},
		"a contract that there is not": {aim.and("spec", "missing.yaml"), "missing.yaml cannot be read"},
		"args that are no flags":       {aim.and("args", "createPlant"), `unexpected argument "createPlant"`},
		"args that ask for a list":     {aim.and("args", "--dry-run"), "the run wrote no report"},
		"args that ask for help":       {aim.and("args", "--help"), "the run wrote no report"},
		"a file where the folder is":   {aim.and("report-dir", "/dev/null/##[group]x"), "report-dir is not a folder"},
		"a folder of two lines":        {aim.and("report-dir", "a\nverdict=conformant"), "report-dir has a line break"},
		"a token of two lines":         {aim.and("token", "a\nb"), "CONFORMANCE_TOKEN"},
	} {
		t.Run(what, func(t *testing.T) {
			o := job{inputs: c.inputs.and("fail-on", cmp.Or(c.inputs["fail-on"], "never"))}.run(t)
			o.wants(t, 2, "exit-code", "2")
			if !strings.Contains(o.out+o.err, c.says) {
				t.Errorf("it does not say %q", c.says)
			}
			if names := commandsIn(o.out); len(names) != 1 || names[0] != "error" {
				t.Errorf("the annotations are %v", names)
			}
			for name, value := range o.outputs {
				if value != "" && name != "report-dir" && name != "exit-code" {
					t.Errorf("the output %s is %q", name, value)
				}
			}
			if o.summary != "" {
				t.Errorf("the summary is %q", o.summary)
			}
		})
	}
}

// The reports of an earlier run are not used as results of this one. Other files stay as they are.
func TestReportsOfBefore(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"report.json", "junit.xml", "kept.txt"} {
		write(t, filepath.Join(dir, "before", name), "{}")
	}
	job{inputs: inputs{"base-url": "ftp://x", "report-dir": "before"}, workspace: dir}.run(t).wants(t, 2, "json", "", "junit", "")
	left, err := os.ReadDir(filepath.Join(dir, "before"))
	if err != nil || len(left) != 1 || left[0].Name() != "kept.txt" {
		t.Errorf("left are %v, %v", left, err)
	}
}

// Secret headers have a separate input. Their values are in no output or file.
func TestSecretHeadersOfTheJob(t *testing.T) {
	const secret = "s3cr3t-of-the-gateway"
	aim := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Gateway") != secret {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Header().Set("X-Echo", secret)
		plantStore().ServeHTTP(w, r)
	})).and("only", "createPlant/valid/plain", "args", "--verbose")
	for what, j := range map[string]job{
		"an input":            {inputs: aim.and("secret-header", "X-Gateway: "+secret)},
		"of the job":          {inputs: aim, env: []string{"CONFORMANCE_SECRET_HEADERS=X-Gateway: " + secret}},
		"an input before all": {inputs: aim.and("secret-header", "\nX-Gateway: "+secret+"\n"), env: []string{"CONFORMANCE_SECRET_HEADERS=X-Gateway: another"}},
	} {
		t.Run(what, func(t *testing.T) {
			o := j.run(t)
			o.wants(t, 0, "verdict", "conformant")
			o.holdsNo(t, secret)
		})
	}
}

// The action does not support a list of targets, and reports that.
func TestTargetsOfTheWorkspace(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "targets.yaml"), "targets: [{name: a, base-url: 'http://127.0.0.1:1'}]\n")
	write(t, filepath.Join(dir, "conformance.yaml"), "targets: targets.yaml\n")
	o := job{inputs: inputs{"token": token}, workspace: dir}.run(t)
	o.wants(t, 2)
	if !strings.Contains(o.out, "this action is for one service") {
		t.Errorf("it does not say what it is for")
	}
}
