package main

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/plantstore/conformance/cmd/conformance/internal/cli"
	"github.com/plantstore/conformance/cmd/conformance/internal/output"
	"github.com/plantstore/conformance/spec/document"
)

const configSchemaFile = "conformance.schema.json"

// readConfigSchema returns the schema as a document, and compiled.
func readConfigSchema(t *testing.T) (*document.Node, *jsonschema.Schema) {
	t.Helper()
	return parsed(t, configSchemaFile, configSchema), compiled(t, configSchemaFile, configSchema)
}

// compiled returns a compiled schema.
func compiled(t *testing.T, name string, text []byte) *jsonschema.Schema {
	t.Helper()
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, root); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// takeFile reads a configuration file as run does.
func takeFile(t *testing.T, text string) error {
	t.Helper()
	write(t, cli.ConfigName, text)
	_, err := take(t)
	return err
}

// The schema gives editors every key, a description of each, and the defaults.
func TestConfigSchemaHasTheKeysOfTheFlags(t *testing.T) {
	root, _ := readConfigSchema(t)
	properties := root.Get("properties")
	known := map[string]bool{}
	for _, f := range newRunOptions().flags() {
		if !f.InFile {
			continue
		}
		known[f.Name] = true
		p := properties.Get(f.Name)
		if p == nil {
			t.Errorf("%s lacks %s: add it under properties, with title, description and an example, and a row to TestConfigSchemaAndLoaderAgree", configSchemaFile, f.Name)
			continue
		}
		if p.Get("title").Text() == "" || p.Get("description").Text() == "" {
			t.Errorf("%s: %s has no title or no description", configSchemaFile, f.Name)
		}
		isSwitch := f.Value == ""
		if got := p.Get("type").Text() == "boolean"; got != isSwitch {
			t.Errorf("%s: that %s is a boolean is %t, want %t", configSchemaFile, f.Name, got, isSwitch)
		}
		if p.Get("examples") == nil && !isSwitch {
			t.Errorf("%s: %s has no example", configSchemaFile, f.Name)
		}
		fallback := f.Default
		if isSwitch {
			fallback = "false"
		}
		if got := p.Get("default"); got == nil && fallback != "" || got != nil && got.Literal != fallback {
			t.Errorf("%s: the default of %s must be %q", configSchemaFile, f.Name, fallback)
		}
	}
	for _, m := range properties.Members {
		if !known[m.Key] {
			t.Errorf("%s has %s, which no file may hold", configSchemaFile, m.Key)
		}
	}
	if properties == nil || root.Get("additionalProperties").True() {
		t.Error("unknown keys are not refused")
	}
}

