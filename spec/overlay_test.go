package spec_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/document"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

const overlaid = "paths:\n  /a:\n    get: {operationId: x, responses: {'200': {description: d, content: {application/json: {schema: {type: object, properties: {n: {type: string}}}}}}}}\n" +
	"    put: {operationId: y, responses: {'204': {description: d}}}\n"

func overlay(text string) (*spec.Contract, error) {
	return spec.Load(context.Background(), spec.Source{Name: "x.yaml", Data: []byte(spectest.Head("3.0.3") + overlaid)}, &spec.Source{Name: "clauses.yaml", Data: []byte(text)})
}

// TestOverlay checks that the overlay replaces texts, sections and levels, and adds silences.
func TestOverlay(t *testing.T) {
	contract, err := overlay(`clauses:
  x/200/body/n: {section: 2 r1, text: n is a string}
  x/200/body/undeclared: {level: must}
  x/silent/limits: {section: '8', text: 'how many?'}
  x/silent/other-statuses: {level: silent, text: 'which else?'}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []spec.Clause{
		{ID: "x/200/body/n", Operation: "x", Level: spec.Must, Section: "§2 r1", Text: "n is a string", Line: 5, Column: 131},
		{ID: "x/200/body/undeclared", Operation: "x", Level: spec.Must, Section: "#/paths/~1a/get/responses/200/content/application~1json (line 5)",
			Text: "the body of a 200 response has no undeclared property", Line: 5, Column: 91},
		{ID: "x/silent/limits", Operation: "x", Level: spec.Silent, Section: "§8", Text: "how many?"},
		{ID: "x/silent/other-statuses", Operation: "x", Level: spec.Silent, Section: "#/paths/~1a/get (line 5)", Text: "which else?", Line: 5, Column: 10},
	} {
		if got, ok := contract.Clause(want.ID); !ok || got != want {
			t.Errorf("got\n%+v\nwant\n%+v", got, want)
		}
	}
	operation := ""
	for i, c := range contract.Clauses() {
		if c.Operation != operation && c.ID.Part() != "answers" {
			t.Errorf("clause %d, %s, stands among those of %s", i, c.ID, operation)
		}
		operation = c.Operation
	}
}

// TestOverlayRefuses checks that each flaw is reported in one sentence, with its place.
func TestOverlayRefuses(t *testing.T) {
	for _, row := range []struct{ flaw, overlay, want string }{
		{"an unknown clause", "clauses:\n  x/200/body/m: {section: '2'}\n", "2:3: x/200/body/m is not a clause of the contract; the nearest ids are x/200/body/n, x/200/body, y/204/body"},
		{"a clause without its operation", "clauses:\n  answers: {section: '2'}\n", "2:3: answers is not a clause of the contract; the nearest ids are x/answers, y/answers, x/silent/other-statuses"},
		{"a clause like none", "clauses:\n  zz: {section: '2'}\n", "2:3: zz is not a clause of the contract; `conformance list clauses` names them, without this file"},
		{"a level that does not exist", "clauses:\n  x/answers: {level: may}\n", `2:22: level is "may"; it must be one of must, should, silent`},
		{"a silent clause", "clauses:\n  x/answers: {level: silent}\n", "2:3: x/answers: clauses under silent/ are silent, and no others"},
		{"a silence that is not silent", "clauses:\n  x/silent/limits: {level: must, text: a}\n", "2:3: x/silent/limits: clauses under silent/ are silent, and no others"},
		{"a silence without text", "clauses:\n  x/silent/limits: {section: '8'}\n", "2:3: x/silent/limits needs a text: the question that is left open"},
		{"a silence of no operation", "clauses:\n  z/silent/limits: {text: a}\n", "2:3: z/silent/limits: the contract has no operation z"},
		{"a silence without a name", "clauses:\n  x/silent/: {text: a}\n", "2:3: x/silent/ needs a name after silent/"},
		{"an unknown key", "clauses:\n  x/answers: {sections: '4'}\n", `2:15: unknown key "sections"; known are level, section, text`},
		{"an unknown key at the top", "clause: {}\n", `1:1: unknown key "clause"; known are clauses`},
		{"a section that is a number", "clauses:\n  x/answers: {section: 4}\n", "2:24: section must be a string, found a number; quote it if it is text"},
		{"an entry of another kind", "clauses:\n  x/answers: yes\n", "2:14: expected a mapping with level, section, text, found a string"},
		{"clauses in a list", "clauses: [x/answers]\n", "1:10: clauses must be a mapping from clause ids, found a list"},
		{"no clauses", "{}\n", "1:1: clauses is missing: a mapping from clause ids"},
		{"a clause twice", "clauses:\n  x/answers: {}\n  x/answers: {}\n", `3:3: duplicate key "x/answers" (first in line 2)`},
	} {
		t.Run(row.flaw, func(t *testing.T) {
			contract, err := overlay(row.overlay)
			var located *document.Error
			if contract != nil || !errors.As(err, &located) {
				t.Fatalf("got %v, %v; want a *document.Error", contract, err)
			}
			sentence, _, _ := strings.Cut(err.Error(), "\n")
			if sentence != "reading the clauses: clauses.yaml:"+row.want {
				t.Errorf("got\n%s\nwant\nreading the clauses: clauses.yaml:%s", sentence, row.want)
			}
		})
	}
}
