package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/fleet"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
)

// loadTestTargets reads a list of targets, with flags.
func loadTestTargets(t *testing.T, text string, flags ...string) []*fleet.Target {
	t.Helper()
	write(t, "lists/targets.yaml", text)
	all, err := parse(t, append(flags, "--targets", "lists/targets.yaml")...).prepareAll(strings.NewReader("from-stdin\n"))
	if err != nil {
		t.Fatal(err)
	}
	return all.Targets
}

// The settings of a target override the others. For settings that it does not have, the usual
// sources apply.
func TestTargetsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	pair := newAuthority(t)
	writeCertificate(t, "lists/ca.pem", pair.certificate.Raw)
	write(t, "lists/secrets/token", "from-file\n")
	write(t, "lists/waivers.yaml", "- {match: createPlant/valid/*, reason: known, owner: us}\n")
	write(t, "common.yaml", "- {match: createPlant/accepts, reason: known, owner: us}\n")
	t.Setenv("OF_C", "from-variable")
	t.Setenv("KEY_OF_C", "k3y")
	t.Setenv(target.TokenVariable, "from-environment")
	targets := loadTestTargets(t, `
# Every key there is.
targets:
  - name: a
    base-url: http://a.example
  - name: b.1_x-y
    base-url: https://b.example/v1/
    token-file: secrets/token
    waivers: waivers.yaml
    ca-cert: ca.pem
    insecure-skip-verify: false
    implementation-version: 1.10
    implementation-url: https://example.com/b
    header: []
  - name: c
    base-url: http://c.example
    token-variable: OF_C
    insecure-skip-verify: true
    header: ['X-One: <${KEY_OF_C}>', 'X-Two: 2']
`, "--header", "X-Common: 1", "--waivers", "common.yaml", "--implementation-version", "9", "--timeout", "3s")
	type facts struct{ name, url, token, headers, waiver, version string }
	var got []facts
	for _, o := range targets {
		var headers []string
		for _, h := range o.Config.Target.Headers {
			headers = append(headers, h.Name+": "+h.Value)
		}
		c := o.Config
		got = append(got, facts{c.Implementation.Name, c.Target.BaseURL, c.Target.Token, strings.Join(headers, ", "), waived(o.Config.Waivers), c.Implementation.Version})
		if c.Limits.Timeout.String() != "3s" {
			t.Errorf("%s has a timeout of %s", o.Name, c.Limits.Timeout)
		}
	}
	want := []facts{
		{"a", "http://a.example", "from-environment", "X-Common: 1", "createPlant/accepts", "9"},
		{"b.1_x-y", "https://b.example/v1/", "from-file", "", "createPlant/valid/*", "1.10"},
		{"c", "http://c.example", "from-variable", "X-One: <k3y>, X-Two: 2", "createPlant/accepts", "9"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the targets are\n%+v, want\n%+v", got, want)
	}
	for i, want := range []struct{ tls, roots, insecure bool }{{false, false, false}, {true, true, false}, {true, false, true}} {
		tls := targets[i].Config.Target.TLS
		if (tls != nil) != want.tls || tls != nil && (tls.RootCAs != nil) != want.roots || tls != nil && tls.InsecureSkipVerify != want.insecure {
			t.Errorf("the TLS of %s is %+v", targets[i].Name, tls)
		}
	}
}

// The common credential may come from standard input, which is read once.
func TestTargetsWithOneTokenFromStandardInput(t *testing.T) {
	t.Chdir(t.TempDir())
	targets := loadTestTargets(t, "targets:\n- {name: a, base-url: http://a.example}\n- {name: b, base-url: http://b.example}\n", "--token-file", "-")
	for _, o := range targets {
		if o.Config.Target.Token != "from-stdin" {
			t.Errorf("the token of %s is %q", o.Name, o.Config.Target.Token)
		}
	}
}

