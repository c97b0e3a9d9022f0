package spec_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/plantstore/conformance/spec"
)

// BenchmarkCheckResponse reports how much a verdict costs, as a multiple of
// what it costs to read the same bytes into maps and slices ("x-floor").
func BenchmarkCheckResponse(b *testing.B) {
	op := bundled(b)
	for _, row := range []struct {
		name     string
		response spec.Response
	}{
		{"rejection", answer(400, `{"error":400,"message":"the name is missing"}`)},
		{"success", answer(200, `{"name":"Monstera deliciosa","tag":"indoor"}`)},
		{"breach", answer(400, `{"error":"400","message":"the name is missing"}`)},
	} {
		b.Run(row.name, func(b *testing.B) {
			floor := floorOf(b, row.response.Body)
			b.ReportAllocs()
			for b.Loop() {
				op.CheckResponse(row.response)
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/floor, "x-floor")
		})
	}
}

// floorOf is the time of a bare json.Unmarshal, in nanoseconds: the best of
// several rounds, because anything else that runs makes it slower, never
// faster.
func floorOf(b *testing.B, body []byte) float64 {
	const rounds, perRound = 20, 2000
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
	return float64(best) / perRound
}

// BenchmarkLoad is what a contract costs once, before anything is sent.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := spec.PlantStore(); err != nil {
			b.Fatal(err)
		}
	}
}
