package suites_test

import (
	"os"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

// long asks for every row, and for all fixtures, as the gate does.
var long = os.Getenv("LONG_TESTS") != ""

// needsLong skips a test that takes many seconds; what tells which.
func needsLong(t *testing.T, what string) {
	t.Helper()
	if !long {
		t.Skip(what + "; LONG_TESTS=1 asks for it")
	}
}

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // a quarter of the time, for memory that a test has
	goleak.VerifyTestMain(m)
}