// list returns a file of targets with these lines in the second one.
func list(lines ...string) string {
	text := "targets:\n- name: first\n  base-url: http://127.0.0.1:1\n- name: second\n  base-url: http://127.0.0.1:1\n"
	for _, line := range lines {
		text += "  " + line + "\n"
	}
	return text
}

func TestMistakesInTargets(t *testing.T) {
	needsLong(t, "tries every mistake")
	files := map[string]string{"good.yaml": list(), "one.yaml": "targets: [{name: a, base-url: http://127.0.0.1:1}]\n", "stale.yaml": "- {match: createPlant/valid/plane, reason: known, owner: us}\n"}
	var list []mistake
	add := func(what, text string, says ...string) {
		name := strings.ReplaceAll(what, " ", "-") + ".yaml"
		files[name] = text
		list = append(list, mistake{what, "run --report json=reports/{target}.json --targets " + name, "", says})
	}
	second := func(lines ...string) string {
		return files["good.yaml"] + "  " + strings.Join(lines, "\n  ") + "\n"
	}
	add("no list", "# nothing\n", "is empty; it must hold a list under targets")
	add("an empty list", "targets: []\n", "targets must be a list with at least one item")
	add("an unknown key", second("timeout: 3s"), `:6:3: unknown key "timeout"; known are name, base-url, token-file, credential, header,`)
	add("a mistyped key", second("Base_URL: x"), `unknown key "Base_URL"; did you mean base-url?`+"\n")
	add("an address of another host", second("resolve: h:127.0.0.1"), `:6: resolve is for the host "h", but the host of the base URL is "127.0.0.1"`)
	add("a credential", second("token: hunter2"), `unknown key "token"; no key takes the credential itself: name the variable that holds it with token-variable, or a file with token-file`+"\n")
	add("no name", "targets:\n- base-url: http://127.0.0.1:1\n", "no-name.yaml:2: target number 1 has no name; give it one")
	add("nothing at all", "targets:\n- {}\n", "nothing-at-all.yaml: target number 1 has no name")
	add("a name that is a path", "targets:\n- name: a/b\n  base-url: http://127.0.0.1:1\n", `:2: name is "a/b"; it must be at most 100 letters (A to Z), digits, dots, hyphens and underscores, with a letter or a digit first`)
	add("a name that is hidden", "targets:\n- name: .a\n  base-url: http://127.0.0.1:1\n", `name is ".a"; it must be`)
	add("two of a name", "targets:\n- {name: Shop, base-url: http://127.0.0.1:1}\n- {name: shop, base-url: http://127.0.0.1:2}\n", `:3: name is "shop", and so is the one of`, ":2; give each target its own")
	add("no base URL", "targets:\n- name: a\n", "no-base-URL.yaml:2: the target a has no base-url; give it one")
	add("a bad base URL", second("implementation-url: x", "header: x"), ":7: header number 1 has no colon")
	add("another scheme", "targets:\n- name: a\n  base-url: ftp://a.example\n", `another-scheme.yaml:3: base-url "ftp://a.example" must begin with http:// or https://`)
	add("a password in the URL", "targets:\n- name: a\n  base-url: http://admin:hunter2@127.0.0.1\n", ":3: base-url must be a URL without user name and password")
	add("an empty value", second("waivers: ''"), ":6: waivers is empty; give it a value or omit it")
	add("a token file that is missing", second("token-file: missing"), ":6: token-file names a file that cannot be read: no such file", "is hidden in case it is the credential")
	add("a token file that is empty", second("token-file: empty"), ":6: token-file empty is empty")
	add("standard input as token file", second("token-file: '-'"), ":6: token-file is standard input, which cannot hold the credentials of several targets; name a file")
	add("a variable that is not set", second("token-variable: "+testToken), ":6: token-variable names an environment variable that is not set", "is hidden in case it is the credential")
	add("two credentials", second("token-file: one", "token-variable: PATH"), ":6: token-file and", ":7: token-variable exclude each other; give one of them")
	add("a variable in a header that is not set", second("header: 'X: ${NOT_SET_HERE}'"), ":6:11: header: the environment variable NOT_SET_HERE is not set")
	add("waivers that are missing", second("waivers: missing"), ":6: waivers missing cannot be read: no such file")
	add("a waiver of nothing", second("waivers: stale.yaml"), "a-waiver-of-nothing.yaml:4: the target second: stale.yaml:1: the waiver createPlant/valid/plane matches no fixture and no clause")
	add("a CA file that is missing", second("ca-cert: missing"), ":6: ca-cert missing cannot be read")
	add("a certificate without its key", second("client-cert: cert.pem"), ":6: client-cert cert.pem needs its private key")
	add("neither on nor off", second("insecure-skip-verify: maybe"), `:6: insecure-skip-verify is "maybe"; it must be true or false`)
	list = append(list, []mistake{
		{"a file that is missing", "run --targets missing", "", []string{"--targets missing cannot be read: no such file"}},
		{"a folder", "run --targets none", "", []string{"--targets none cannot be read: is a directory"}},
		{"no file", "run --targets=", "", []string{"--targets is empty"}},
		{"no credential", "run --targets one.yaml --only createPlant/valid/plain", target.TokenVariable + "=", []string{"one.yaml:1: the target a: the contract requires a credential, but the target has none (createPlant/valid/plain needs it); give one with token-variable or token-file in its own lines, or one for all with --token-file or CONFORMANCE_TOKEN"}},
		{"--targets and --resolve", "run --targets good.yaml --resolve h:127.0.0.1", "", []string{"--resolve applies to one host; set resolve for each target in good.yaml"}},
		{"--targets and --resolve, and no base URL", "run --targets good.yaml --resolve h:127.0.0.1", "CONFORMANCE_BASE_URL", []string{"--resolve applies to one host; set resolve for each target in good.yaml"}},
		{"--targets and --base-url", "run --targets good.yaml --base-url http://127.0.0.1:1", "", []string{"--targets and --base-url exclude each other; move the settings of one target into good.yaml"}},
		{"a name beside it", "run --targets good.yaml --implementation x", "", []string{"--targets and --implementation exclude each other"}},
		{"a filter that matches nothing", "run --targets good.yaml --only nothing", "", []string{`--only "nothing" matches no fixture`}},
		{"a shard of nothing", "run --targets good.yaml --shard 3/3", "", []string{"--shard 3/3 has none of the 2 targets; use fewer shards"}},
		{"a shard counted from 0 of nothing", "run --targets good.yaml --shard index:3/3", "", []string{`--shard is "index:3/3"; it must be a part and the number of parts, such as 2/4, or index:1/4 where parts are numbered from 0`}},
		{"one report for all", "run --targets good.yaml --report json=reports/report.json", "", []string{"--report json=reports/report.json: every target would write to that path; put {target} into it, which stands for the target's name"}},
		{"standard output for all", "run --targets good.yaml --report junit=-", "", []string{"--report junit=-: there is one standard output for all targets; give each a file, such as junit={target}.junit"}},
		{"the step of a workflow for all", "run --targets good.yaml --report github", "", []string{"--report github is about one target", "markdown={target}.md"}},
		{"reports below a file", "run --targets good.yaml --report json=reports/{target}.json --report html=/dev/null/{target}.html", "", []string{"--report: /dev/null/first.html cannot be written: not a directory"}},
		{"a matrix over a report", "run --targets good.yaml --report json=reports/{target}.json --matrix json=reports/first.json", "", []string{"--report: two reports would be written to reports/first.json"}},
		{"a matrix that cannot be written", "run --targets good.yaml --report json=reports/{target}.json --matrix html=none", "", []string{"--matrix: none is a directory"}},
		{"a matrix of another format", "run --targets good.yaml --matrix junit=reports/m", "", []string{`--matrix: report format "junit" is unknown; there are json and html`}},
		{"a matrix of one", "run --targets one.yaml --matrix json=reports/m", "", []string{"--matrix needs at least two targets, but there is one"}},
		{"a matrix of a part", "run --targets good.yaml --shard 1/2 --matrix json=reports/m", "", []string{"--matrix covers all targets, but a shard has only some of them"}},
		{"a matrix without targets", "run --matrix json=reports/m", "", []string{"--matrix needs --targets; use `conformance compare`"}},
		{"a report of a target without targets", "run --report json=reports/{target}.json", "", []string{"--report json=reports/{target}.json: {target} stands for the name of one of --targets, which is not given"}},
	}...)
	checkMistakesWith(t, list, files)
}

