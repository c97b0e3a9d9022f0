package spectest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
)

// Bundled returns the only operation of the built-in contract.
func Bundled(t testing.TB) *spec.Operation {
	t.Helper()
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	return contract.Operations[0]
}

// Load returns a contract made for a test.
func Load(t testing.TB, document string) *spec.Contract {
	t.Helper()
	contract, err := spec.Load(t.Context(), spec.Source{Name: "x.yaml", Data: []byte(document)}, nil)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, document)
	}
	return contract
}

// Head begins a document of that OpenAPI version.
func Head(version string) string {
	return "openapi: " + version + "\ninfo: {title: t, version: '1'}\n"
}

// Paths returns a document of version 3.0.3 with these paths, in YAML.
func Paths(yaml string) string { return Head("3.0.3") + "paths:\n" + yaml }

// Responding returns an operation x with these members of a Responses Object, in YAML.
func Responding(t testing.TB, version, method, responses string) *spec.Operation {
	t.Helper()
	indented := strings.ReplaceAll(strings.TrimSpace(responses), "\n", "\n        ")
	document := fmt.Sprintf("%spaths:\n  /a:\n    %s:\n      operationId: x\n      responses:\n        %s\n", Head(version), method, indented)
	return Load(t, document).Operations[0]
}

// Document returns a document whose only response has that schema, on line 11.
func Document(version, schema string) string {
	return Head(version) + `paths:
  /a:
    get:
      responses:
        '200':
          description: d
          content:
            application/json:
              schema: ` + schema + "\n"
}