// Schema and loader accept the same values. Each text is a value in YAML.
func TestConfigSchemaAndLoaderAgree(t *testing.T) {
	needsLong(t, "tries every key with many values")
	layOutFiles(t)
	write(t, "waivers.yaml", "- {match: createPlant/valid/*, reason: known, owner: us}\n")
	write(t, "flows.arazzo.yaml", plantFlow)
	t.Setenv("SCHEMA_TEST_KEY", "k3y")
	times := []string{"1s", "1m30s", "0.5h", "250ms", "1h1m1s"}
	noTimes := []string{"10", "1.5", "s", "1 s", "-1s", "1d", "soon", "true"}
	switches, noSwitches := []string{"true", "false"}, []string{"maybe", "'yes'", "2", "on"}
	rows := map[string]struct{ good, bad []string }{
		"base-url": {
			[]string{"http://a", "https://plants.example.com:8443/v1/", "'http://[::1]:80'"},
			[]string{"a.example", "ftp://a", "http://a?b=c", "'http://a/#b'", "http://u:p@a", "http://", "8", "true"},
		},
		"targets":    {[]string{"targets.yaml", "a/b c"}, nil},
		"matrix":     {[]string{"html=a", "json=-", "'json=a b=c'"}, []string{"json", "json=", "csv=a", "=a", "8", "true"}},
		"token-file": {[]string{"a", "a/b c", "'-'"}, nil},
		"credential": {[]string{"a=b", "'c d=e/f'", "a=b=c"}, []string{"a", "'=a'", "'a='", "8", "true"}},
		"header":     {[]string{"'A: b'", "'A:'", "'A-b: c: d'", "'Authorization: c'", "'A: ${SCHEMA_TEST_KEY}'"}, []string{"A", "'A b: c'", "': c'", "'content-type: c'", "'TE: c'", `"A: \x01"`, `"A: b\nc"`, "8", "true"}},
		"resolve": {
			[]string{"'a.example:192.0.2.7'", "'a.example:192.0.2.7:8443'", "'a.example:[2001:db8::7]'", "'a.example:[2001:db8::7]:8443'"},
			[]string{"a.example", "192.0.2.7", "a.example:b.example", "'a.example:'", "'a.example:192.0.2.7:x'", "'a.example:2001:db8::7'", "8", "true"},
		},
		"wait":                   {append(times, "0s"), noTimes},
		"implementation":         {[]string{"a", "'a: b'", "7"}, nil},
		"implementation-version": {[]string{"v1", "1.10", "'1'"}, nil},
		"implementation-url":     {[]string{"https://a", "a"}, nil},
		"spec":                   {[]string{"openapi.yaml", "./openapi.yaml"}, nil},
		"fixtures":               {[]string{"depth", "./depth"}, nil},
		"workflows":              {[]string{"flows.arazzo.yaml", "./flows.arazzo.yaml"}, nil},
		"only":                   {[]string{"a", "'*'", "createPlant/*/a"}, nil},
		"skip":                   {[]string{"a", "'*'", "createPlant/*/a"}, nil},
		"strict":                 {switches, noSwitches},
		"strict-spec":            {switches, noSwitches},
		"min-coverage":           {[]string{"0", "80", "99.5", "100", "1e1"}, []string{"-1", "100.1", "all", "inf", "true"}},
		"derive":                 {switches, noSwitches},
		"allow-remote-refs":      {switches, noSwitches},
		"read-only":              {switches, noSwitches},
		"unsafe":                 {switches, noSwitches},
		"quick":                  {switches, noSwitches},
		"tries":                  {[]string{"1", "64"}, []string{"0", "-1", "1.5", "many", "true"}},
		"explore":                {[]string{"1", "200"}, []string{"0", "-1", "1.5", "many", "true"}},
		"explore-out":            {[]string{"a", "./a b"}, nil},
		"waivers":                {[]string{"waivers.yaml"}, nil},
		"shard":                  {[]string{"1/1", "2/10", "'index:0/2'"}, []string{"1", "0/2", "1/0", "1/2/3", "a/b", "1.0/2", "0.5"}},
		"seed":                   {[]string{"1", "18446744073709551615"}, []string{"0", "-1", "1.5", "18446744073709551616", "many", "true"}},
		"concurrency":            {[]string{"1", "64"}, []string{"0", "-1", "1.5", "many", "true"}},
		"rate":                   {[]string{"0", "0.5", "100", "1e3"}, []string{"-1", "fast", "inf", "true"}},
		"max-requests":           {[]string{"1", "500"}, []string{"0", "-1", "1.5", "many", "true"}},
		"timeout":                {times, append(noTimes, "0s", "0.0s")},
		"deadline":               {append(times, "0s"), noTimes},
		"max-body":               {[]string{"1", "512", "64KiB", "1MiB", "2GB", "5B", "64 KiB"}, []string{"0", "-1", "1.5", "64kb", "1TiB", "MiB", "1099511627777", "true"}},
		"max-depth":              {[]string{"1", "10000", "100000"}, []string{"0", "-1", "1.5", "100001", "deep", "true"}},
		"max-number":             {[]string{"1", "5000"}, []string{"0", "-1", "1.5", "long", "true"}},
		"max-header":             {[]string{"1", "512", "64KiB", "1MiB", "2GB", "5B", "64 KiB"}, []string{"0", "-1", "1.5", "64kb", "1TiB", "MiB", "1099511627777", "true"}},
		"ca-cert":                {[]string{"cert.pem"}, nil},
		"client-cert":            {[]string{"cert.pem"}, nil},
		"client-key":             {[]string{"key.pem"}, nil},
		"insecure-skip-verify":   {switches, noSwitches},
		"report":                 {append(reportTexts(), "github", "json=-", "'junit=a b=c'"), []string{"json", "json=", "pdf=a", "a.json", "=a", "8", "true"}},
		"dry-run":                {switches, noSwitches},
		"quiet":                  {switches, noSwitches},
		"verbose":                {switches, noSwitches},
		"color":                  {[]string{"auto", "always", "never"}, []string{"blue", "true", "Always"}},
	}
	// A key that is invalid without another one.
	beside := map[string]string{"resolve": "base-url: http://a.example\n"}
	_, schema := readConfigSchema(t)
	check := func(text string, ok bool) {
		t.Helper()
		if err := takeFile(t, text); (err == nil) != ok {
			t.Errorf("loader, want %t, of\n%s\ngot %v", ok, text, err)
		}
		root := parsed(t, cli.ConfigName, []byte(text))
		if err := schema.Validate(root.Value()); (err == nil) != ok {
			t.Errorf("schema, want %t, of\n%s\ngot %v", ok, text, err)
		}
	}
	for _, f := range newRunOptions().flags() {
		if !f.InFile {
			continue
		}
		row, ok := rows[f.Name]
		if !ok || len(row.good) == 0 {
			t.Errorf("there is no row for %s here, with a text that it takes", f.Name)
			continue
		}
		key := beside[f.Name] + f.Name + ": "
		if !long {
			row.good, row.bad = row.good[:min(2, len(row.good))], row.bad[:min(2, len(row.bad))]
		}
		for _, text := range row.good {
			check(key+text, true)
			check(fmt.Sprintf("%s[%s]", key, text), f.Repeatable)
		}
		if f.Repeatable {
			check(fmt.Sprintf("%s[%s, %s]", key, row.good[0], row.good[1]), true)
		}
		for _, text := range slices.Concat(row.bad, []string{"", "''", "{a: b}", "[[a]]"}) {
			check(key+text, false)
			check(fmt.Sprintf("%s[%s]", key, text), f.Repeatable && text == "") // an empty list is valid
		}
	}
	check("{}", true)
	check("- concurrency: 3\n", false)
	check("config: other.yaml\n", false)
	check("token: hunter2\n", false)
	check("Strict: true\n", false)
	check("quiet: true\nverbose: false\n", true)
	check("quiet: true\nverbose: true\n", false)
}

// reportTexts returns a value of --report for each format.
func reportTexts() []string {
	v := output.NewView()
	var texts []string
	for _, name := range v.Files.FormatNames() {
		texts = append(texts, name+"="+name)
	}
	return texts
}

// The loader accepts some unusual spellings that the schema rejects.
func TestConfigSchemaIsNarrowerInSpelling(t *testing.T) {
	t.Chdir(t.TempDir())
	_, schema := readConfigSchema(t)
	for _, text := range []string{"strict: 1", "strict: 'true'", "concurrency: '8'", "seed: '7'", "wait: 0", "timeout: +3s", "base-url: HTTP://a", "max-body: 064KiB", "only: 7", "min-coverage: 80%", "min-coverage: '80'"} {
		if err := takeFile(t, text); err != nil {
			t.Errorf("%s is refused: %v", text, err)
		}
		root := parsed(t, cli.ConfigName, []byte(text))
		if schema.Validate(root.Value()) == nil {
			t.Errorf("the schema takes %s as well: it belongs into TestConfigSchemaAndLoaderAgree", text)
		}
	}
}
