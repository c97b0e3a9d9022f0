package suites_test

import (
	"flag"
	"hash/crc32"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/plantstore/conformance/fixtures"
	"github.com/plantstore/conformance/spec"
	"github.com/plantstore/conformance/suites"
)

// long is true if tests run each row, and all fixtures, as the gate does.
var long = os.Getenv("LONG_TESTS") != ""

// needsLong skips a test that takes many seconds. what describes the test.
func needsLong(t *testing.T, what string) {
	t.Helper()
	if !long {
		t.Skip(what + "; LONG_TESTS=1 asks for it")
	}
}

// sampled returns the second number with LONG_TESTS, otherwise the first.
func sampled(short, whole int) int {
	if long {
		return whole
	}
	return short
}

// sample skips most runs of services of the tests' own, of which there are some 700: without LONG_TESTS
// one in ten runs, chosen by its name.
func sample(t *testing.T) {
	t.Helper()
	if !long && crc32.ChecksumIEEE([]byte(t.Name()))%10 != 0 {
		t.Skip("one run of hundreds; LONG_TESTS=1 asks for each")
	}
}

// aboutValues removes most requests that show nothing about the values that a service keeps. With
// LONG_TESTS it removes none.
func aboutValues(c suites.Config) suites.Config {
	if !long && c.Contract != nil {
		// Only PATCH treats null differently from all other values (RFC 7396 §2).
		patches := slices.ContainsFunc(c.Contract.Operations, func(op *spec.Operation) bool { return op.Method == http.MethodPatch })
		c.Loaded = slices.DeleteFunc(slices.Clone(c.Loaded), func(f fixtures.Fixture) bool {
			return slices.Contains([]string{"type", "malformed", "wrong-type", "changing-text", "media-type", "misspelt-key", "unlisted-key", "misplaced", "missing-body"}, f.Group()) ||
				f.Group() == "null" && !patches || oddity.MatchString(f.ID)
		})
	}
	return c
}

// oddity matches the ids of requests that are unusual in something other than a value.
var oddity = regexp.MustCompile(`/open/(header|accept|cookie|coding|charset|query\.x|property|number|nested|page|byte-order|duplicate|not-utf)`)

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" { // benchmarks collect garbage as for users
		debug.SetGCPercent(-1) // saves a third of the time, but needs more memory
		debug.SetMemoryLimit(3 << 29)
	}
	goleak.VerifyTestMain(m)
}
