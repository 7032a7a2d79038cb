#!/usr/bin/env bash
# Runs tether test or lint for action.yml: COMMAND, FILES, CROSSPLANE, VARIANT, FUNCTIONS, RUN_FUNCTIONS, WORKERS, ARGS, VERSION, REPORT and
# ACTION are its inputs. Always ends with 0, so that the pull request hears of it; the exit code of the tool is an output.
set -euo pipefail
shopt -s nullglob

refuse() {
  echo "::error::$1"
  echo "exit-code=2" >>"$GITHUB_OUTPUT"
  exit 0
}

# The bash of macOS is older than **: better no run than one of other files.
if ! shopt -s globstar 2>/dev/null && [[ "$FILES" == *'**'* ]]; then
  refuse "the bash of this runner, $BASH_VERSION, does not know ** in the input files: name folders one by one"
fi

tell() {
  if [ -n "$VERSION" ]; then
    npx --yes --package "function-tether@$VERSION" tether "$@"
  else
    # The sources run as they are: only what they import has to be there. Not `npm ci`, as in .ci/setup.mjs.
    [ -d "$ACTION/node_modules" ] || npm install --prefix "$ACTION" --no-save --omit=dev --ignore-scripts --no-audit --no-fund >&2 || return 1
    node "$ACTION/src/main.ts" "$@"
  fi
}

files=()
while IFS= read -r pattern; do
  [ -n "$pattern" ] || continue
  # A pattern becomes the files it matches, spaces in it and all; one without a match is told by the tool, by its name.
  matches=()
  while IFS= read -r match; do
    # Packages bring scenarios of their own: those are run by who names the folder.
    [[ "/$match" == */node_modules/* && "$pattern" != *node_modules* ]] || matches+=("$match")
  done < <(compgen -G "$pattern" || true)
  if [ "${#matches[@]}" -eq 0 ]; then files+=("$pattern"); else files+=("${matches[@]}"); fi
done <<<"$FILES"

versions=()
while IFS= read -r version; do
  [ -z "$version" ] || versions+=(--crossplane "$version")
done <<<"$CROSSPLANE"

options=()
[ -z "$VARIANT" ] || options+=(--variant "$VARIANT")
[ -z "$WORKERS" ] || options+=(--workers "$WORKERS")
case "$RUN_FUNCTIONS" in
  true) options+=(--run-functions) ;;
  false | "") ;;
  *) refuse "the input run-functions must be true or false, got $RUN_FUNCTIONS" ;;
esac
while IFS= read -r place; do
  [ -z "$place" ] || options+=(--function "$place")
done <<<"$FUNCTIONS"
# xargs knows quotes, and runs nothing that stands in them.
if ! words=$(xargs -n 1 printf '%s\n' <<<"$ARGS"); then
  refuse "cannot read the input args: a quote has no end"
fi
while IFS= read -r option; do
  [ -z "$option" ] || options+=("$option")
done <<<"$words"

mkdir -p "$REPORT"
# What an earlier run wrote there must not be taken for the word on this one.
rm -f "$REPORT/report.html" "$REPORT/report.json" "$REPORT/junit.xml" "$REPORT/summary.md" "$REPORT/lint.sarif"
reports=(--json "$REPORT/report.json")
case "$COMMAND" in
  test) reports+=(--html "$REPORT/report.html" --junit "$REPORT/junit.xml" --markdown "$REPORT/summary.md") ;;
  lint) reports+=(--sarif "$REPORT/lint.sarif") ;;
  *) refuse "the input command must be test or lint, got $COMMAND" ;;
esac
code=0
# A file may be named as an option is. An older bash takes an empty list for one that is not set.
tell "$COMMAND" ${versions[@]+"${versions[@]}"} ${options[@]+"${options[@]}"} "${reports[@]}" -- ${files[@]+"${files[@]}"} || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
[ ! -f "$REPORT/summary.md" ] || cat "$REPORT/summary.md" >>"$GITHUB_STEP_SUMMARY"
