package suites

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

// forbidCaching keeps go test from giving the result of this process again
// without running it: what a service elsewhere has become is nothing that its
// cache knows of.
//
// The cache goes by a log of what the tests read, which go test has the test
// binary write, and keeps no result whose log does not begin with the line
// that it must begin with (computeTestInputsID and saveOutput in
// cmd/go/internal/test). So that line is written over. The log comes through a
// buffer; the name of a variable that is longer than the buffer makes sure
// that the line is in the file, where nobody returns to it.
func forbidCaching() error {
	asked := flag.Lookup("test.testlogfile")
	if asked == nil || asked.Value.String() == "" {
		return nil // nothing will be cached
	}
	const longerThanTheBuffer = 64 << 10
	os.Getenv(strings.Repeat("x", longerThanTheBuffer))
	file, err := os.OpenFile(asked.Value.String(), os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("# not to be cached\n")
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("go test might give this result again without asking the service; run it with -count=1: %w", err)
	}
	return nil
}
