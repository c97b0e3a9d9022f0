package check_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// TestHostileBodies checks that they are judged fast, because a service is not trusted.
func TestHostileBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	size := 1 << 13
	if os.Getenv("LONG_TESTS") != "" {
		size = 1 << 18
	}
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
		{"a recursive value with a fault below many levels", "{$ref: '#/components/schemas/Tree'}", strings.Repeat(`{"name":"","below":[`, 4900) + "{}" + strings.Repeat("]}", 4900)},
		{"many faults below many levels", "{$ref: '#/components/schemas/Tree'}", strings.Repeat(`{"name":"","below":[`, 400) + fill("{},") + strings.Repeat("]}", 400)},
		{"many undeclared properties below many levels", "{}", strings.Repeat(`{"a":`, 9000) + "{" + distinct(`"k%d":1,`) + strings.Repeat("}", 9001)},
		{"a long string of escapes", "{type: string}", `"` + fill(`\ud800`) + `"`},
		{"many duplicate keys", "{type: object}", "{" + fill(`"a":1,`) + "}"},
		{"never a key", "{type: object}", "{" + fill(" ")},
		{"no alternative for any", "{type: array, items: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}}", "[" + fill("{},") + "]"},
	} {
		t.Run(row.name, func(t *testing.T) {
			op := answering(t, "3.0.3", row.schema)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a hanging check takes this long
			defer cancel()
			result, err := spectest.Answer(200, row.body).Check(ctx, op, instance.Limits{})
			if len(result.Breaches) > 20 {
				t.Errorf("%d breaches", len(result.Breaches))
			}
			if exceeded := new(instance.LimitError); err != nil && !errors.As(err, &exceeded) {
				t.Error(err)
			}
		})
	}
}

// TestLimits checks that a body that exceeds a limit breaks no clause, and that the error names the
// flag that raises it.
func TestLimits(t *testing.T) {
	const number, depth = "max-number", "max-depth"
	digits := func(n int) string { return "1" + strings.Repeat("0", n-1) }
	levels := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tree := func(n int) string {
		return strings.Repeat(`{"name":"","below":[`, n/2) + strings.Repeat("]}", n/2)
	}
	either := func(n int) string { return strings.Repeat(`{"b":1,"x":`, n) + `{"b":1}` + strings.Repeat("}", n) }
	for _, row := range []struct {
		name, schema, body string
		limits             instance.Limits
		flag, text         string // of the error; "" for none
	}{
		{"the longest number", "{}", digits(1000), instance.Limits{}, "", ""},
		{"a longer one", "{}", digits(1001), instance.Limits{}, number, "the body has a number of 1001 characters; the limit is 1000; raise --max-number"},
		{"a longer one, deep inside", "{}", `{"a":[{"b":` + digits(1001) + `}]}`, instance.Limits{}, number, "1001 characters"},
		{"a longer one with a raised limit", "{}", digits(1001), instance.Limits{NumberLength: 1001}, "", ""},
		{"a number of a lower limit", "{}", "-1.5e+3", instance.Limits{NumberLength: 7}, "", ""},
		{"a longer one of a lower limit", "{}", "-1.5e+3", instance.Limits{NumberLength: 6}, number, "a number of 7 characters; the limit is 6"},
		{"the deepest value", "{}", levels(10_000), instance.Limits{}, "", ""},
		{"a deeper one", "{}", levels(10_001), instance.Limits{}, depth, "the body is nested more than 10000 levels deep; raise --max-depth"},
		{"a deeper one with a raised limit", "{}", levels(10_001), instance.Limits{Depth: 10_001}, "", ""},
		{"the deepest of all", "{}", levels(instance.MaxDepth), instance.Limits{Depth: instance.MaxDepth}, "", ""},
		{"objects of a lower limit", "{}", `{"a":{"b":1}}`, instance.Limits{Depth: 2}, "", ""},
		{"deeper ones of a lower limit", "{}", `{"a":{"b":{}}}`, instance.Limits{Depth: 2}, depth, "more than 2 levels"},
		{"a recursive value", "{$ref: '#/components/schemas/Tree'}", tree(2000), instance.Limits{}, "", ""},
		{"a deep recursive value", "{$ref: '#/components/schemas/Tree'}", tree(6000), instance.Limits{}, depth, "the body has too many values in deep levels"},
		{"a deep recursive value with a raised limit", "{$ref: '#/components/schemas/Tree'}", tree(6000), instance.Limits{Depth: 60_000}, "", ""},
		{"eight levels of two alternatives each", "{$ref: '#/components/schemas/Either'}", either(8), instance.Limits{}, "", ""},
		{"300 of them", "{$ref: '#/components/schemas/Either'}", either(300), instance.Limits{}, depth, "the body is so deep that the alternatives of its schema would be tried too often; raise --max-depth"},
		{"many values of a recursive schema", "{$ref: '#/components/schemas/Tree'}", strings.Repeat(`{"name":"","below":[`, 8) + strings.Repeat(`{"name":""},`, 9999) + `{"name":""}` + strings.Repeat("]}", 8), instance.Limits{}, "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			result, err := spectest.Answer(200, row.body).Check(t.Context(), answering(t, "3.0.3", row.schema), row.limits)
			assertBreaches(t, result.Breaches)
			exceeded := new(instance.LimitError)
			switch {
			case row.flag == "" && err != nil:
				t.Error(err)
			case row.flag == "":
			case !errors.As(err, &exceeded) || exceeded.Flag != row.flag || !strings.Contains(err.Error(), row.text):
				t.Errorf("got %v, want an error of --%s: %s", err, row.flag, row.text)
			case slices.Contains(result.Exercised, "x/200/body"):
				t.Error("the body is exercised, and was not judged")
			}
		})
	}
	for _, row := range []struct {
		limits instance.Limits
		want   string
	}{
		{instance.Limits{}, ""},
		{instance.DefaultLimits(), ""},
		{instance.Limits{Depth: -1}, "max-depth is -1; it must be from 1 to 100000"},
		{instance.Limits{Depth: instance.MaxDepth + 1}, "max-depth is 100001; it must be from 1 to 100000"},
		{instance.Limits{NumberLength: -1}, "max-number is -1 characters; it must be at least 1"},
	} {
		if err := row.limits.Validate(); row.want == "" && err != nil || row.want != "" && (err == nil || err.Error() != row.want) {
			t.Errorf("%+v: %v, want %q", row.limits, err, row.want)
		}
	}
}

