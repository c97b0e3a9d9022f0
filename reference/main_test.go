package reference

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain runs the tests, or is the service that the crash test kills.
func TestMain(m *testing.M) {
	if path := os.Getenv(crashStoreEnv); path != "" {
		serveUntilKilled(path)
	}
	goleak.VerifyTestMain(m)
}
