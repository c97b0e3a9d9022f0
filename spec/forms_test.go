package spec_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// statements returns the clauses of a contract without their places.
func statements(c *spec.Contract) (list []string) {
	for _, clause := range c.Clauses() {
		list = append(list, fmt.Sprintf("%s (%s): %s", clause.ID, clause.Level, clause.Text))
	}
	return list
}

// loadFiles loads the contract that begins with a.yaml.
func loadFiles(t *testing.T, files map[string]string) *spec.Contract {
	t.Helper()
	all := fstest.MapFS{}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c, err := spec.Load(t.Context(), spec.Source{Name: "given/a.yaml", Data: all["api/a.yaml"].Data, Others: document.Others{Files: all, Path: "api/a.yaml"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const petItem = `
parameters: [{name: id, in: path, required: true, schema: {type: integer, minimum: 1}}]
put:
  operationId: putPet
  security: [{key: []}]
  parameters: [{name: tags, in: query, style: form, explode: false, schema: {type: array, items: {type: string}}}]
  requestBody: {required: true, content: {application/json: {schema: {$ref: 'PET'}}}}
  responses:
    '200': {description: d, headers: {X-Rate: {schema: {type: integer}}}, content: {application/json: {schema: {$ref: 'PET'}}}}
    default: {$ref: 'PROBLEM'}
`

const petSchema = "{type: object, required: [name], properties: {name: {type: string, maxLength: 9}, friends: {type: array, items: {$ref: 'PET'}}}}"

const problemResponse = "{description: d, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}}"

func indented(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}

func oneFile(version string) string {
	return strings.NewReplacer("PET", "#/components/schemas/Pet", "PROBLEM", "#/components/responses/Problem").Replace(spectest.Head(version) + `paths:
  /pets/{id}:
    ` + indented(petItem) + `
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas: {Pet: ` + petSchema + `}
  responses: {Problem: ` + problemResponse + "}\n")
}

// TestFormsOfOneDocument checks that the clauses do not depend on the form of the document.
func TestFormsOfOneDocument(t *testing.T) {
	want := statements(spectest.Load(t, oneFile("3.0.3")))
	if len(want) < 15 {
		t.Fatalf("%q", want)
	}
	split := loadFiles(t, map[string]string{
		"api/a.yaml":               spectest.Head("3.0.3") + "paths: {'/pets/{id}': {$ref: './paths/pet%20item.yaml'}}\ncomponents: {securitySchemes: {key: {$ref: '../shared.yaml#/keys/key'}}}\n",
		"api/paths/pet item.yaml":  strings.NewReplacer("PET", "../schemas/pet.json", "PROBLEM", "../../shared.yaml#/problem").Replace(petItem),
		"api/schemas/pet.json":     `{"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "maxLength": 9}, "friends": {"type": "array", "items": {"$ref": "./pet.json"}}}}`,
		"shared.yaml":              "keys: {key: {type: apiKey, in: header, name: X-Key}}\nproblem: " + problemResponse + "\n",
		"api/nobody/refers/to.yml": "{",
	})
	for name, c := range map[string]*spec.Contract{
		"OpenAPI 3.1": spectest.Load(t, oneFile("3.1.0")), "OpenAPI 3.2": spectest.Load(t, oneFile("3.2.0")), "several files": split,
		"Swagger 2.0": spectest.Load(t, `swagger: '2.0'
info: {title: t, version: '1'}
consumes: [application/json]
produces: [application/json]
paths:
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, type: integer, minimum: 1}]
    put:
      operationId: putPet
      security: [{key: []}]
      parameters: [{name: tags, in: query, type: array, items: {type: string}}, {$ref: '#/parameters/Pet'}]
      responses:
        '200': {description: d, headers: {X-Rate: {type: integer}}, schema: {$ref: '#/definitions/Pet'}}
        default: {$ref: '#/responses/Problem'}
parameters: {Pet: {name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}}
responses: {Problem: {description: d, schema: {type: object, required: [text], properties: {text: {type: string}}}}}
securityDefinitions: {key: {type: apiKey, in: header, name: X-Key}}
definitions: {Pet: `+strings.ReplaceAll(petSchema, "PET", "#/definitions/Pet")+"}\n"),
	} {
		if diff := cmp.Diff(want, statements(c)); diff != "" || len(c.Notes) > 0 {
			t.Errorf("%s: %v\n%s", name, c.Notes, diff)
		}
		op := c.Operations[0]
		if !slices.Equal(c.SecretHeaders(), []string{"X-Key"}) || op.Parameters[1].Explode || op.Parameters[1].Kind != "form" {
			t.Errorf("%s: %q, %+v", name, c.SecretHeaders(), op.Parameters[1])
		}
		broken := spectest.Clauses(spectest.Check(t, op, spectest.Answer(200, `{"name":"a","friends":[{"name":1},{"name":"0123456789"}]}`)).Breaches)
		if want := []string{"putPet/200/body/friends", "putPet/200/body/friends"}; !slices.Equal(broken, want) {
			t.Errorf("%s: broken %q", name, broken)
		}
	}
	clause, _ := split.Clause("putPet/200/body/name")
	if clause.File != "given/schemas/pet.json" || clause.Section != "schemas/pet.json#/properties/name (line 1)" {
		t.Errorf("a clause of another file: %+v", clause)
	}
}

// TestFilesThatCannotBeRead checks that they become notes, at the reference that names them.
func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("{type: string}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.yaml"), []byte("a: {"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.yaml")
	for ref, want := range map[string]string{
		"nowhere.yaml#/A":              "names a file that does not exist",
		"../" + filepath.Base(outside): "leaves the folder of the document, or that of its repository",
		"link.yaml":                    "names a file that cannot be read: statat link.yaml: path escapes from parent",
		"bad.yaml":                     "names a file that cannot be read: " + dir + "/bad.yaml:1:",
		"folder":                       "names something that is not a file",
		"https://a.example/b.yaml":     "leads to another address, and remote references are not allowed; give --allow-remote-refs, or save that file next to the document",
		"//a.example/b.yaml":           "leads to another address, which is not fetched; save that file next to the document",
		"file:///etc/passwd":           "leads to another address, which is not fetched; save that file next to the document",
		outside:                        "leaves the folder of the document, or that of its repository",
	} {
		if err := os.WriteFile(path, []byte(spectest.Document("3.0.3", "{$ref: '"+ref+"'}")), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := spec.LoadFile(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		want = fmt.Sprintf("%s:11:30: $ref %q %s", path, ref, want)
		if len(c.Notes) == 0 || !strings.HasPrefix(c.Notes[0].Sentence(), want) || len(c.Notes[0].Operations) != 1 {
			t.Errorf("%s: %v, want %s", ref, c.Notes[0].Sentence(), want)
		}
	}
}

// TestSwagger checks the translation into OpenAPI 3, and that clauses and notes name the place in
// the original document.
func TestSwagger(t *testing.T) {
	c := spectest.Load(t, `swagger: 2.0
info: {title: t, version: '1'}
host: a.example
basePath: /v1/
schemes: [https, http]
securityDefinitions: {who: {type: basic}}
security: [{who: []}]
paths:
  /a:
    parameters: [{name: ids, in: query, type: array, items: {type: integer}, collectionFormat: multi}]
    get:
      parameters: [{name: pipes, in: query, type: array, items: {type: integer}, collectionFormat: pipes}]
      responses: {200: {description: d}, 404: {description: d, schema: {type: file}}}
    post:
      consumes: [multipart/form-data]
      parameters:
        - {name: f, in: formData, type: file, required: true}
        - {name: n, in: formData, type: array, items: {type: integer, minimum: x}, collectionFormat: tsv}
      produces: [text/plain]
      responses: {201: {description: d, schema: {type: string}}}
`)
	get, post := c.Operations[0], c.Operations[1]
	if ids, pipes := get.Parameters[0], get.Parameters[1]; ids.Kind != "form" || !ids.Explode || pipes.Kind != "pipeDelimited" || pipes.Explode {
		t.Errorf("%+v, %+v", ids, pipes)
	}
	carried, _ := get.Security.Carried()
	if carried[0].Kind != spec.Basic || !slices.Equal(c.ServerPaths, []string{"/v1"}) {
		t.Errorf("%+v, %q", carried, c.ServerPaths)
	}
	if got := spectest.Clauses(spectest.Check(t, get, spectest.Answer(200, "{}")).Breaches); !slices.Equal(got, []string{"get-a/200/body"}) {
		t.Errorf("a response without schema has no body: %q", got)
	}
	if got := spectest.Check(t, get, spectest.Answer(404, "{}")); len(got.Breaches) > 0 || got.Flaw != nil {
		t.Errorf("a file may be anything: %+v", got)
	}
	if body := post.RequestBody; !body.Required || body.MediaType() != "multipart/form-data" || body.Content[0].Schema.Shape().Property("f").Shape.Format != "binary" {
		t.Errorf("%+v", body)
	}
	var notes []string
	for _, n := range c.Notes {
		notes = append(notes, fmt.Sprint(n.Sentence(), " ", n.Pointer, n.Operations))
	}
	want := []string{
		"x.yaml:18:80: minimum must be a number, found \"x\" /paths/~1a/post/parameters/1/items/minimum[post-a]",
		"x.yaml:18:102: the collectionFormat tsv is not supported; commas are used /paths/~1a/post/parameters/1/collectionFormat[post-a]",
	}
	if diff := cmp.Diff(want, notes); diff != "" || post.Flaw == nil {
		t.Error(diff)
	}
	if clause, _ := c.Clause("post-a/201/body"); clause.ID != "" {
		t.Errorf("%+v", clause)
	}
}

// TestWriteFile checks that a generated text becomes a real file, because a service may reject an
// image that is text. Other texts, and those that the schema limits, are sent as they are.
func TestWriteFile(t *testing.T) {
	contract := func(kind, schema string) *spec.Contract {
		return loadFiles(t, map[string]string{"api/a.yaml": "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/a: {post: {operationId: a, requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {f: " + schema + "}}, encoding: {f: {contentType: '" + kind + "'}}}, " + strings.Split(kind, ",")[0] + ": {schema: " + schema + "}}}, responses: {'200': {description: d}}}}}"})
	}
	for _, row := range []struct{ kind, schema, text, want, ending string }{
		{"image/png", "{type: string, format: binary}", "conformance f $freshId", "\x89PNG\r\n\x1a\n", "png"},
		{"image/jpeg, image/png", "{type: string, format: binary}", "conformance f", "\xff\xd8\xff", "jpeg"},
		{"image/gif", "{type: string, format: binary}", "conformance f", "GIF8", "gif"},
		{"application/pdf", "{type: string, format: binary}", "conformance f", "%PDF-1.4\n", "pdf"},
		{"application/zip", "{type: string, format: binary}", "conformance f", "PK\x03\x04", "zip"},
		{"text/plain", "{type: string, format: binary}", "conformance f", "conformance f", "txt"},
		{"image/png", "{type: string, format: binary}", "from a person", "from a person", "txt"},
		{"image/png", "{type: string, format: binary, maxLength: 9}", "conformance f", "conformance f", "txt"},
	} {
		c := contract(row.kind, row.schema)
		for i, value := range []any{map[string]any{"f": row.text}, row.text} {
			body, _, err := c.Operations[0].RequestBody.Content[i].Write(value)
			_, file, found := strings.Cut(string(body), "\r\n\r\n")
			if i == 1 {
				file, found = string(body), true
			} else if !strings.Contains(string(body), "filename=\"conformance-$freshId."+row.ending+"\"") {
				t.Errorf("%s: %s", row.kind, body)
			}
			if err != nil || !found || !strings.HasPrefix(file, row.want) || row.want != row.text && strings.Contains(strings.ReplaceAll(file, "$$", ""), "$") {
				t.Errorf("%s in %d: %q %v", row.kind, i, body, err)
			}
		}
	}
}

// TestSwaggerErrorsOfPictures: Swagger 2.0 has one list of media types for all responses of an
// operation. If all are images but an error is an object, there is a note.
func TestSwaggerErrorsOfPictures(t *testing.T) {
	for _, row := range []struct {
		global, produces, schema string
		sent                     string // media type of the error
		notes, breaches          int
	}{
		{"[application/json]", "[image/png, application/zip]", "{type: object}", "application/json", 1, 0},
		{"[application/problem+json]", "[image/png]", "{$ref: '#/definitions/E'}", "application/problem+json", 1, 0},
		{"[application/problem+json]", "[image/png]", "{type: object}", "application/json", 1, 1},
		{"[image/png]", "[image/png]", "{type: array, items: {}}", "application/json", 1, 0},
		{"[application/json]", "[text/csv]", "{type: object}", "application/json", 1, 0},
		{"[application/json]", "[image/png]", "{type: object}", "text/html", 1, 1},
		{"[application/json]", "[text/csv]", "{type: array, items: {}}", "application/json", 0, 1},
		{"[application/json]", "[image/svg+xml, image/png]", "{type: object}", "application/json", 0, 1},
		{"[application/json]", "[application/xml]", "{type: object}", "application/json", 0, 1},
		{"[application/json]", "[image/png]", "{type: file}", "application/json", 0, 1},
	} {
		c := spectest.Load(t, "swagger: '2.0'\ninfo: {title: t, version: '1'}\nproduces: "+row.global+"\npaths: {/a: {get: {produces: "+row.produces+", responses: {'400': {description: d, schema: "+row.schema+"}}}}}\ndefinitions: {E: {properties: {n: {type: integer}}}}\n")
		got := spectest.Check(t, c.Operations[0], spectest.Labelled(400, "[]", row.sent)).Breaches
		wrong := slices.DeleteFunc(spectest.Clauses(got), func(id string) bool { return !strings.HasSuffix(id, "/media-type") })
		if len(c.Notes) != row.notes || len(wrong) != row.breaches {
			t.Errorf("%v: %v %v", row, c.Notes, wrong)
		}
	}
}

// TestSwaggerWithoutSchema checks that a response without a schema has no body. The level is should
// for a success of an operation with media types.
func TestSwaggerWithoutSchema(t *testing.T) {
	for _, row := range []struct {
		produces, status string
		want             spec.Level
	}{
		{"", "200", spec.Must},
		{"produces: [], ", "200", spec.Must},
		{"produces: [application/json], ", "200", spec.Should},
		{"produces: [application/json], ", "400", spec.Must},
		{"produces: [application/json], ", "204", spec.Must},
	} {
		c := spectest.Load(t, "swagger: '2.0'\ninfo: {title: t, version: '1'}\nproduces: [application/json]\npaths: {/a: {get: {operationId: x, "+row.produces+"responses: {'"+row.status+"': {description: d}}}}}\n")
		status, _ := strconv.Atoi(row.status)
		if got := spectest.Check(t, c.Operations[0], check.Response{Status: status}).Breaches; len(got) > 0 {
			t.Errorf("breaches %+v", got)
		}
		got := spectest.Clauses(spectest.Check(t, c.Operations[0], spectest.Answer(status, "{}")).Breaches)
		if clause, _ := c.Clause(spec.ClauseID("x/" + row.status + "/body")); clause.Level != row.want || !slices.Equal(got, []string{string(clause.ID)}) || len(c.Notes) > 0 {
			t.Errorf("%v: %s at level %s, broken %v, %v", row, clause.ID, clause.Level, got, c.Notes)
		}
	}
}
