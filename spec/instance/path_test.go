package instance_test

import (
	"strings"
	"testing"

	"github.com/plantstore/conformance/spec/instance"
)

// TestPlaceIn checks that a thing may be in an envelope. A value of the body itself has precedence.
func TestPlaceIn(t *testing.T) {
	for _, row := range []struct{ body, want string }{
		{`{"size":1}`, "size"},
		{`{"size":1,"in":{"size":2}}`, "size"},
		{`{"note":{"size":1}}`, "note/size"},
		{`{"data":{"size":1},"meta":{}}`, "data/size"},
		{`{"size":1,"data":{"size":2}}`, "data/size"},
		{`{"data":{"in":{"size":1}}}`, "size"},
		{`{"id":7,"note":{"size":1}}`, "size"},
		{`[1]`, "size"},
	} {
		text, err := instance.Read(t.Context(), []byte(row.body), instance.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(instance.PlaceIn(text.Value, []string{"size"}), "/"); got != row.want {
			t.Errorf("%s: %s, want %s", row.body, got, row.want)
		}
	}
}
