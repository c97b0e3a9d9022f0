//go:build long

package hostiletest

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/plantstore/conformance/cmd/conformance/internal/built"
)

// launchVariable makes this test binary a launcher: see launch.
const launchVariable = "HOSTILETEST_PEAK_FILE"

// folder is where the binary is built.
var folder string

func TestMain(m *testing.M) {
	if file := os.Getenv(launchVariable); file != "" {
		os.Exit(launch(file))
	}
	var err error
	if folder, err = os.MkdirTemp("", "hostiletest-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(folder)
		if testing.Verbose() {
			fmt.Printf("the most memory that a target cost is %.1f MiB, in %s\n", float64(peaks.most)/(1<<20), peaks.by)
		}
		os.Exit(code)
	}))
}

// binary is the program as users have it.
var binary = sync.OnceValues(func() (string, error) { return built.Program(folder) })

// launch runs the command in the arguments and writes its peak memory to the file. On Linux, the
// peak of a process includes the memory of the process that started it, so that one must be small.
func launch(file string) int {
	c := exec.Command(os.Args[1], os.Args[2:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	dieTogether(c)
	_ = c.Run()
	if c.ProcessState == nil {
		return -1
	}
	if os.WriteFile(file, []byte(strconv.FormatInt(peak(c.ProcessState), 10)), 0o600) != nil {
		return -1
	}
	return c.ProcessState.ExitCode()
}
