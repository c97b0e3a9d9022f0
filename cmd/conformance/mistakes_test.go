package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
)

// mistake is a mistake of a user, and the error in one line: the fault, as the user wrote it, and
// the fix.
type mistake struct {
	what string
	line string   // the command line
	env  string   // NAME=value in the environment; NAME without a value is unset
	says []string // parts of standard error
}

// checkMistakes checks that every mistake is reported in one line with exit code 2, that nothing is
// sent, and that no report is written.
func checkMistakes(t *testing.T, list []mistake) {
	t.Helper()
	checkMistakesWith(t, list, nil)
}

// checkMistakesWith is checkMistakes with additional files.
func checkMistakesWith(t *testing.T, list []mistake, files map[string]string) {
	t.Helper()
	layOutFiles(t)
	for path, content := range files {
		write(t, path, content)
	}
	for _, m := range list {
		t.Run(m.what, func(t *testing.T) {
			serve(t, untouched(t))
			name, value, ok := strings.Cut(m.env, "=")
			if name != "" {
				t.Setenv(name, value) // the test restores it afterwards
			}
			if name != "" && !ok {
				_ = os.Unsetenv(name)
			}
			result := conformance(t, strings.Split(m.line, " ")...)
			result.wants(t, exitUsage, m.says...)
			checkOneLine(t, result)
			if left := filesIn(t, "reports"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// checkOneLine checks that standard error has one line, with at most an excerpt of the faulty file,
// and that there is no other output.
func checkOneLine(t *testing.T, result outcome) {
	t.Helper()
	lines := strings.Count(result.err, "\n") - strings.Count(result.err, "\n    ")
	if result.out != "" || lines != 1 || !strings.HasPrefix(result.err, "conformance: ") {
		t.Errorf("it is not told in one line: %q, and %q on standard output", result.err, result.out)
	}
	for _, wrong := range []string{"goroutine", "panic", "0x", "<nil>", "%!", "strconv", testToken, "hunter2"} {
		if strings.Contains(result.err, wrong) {
			t.Errorf("there is %q in it: %s", wrong, result.err)
		}
	}
}

// layOutFiles makes a new working directory with the files of the mistakes.
func layOutFiles(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for path, content := range map[string]string{
		"empty":                  " \n",
		"two-lines":              "one\ntwo\n",
		"control":                "a\x00b",
		"long":                   strings.Repeat("x", target.MaxTokenFile+1),
		"prose.yaml":             "this is no OpenAPI document\n",
		"swagger.yaml":           "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths: {}\n",
		"openapi.yaml":           tinyContract,
		"none/readme.txt":        "",
		"yml/a/b/c.yml":          "",
		"operation/other/b.yaml": "",
		"depth/b.yaml":           "",
		"wrong/ping/a/b.yaml":    "title: a ping\nclause: ping/nothing\nexpect: accepted\n",
	} {
		write(t, path, content)
	}
	pair := newAuthority(t).issue(t, "127.0.0.1", time.Hour)
	writeKeyPair(t, "cert.pem", "key.pem", pair)
	writeKeyPair(t, "cert2.pem", "key2.pem", newAuthority(t).issue(t, "127.0.0.1", time.Hour))
	if err := os.MkdirAll("reports", 0o700); err != nil {
		t.Fatal(err)
	}
}

const tinyContract = `openapi: 3.0.3
info: {title: Tiny, version: '1'}
paths:
  /ping:
    get:
      operationId: ping
      responses:
        '204': {description: pong}
`

const withReport = " --report json=reports/report.json"

func TestMistakesInCommands(t *testing.T) {
	checkMistakes(t, []mistake{
		{"a mistyped command", "rnu", "", []string{`unknown command "rnu"; did you mean run?`}},
		{"an unknown command", "frobnicate", "", []string{`unknown command "frobnicate"; the commands of conformance are run,`}},
		{"a command that does not exist yet", "explore", "", []string{`unknown command "explore"; the commands of conformance are run,`}},
		{"an argument to config", "config base-url", "", []string{`unexpected argument "base-url"; conformance config takes flags only`}},
		{"an argument to the self-test", "selftest x", "", []string{`unexpected argument "x"`}},
		{"help on no command", "help frobnicate", "", []string{`there is no help for "frobnicate"; see conformance --help`}},
		{"no command, but a flag of one", "--base-url http://127.0.0.1", "", []string{"--base-url is a flag of run; write `conformance run --base-url`"}},
		{"help on nothing", "--help frobnicate", "", []string{"No help topic for 'frobnicate'; see conformance --help"}},
		{"an argument", "run plants", "", []string{`unexpected argument "plants"; conformance run takes flags only`, "--help"}},
		{"the base URL as an argument", "run http://127.0.0.1", "", []string{`unexpected argument "http://127.0.0.1"; write ` + "`conformance run --base-url http://127.0.0.1`"}},
		{"an empty argument", "run ", "", []string{`unexpected argument ""`}},
		{"an argument after --", "run -- --strict", "", []string{`unexpected argument "--strict"`}},
		{"an argument to version", "version 1", "", []string{`unexpected argument "1"; conformance version takes flags only`}},
		{"an argument to a list", "list fixtures createPlant", "", []string{`unexpected argument "createPlant"`}},
		{"no list", "list", "", []string{"list what?", "conformance list fixtures", "conformance list clauses"}},
		{"a mistyped list", "list fixture", "", []string{`unknown command "fixture"; did you mean fixtures?`}},
		{"a flag before the list", "list --json fixtures", "", []string{"--json is a flag of fixtures; write `conformance list fixtures --json`"}},
		{"an unknown shell", "completion tcsh", "", []string{`unknown command "tcsh"`, `unknown command "tcsh"`}},
		{"an argument to a shell", "completion bash x", "", []string{`unexpected argument "x"`}},
		{"nothing to explain", "explain", "", []string{"explain what?", "list clauses", "list fixtures"}},
		{"two things to explain", "explain createPlant/answers createPlant/accepts", "", []string{`unexpected argument "createPlant/accepts"; conformance explain takes one id`}},
		{"a mistyped clause to explain", "explain createPlant/answer", "", []string{`"createPlant/answer" is not the id of a clause or a fixture of Plant Store; the nearest ids are createPlant/answers, `}},
		{"something unknown to explain", "explain everything", "", []string{`"everything" is not the id of a clause or a fixture of Plant Store; `}},
	})
}

func TestMistakesInFlags(t *testing.T) {
	checkMistakes(t, []mistake{
		{"an unknown flag", "run --frobnicate", "", []string{"unknown flag --frobnicate; see conformance run --help"}},
		{"a mistyped flag", "run --concurency 3", "", []string{"unknown flag --concurency; did you mean --concurrency?"}},
		{"a short flag", "run -q", "", []string{"unknown flag -q; see conformance run --help"}},
		{"a token as a flag", "run --token " + testToken, "", []string{"unknown flag --token; did you mean --token-file?"}},
		{"a format as a flag", "run --html report.html", "", []string{"unknown flag --html"}},
		{"a flag without its value", "run --timeout", "", []string{"--timeout has no value; give it one or omit it"}},
		{"a flag in the place of a value", "run --spec --base-url http://store.example", "", []string{"--spec has no value, because --base-url follows it; give it one or omit it\n"}},
		{"an empty text", "run --base-url=", "", []string{"--base-url is empty; give it a value or omit it"}},
		{"an empty number", "run --concurrency=", "", []string{"--concurrency is empty"}},
		{"an empty time", "run --wait=", "", []string{"--wait is empty"}},
		{"an empty file", "run --token-file=", "", []string{"--token-file is empty"}},
		{"an empty glob", "run --only createPlant/valid/* --only=", "", []string{"--only is empty"}},
		{"an empty report", "run --report=", "", []string{"--report is empty"}},
		{"concurrency 0", "run --concurrency 0" + withReport, "", []string{`--concurrency is "0"; it must be a whole number, at least 1`}},
		{"concurrency below 0", "run --concurrency=-1" + withReport, "", []string{`--concurrency is "-1"; it must be`}},
		{"concurrency in words", "run --concurrency many", "", []string{`--concurrency is "many"; it must be a whole number, at least 1`}},
		{"a rate below 0", "run --rate=-1", "", []string{`--rate is "-1"; it must be a number of requests per second`}},
		{"a rate that is no number", "run --rate NaN", "", []string{`--rate is "NaN"; it must be`}},
		{"a rate without bounds", "run --rate inf", "", []string{`--rate is "inf"; it must be`}},
		{"no requests", "run --max-requests 0", "", []string{`--max-requests is "0"; it must be a whole number, at least 1`}},
		{"fewer requests than are needed", "run --only createPlant/open/same-id --max-requests 1" + withReport, "", []string{"--max-requests is 1, but the selected fixtures need 2 requests; raise it, or select fewer fixtures (quick, only, skip or shard)"}},
		{"a dry run of fewer requests than are needed", "run --dry-run --max-requests 10", "", []string{"--max-requests is 10, but the selected fixtures need "}},
		{"a time without a unit", "run --timeout 10", "", []string{`--timeout is "10"; it must be a time of more than 0s, such as 10s or 1m30s`}},
		{"no time", "run --timeout 0s" + withReport, "", []string{`--timeout is "0s"; it must be a time of more than 0s`}},
		{"a deadline below 0", "run --deadline=-5s", "", []string{`--deadline is "-5s"; it must be a time such as 10s or 1m30s, or 0s for none`}},
		{"a wait in words", "run --wait long", "", []string{`--wait is "long"; it must be a time such as`}},
		{"a size of unknown unit", "run --max-body 1MB!", "", []string{`--max-body is "1MB!"; it must be a size such as 512, 64KiB or 1MiB`}},
		{"a size of nothing", "run --max-body 0", "", []string{`--max-body is "0"; it must be a size`}},
		{"a size beyond all measure", "run --max-body 99999999999GiB", "", []string{`--max-body is "99999999999GiB"; it must be a size`}},
		{"a seed below 0", "run --seed=-1", "", []string{`--seed is "-1"; it must be a whole number from 1`}},
		{"the seed that would draw one", "run --seed 0", "", []string{`--seed is "0"; it must be a whole number from 1`}},
		{"a coverage beyond all", "run --min-coverage 101" + withReport, "", []string{`--min-coverage is "101"; it must be a percentage from 0 to 100, such as 80`}},
		{"a coverage below none", "run --min-coverage=-1", "", []string{`--min-coverage is "-1"; it must be a percentage`}},
		{"a coverage that is no number", "run --min-coverage NaN", "", []string{`--min-coverage is "NaN"; it must be a percentage`}},
		{"a coverage in words", "run --min-coverage all", "", []string{`--min-coverage is "all"; it must be a percentage`}},
		{"no tries", "run --tries 0" + withReport, "", []string{`--tries is "0"; it must be a whole number, at least 1`}},
		{"half a try", "run --tries 1.5", "", []string{`--tries is "1.5"; it must be a whole number`}},
		{"quick with a value that is none", "run --quick=very", "", []string{`--quick is "very"; it must be true or false`}},
		{"a switch that is neither on nor off", "run --strict=maybe", "", []string{`--strict is "maybe"; it must be true or false`}},
		{"an unknown colouring", "run --color blue", "", []string{`--color is "blue"; it must be auto, always or never`}},
		{"quiet and verbose", "run --quiet --verbose", "", []string{"--quiet and --verbose exclude each other; give one of them"}},
	})
}

func TestMistakesInTheEnvironment(t *testing.T) {
	checkMistakes(t, []mistake{
		{"a variable with a bad number", "run" + withReport, "CONFORMANCE_CONCURRENCY=x", []string{`CONFORMANCE_CONCURRENCY is "x"; it must be a whole number`}},
		{"a variable with a number too small", "run" + withReport, "CONFORMANCE_CONCURRENCY=0", []string{`CONFORMANCE_CONCURRENCY is "0"; it must be`}},
		{"a variable without a unit", "run", "CONFORMANCE_TIMEOUT=10", []string{`CONFORMANCE_TIMEOUT is "10"; it must be a time`}},
		{"a variable with a bad seed", "run", "CONFORMANCE_SEED=1.5", []string{`CONFORMANCE_SEED is "1.5"`}},
		{"a variable with a bad rate", "run", "CONFORMANCE_RATE=fast", []string{`CONFORMANCE_RATE is "fast"`}},
		{"a variable neither on nor off", "run", "CONFORMANCE_STRICT=maybe", []string{`CONFORMANCE_STRICT is "maybe"; it must be true or false`}},
		{"a variable with an unknown choice", "run", "CONFORMANCE_COLOR=blue", []string{`CONFORMANCE_COLOR is "blue"; it must be auto, always or never`}},
		{"an empty variable", "run", "CONFORMANCE_BASE_URL=", []string{"CONFORMANCE_BASE_URL is empty; give it a value or omit it"}},
		{"an empty variable for a switch", "run", "CONFORMANCE_STRICT=", []string{"CONFORMANCE_STRICT is empty"}},
		{"a variable with a bad URL", "run", "CONFORMANCE_BASE_URL=localhost:8080", []string{`CONFORMANCE_BASE_URL is "localhost:8080"; it must begin with http:// or https://`}},
		{"a variable with a space after its URL", "run", "CONFORMANCE_BASE_URL=http://store.example/api ", []string{"CONFORMANCE_BASE_URL contains a space; remove it, or write it as %20\n"}},
		{"a variable with a file that is missing", "run", "CONFORMANCE_CA_CERT=missing", []string{"CONFORMANCE_CA_CERT missing cannot be read: no such file"}},
		{"a variable with a missing configuration file", "run", "CONFORMANCE_CONFIG=missing", []string{"CONFORMANCE_CONFIG missing cannot be read: no such file"}},
		{"a variable of another command", "list fixtures", "CONFORMANCE_SPEC=missing", []string{"CONFORMANCE_SPEC missing cannot be read"}},
		{"a misspelled variable", "run" + withReport, "CONFORMANCE_BASEURL=http://store.example", []string{"unknown environment variable CONFORMANCE_BASEURL; did you mean CONFORMANCE_BASE_URL?\n"}},
		{"a misspelled variable with nothing in it", "run", "CONFORMANCE_TOKE=", []string{"unknown environment variable CONFORMANCE_TOKE; did you mean CONFORMANCE_TOKEN?"}},
		{"a variable with a misspelled prefix", "run" + withReport, "CONFORMACE_BASE_URL=http://store.example", []string{"unknown environment variable CONFORMACE_BASE_URL; did you mean CONFORMANCE_BASE_URL?"}},
		{"a variable in lower case", "run", "conformance_base_url=http://store.example", []string{"unknown environment variable conformance_base_url; did you mean CONFORMANCE_BASE_URL?"}},
		{"a variable with another separator", "run", "CONFORMANCE_BASE-URL=http://store.example", []string{"did you mean CONFORMANCE_BASE_URL?"}},
		{"a variable like none", "run" + withReport, "CONFORMANCE_FROBNICATE=hunter2", []string{"unknown environment variable CONFORMANCE_FROBNICATE; unset it or rename it (conformance run --help lists the variables)\n"}},
		{"a variable of a repeatable flag", "run", "CONFORMANCE_ONLY=createPlant/valid", []string{"unknown environment variable CONFORMANCE_ONLY; --only is repeatable and has no variable: use the flag, or the key only of conformance.yaml\n"}},
		{"a port for itself", "run", "CONFORMANCE_PORT=8080", []string{"unknown environment variable CONFORMANCE_PORT"}},
		{"an unknown variable, to a dry run", "run --dry-run", "CONFORMANCE_BASEURL=http://store.example", []string{"did you mean CONFORMANCE_BASE_URL?"}},
		{"an unknown variable, to config", "config", "CONFORMANCE_BASEURL=http://store.example", []string{"did you mean CONFORMANCE_BASE_URL?"}},
		{"an unknown variable, to a list", "list clauses", "CONFORMANCE_SPECS=openapi.yaml", []string{"did you mean CONFORMANCE_SPEC?"}},
		{"an unknown variable, to verify", "verify traffic.har", "CONFORMANCE_BASEURL=http://store.example", []string{"did you mean CONFORMANCE_BASE_URL?"}},
		{"a token of two lines", "run" + withReport, target.TokenVariable + "=" + testToken + "\nx", []string{target.TokenVariable + " has a line break", "nothing else"}},
	})
}

func TestMistakesAboutTheTarget(t *testing.T) {
	checkMistakes(t, []mistake{
		{"a host without a scheme", "run --base-url store.example", "", []string{`--base-url is "store.example"; it must begin with http:// or https://`}},
		{"a host and port without a scheme", "run --base-url 127.0.0.1:8080", "", []string{`--base-url is "127.0.0.1:8080"; it must begin with http:// or https://`}},
		{"another scheme", "run --base-url ftp://store.example", "", []string{`--base-url "ftp://store.example" must begin with http:// or https://`}},
		{"a URL without a host", "run --base-url http://", "", []string{`--base-url "http://" has no host`}},
		{"a URL with a query", "run --base-url http://store.example/?a=b", "", []string{"--base-url", "must end with its path"}},
		{"a port in words", "run --base-url http://127.0.0.1:http", "", []string{"--base-url", "invalid port"}},
		{"a password in the URL", "run --base-url http://admin:hunter2@127.0.0.1", "", []string{"--base-url must be a URL without user name and password", "--token-file or CONFORMANCE_TOKEN"}},
		{"a password in a URL without a scheme", "run --base-url admin:hunter2@127.0.0.1", "", []string{"--base-url must be a URL without user name and password"}},
		{"a password in a URL with one slash", "run --base-url http:/admin:hunter2@127.0.0.1", "", []string{"--base-url must be a URL without user name and password"}},
		{"a password with a hash", "run --base-url http://admin:hunter2#x@127.0.0.1", "", []string{"--base-url must be a URL without user name and password"}},
		{"an address without a host", "run --base-url http://store.example --resolve 127.0.0.1", "", []string{`--resolve is "127.0.0.1"; it must be HOST:ADDRESS, such as api.example:192.0.2.7`}},
		{"an address for another host", "run --base-url http://store.example --resolve other.example:127.0.0.1", "", []string{`--resolve is for the host "other.example", but the host of the base URL is "store.example"`}},
		{"an address as curl takes it", "run --base-url http://store.example --resolve store.example:80:127.0.0.1", "", []string{`--resolve has the address "80:127.0.0.1"; it must be an IP address`, "192.0.2.7:8443"}},
		{"an address for the bundled reference", "run --resolve store.example:127.0.0.1", "CONFORMANCE_BASE_URL", []string{"--resolve needs --base-url"}},
		{"a credential for no service", "run" + withReport, "CONFORMANCE_BASE_URL", []string{"CONFORMANCE_TOKEN needs --base-url: it is a credential, and without a base URL only the bundled reference is tested; give --base-url, or remove the credential\n"}},
		{"a credential for no service, to config", "config", "CONFORMANCE_BASE_URL", []string{"CONFORMANCE_TOKEN needs --base-url: "}},
		{"a file with a credential for no service", "run --token-file two-lines" + withReport, "CONFORMANCE_BASE_URL", []string{"--token-file needs --base-url: "}},
		{"no credential", "run" + withReport, target.TokenVariable + "=", []string{"the contract requires a credential, but the target has none", "which is set, but empty", "--token-file or CONFORMANCE_TOKEN"}},
		{"a header without a colon", "run --header X-A:1 --header hunter2", "", []string{"--header number 2 has no colon; write it as 'Name: value'"}},
		{"a secret header without a colon", "run --header X-A:1", target.SecretHeadersVariable + "=X-B: 2\nhunter2", []string{"CONFORMANCE_SECRET_HEADERS has a line without a colon; write each as 'Name: value'"}},
		{"a secret Authorization", "run", target.SecretHeadersVariable + "=authorization: hunter2", []string{"the header Authorization is what the suite tests"}},
		{"a header without a name", "run --header :hunter2", "", []string{`--header name "" is not valid`}},
		{"a header name with a line break", "run --header X\nY:hunter2", "", []string{`--header name "X\nY" is not valid`}},
		{"a header value with a line break", "run --header X:hunter2\nY", "", []string{"--header: the value of header X contains a control character"}},
		{"reading alone, and everything", "run --read-only --unsafe", "", []string{"--unsafe and the setting read-only exclude each other; omit one of them"}},
		{"reading alone, where nothing can be read", "run --read-only", "", []string{"--read-only excludes all selected fixtures; omit it"}},
		{"Authorization as a header", "run --header Authorization:hunter2", "", []string{"the header Authorization is what the suite tests", "--token-file or CONFORMANCE_TOKEN"}},
		{"Content-Type as a header", "run --header content-type:hunter2", "", []string{"--header content-type belongs to the fixtures"}},
	})
}

func TestMistakesInFiles(t *testing.T) {
	checkMistakes(t, []mistake{
		{"a missing token file", "run --token-file missing" + withReport, "", []string{"--token-file names a file that cannot be read: no such file", "is hidden in case it is the credential"}},
		{"a token file that is a folder", "run --token-file none", "", []string{"--token-file none cannot be read: is a directory"}},
		{"an empty token file", "run --token-file empty", "", []string{"--token-file empty is empty; it must hold the credential"}},
		{"nothing on standard input", "run --token-file -", "", []string{"--token-file - is empty; it must hold the credential"}},
		{"a token file of two lines", "run --token-file two-lines", "", []string{"--token-file two-lines has a line break", "nothing else"}},
		{"a token file with a control character", "run --token-file control", "", []string{"--token-file control has a line break or a control character"}},
		{"a token file too long", "run --token-file long", "", []string{"--token-file long is longer than 65536 bytes"}},
		{"a missing CA file", "run --ca-cert missing", "", []string{"--ca-cert missing cannot be read: no such file"}},
		{"a CA file without a certificate", "run --ca-cert two-lines", "", []string{"--ca-cert two-lines contains no PEM certificate"}},
		{"a CA file that is a key", "run --ca-cert key.pem", "", []string{"--ca-cert key.pem contains no PEM certificate"}},
		{"a client certificate without its key", "run --client-cert cert.pem", "", []string{"--client-cert cert.pem needs its private key; give it with --client-key"}},
		{"a client key without its certificate", "run --client-key key.pem", "", []string{"--client-key key.pem needs its certificate; give it with --client-cert"}},
		{"a missing client certificate", "run --client-cert missing --client-key key.pem", "", []string{"--client-cert missing cannot be read"}},
		{"a missing client key", "run --client-cert cert.pem --client-key missing", "", []string{"--client-key missing cannot be read"}},
		{"the key of another certificate", "run --client-cert cert.pem --client-key key2.pem", "", []string{"--client-cert cert.pem and --client-key key2.pem are not a PEM certificate and its private key"}},
	})
}

func TestMistakesAboutTheContract(t *testing.T) {
	checkMistakes(t, []mistake{
		{"a missing document", "run --spec missing", "", []string{"--spec missing cannot be read: no such file"}},
		{"a document that is a folder", "run --spec none", "", []string{"--spec none cannot be read: is a directory"}},
		{"a document that is prose", "run --spec prose.yaml", "", []string{"--spec: ", "prose.yaml", "no OpenAPI document"}},
		{"a document without operations", "run --spec swagger.yaml", "", []string{"--spec: ", "swagger.yaml", "declares no operation"}},
		{"a missing folder", "run --fixtures missing" + withReport, "", []string{"--fixtures missing cannot be read: no such file"}},
		{"a folder that is a file", "run --fixtures empty" + withReport, "", []string{"--fixtures empty is a file; name the folder above <operationId>/<group>/<name>.yaml"}},
		{"an empty folder", "run --fixtures none" + withReport, "", []string{"--fixtures none holds no fixture (<operationId>/<group>/<name>.yaml)"}},
		{"a fixture of another ending", "run --fixtures yml", "", []string{"yml/a/b/c.yml", "fixture files end in .yaml; rename it"}},
		{"a fixture of no group", "run --fixtures depth", "", []string{"depth/b.yaml: move it to <operationId>/<group>/<name>.yaml"}},
		{"an empty folder to list", "list fixtures --fixtures none", "", []string{"--fixtures none holds no fixture"}},
		{"an empty folder to explain", "explain createPlant/answers --fixtures none", "", []string{"--fixtures none holds no fixture"}},
	})
}

func TestMistakesInFilters(t *testing.T) {
	checkMistakes(t, []mistake{
		{"only what matches nothing", "run --only createPlant/valid/plane" + withReport, "", []string{`--only "createPlant/valid/plane" matches no fixture`, "conformance list fixtures"}},
		{"only what matches nothing in another contract", "run --base-url http://127.0.0.1 --spec openapi.yaml --only ping/nothing", "", []string{`--only "ping/nothing" matches no fixture`, "`conformance list fixtures --spec openapi.yaml` names all"}},
		{"a clause that does not exist", "run --base-url http://127.0.0.1 --spec=openapi.yaml --fixtures wrong", "", []string{`the contract has no clause "ping/nothing"; the nearest ids are ping/accepts`}},
		{"skipping what matches nothing", "run --skip nothing" + withReport, "", []string{`--skip "nothing" matches no fixture`}},
		{"everything skipped", "run --skip *" + withReport, "", []string{"conformance: --skip excludes all selected fixtures; a run without fixtures would test nothing"}},
		{"skipping what was chosen", "run --only createPlant/valid/plain --skip createPlant/valid" + withReport, "", []string{"conformance: --skip excludes all selected fixtures; "}},
		{"a clause that no fixture aims at", "run --only createPlant/200/echo" + withReport, "", []string{"--only", "createPlant/200/echo"}},
		{"a dry run of nothing", "run --dry-run --only nothing", "", []string{`--only "nothing" matches no fixture`}},
		{"a list of nothing", "list fixtures --only nothing", "", []string{`--only "nothing" matches no fixture`}},
	})
}

func TestMistakesAboutReports(t *testing.T) {
	checkMistakes(t, []mistake{
		{"an unknown format", "run --report pdf=reports/report.pdf", "", []string{`--report: report format "pdf" is unknown; there are `, "json", "junit"}},
		{"a report without a format", "run --report reports/report.json", "", []string{`--report is "reports/report.json"; write it as FORMAT=PATH, such as json=report.json`}},
		{"a report without a path", "run --report json=", "", []string{`--report is "json="; write it as FORMAT=PATH`}},
		{"a report below a file", "run --report json=/dev/null/report.json", "", []string{"--report: /dev/null/report.json cannot be written: not a directory"}},
		{"a second report that cannot be written", "run" + withReport + " --report junit=/dev/null/report.xml", "", []string{"--report: /dev/null/report.xml cannot be written"}},
		{"a report that is a folder", "run" + withReport + " --report junit=none", "", []string{"--report: none is a directory; name a file"}},
		{"a report below a file", "run" + withReport + " --report junit=empty/report.xml", "", []string{"empty/report.xml", "not a directory"}},
		{"two reports to one file", "run" + withReport + " --report junit=./reports/report.json", "", []string{"--report: two reports would be written to ./reports/report.json"}},
		{"two reports to standard output", "run --report json=- --report junit=-", "", []string{"--report: two reports would go to standard output"}},
		{"another format without a path", "run --report markdown", "", []string{`--report is "markdown"; write it as FORMAT=PATH`}},
		{"annotations and a report to standard output", "run --report json=- --report github", "", []string{"--report: two reports would go to standard output"}},
		{"annotations twice", "run --report github --report github", "", []string{"--report: two reports would go to standard output"}},
		{"a summary that cannot be written", "run" + withReport + " --report github", output.SummaryVariable + "=missing/summary", []string{"GITHUB_STEP_SUMMARY: missing/summary cannot be written: no such file or directory"}},
		{"outputs that cannot be written", "run" + withReport + " --report github", output.OutputVariable + "=missing/output", []string{"GITHUB_OUTPUT: missing/output cannot be written: no such file or directory"}},
		{"a summary that is a folder", "run --report github", output.SummaryVariable + "=none", []string{"GITHUB_STEP_SUMMARY: none cannot be written: is a directory"}},
		{"a summary that is a report's file", "run --report markdown=reports/a.md --report github", output.SummaryVariable + "=reports/a.md", []string{"GITHUB_STEP_SUMMARY: two reports would be written to reports/a.md"}},
	})
}

func TestMistakesInDryRuns(t *testing.T) {
	checkMistakes(t, []mistake{
		{"a document without a target", "run --spec openapi.yaml --fixtures none --base-url=", "", []string{"--base-url is empty"}},
		{"a dry run of a bad target", "run --dry-run --base-url ftp://store.example", "", []string{"must begin with http:// or https://"}},
		{"a dry run of no concurrency", "run --dry-run --concurrency 0", "", []string{`--concurrency is "0"`}},
	})
}

// A list of arguments, as for the action, may have a flag and its value on one line.
func TestFlagAndValueInOneArgument(t *testing.T) {
	conformance(t, "run", "--seed 5").wants(t, exitUsage, `unknown flag "--seed 5"; write --seed=5, or give them as two arguments`)
}
