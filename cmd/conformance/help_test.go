package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
)

// All ways to ask for help give the same text, which fits a terminal.
func TestHelp(t *testing.T) {
	for _, line := range []string{
		"", "--help", "-h", "run --help", "run -h", "run --strict --help", "list --help", "list fixtures --help", "list clauses --help",
		"init --help", "config --help", "explain --help", "compare --help", "verify --help", "version --help", "completion --help", "completion bash --help", "--help run",
		"help", "help run", "help list fixtures", "help --help",
	} {
		t.Run(line, func(t *testing.T) {
			result := conformance(t, strings.Fields(line)...)
			result.wants(t, exitConformant, "NAME:\n   conformance", "USAGE:\n   conformance", "--help, -h")
			if result.err != "" {
				t.Errorf("on standard error: %s", result.err)
			}
			if n := strings.Count(result.out, "--help, -h"); n != 1 {
				t.Errorf("it shows --help %d times", n)
			}
			checkWidth(t, result.out)
		})
	}
}

func TestHelpOfRunShowsEveryFlag(t *testing.T) {
	help := conformance(t, "run", "--help").out
	for _, f := range newRunOptions().flags() {
		if !strings.Contains(help, "   "+f.Synopsis()+"\n") {
			t.Errorf("--%s is not shown as %q", f.Name, f.Synopsis())
		}
		if f.Variable != "" && !strings.Contains(help, "[$"+f.Variable+"]") {
			t.Errorf("the variable of --%s is not shown", f.Name)
		}
	}
	for _, fact := range []string{target.TokenVariable, "NO_COLOR", "default: 8", "default: 10s", "default: 5m0s", "default: 1MiB", "0 conformant", "1 nonconformant", "2 wrong usage", "3 inconclusive"} {
		if !strings.Contains(help, fact) {
			t.Errorf("%q is not shown", fact)
		}
	}
}

// The target is the first heading, the output the last.
func TestHelpOfRunIsInTheOrderOfARun(t *testing.T) {
	headings := regexp.MustCompile(`(?m)^[A-Z ]+:$`).FindAllString(conformance(t, "run", "--help").out, -1)
	want := []string{"NAME:", "USAGE:", "DESCRIPTION:", "TARGET:", "CONTRACT:", "REQUESTS:", "OUTPUT:", "HELP:"}
	if !slices.Equal(headings, want) {
		t.Errorf("the headings are %v, want %v", headings, want)
	}
}

// Help mentions only what works.
func TestHelpPromisesNothing(t *testing.T) {
	for _, line := range []string{"--help", "run --help", "list --help", "list fixtures --help", "explain --help", "completion --help"} {
		help := strings.ToLower(conformance(t, strings.Fields(line)...).out)
		for _, later := range []string{"csv"} {
			if strings.Contains(help, later) {
				t.Errorf("%s mentions %s", line, later)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	for _, line := range []string{"version", "--version", "-v"} {
		conformance(t, line).wants(t, exitConformant, "conformance ", "commit ", "contract    Plant Store 1.0.0\n", "sha256      ")
	}
}

func TestWrap(t *testing.T) {
	word := strings.Repeat("x", cli.Columns)
	for _, row := range []struct {
		text   string
		indent int
		want   string
	}{
		{"", 3, ""},
		{"a  b\nc", 2, "  a b c"},
		{word, 4, "    " + word},
		{"a " + word + " b", 1, " a\n " + word + "\n b"},
		{strings.Repeat("äöüß ", 16), 0, strings.Repeat("äöüß ", 15) + "äöüß"},
		{strings.Repeat("äöüß ", 16), 2, "  " + strings.TrimSpace(strings.Repeat("äöüß ", 15)) + "\n  äöüß"},
	} {
		if got := cli.Wrap(row.text, row.indent, cli.Columns); got != row.want {
			t.Errorf("cli.Wrap(%q, %d) is %q, want %q", row.text, row.indent, got, row.want)
		}
	}
}
