package traffic

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/spec/instance"
	"github.com/plantstore/conformance/suites/judge"
	"github.com/plantstore/conformance/suites/replay"
	"github.com/plantstore/conformance/suites/replay/redact"
	"github.com/plantstore/conformance/suites/result"
	"github.com/plantstore/conformance/suites/verdict"
)

// Config is everything that the result of [Verify] depends on, except the archive.
type Config struct {
	Contract *spec.Contract
	File     string          // name of the archive, the source of each result
	BaseURL  string          // only entries below it count; "" is every address, with the contract's server paths
	MaxBody  int64           // maximum bytes of a response body, 0 for the default of a run; a longer one is unjudged
	JSON     instance.Limits // for JSON bodies; a body that exceeds one is unjudged
	Strict   bool            // warnings and undeclared statuses are violations
	// Waivers are known violations that do not fail the verdict. A waiver is ignored if the
	// traffic shows no violation for it: traffic is a sample and does not prove a fix.
	Waivers []verdict.Waiver

	Harness        result.Harness
	Implementation result.Implementation
}

// Verification is the result of [Verify].
type Verification struct {
	Report    result.Report
	Entries   int         // entries of the archive
	Elsewhere int         // entries that are not below the base URL
	Unmatched []Unmatched // the most frequent first
}

// Verify judges the traffic in an archive, which it reads twice. An error about the archive is a
// predicate for its name ("is not JSON: …"). Other errors are about the base URL or come from
// the context.
func Verify(ctx context.Context, archive io.ReadSeeker, c Config) (Verification, error) {
	started := time.Now()
	c.MaxBody = cmp.Or(c.MaxBody, replay.DefaultLimits().MaxBody)
	first, err := newFirstPass(c)
	if err != nil {
		return Verification{}, err
	}
	if err := read(ctx, archive, first.take); err != nil {
		return Verification{}, err
	}
	if _, err := archive.Seek(0, io.SeekStart); err != nil {
		return Verification{}, fmt.Errorf("cannot be read twice: %w", err)
	}
	second := &secondPass{config: c, first: first, secrets: redact.Many(append(first.collector.keys, first.collector.others...))}
	judging := func(at position, e entry) error { return second.take(ctx, at, e) }
	if err := read(ctx, archive, judging); err != nil {
		return Verification{}, err
	}
	origins := first.origins
	if len(origins) > maxOrigins {
		origins = append(origins[:maxOrigins], "…")
	}
	// Drop waivers that match no violation, even if they have expired.
	waivers := slices.DeleteFunc(slices.Clone(c.Waivers), func(w verdict.Waiver) bool {
		return !slices.ContainsFunc(second.results, func(r result.Result) bool {
			waived := verdict.Waive(r.Outcome, []verdict.Waiver{w}, time.Time{})
			return slices.ContainsFunc(waived.Findings, func(f judge.Finding) bool { return f.Waived != "" })
		})
	})
	r := result.Conclude(result.Recording{
		Head: result.Head{
			Harness:        c.Harness,
			Contract:       result.Contract{Title: c.Contract.Title, Version: c.Contract.Version, SHA256: c.Contract.SHA256, Source: c.Contract.File},
			Implementation: c.Implementation,
			Target:         result.Target{BaseURL: cmp.Or(c.BaseURL, strings.Join(origins, ", "))},
			Run: result.Run{
				ID: rand.Text(), Started: started.UTC(), DurationMs: result.Milliseconds(time.Since(started)),
				Strict: c.Strict, Complete: true, Partial: true, Fixtures: len(second.results),
			},
		},
		Clauses: verdict.Clauses(c.Contract.Clauses(), c.Contract.File),
		Waivers: waivers,
		Results: second.results,
	})
	return Verification{Report: r, Entries: first.entries, Elsewhere: first.elsewhere, Unmatched: first.list(second.secrets)}, nil
}
