// Package built gives tests the program as users have it.
package built

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Program puts conformance into a folder and gives its path. It has no race
// detector, also where GOFLAGS asks for it: that takes several times the memory
// and the time, and sees nothing of what a process is told by signals and files.
//
// The build cache keeps a program that `go run` has linked, and none that
// `go build` has: so only the first of the packages that need it waits for the
// linker.
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
