package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	baseImage    = regexp.MustCompile(`(?m)^( *base_image:) .*$`)
	repositories = regexp.MustCompile(`(?m)^( *repositories: \[)[^/\]]*/`)
	builds       = regexp.MustCompile(`(?m)^  - &program$`)
	releases     = regexp.MustCompile(`(?m)^release:$`)
)

// redirect is the configuration of a release of the images alone, of which
// nothing leaves the machine: base image and repositories are those given, and
// nothing goes to GitHub. All else that is said of the images stands.
func redirect(config []byte, base, repository string) ([]byte, error) {
	for _, edit := range []struct {
		pattern *regexp.Regexp
		by      string
		times   int
	}{
		{baseImage, "${1} " + base, 1},
		{repositories, "${1}" + repository + "/", len(programs())},
		// For the archives, which are left out.
		{builds, "${0}\n    skip: true", 1},
		{releases, "release:\n  disable: true", 1},
	} {
		if found := len(edit.pattern.FindAllIndex(config, -1)); found != edit.times {
			return nil, fmt.Errorf("the configuration matches %s %d times, not %d", edit.pattern, found, edit.times)
		}
		config = edit.pattern.ReplaceAll(config, []byte(edit.by))
	}
	return config, nil
}

// release releases what a clone has checked out. The proxy is who gets every
// request that leaves the machine.
func release(ctx context.Context, goreleaser string, config []byte, clone, proxy string) error {
	scratch, err := os.MkdirTemp("", "images")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	redirected := filepath.Join(scratch, "goreleaser.yaml")
	if err := os.WriteFile(redirected, config, 0o600); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, goreleaser, "release", "--config", redirected, "--skip=archive,sbom")
	command.Dir = clone
	// Not GOPROXY=off: with that the go command believes what it noted of a commit
	// when it had no tag.
	command.Env = append(os.Environ(), "GOPROXY="+proxy+"/modules", "GITHUB_TOKEN=", "GITLAB_TOKEN=", "GITEA_TOKEN=",
		"HTTP_PROXY="+proxy, "HTTPS_PROXY="+proxy, "http_proxy="+proxy, "https_proxy="+proxy, "NO_PROXY=", "no_proxy=",
		"DOCKER_CONFIG="+scratch, "DOCKER_HOST=unix://"+filepath.Join(scratch, "none.sock"))
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Run(); err != nil {
		return fmt.Errorf("goreleaser release in %s: %w\n%s", clone, err, &said)
	}
	return nil
}

// head is the commit that is checked out, and its time.
func head(ctx context.Context, clone string) (string, time.Time, error) {
	out, err := exec.CommandContext(ctx, "git", "-C", clone, "show", "--no-patch", "--format=%H %ct", "HEAD").Output()
	if err != nil {
		return "", time.Time{}, fmt.Errorf("asking git for the commit in %s: %w", clone, err)
	}
	commit, seconds, ok := strings.Cut(strings.TrimSpace(string(out)), " ")
	if !ok {
		return "", time.Time{}, errors.New("git show says something else than commit and time")
	}
	when, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("reading the time of the commit: %w", err)
	}
	return commit, time.Unix(when, 0), nil
}
