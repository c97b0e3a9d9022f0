#!/usr/bin/env bash
# Runs the harness as a step of a workflow: the inputs of action.yml become
# flags, reports are written to a folder, and where they are is put out. Verdict
# and counts the harness puts out itself.
#
# Inputs are variables, and never become part of a script: each is one argument, or
# one a line if it is a list. PROGRAM is the harness. GitHub's runner sets
# GITHUB_OUTPUT and GITHUB_STEP_SUMMARY.
#
# The exit code is that of the harness, unless INPUT_FAIL_ON permits the verdict.
set -euo pipefail
# Nothing newer than Bash 3.2, which is what macOS has.

# mistake TEXT: ends the step for what is wrong with its inputs. The text is
# ours: none of an input's is shown where the runner looks for commands.
mistake() {
  printf '::error title=conformance::%s\n' "$1"
  printf 'exit-code=2\n' >>"$GITHUB_OUTPUT"
  exit 2
}

args=()

# flag NAME VALUE: the flag, if it has a value.
flag() {
  [[ -z $2 ]] || args+=("--$1=$2")
}

# flags PREFIX LINES: an argument for each line that is not empty, without the
# space about it.
flags() {
  local line
  while read -r line; do
    line=${line%$'\r'}
    [[ -z $line ]] || args+=("$1$line")
  done <<<"$2"
}

case $INPUT_FAIL_ON in
  nonconformant | inconclusive | never) ;;
  *) mistake 'fail-on must be nonconformant, inconclusive or never' ;;
esac

reports=$INPUT_REPORT_DIR
[[ $reports != *[[:cntrl:]]* ]] || mistake 'report-dir has a line break or a control character in it'
mkdir -p -- "$reports" 2>/dev/null || mistake 'report-dir is not a folder and cannot be created; name another folder'

# A secret is never an argument. An empty input leaves the job's variable as it is.
if [[ -n $INPUT_TOKEN ]]; then
  export CONFORMANCE_TOKEN=$INPUT_TOKEN
fi
if [[ -n $INPUT_SECRET_HEADER ]]; then
  export CONFORMANCE_SECRET_HEADERS=$INPUT_SECRET_HEADER
fi

flag base-url "$INPUT_BASE_URL"
flag spec "$INPUT_SPEC"
flags --fixtures= "$INPUT_FIXTURES"
flags --only= "$INPUT_ONLY"
flags --skip= "$INPUT_SKIP"
flag waivers "$INPUT_WAIVERS"
flag strict "$INPUT_STRICT"
flags --header= "$INPUT_HEADER"
flag timeout "$INPUT_TIMEOUT"
flag deadline "$INPUT_DEADLINE"
flag wait "$INPUT_WAIT"
flags '' "$INPUT_ARGS"

# Without a service, the harness would test its own reference, and the verdict would
# say nothing about the caller's. Faults of the settings are reported by the run.
if [[ -z $INPUT_BASE_URL ]] && settings=$("$PROGRAM" config ${args[@]+"${args[@]}"} 2>/dev/null) &&
  ! grep -q '^base-url: ' <<<"$settings"; then
  ! grep -q '^targets: ' <<<"$settings" ||
    mistake 'this action is for one service; .github/examples/targets-matrix.yml is a workflow for a list of targets'
  mistake 'base-url is empty, and neither CONFORMANCE_BASE_URL nor conformance.yaml names the service'
fi

# Remove the reports of an earlier run, which could be taken for those of this one.
formats=(json html junit sarif markdown)
files=(report.json report.html junit.xml report.sarif report.md)
for i in "${!formats[@]}"; do
  files[i]=$reports/${files[i]}
  rm -f -- "${files[i]}"
  args+=("--report=${formats[i]}=${files[i]}")
done
# Before the run, so that the reports of a killed run are uploaded, too.
printf 'report-dir=%s\n' "$reports" >>"$GITHUB_OUTPUT"

"$PROGRAM" run --color=never --report=github "${args[@]}" &
harness=$!
# GitHub signals only this process if a workflow is cancelled. It passes the signal
# on, so that the harness still writes its reports.
trap 'kill -TERM "$harness" 2>/dev/null || true' INT TERM
# A signal ends a wait, too, so the exit code is read after the harness has ended.
while kill -0 "$harness" 2>/dev/null; do
  wait "$harness" || true
done
code=0
wait "$harness" || code=$?

# A list of requests or a help text is not a verdict.
if ((code == 0)) && [[ ! -s ${files[0]} ]]; then
  mistake 'the run wrote no report: remove --dry-run, --help and --version from args'
fi
{
  printf 'exit-code=%d\n' "$code"
  for i in "${!formats[@]}"; do
    [[ ! -s ${files[i]} ]] || printf '%s=%s\n' "${formats[i]}" "${files[i]}"
  done
} >>"$GITHUB_OUTPUT"

case $INPUT_FAIL_ON/$code in
  never/1 | never/3 | nonconformant/3)
    # Without a report, what was found is lost.
    if [[ -s ${files[0]} ]]; then
      printf '::warning title=conformance::exit code %d does not fail this step: fail-on is %s\n' "$code" "$INPUT_FAIL_ON"
      exit 0
    fi
    ;;
  */2)
    echo '::error title=conformance::wrong usage or configuration, nothing was sent; the log of this step says what'
    ;;
esac
exit "$code"
