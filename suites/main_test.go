package suites_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// long asks for every row, and for all fixtures, as the gate does.
var long = os.Getenv("LONG_TESTS") != ""

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