// TestLimitsKeepOtherBreaches checks that breaches found before reading the body are kept.
func TestLimitsKeepOtherBreaches(t *testing.T) {
	op := answering(t, "3.0.3", "{}")
	result, err := spectest.Labelled(200, "[[]]", "text/html").Check(t.Context(), op, instance.Limits{Depth: 1})
	if err == nil || !slices.Equal(spectest.Clauses(result.Breaches), []string{"x/200/media-type"}) {
		t.Errorf("%v, %+v", err, result)
	}
}

// endingContext ends after a number of calls of Err.
type endingContext struct {
	context.Context
	left int
}

func (c *endingContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestTheContextEndsACheck checks this in each phase: reading, visiting values, locating breaches.
func TestTheContextEndsACheck(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("ends a check at each of its steps; LONG_TESTS=1 asks for it")
	}
	body := `{"name":"x","items":[` + strings.Repeat(`{"z":[1,2,3]},`, 5000) + `{}]}`
	for _, schema := range []string{"{}", "{type: object, properties: {items: {type: array, items: {type: object, required: [a], properties: {a: {type: string}}}}}}"} {
		op := answering(t, "3.0.3", schema)
		whole := &endingContext{t.Context(), 1 << 30}
		if _, err := spectest.Answer(200, body).Check(whole, op, instance.Limits{}); err != nil {
			t.Fatal(err)
		}
		asked := 1<<30 - whole.left
		if asked < 20 {
			t.Errorf("the context is asked %d times", asked)
		}
		for after := range asked {
			ctx := &endingContext{t.Context(), after}
			result, err := spectest.Answer(200, body).Check(ctx, op, instance.Limits{})
			if !errors.Is(err, context.Canceled) || len(result.Breaches) > 0 {
				t.Errorf("ended after %d of %d: %v, %+v", after, asked, err, result)
			}
			if ctx.left < -2 {
				t.Errorf("ended after %d of %d, the check went on and asked %d times more", after, asked, -ctx.left)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	op := spectest.Bundled(t)
	if _, err := spectest.Answer(400, body).Check(ended, op, instance.Limits{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if result, err := spectest.Answer(200, body).CheckEcho(ended, check.Sent{Operation: op, MediaType: "application/json", Body: []byte(`{"name":"y"}`)}, instance.Limits{}); !errors.Is(err, context.Canceled) || len(result.Breaches) > 0 {
		t.Errorf("%v, %+v", err, result)
	}
}

// TestTheBodyIsLeftAlone checks that the body does not change, because it is evidence.
func TestTheBodyIsLeftAlone(t *testing.T) {
	const body = `{"error":"\u0031","message":1,"x":"\n"} `
	r := spectest.Answer(400, body)
	spectest.Check(t, spectest.Bundled(t), r)
	echo(t, spectest.Bundled(t), r.Body, r)
	if string(r.Body) != body {
		t.Errorf("became %q", r.Body)
	}
}

// TestManyCallers checks that goroutines can share a contract, because it never changes.
func TestManyCallers(t *testing.T) {
	op := spectest.Bundled(t)
	want := spectest.Check(t, op, spectest.Answer(400, `{"error":2147483648,"x":1}`))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				got := spectest.Check(t, op, spectest.Answer(400, `{"error":2147483648,"x":1}`))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				echo(t, op, []byte(`{"name":"a"}`), spectest.Answer(200, `{"name":"b"}`))
			}
		})
	}
	group.Wait()
}
