package spec_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestHostileBodies take no time to speak of: what a service sends is not
// trusted.
func TestHostileBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	const size = 1 << 18
	fill := func(unit string) string {
		return strings.TrimSuffix(strings.Repeat(unit, size/len(unit)), ",")
	}
	distinct := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	for _, row := range []struct{ name, schema, body string }{
		{"every item wrong", "{type: array, items: {type: string}}", "[" + fill("1,") + "]"},
		{"every item incomplete", "{type: array, items: {type: object, required: [a, b]}}", "[" + fill("{},") + "]"},
		{"every property undeclared", "{type: object, properties: {a: {}}}", "{" + distinct(`"k%d":1,`) + "}"},
		{"every property ruled out", "{type: object, additionalProperties: false}", "{" + distinct(`"k%d":1,`) + "}"},
		{"wide below deep", "{type: object}", strings.Repeat("[", 9000) + fill("1,") + strings.Repeat("]", 9000)},
		{"large exponents", "{type: array, items: {type: integer, format: int64}}", "[" + fill("1e999999999,") + "]"},
		{"small exponents", "{type: array, items: {type: integer}}", "[" + fill("1e-999999999,") + "]"},
		{"many to compare", "{type: array, uniqueItems: true, items: {}}", "[" + distinct("%d,") + "]"},
		{"one long string", "{type: integer}", `"` + fill("a") + `"`},
		{"one long number", "{type: integer}", fill("1")},
		{"never closed", "{type: array, items: {}}", fill("[")},
		{"never a key", "{type: object}", "{" + fill(" ")},
		{"no alternative for any", "{type: array, items: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}}", "[" + fill("{},") + "]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := answering(t, "3.0.3", row.schema)
			start := time.Now()
			breaches := op.CheckResponse(answer(200, row.body)).Breaches
			if took := time.Since(start); took > 10*time.Second { // tenths of a second, on a machine with nothing else to do
				t.Errorf("took %v", took)
			}
			if len(breaches) > 20 {
				t.Errorf("%d breaches", len(breaches))
			}
		})
	}
}

// TestTheBodyIsLeftAlone: it is evidence.
func TestTheBodyIsLeftAlone(t *testing.T) {
	const body = `{"error":"\u0031","message":1,"x":"\n"} `
	r := answer(400, body)
	bundled(t).CheckResponse(r)
	bundled(t).CheckEcho(r.Body, r)
	if string(r.Body) != body {
		t.Errorf("became %q", r.Body)
	}
}

// TestManyCallers: a contract is read and never changed, so that one serves
// all that run at the same time.
func TestManyCallers(t *testing.T) {
	op := bundled(t)
	want := op.CheckResponse(answer(400, `{"error":2147483648,"x":1}`))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				got := op.CheckResponse(answer(400, `{"error":2147483648,"x":1}`))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				op.CheckEcho([]byte(`{"name":"a"}`), answer(200, `{"name":"b"}`))
			}
		})
	}
	group.Wait()
}
