package main

import (
	"os"
	"strings"
	"testing"
)

func TestRedirect(t *testing.T) {
	config, err := os.ReadFile("../../.github/goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	redirected, err := redirect(config, "HOST/base@sha256:1", "HOST/here")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"base_image: HOST/base@sha256:1",
		"repositories: [HOST/here/conformance]",
		"repositories: [HOST/here/reference]",
		"release:\n  disable: true\n",
	} {
		if !strings.Contains(string(redirected), line) {
			t.Errorf("no %q in:\n%s", line, redirected)
		}
	}
	if _, err := redirect([]byte(strings.Replace(string(config), "base_image", "baseImage", 1)), "", ""); err == nil {
		t.Error("a base image that stands elsewhere went unnoticed")
	}
}
