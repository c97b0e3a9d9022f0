package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
)

// The source of each setting is above it.
func TestConfig(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, cli.ConfigName, `# what CI needs
concurrency: 3
header:
  - 'X-Team: greenhouse'
  - 'X-Api-Key: ${CONFIG_TEST_KEY}'
implementation-url: https://plants.example.com/a-rather-long-path/of-no-use
`)
	t.Setenv("CONFIG_TEST_KEY", "hunter2")
	t.Setenv("CONFORMANCE_TIMEOUT", "3s")
	t.Setenv(target.TokenVariable, testToken)
	result := conformance(t, "config", "--base-url", "http://store.example", "--only", "createPlant/valid/*", "--only", "createPlant/open", "--strict")
	result.wants(t, exitConformant)
	for _, want := range []string{
		"# Effective settings of `conformance run` in this folder, each below its source.\n# config: conformance.yaml (default)\n# credential: CONFORMANCE_TOKEN (hidden)\n\n# Target\n",
		"\n# --base-url\nbase-url: http://store.example\n",
		"\n# token-file: not set\n",
		"\nheader:\n  # conformance.yaml:4\n  - 'X-Team: greenhouse'\n  # conformance.yaml:5\n  - 'X-Api-Key: ${CONFIG_TEST_KEY}'\n",
		"\n# default\nwait: 0s\n",
		"\n# conformance.yaml:6\nimplementation-url: https://plants.example.com/a-rather-long-path/of-no-use\n",
		"\nonly:\n  # --only\n  - 'createPlant/valid/*'\n  # --only\n  - createPlant/open\n",
		"\n# --strict\nstrict: true\n",
		"\n# seed: not set (a new one)\n",
		"\n\n# Requests\n# conformance.yaml:2\nconcurrency: 3\n",
		"\n# rate: not set (no limit)\n",
		"\n# CONFORMANCE_TIMEOUT\ntimeout: 3s\n",
	} {
		if !strings.Contains(result.out, want) {
			t.Errorf("it does not say:\n%s", want)
		}
	}
	if t.Failed() {
		t.Log(result.out)
	}
	checkWidth(t, result.out)
}

// The output has every flag of run, as a value or as a comment.
func TestConfigTellsOfEveryFlag(t *testing.T) {
	t.Chdir(t.TempDir())
	text := conformance(t, "config").out
	for _, f := range newRunOptions().flags() {
		if f.InFile && !strings.Contains(text, "\n"+f.Name+": ") && !strings.Contains(text, "\n# "+f.Name+": ") {
			t.Errorf("nothing is said of %s", f.Name)
		}
	}
	if strings.Contains(text, "json") {
		t.Error("--json is a flag of config and no setting")
	}
}

// Every default is a valid value of its flag.
func TestDefaultsAreTextsOfTheirFlags(t *testing.T) {
	for _, f := range newRunOptions().flags() {
		if f.Default == "" {
			continue
		}
		if err := f.Take(cli.Given{Name: "--" + f.Name, Text: f.Default}); err != nil {
			t.Errorf("say .or instead of .defaultsTo for words that the flag does not take: %v", err)
		}
	}
}

// configOf returns the JSON output of config.
func configOf(t *testing.T, args ...string) effective {
	t.Helper()
	result := conformance(t, append([]string{"config", "--json"}, args...)...)
	result.wants(t, exitConformant)
	var e effective
	decoder := json.NewDecoder(strings.NewReader(result.out))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		t.Fatalf("%v\n%s", err, result.out)
	}
	return e
}

// texts returns the values without their sources, and without hidden values.
func (e effective) texts() map[string][]string {
	texts := map[string][]string{}
	for _, s := range e.Settings {
		for _, v := range s.Values {
			if !v.Hidden {
				texts[s.Key] = append(texts[s.Key], v.Text)
			}
		}
	}
	return texts
}

