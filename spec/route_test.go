package spec_test

import (
	"slices"
	"testing"

	"github.com/plantstore/conformance/spec"
)

const routed = `openapi: 3.0.3
info: {title: Things, version: '1'}
servers:
  - {url: 'https://{host}/{version}/', variables: {host: {default: things.example}, version: {default: v1}}}
  - {url: /api}
  - {url: https://other.example/v1}
paths:
  /things:
    get: {operationId: list, responses: {'204': {description: none}}}
    post: {operationId: create, responses: {'204': {description: none}}}
  /things/{id}:
    get: {operationId: show, parameters: &id [{name: id, in: path, required: true, schema: {type: string}}], responses: {'204': {description: none}}}
  /things/mine:
    get: {operationId: mine, responses: {'204': {description: none}}}
  /things/{id}/report.{id}:
    get: {operationId: report, parameters: *id, responses: {'204': {description: none}}}
  /from/{id}A{to}:
    get: {operationId: between, responses: {'204': {description: none}}}
  /a%20b/c+d:
    get: {operationId: odd, responses: {'204': {description: none}}}
`

func TestRoutes(t *testing.T) {
	contract, err := spec.Load(t.Context(), spec.Source{Name: "things.yaml", Data: []byte(routed)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"/v1", "/api"}; !slices.Equal(contract.ServerPaths, want) {
		t.Errorf("the servers' paths are %q, want %q", contract.ServerPaths, want)
	}
	bare, below := contract.Routes(""), contract.Routes("", "/v1/", "/api")
	for _, row := range []struct{ what, method, path, bare, below string }{
		{"a plain path", "GET", "/things", "list", "list"},
		{"another method on it", "POST", "/things", "create", "create"},
		{"a method that is not declared", "DELETE", "/things", "", ""},
		{"methods differ by case", "get", "/things", "", ""},
		{"a parameter", "GET", "/things/7", "show", "show"},
		{"an escaped parameter", "GET", "/things/a%2Fb%0Ac", "show", "show"},
		{"an escape that is none", "GET", "/things/%zz", "show", "show"},
		{"an empty parameter", "GET", "/things/", "", ""},
		{"a literal goes before a parameter", "GET", "/things/mine", "mine", "mine"},
		{"a parameter within a segment", "GET", "/things/7/report.csv", "report", "report"},
		{"a letter between parameters", "GET", "/from/7A8", "between", "between"},
		{"a letter in an escape", "GET", "/from/%C3%A9", "", ""},
		{"the dot is a dot", "GET", "/things/7/reportxcsv", "", ""},
		{"a letter that is escaped without need", "GET", "/%74hings", "list", "list"},
		{"a template that is escaped itself", "GET", "/a%20b/c+d", "odd", "odd"},
		{"a longer path", "GET", "/things/7/8", "", ""},
		{"letters of the other case", "GET", "/Things", "", ""},
		{"below a server's path", "GET", "/v1/things", "", "list"},
		{"below another", "POST", "/api/things", "", "create"},
		{"below what is no server's", "GET", "/v2/things", "", ""},
		{"no path", "GET", "", "", ""},
	} {
		t.Run(row.what, func(t *testing.T) {
			for routes, want := range map[*spec.Routes]string{&bare: row.bare, &below: row.below} {
				op, ok := routes.Operation(row.method, row.path)
				if ok != (want != "") || ok && op.ID != want {
					t.Errorf("%s %s leads to %+v, want %q", row.method, row.path, op, want)
				}
			}
		})
	}
}

// The server of the plant store has no path.
func TestServerPathsOfThePlantStore(t *testing.T) {
	contract, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{""}; !slices.Equal(contract.ServerPaths, want) {
		t.Errorf("they are %q, want %q", contract.ServerPaths, want)
	}
}
