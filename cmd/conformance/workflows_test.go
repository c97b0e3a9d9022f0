package main

import (
	"os"
	"strings"
	"testing"
)

// plantFlow is an Arazzo document for the plant store.
const plantFlow = `arazzo: 1.0.1
info: {title: Plants, version: '1'}
sourceDescriptions: [{name: plants, url: openapi.yaml, type: openapi}]
workflows:
  - workflowId: plant
    summary: a plant
    steps:
      - stepId: create
        operationId: createPlant
        parameters: [{name: Authorization, in: header, value: 'Bearer {$inputs.token}'}]
        requestBody: {payload: {id: $inputs.freshId, name: conformance plant}}
        successCriteria: [{condition: $statusCode == 200}]
`

func TestWorkflows(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "flows.arazzo.yaml", plantFlow)
	conformance(t, "run", "--workflows", "flows.arazzo.yaml", "--only", "*/workflows/*").wants(t, exitConformant, "1 fixture: 1 passed")
	conformance(t, "list", "fixtures", "--workflows", "flows.arazzo.yaml", "--only", "*/workflows/*").wants(t, exitConformant, "createPlant/workflows/plant (accepted)\n", "a plant")

	write(t, "more.yaml", strings.Replace(plantFlow, "    steps:", "    dependsOn: [other]\n    steps:", 1))
	conformance(t, "run", "--workflows", "more.yaml").wants(t, exitUsage, "conformance: more.yaml:7:5: workflow plant: dependsOn is outside the subset of Arazzo that is read; every fixture is sent by itself")
	write(t, "bad.yaml", "a: [")
	conformance(t, "run", "--workflows", "bad.yaml").wants(t, exitUsage, "conformance: --workflows: bad.yaml:1")
	conformance(t, "run", "--workflows", "none.yaml").wants(t, exitUsage, "conformance: --workflows none.yaml cannot be read")
}

func TestDeriveArazzo(t *testing.T) {
	document := string(readFile(t, "../../spec/openapi.yaml"))
	t.Chdir(t.TempDir())
	write(t, "api/openapi.yaml", document)
	if err := os.Mkdir("flows", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"flows/plants.arazzo.yaml", "flows/plants.arazzo.json"} {
		conformance(t, "derive", "--arazzo", file, "--spec", "api/openapi.yaml").wants(t, exitConformant, "workflows written to "+file+": 1\n")
		text := string(readFile(t, file))
		if !strings.Contains(text, "../api/openapi.yaml") || strings.HasPrefix(text, "{") != strings.HasSuffix(file, ".json") {
			t.Errorf("%s:\n%s", file, text)
		}
		conformance(t, "list", "fixtures", "--spec", "api/openapi.yaml", "--workflows", file).wants(t, exitConformant, "createPlant/valid/minimal (accepted)\n")
	}
	conformance(t, "derive", "--arazzo", os.DevNull, "--spec", "api/openapi.yaml").wants(t, exitConformant, "workflows written to "+os.DevNull+": 1\n") // a device is not read
	conformance(t, "derive", "--arazzo", "a.yaml").wants(t, exitUsage, "conformance: --arazzo needs --spec: an Arazzo document names the file of its contract")
	conformance(t, "derive", "--arazzo", "api/openapi.yaml", "--spec", "api/openapi.yaml").wants(t, exitUsage, "conformance: --arazzo api/openapi.yaml is not an Arazzo document; name another file")
	write(t, "settings.yaml", "openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {/settings: {put: {operationId: set, responses: {'200': {description: d}}}, get: {operationId: show, responses: {'200': {description: d}}}}}\n")
	conformance(t, "derive", "--arazzo", "b.yaml", "--spec", "settings.yaml").wants(t, exitConformant, "not written: set/valid/minimal: it could change resources that the workflow did not create\n")
	conformance(t, "derive", "--arazzo", "none/a.yaml", "--spec", "api/openapi.yaml").wants(t, exitUsage, "conformance: --arazzo none/a.yaml cannot be written: no such file or directory")
}
