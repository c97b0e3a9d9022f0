#!/usr/bin/env bash
# Builds the harness from the commit that this action is of, so that action and
# harness are one version, and puts the path of the program out as `program`.
#
# RUNNER_TEMP and GITHUB_OUTPUT are as GitHub's runner sets them.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# The caller's settings are for the caller's code.
unset GOFLAGS GOOS GOARCH
export GOWORK=off CGO_ENABLED=0

# GitHub fetches an action without its history, and in a container git refuses
# a work tree of another user: both build, but do not know the commit.
vcs=true
git rev-parse --verify --quiet HEAD >/dev/null 2>&1 || vcs=false

program=$RUNNER_TEMP/conformance-harness/conformance$(go env GOEXE)
mkdir -p "${program%/*}"
go build -buildvcs="$vcs" -o "$program" ./cmd/conformance
"$program" version
printf 'program=%s\n' "$program" >>"$GITHUB_OUTPUT"
