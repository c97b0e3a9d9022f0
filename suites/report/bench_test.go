package report_test

import (
	"io"
	"testing"

	"github.com/plantstore/conformance/suites/internal/reporttest"
	"github.com/plantstore/conformance/suites/report"
)

// BenchmarkFormats measures how long it takes to write the report of a run of 20,000 fixtures,
// 80 of which fail.
func BenchmarkFormats(b *testing.B) {
	r := reporttest.Many(20_000).Report()
	for _, format := range report.Formats() {
		b.Run(format.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := format.Write(io.Discard, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
