// Package built builds the program for tests, in the form that users get.
package built

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Program builds conformance into a folder and returns its path. It disables the race detector,
// even if GOFLAGS enables it: that takes several times the memory and the time, and does not see
// signals and files.
//
// The build cache keeps a program that `go run` has linked, but not one of `go build`. So only the
// first package that needs the program waits for the linker.
func Program(folder string) (string, error) {
	const program = "github.com/plantstore/conformance/cmd/conformance"
	path := filepath.Join(folder, "conformance")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	command := exec.CommandContext(context.Background(), "go", "run", "-race=false", "-exec", "cp", program, path) //nolint:gosec // into a folder of the tests
	if _, err := exec.LookPath("cp"); err != nil {
		command = exec.CommandContext(context.Background(), "go", "build", "-race=false", "-o", path, program) //nolint:gosec // the same
	}
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", program, err, out)
	}
	return path, nil
}
