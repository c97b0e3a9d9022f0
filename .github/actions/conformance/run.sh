#!/usr/bin/env bash
# Runs the harness as a step of a workflow: the inputs of action.yml become
# flags, reports are written to a folder, and where they are is put out. Verdict
# and counts the harness puts out itself.
#
# Inputs are variables, and never become part of a script: whatever they hold,
# they are one argument, or in those that are lists one a line. PROGRAM is the
# harness; GITHUB_OUTPUT and GITHUB_STEP_SUMMARY are as GitHub's runner sets them.
#
# Ends as the harness does, unless INPUT_FAIL_ON forgives that.
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
mkdir -p -- "$reports" 2>/dev/null || mistake 'report-dir is no folder, and none can be made of it'

# What is secret is no argument. Where it is empty, what the job has set stays.
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

# Where no service is named the harness tests its own reference, which is no
# verdict on what the caller means. What is wrong with the settings the run tells.
if [[ -z $INPUT_BASE_URL ]] && settings=$("$PROGRAM" config ${args[@]+"${args[@]}"} 2>/dev/null) &&
  ! grep -q '^base-url: ' <<<"$settings"; then
  ! grep -q '^targets: ' <<<"$settings" ||
    mistake 'this action is for one service; .github/examples/targets-matrix.yml is a workflow for a list of targets'
  mistake 'base-url is empty, and neither CONFORMANCE_BASE_URL nor conformance.yaml names the service'
fi

# Nothing of an earlier run is taken for one of this.
formats=(json html junit sarif markdown)
files=(report.json report.html junit.xml report.sarif report.md)
for i in "${!formats[@]}"; do
  files[i]=$reports/${files[i]}
  rm -f -- "${files[i]}"
  args+=("--report=${formats[i]}=${files[i]}")
done
# Before the run, so that also what a killed one left is kept.
printf 'report-dir=%s\n' "$reports" >>"$GITHUB_OUTPUT"

"$PROGRAM" run --color=never --report=github "${args[@]}" &
harness=$!
# Who cancels a workflow has the signal sent to this process alone. It is passed
# on, and the harness then still writes what it found.
trap 'kill -TERM "$harness" 2>/dev/null || true' INT TERM
# A signal ends a wait, too; the one for the exit code comes when all is over.
while kill -0 "$harness" 2>/dev/null; do
  wait "$harness" || true
done
code=0
wait "$harness" || code=$?

# A list of requests or a help text is no verdict.
if ((code == 0)) && [[ ! -s ${files[0]} ]]; then
  mistake 'the harness ended without a report: args asks for something else than a run'
fi
{
  printf 'exit-code=%d\n' "$code"
  for i in "${!formats[@]}"; do
    [[ ! -s ${files[i]} ]] || printf '%s=%s\n' "${formats[i]}" "${files[i]}"
  done
} >>"$GITHUB_OUTPUT"

case $INPUT_FAIL_ON/$code in
  never/1 | never/3 | nonconformant/3)
    # Unless what was found is lost.
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