// The output of config is a configuration file with the same settings, for any values. It does not
// contain hidden values.
func TestConfigIsAConfigFile(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("CONFIG_TEST_KEY", "hunter2")
	write(t, "odd # name: x/own/createPlant/mine/a.yaml", "title: a plant\nclause: createPlant/accepts\nexpect: accepted\nrequest:\n  body: {id: $freshId, name: conformance}\n")
	write(t, cli.ConfigName, "base-url: http://a\nheader: ['X-Key: ${CONFIG_TEST_KEY}']\n")
	for _, args := range [][]string{
		{},
		{"--fixtures", "odd # name: x/own"},
		{"--strict", "--seed", "18446744073709551615", "--rate", "50.5", "--max-body", "64KiB", "--shard", "1/2", "--wait", "1m30s"},
		{"--base-url", "https://[::1]:8443/a%20b/", "--implementation", "it's \"#1\": α\tβ\n- {x}"},
		{"--base-url", "http://a", "--implementation", " ", "--implementation-version", "1.10"},
		{"--base-url", "http://a", "--implementation", "null", "--implementation-version", "010"},
		{"--base-url", "http://a", "--implementation", "@x", "--implementation-version", "~", "--implementation-url", "2026-01-01"},
		{"--header", "X-A: b, c # d", "--header", "X-B:", "--header", "X-Secret: hunter2", "--report", "json=-", "--report", "html=a b.html"},
		{"--header", "X-Secret: hunter2"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			want := configOf(t, args...)
			printed := conformance(t, append([]string{"config"}, args...)...)
			write(t, "printed.yaml", printed.out)
			if got := configOf(t, "--config", "printed.yaml"); !reflect.DeepEqual(got.texts(), want.texts()) {
				t.Errorf("it became\n%v, it was\n%v, printed as\n%s", got.texts(), want.texts(), printed.out)
			}
		})
	}
}

// A file would expand ${ as a variable, a command line does not.
func TestConfigCommentsOutWhatNoFileCanSay(t *testing.T) {
	t.Chdir(t.TempDir())
	conformance(t, "config", "--header", "X-A: ${HOME}").wants(t, exitConformant, "\n# header:\n  # --header\n#   - 'X-A: ${HOME}'\n")
}

func TestConfigHidesSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	const secret = "hunter2"
	write(t, "token", secret)
	t.Setenv("CONFIG_TEST_KEY", secret)
	for _, row := range []struct {
		name, file, env string
		args            []string
		want            []string // parts of the output
	}{
		{"the credential of the environment", "", secret, nil, []string{"# credential: CONFORMANCE_TOKEN (hidden)\n"}},
		{"the credential in a file", "", "", []string{"--token-file", "token"}, []string{"# credential: token-file (hidden)\n", "\ntoken-file: token\n"}},
		{"the credential in a file of the file", "token-file: token\n", "", nil, []string{"# credential: token-file (hidden)\n", "\ntoken-file: token\n"}},
		{"no credential", "", "", nil, []string{"# credential: none\n"}},
		{"the credential where a file is named, and another counts", "token-file: " + secret + "\n", "other", nil, []string{"# credential: CONFORMANCE_TOKEN", "# token-file: (hidden)\n"}},
		{"a header by its name", "", "", []string{"--header", "x-api-key: " + secret}, []string{"\n# header:\n  # --header\n#   - x-api-key: (hidden)\n"}},
		{"a header by its name, in the file", "header: 'Cookie: a=" + secret + "'\n", "", nil, []string{"#   - Cookie: (hidden)\n", "# conformance.yaml:1\n"}},
		{"a header by its value", "", secret, []string{"--header", "X-A: <" + secret + ">"}, []string{"#   - X-A: (hidden)\n"}},
		{"one of two headers", "", "", []string{"--header", "X-Key: " + secret, "--header", "X-A: b"}, []string{"\nheader:\n  # --header\n#   - X-Key: (hidden)\n", "\n  - 'X-A: b'\n"}},
		{"a variable in a header", "header: 'X-Key: ${CONFIG_TEST_KEY}'\n", "", nil, []string{"\nheader:\n  # conformance.yaml:1\n  - 'X-Key: ${CONFIG_TEST_KEY}'\n"}},
		{"a variable in a header that is named otherwise", "header: 'X-A: a ${CONFIG_TEST_KEY}'\n", "", nil, []string{"  - 'X-A: a ${CONFIG_TEST_KEY}'"}},
		{"a variable and a secret", "header: 'X-Key: " + secret + "${CONFIG_TEST_KEY}'\n", "", nil, []string{"#   - X-Key: (hidden)"}},
		{"a variable that holds the credential", "header: 'X-A: ${CONFORMANCE_TOKEN}'\n", secret, nil, []string{"  - 'X-A: ${CONFORMANCE_TOKEN}'"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			write(t, cli.ConfigName, row.file)
			t.Setenv(target.TokenVariable, row.env)
			text := conformance(t, append([]string{"config", "--base-url", "http://a"}, row.args...)...)
			text.wants(t, exitConformant, row.want...)
			asJSON := conformance(t, append([]string{"config", "--json", "--base-url", "http://a"}, row.args...)...)
			if strings.Contains(text.out+text.err+asJSON.out+asJSON.err, secret) {
				t.Errorf("it shows the secret:\n%s\n%s", text.out, asJSON.out)
			}
			if hidden := strings.Contains(asJSON.out, `"hidden": true`); hidden != strings.Contains(strings.ReplaceAll(text.out, "credential:", ""), ": (hidden)") {
				t.Errorf("as JSON it is hidden: %v\n%s", hidden, asJSON.out)
			}
		})
	}
}

