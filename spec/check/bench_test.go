package check_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/check"
	"github.com/plantstore/conformance/spec/internal/spectest"
)

// BenchmarkCheckResponse reports the time of a verdict as a multiple of the time to read the same
// bytes into maps and slices ("x-floor").
func BenchmarkCheckResponse(b *testing.B) {
	plant := spectest.Bundled(b)
	wide, list := map[string]string{}, map[string]string{}
	for i := range 100 {
		wide[fmt.Sprintf("p%d", i)] = "{type: string}"
		list[fmt.Sprintf("p%d", i)] = strconv.Quote(strings.Repeat("x", i))
	}
	item := `{"id":123456,"name":"Monstera deliciosa","tag":"indoor","height":12.5,"rare":true}`
	items := "[" + strings.TrimSuffix(strings.Repeat(item+",", 1<<20/len(item)), ",") + "]"
	const itemSchema = "{type: array, items: {type: object, required: [id, name], properties: {id: {type: integer, format: int64}, name: {type: string, minLength: 1}, tag: {type: string}, height: {type: number}, rare: {type: boolean}}}}"
	for _, row := range []struct {
		name     string
		op       *spec.Operation
		response check.Response
	}{
		{"Error", plant, spectest.Answer(400, `{"error":400,"message":"the name is missing"}`)},
		{"Plant", plant, spectest.Answer(200, `{"name":"Monstera deliciosa","tag":"indoor"}`)},
		{"broken Error", plant, spectest.Answer(400, `{"error":"400","message":"the name is missing"}`)},
		{"100 properties/3.0", answering(b, "3.0.3", "{type: object, properties: "+members(wide)+"}"), spectest.Answer(200, members(list))},
		{"100 properties/3.1", answering(b, "3.1.0", "{type: object, properties: "+members(wide)+"}"), spectest.Answer(200, members(list))},
		{"array of 1 MB/3.0", answering(b, "3.0.3", itemSchema), spectest.Answer(200, items)},
		{"array of 1 MB/3.1", answering(b, "3.1.0", itemSchema), spectest.Answer(200, items)},
	} {
		b.Run(row.name, func(b *testing.B) {
			floor := floorOf(b, row.response.Body)
			b.ReportAllocs()
			for b.Loop() {
				spectest.Check(b, row.op, row.response)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/floor, "x-floor")
		})
	}
}

// members returns an object in JSON or YAML with these values.
func members(values map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, strconv.Quote(name)+": "+values[name])
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// BenchmarkLargeBodies reports the time per byte of large bodies. It must not depend on the size.
func BenchmarkLargeBodies(b *testing.B) {
	op := spectest.Bundled(b)
	undeclared := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, `,"k%d":0`, i)
		}
		return `{"name":"x"` + s.String() + `}`
	}
	for _, n := range []int{1, 1000, 3000, 10_000, 30_000, 90_000} {
		for name, r := range map[string]check.Response{
			"undeclared":      spectest.Answer(200, undeclared(n)),
			"string":          spectest.Answer(400, `{"error":1,"message":"`+strings.Repeat("x", 9*n)+`"}`),
			"deep-undeclared": spectest.Answer(200, `{"name":"","x":`+strings.Repeat("[", min(n, 9000))+strings.Repeat("1,", n)+"1"+strings.Repeat("]", min(n, 9000))+"}"),
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(len(r.Body)))
				for b.Loop() {
					spectest.Check(b, op, r)
				}
			})
		}
	}
}

// floorOf returns the time of a bare json.Unmarshal in nanoseconds. It is the best of several
// rounds, because other processes can only make it slower.
func floorOf(b *testing.B, body []byte) float64 {
	const rounds = 20
	perRound := max(1, 2000*40/len(body))
	best := time.Duration(math.MaxInt64)
	for range rounds {
		start := time.Now()
		for range perRound {
			var value any
			if err := json.Unmarshal(body, &value); err != nil {
				b.Fatal(err)
			}
		}
		best = min(best, time.Since(start))
	}
	return float64(best) / float64(perRound)
}
