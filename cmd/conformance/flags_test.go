package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/cmd/conformance/internal/target"
	"github.com/plantstore/conformance/suites"
	"github.com/plantstore/conformance/suites/report/console"
	"github.com/plantstore/conformance/suites/verdict"
)

// sample is a value of a flag, and the expected result.
type sample struct {
	text string
	want any
}

// parse returns the options from a command line and the environment.
func parse(t *testing.T, args ...string) *runOptions {
	t.Helper()
	o, err := take(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// take parses a command line and the environment with the flags of run.
func take(t *testing.T, args ...string) (*runOptions, error) {
	t.Helper()
	o := newRunOptions()
	p := newProgram(output.Streams{})
	p.Commands[0] = &cli.Command{Name: "run", Flags: o.flags(), Run: func(context.Context, *cli.Call) error { return nil }}
	return o, p.Run(t.Context(), append([]string{"conformance", "run"}, args...))
}

// Every flag can be set by a configuration file, and by a variable unless it is repeatable.
// Precedence: flag, variable, file.
func TestFlagsAndVariables(t *testing.T) {
	layOutFiles(t)
	write(t, "another.yaml", tinyContract)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"description": "pong"}`))
	}))
	defer elsewhere.Close()
	write(t, "remote.yaml", strings.Replace(tinyContract, "{description: pong}", "{$ref: '"+elsewhere.URL+"'}", 1))
	write(t, "waivers.yaml", "- {match: createPlant/valid/*, reason: known, owner: us}\n")
	write(t, "other-waivers.yaml", "- {match: createPlant/accepts, reason: known, owner: us}\n")
	tested := map[string]bool{}
	for _, row := range []struct {
		name       string
		one, other sample
		read       func(*runOptions) any
	}{
		{"base-url", sample{"http://one.example", "http://one.example"}, sample{"https://other.example/v1/", "https://other.example/v1/"}, func(o *runOptions) any { return o.Config.Target.BaseURL }},
		{"targets", sample{"one.yaml", "one.yaml"}, sample{"other.yaml", "other.yaml"}, func(o *runOptions) any { return o.List.Text }},
		{"token-file", sample{"one", "one"}, sample{"-", "-"}, func(o *runOptions) any { return o.TokenFile.Text }},
		{"resolve", sample{"127.0.0.1:192.0.2.7", "127.0.0.1:192.0.2.7"}, sample{"127.0.0.1:[::1]:8443", "127.0.0.1:[::1]:8443"}, func(o *runOptions) any { return o.Config.Target.Resolve }},
		{"wait", sample{"1m", time.Minute}, sample{"1.5s", 1500 * time.Millisecond}, func(o *runOptions) any { return o.Config.Wait }},
		{"implementation", sample{"one", "one"}, sample{"other, inc.", "other, inc."}, func(o *runOptions) any { return o.Config.Implementation.Name }},
		{"implementation-version", sample{"v1", "v1"}, sample{"v2", "v2"}, func(o *runOptions) any { return o.Config.Implementation.Version }},
		{"implementation-url", sample{"https://one.example", "https://one.example"}, sample{"x", "x"}, func(o *runOptions) any { return o.Config.Implementation.URL }},
		{"spec", sample{"openapi.yaml", "Tiny"}, sample{"another.yaml", "Tiny"}, func(o *runOptions) any { return contractTitle(o) }},
		{"allow-remote-refs", sample{"1", true}, sample{"true", true}, isFlawless},
		{"strict", sample{"true", true}, sample{"true", true}, func(o *runOptions) any { return o.Config.Strict }},
		{"strict-spec", sample{"true", true}, sample{"true", true}, func(o *runOptions) any { return o.Config.StrictSpec }},
		{"min-coverage", sample{"80", 80.0}, sample{"12.5%", 12.5}, func(o *runOptions) any { return o.Config.MinCoverage }},
		{"derive", sample{"1", true}, sample{"true", true}, func(o *runOptions) any { return o.Config.Derive }},
		{"quick", sample{"1", true}, sample{"true", true}, func(o *runOptions) any { return o.Config.Quick }},
		{"read-only", sample{"1", true}, sample{"true", true}, func(o *runOptions) any { return o.Config.ReadOnly }},
		{"unsafe", sample{"1", true}, sample{"true", true}, func(o *runOptions) any { return o.Config.Unsafe }},
		{"tries", sample{"1", 1}, sample{"12", 12}, func(o *runOptions) any { return o.Config.Tries }},
		{"explore", sample{"1", 1}, sample{"200", 200}, func(o *runOptions) any { return o.Config.Explore }},
		{"explore-out", sample{"one", "one"}, sample{"other", "other"}, func(o *runOptions) any { return o.finds.dir }},
		{"seed", sample{"1", uint64(1)}, sample{"18446744073709551615", uint64(1<<64 - 1)}, func(o *runOptions) any { return o.Config.Seed }},
		{"waivers", sample{"waivers.yaml", "createPlant/valid/*"}, sample{"other-waivers.yaml", "createPlant/accepts"}, func(o *runOptions) any { return waived(o.Config.Waivers) }},
		{"shard", sample{"1/2", suites.Shard{Index: 1, Of: 2}}, sample{"2/2", suites.Shard{Index: 2, Of: 2}}, func(o *runOptions) any { return o.Config.Shard }},
		{"concurrency", sample{"1", 1}, sample{"64", 64}, func(o *runOptions) any { return o.Config.Limits.Concurrency }},
		{"rate", sample{"0.5", 0.5}, sample{"100", 100.0}, func(o *runOptions) any { return o.Config.Limits.Rate }},
		{"max-requests", sample{"1", 1}, sample{"500", 500}, func(o *runOptions) any { return o.Config.Limits.MaxRequests }},
		{"timeout", sample{"1s", time.Second}, sample{"150ms", 150 * time.Millisecond}, func(o *runOptions) any { return o.Config.Limits.Timeout }},
		{"deadline", sample{"1h", time.Hour}, sample{"0s", time.Duration(0)}, func(o *runOptions) any { return o.Config.Deadline }},
		{"max-body", sample{"512", int64(512)}, sample{"2MiB", int64(2 << 20)}, func(o *runOptions) any { return o.Config.Limits.MaxBody }},
		{"max-depth", sample{"1", 1}, sample{"100000", 100_000}, func(o *runOptions) any { return o.Config.JSON.Depth }},
		{"max-number", sample{"1", 1}, sample{"5000", 5000}, func(o *runOptions) any { return o.Config.JSON.NumberLength }},
		{"max-header", sample{"512", int64(512)}, sample{"2MiB", int64(2 << 20)}, func(o *runOptions) any { return o.Config.Limits.MaxHeader }},
		{"ca-cert", sample{"one.pem", "one.pem"}, sample{"other.pem", "other.pem"}, func(o *runOptions) any { return o.CACert.Text }},
		{"client-cert", sample{"one.pem", "one.pem"}, sample{"other.pem", "other.pem"}, func(o *runOptions) any { return o.ClientCert.Text }},
		{"client-key", sample{"one.pem", "one.pem"}, sample{"other.pem", "other.pem"}, func(o *runOptions) any { return o.ClientKey.Text }},
		{"insecure-skip-verify", sample{"1", true}, sample{"true", true}, func(o *runOptions) any { return o.Insecure }},
		{"dry-run", sample{"1", true}, sample{"true", true}, func(o *runOptions) any { return o.dryRun }},
		{"quiet", sample{"1", console.Quiet}, sample{"true", console.Quiet}, func(o *runOptions) any { return o.View.Detail }},
		{"verbose", sample{"1", console.Verbose}, sample{"true", console.Verbose}, func(o *runOptions) any { return o.View.Detail }},
		{"color", sample{"always", "always"}, sample{"never", "never"}, func(o *runOptions) any { return o.View.Color }},
	} {
		tested[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			switch row.name {
			case "resolve":
				aim(t, target.ExampleBaseURL) // resolve needs a host
			case "allow-remote-refs":
				t.Setenv("CONFORMANCE_SPEC", "remote.yaml")
			}
			expect := func(when string, o *runOptions, want any) {
				t.Helper()
				if got := row.read(o); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %v, want %v", when, got, want)
				}
			}
			if got := row.read(parse(t)); reflect.DeepEqual(got, row.one.want) || reflect.DeepEqual(got, row.other.want) {
				t.Errorf("by default it is %v already", got)
			}
			expect("by the flag", parse(t, "--"+row.name+"="+row.one.text), row.one.want)
			expect("by the flag", parse(t, "--"+row.name+"="+row.other.text), row.other.want)
			write(t, "settings.yaml", row.name+": "+row.one.text+"\n")
			file := "--config=settings.yaml"
			expect("by the file", parse(t, file), row.one.want)
			expect("by flag and file", parse(t, file, "--"+row.name+"="+row.other.text), row.other.want)
			t.Setenv(cli.Variable(row.name), row.other.text)
			expect("by variable and file", parse(t, file), row.other.want)
			t.Setenv(cli.Variable(row.name), row.one.text)
			expect("by the variable", parse(t), row.one.want)
			expect("by flag and variable", parse(t, "--"+row.name+"="+row.other.text), row.other.want)
		})
	}
	for _, f := range newRunOptions().flags() {
		switch {
		case f.Repeatable && f.Variable != "":
			t.Errorf("--%s may be given several times, but has a variable for one", f.Name)
		case !f.Repeatable && f.Variable != cli.Variable(f.Name):
			t.Errorf("--%s has the variable %q", f.Name, f.Variable)
		case !f.Repeatable && !tested[f.Name] && !f.Config:
			t.Errorf("--%s has no row in this test", f.Name)
		}
	}
}

func contractTitle(o *runOptions) string {
	if o.Config.Contract == nil {
		return ""
	}
	return o.Config.Contract.Title
}

// isFlawless reports whether the contract has no notes, so that its references can be resolved.
func isFlawless(o *runOptions) any {
	return o.Config.Contract != nil && len(o.Config.Contract.Notes) == 0
}

func waived(list []verdict.Waiver) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].Pattern.String()
}

// A switch that a variable turns on can be turned off by a flag.
func TestSwitchesCanBeTurnedOff(t *testing.T) {
	t.Setenv("CONFORMANCE_STRICT", "true")
	t.Setenv("CONFORMANCE_QUIET", "false")
	o := parse(t, "--strict=false", "--verbose")
	if o.Config.Strict || o.View.Detail != console.Verbose {
		t.Errorf("strict is %v, detail %v", o.Config.Strict, o.View.Detail)
	}
}

func TestRepeatableFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "one/file.yaml", "")
	write(t, "two/file.yaml", "")
	o := parse(t,
		"--header", "X-One: a, b", "--header", "X-Two:c:d",
		"--fixtures", "one", "--fixtures", "two",
		"--only", "a*", "--only", "b", "--skip", "c", "--skip", "d",
		"--report", "json=r.json", "--report", "junit=-", "--report", "json=a=b")
	if h := o.Config.Target.Headers; len(h) != 2 || h[0].Name != "X-One" || h[0].Value != "a, b" || h[1].Value != "c:d" {
		t.Errorf("headers %v", h)
	}
	if f := o.Config.Fixtures; len(f) != 2 || f[0].Name != "one" || f[1].Name != "two" {
		t.Errorf("fixtures %v", f)
	}
	if c := o.Config; !reflect.DeepEqual(c.Only, []string{"a*", "b"}) || !reflect.DeepEqual(c.Skip, []string{"c", "d"}) {
		t.Errorf("only %v, skip %v", c.Only, c.Skip)
	}
	if l := o.View.Files.List; len(l) != 3 || l[0].Format.Name != "json" || l[1].Path != "-" || l[2].Path != "a=b" {
		t.Errorf("reports %v", l)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "512": 512, "512B": 512, "64KiB": 64 << 10, "64 KiB": 64 << 10, "1MiB": 1 << 20, "1GiB": 1 << 30, "3kB": 3000, "2MB": 2e6, "1GB": 1e9,
	} {
		var size int64
		if err := cli.Size(&size)(cli.Given{Name: "--max-body", Text: text}); err != nil || size != want {
			t.Errorf("%s is %d (%v), want %d", text, size, err, want)
		}
	}
}
