package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/plantstore/conformance/reference"
)

func TestListOfWhatTheReferenceCanDo(t *testing.T) {
	for _, row := range []struct {
		kind, name string
		number     int
	}{
		{"deviations", "missing-name-accepted", len(reference.Deviations())},
		{"variations", "missing-credential-401", len(reference.Variations())},
	} {
		t.Run(row.kind, func(t *testing.T) {
			text := conformance(t, "list", row.kind)
			if text.code != exitConformant || !strings.Contains(text.out, "\n"+row.name+"\n    ") && !strings.HasPrefix(text.out, row.name+"\n    ") {
				t.Errorf("exit code %d\n%s", text.code, text.out)
			}
			var rows []map[string]any
			listed := conformance(t, "list", row.kind, "--json")
			if err := json.Unmarshal([]byte(listed.out), &rows); err != nil || len(rows) != row.number {
				t.Fatalf("%d rows of JSON, %v", len(rows), err)
			}
			for _, r := range rows {
				if r["name"] == "" || r["summary"] == "" || r["warns"] == nil {
					t.Errorf("%v", r)
				}
			}
		})
	}
}