// unread fails the test when it is read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("standard input was read")
	return 0, errors.New("not to be read")
}

// Nothing is sent, read from standard input, written or created. The same is true for a dry run.
func TestConfigLeavesNoTrace(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, untouched(t))
	write(t, cli.ConfigName, "report: [json=report.json, html=report.html, ndjson=run.ndjson, github]\n")
	write(t, "summary", "")
	t.Setenv(output.SummaryVariable, "summary")
	t.Setenv(output.OutputVariable, "missing")
	var out strings.Builder
	code := execute(t.Context(), []string{"conformance", "config", "--token-file", "-"}, output.Streams{In: unread{t}, Out: &out, Err: io.Discard})
	outcome{code, out.String(), ""}.wants(t, exitConformant, "# credential: token-file (hidden)\n", "\ntoken-file: '-'\n")
	write(t, "targets.yaml", "targets: [{name: first, base-url: 'http://127.0.0.1:1'}]\n")
	out.Reset()
	code = execute(t.Context(), []string{"conformance", "config", "--config", os.DevNull, "--targets", "targets.yaml", "--token-file", "-", "--header", "X-Team: plants", "--report", "json={target}.json", "--report", "ndjson={target}.ndjson"}, output.Streams{In: unread{t}, Out: &out, Err: io.Discard})
	outcome{code, out.String(), ""}.wants(t, exitConformant, "# credential: token-file (hidden)\n", "\n  - 'X-Team: plants'")
	for _, line := range []string{"run --dry-run", "run --dry-run --config " + os.DevNull + " --targets targets.yaml --report json={target}.json"} {
		conformance(t, strings.Fields(line)...).wants(t, exitConformant, "curl ")
	}
	if left := filesIn(t, "."); !slices.Equal(left, []string{cli.ConfigName, "summary", "targets.yaml"}) {
		t.Errorf("it left %v", left)
	}
	if info, err := os.Stat("summary"); err != nil || info.Size() > 0 {
		t.Errorf("it wrote to the summary: %v", err)
	}
}

// config reports a mistake with the same words as run.
func TestConfigTellsMistakesAsRunDoes(t *testing.T) {
	needsLong(t, "tries every mistake twice")
	layOutFiles(t)
	serve(t, untouched(t))
	write(t, "secret", testToken)
	write(t, "targets.yaml", "targets: [{name: first, base-url: 'http://127.0.0.1:1'}, {name: secret, base-url: 'http://127.0.0.1:1', token-file: secret}]\n")
	for _, row := range []struct{ name, file, line string }{
		{"a flag", "", "--timeout 10"},
		{"an unknown key", "timout: 3s\n", ""},
		{"a value of the file", "concurrency: many\n", ""},
		{"a missing file", "", "--config missing"},
		{"a missing certificate", "ca-cert: missing\n", ""},
		{"a key without its certificate", "", "--client-key key.pem"},
		{"a filter that matches nothing", "only: nothing\n", ""},
		{"a missing credential", "", "--token-file hunter2"},
		{"a header that is none", "", "--header hunter2"},
		{"two details", "quiet: true\nverbose: true\n", ""},
		{"targets that cannot be read, with a credential on standard input", "", "--targets missing --token-file -"},
		{"an unknown format", "report: pdf=a\n", ""},
		{"a report below a file", "report: json=/dev/null/y/z.json\n", ""},
		{"a report that is a folder", "", "--report json=."},
		{"events below a file", "", "--report ndjson=/dev/null/run.ndjson"},
		{"a report over what is read", "ca-cert: cert.pem\nreport: html=cert.pem\n", ""},
		{"a report of each target below a file", "", "--targets targets.yaml --report json=/dev/null/{target}.json"},
		{"a report of one target over its credential", "", "--targets targets.yaml --report json={target}"},
		{"a matrix that is a folder", "", "--targets targets.yaml --matrix html=none"},
	} {
		t.Run(row.name, func(t *testing.T) {
			write(t, cli.ConfigName, row.file)
			args := strings.Fields(row.line)
			result := conformance(t, append([]string{"config"}, args...)...)
			result.wants(t, exitUsage)
			checkOneLine(t, result)
			for _, command := range [][]string{{"run"}, {"run", "--dry-run"}} {
				if run := conformance(t, append(command, args...)...); run != result {
					t.Errorf("%s says %q, config %q", command, run.err, result.err)
				}
			}
		})
	}
}
