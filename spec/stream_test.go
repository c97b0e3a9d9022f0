package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestStreams checks the media types of responses that may never end.
func TestStreams(t *testing.T) {
	const all = "text/event-stream application/jsonl application/x-jsonlines application/x-ndjson application/json-seq application/stream+json multipart/x-mixed-replace"
	for _, row := range []struct{ name, responses, want string }{
		{"one that is declared", `'200': {description: d, content: {text/event-stream: {}, application/json: {}}}`, "text/event-stream"},
		{"one that a range covers", `2XX: {description: d, content: {text/*: {}}}`, "text/event-stream"},
		{"any, where nothing is said of the content", `'200': {description: d}`, all},
		{"none beside JSON", `'200': {description: d, content: {application/json: {}}}, default: {description: d, content: {application/json: {}}}`, ""},
		{"none in what has no body", `'204': {description: d}`, ""},
		{"none in a rejection", `'204': {description: d}, '400': {description: d, content: {text/event-stream: {}}}`, ""},
	} {
		c := spectest.Load(t, fmt.Sprintf("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {responses: {%s}}}}\n", row.responses))
		if got := strings.Join(c.Operations[0].Streams(), " "); got != row.want {
			t.Errorf("%s: %s gives %q, want %q", row.name, row.responses, got, row.want)
		}
	}
	plants, err := spec.PlantStore()
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range plants.Operations {
		if list := op.Streams(); len(list) > 0 {
			t.Errorf("%s of the plant store may stream %q", op.ID, list)
		}
	}
}
