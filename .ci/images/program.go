package main

import (
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// checkProgram holds that a program needs nothing of an image, which has no
// loader and no C library, and knows its commit and version.
func checkProgram(file string, platform v1.Platform, commit, version string) error {
	program, err := elf.Open(file)
	if err != nil {
		return fmt.Errorf("the program: %w", err)
	}
	defer program.Close()
	machines := map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}
	if machines[program.Machine] != platform.Architecture {
		return fmt.Errorf("the program is for %s", program.Machine)
	}
	for _, segment := range program.Progs {
		if segment.Type == elf.PT_INTERP {
			return errors.New("the program is linked dynamically")
		}
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the program: %w", err)
	}
	if is := revision(info); is != commit {
		return fmt.Errorf("the program says it is of commit %q, not %q", is, commit)
	}
	if strings.TrimPrefix(info.Main.Version, "v") != version {
		return fmt.Errorf("the program says it is version %s, the label of the image %s", info.Main.Version, version)
	}
	return nil
}

// revision is the commit that Go wrote into a program.
func revision(info *debug.BuildInfo) string {
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return ""
}

// write makes an executable file with what content has.
func write(file string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	to, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, content); err != nil {
		to.Close()
		return fmt.Errorf("extracting %s: %w", file, err)
	}
	return to.Close()
}