// If a base URL is overridden, so is the resolve from the same source.
func TestResolveOfABaseURLThatDoesNotCount(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(target.TokenVariable, testToken)
	write(t, "targets.yaml", list())
	write(t, cli.ConfigName, "base-url: http://a.example\nresolve: a.example:127.0.0.1\n")
	result := conformance(t, "run", "--dry-run", "--only", "createPlant/valid/plain", "--targets", "targets.yaml")
	result.wants(t, exitConformant, "http://127.0.0.1:1/")
	if strings.Contains(result.out, "a.example") {
		t.Errorf("it names the other service:\n%s", result.out)
	}
}

// All mistakes are reported at once, because there may be hundreds of targets.
func TestEveryMistakeInTargetsIsTold(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, untouched(t))
	write(t, "targets.yaml", "targets:\n- {name: a}\n- {name: b, base-url: http://127.0.0.1:1}\n- {name: c, base-url: x}\n")
	result := conformance(t, "run", "--targets", "targets.yaml")
	result.wants(t, exitUsage, "conformance: targets.yaml:2: the target a has no base-url; give it one\ntargets.yaml:4: base-url is \"x\"")
}

// The schema and the command accept the same lists.
func TestTargetsSchema(t *testing.T) {
	data := readFile(t, "targets.schema.json")
	schema := compiled(t, "targets.schema.json", data)
	var text struct {
		Defs map[string]struct {
			Properties map[string]struct{ Description string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(data, &text); err != nil {
		t.Fatal(err)
	}
	properties := text.Defs["target"].Properties
	for _, key := range fleet.Keys() {
		if properties[key.Name].Description == "" {
			t.Errorf("%s is not described", key.Name)
		}
	}
	if len(properties) != len(fleet.Keys()) {
		t.Errorf("the schema has %d keys, the command %d", len(properties), len(fleet.Keys()))
	}
	for _, row := range []struct {
		what, text string
		good       bool
	}{
		{"two targets", list(), true},
		{"all keys", list("token-file: x", "header: 'A: 1'", "waivers: w.yaml", "ca-cert: a", "client-cert: b", "client-key: c", "insecure-skip-verify: true", "implementation-version: 1.2", "implementation-url: x", "credential: a=b"), true},
		{"a variable and headers", list("token-variable: X", "header: ['A: 1', 'B: 2']"), true},
		{"two credentials", list("token-file: x", "token-variable: X"), false},
		{"an unknown key", list("timeout: 3s"), false},
		{"a header without a colon", list("header: x"), false},
		{"no name", "targets:\n- base-url: http://x\n", false},
		{"no URL", "targets:\n- name: x\n", false},
		{"no targets", "targets: []\n", false},
		{"a name that is a path", "targets:\n- {name: a/b, base-url: http://x}\n", false},
		{"a password in the URL", "targets:\n- {name: a, base-url: http://a:b@x}\n", false},
	} {
		root := parsed(t, "targets.yaml", []byte(row.text))
		if err := schema.Validate(root.Value()); (err == nil) != row.good {
			t.Errorf("%s: %v", row.what, err)
		}
	}
}
