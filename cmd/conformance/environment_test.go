package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
)

// Every variable in a help text is known. Variables of other commands, of a cluster or of another
// program are not errors.
func TestKnownVariables(t *testing.T) {
	t.Chdir(t.TempDir())
	named := map[string]bool{}
	for _, command := range newProgram(output.Streams{}).Commands {
		help := conformance(t, command.Name, "--help").out
		for _, match := range regexp.MustCompile(`\bCONFORMANCE_[A-Z_]+`).FindAllString(help, -1) {
			named[match] = true
		}
	}
	if len(named) < 30 {
		t.Errorf("the help names only %d variables", len(named))
	}
	for name := range named {
		t.Run(name, func(t *testing.T) {
			if strings.HasSuffix(name, "_") {
				name += "SCHEME"
			}
			t.Setenv(name, "x")
			conformance(t, "list", "deviations").wants(t, exitConformant)
		})
	}
	for _, entry := range []string{
		"CONFORMANCE_SERVICE_HOST=10.0.0.7",
		"CONFORMANCE_SERVICE_PORT=80",
		"CONFORMANCE_SERVICE_PORT_HTTP=80",
		"CONFORMANCE_PORT=tcp://10.0.0.7:80",
		"CONFORMANCE_PORT_80_TCP=tcp://10.0.0.7:80",
		"CONFORMANCE_PORT_80_TCP_ADDR=10.0.0.7",
		"CONFORMANCE_REFERENCE_SERVICE_HOST=10.0.0.7",
		"conformance_dir=/tmp",
		"CONFORMANCE=1",
		"MY_CONFORMANCE_BASE_URL=http://store.example",
		"BASE_URL=http://store.example",
	} {
		t.Run(entry, func(t *testing.T) {
			name, value, _ := strings.Cut(entry, "=")
			t.Setenv(name, value)
			conformance(t, "run", "--only", "createPlant/valid/plain").wants(t, exitConformant)
		})
	}
}

// A setting with a credential needs a service. The bundled reference is not tested instead.
func TestCredentialNeedsAService(t *testing.T) {
	layOutFiles(t)
	write(t, "token", testToken)
	for _, row := range []struct{ name, file, env, args, want string }{
		{"by the variable", "", target.TokenVariable + "=" + testToken, "", target.TokenVariable},
		{"by a file", "", "", "--token-file token", "--token-file"},
		{"by a file of the configuration", "token-file: token\n", "", "", "conformance.yaml:1: token-file"},
		{"on standard input", "", "", "--token-file -", "--token-file"},
		{"by a header", "", "", "--header X-Team:plants --header X-Api-Key:hunter2", "--header"},
		{"by a header of the configuration", "header:\n  - 'X-Team: plants'\n  - 'Cookie: a=hunter2'\n", "", "", "conformance.yaml:3: header"},
		{"by a header that a variable holds", "header: 'X-Team: ${TEAM}'\n", "TEAM=hunter2", "", "conformance.yaml:1: header"},
		{"by secret headers", "", target.SecretHeadersVariable + "=X-Team: hunter2", "", target.SecretHeadersVariable},
		{"by a certificate", "", "", "--client-cert cert.pem --client-key key.pem", "--client-cert"},
	} {
		t.Run(row.name, func(t *testing.T) {
			write(t, cli.ConfigName, row.file)
			if name, value, ok := strings.Cut(row.env, "="); ok {
				t.Setenv(name, value)
			}
			for _, command := range []string{"run --report json=reports/report.json", "config"} {
				result := conformance(t, strings.Fields(command+" "+row.args)...)
				result.wants(t, exitUsage, "conformance: "+row.want+" needs --base-url: it is a credential, and without a base URL only the bundled reference is tested; give --base-url, or remove the credential\n")
				checkOneLine(t, result)
			}
			if left := filesIn(t, "reports"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			// A dry run is not an error, because it gives no verdict.
			conformance(t, strings.Fields("run --dry-run --only createPlant/valid/plain "+strings.Replace(row.args, "--token-file -", "--token-file token", 1))...).wants(t, exitConformant, "curl ")
		})
	}
	write(t, cli.ConfigName, "")
	conformance(t, "run", "--only", "createPlant/valid/plain", "--header", "X-Team:plants").wants(t, exitConformant, "the bundled reference is conformant in ")
}

// --min-coverage decides the verdict, also for merged shards and for targets.
func TestMinCoverage(t *testing.T) {
	t.Chdir(t.TempDir())
	serve(t, plantStore())
	const few = "5 of 15 must-clauses were tested (33.3%), but --min-coverage requires "
	conformance(t, "run", "--quick", "--min-coverage", "100").wants(t, exitConformant, "\nconformant: ")
	conformance(t, "run", "--only", "createPlant/valid/plain", "--min-coverage", "50%", "--report", "json=report.json").wants(t, exitInconclusive, "\ninconclusive: "+few+"50%; select more fixtures, or lower --min-coverage\n")
	if r := readReport(t, readFile(t, "report.json")); r.Run.MinCoverage != 50 || r.Verdict != "inconclusive" {
		t.Errorf("%s, %+v", r.Verdict, r.Run)
	}
	conformance(t, "report", "report.json").wants(t, exitInconclusive, few+"50%")
	conformance(t, "run", "--only", "createPlant/valid/plain", "--min-coverage", "33.3").wants(t, exitConformant, "\nconformant in 5 of 15 must-clauses: ")
	write(t, cli.ConfigName, "min-coverage: 90\n")
	conformance(t, "run", "--only", "createPlant/valid/plain").wants(t, exitInconclusive, few+"90%")
	write(t, cli.ConfigName, "")

	t.Setenv("CONFORMANCE_MIN_COVERAGE", "100")
	for _, shard := range []string{"1", "2"} {
		conformance(t, "run", "--seed", "7", "--shard", shard+"/2", "--quick", "--only", "createPlant/valid", "--report", "json="+shard+".json").wants(t, exitConformant)
	}
	conformance(t, "report", "1.json", "2.json").wants(t, exitInconclusive, "6 of 15 must-clauses were tested (40%), but --min-coverage requires 100%")

	layOutTargets(t, listed{"plain", plantStore(), nil})
	conformance(t, "run", "--targets", "targets.yaml", "--only", "createPlant/valid/plain").wants(t, exitInconclusive, "5 of 15 must-clauses")
}

func TestQualifiedVerdictIsAmber(t *testing.T) {
	serve(t, plantStore())
	const amber, green = "\x1b[33m", "\x1b[32m"
	result := conformance(t, "run", "--color", "always", "--quiet", "--only", "createPlant/valid/plain")
	result.wants(t, exitConformant, amber+"conformant in 5 of 15 must-clauses\x1b[0m: ")
	conformance(t, "run", "--color", "always", "--quiet", "--quick").wants(t, exitConformant, green+"conformant\x1b[0m: ")
}
