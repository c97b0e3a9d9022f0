package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// printVersion writes version and commit of this program, as far as the build
// recorded them. It names no contract: the reference holds no copy of it.
func printVersion(w io.Writer) error {
	version, commit := "devel", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	if _, err := fmt.Fprintf(w, "reference %s (commit %s, %s %s/%s)\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH); err != nil {
		return fmt.Errorf("writing the version: %w", err)
	}
	return nil
}
