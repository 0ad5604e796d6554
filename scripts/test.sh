#!/usr/bin/env bash
# Builds the debug programs, runs every Swift test, and closes with the counts.
#
# scripts/test.sh [--filter PATTERN…]   MEDIABATCH_CORPUS names the folder of real media;
# tests that need it, or a tool that is missing, are skipped: their reasons are printed and counted.
# Without arguments as many processes as there are cores share the suites; TEST_PROCESSES is another
# number. Each runs one test at a time, so that the length of a test and a crash are its own.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -n ${MEDIABATCH_CORPUS-} ]]; then
  if ! MEDIABATCH_CORPUS=$(cd "$MEDIABATCH_CORPUS" 2>/dev/null && pwd -P); then
    echo "test: MEDIABATCH_CORPUS names no folder" >&2
    exit 66
  fi
  export MEDIABATCH_CORPUS
fi

check=(--explicit-target-dependency-import-check error)
results=.build/test
mkdir -p "$results"
rm -f "$results"/*.jsonl "$results"/*.log

echo "test: building (debug)"
swift build --build-tests "${check[@]}" 2>&1 \
  | { grep -vE '^\[[0-9]+/[0-9]+\]|prohibited flag\(s\)' || true; }

# Runs the tests that its arguments choose, by the program that "swift test" runs, of which there can
# be one at a time. The lines that say that something started or that a case passed are left out:
# there are thousands.
run() {
  local name=$1 status=0
  shift
  .build/debug/mediabatchPackageTests.xctest --testing-library swift-testing --no-parallel \
    --event-stream-version 6.3 --event-stream-output-path "$results/$name.jsonl" "$@" 2>&1 \
    | sed -u 's/\x1b\[[0-9;]*m//g' \
    | tee "$results/$name.log" \
    | { grep --line-buffered -vE '^◇ .* started\.$|^◇ Test case passing|^✔ Test case' || true; } \
    || status=$?
  return "$status"
}

echo "test: running (everything that is printed: $results)"
processes=${TEST_PROCESSES:-$(nproc)}
if [[ $# -gt 0 ]]; then processes=1; fi
pids=()
status=0
if [[ $processes -gt 1 ]]; then
  # Suites as a regular expression each, dealt like cards.
  swift test list --skip-build --disable-xctest "${check[@]}" 2>/dev/null \
    | sed -n 's|^\([A-Za-z]*Tests\.[^/]*\).*|\1|p' | sort -u | sed 's/[].()*+?$^|\\[]/\\&/g' \
    >"$results/suites"
  for ((number = 0; number < processes; number++)); do
    mine=$(awk -v n="$processes" -v i="$number" 'NR % n == i' "$results/suites" | paste -sd '|')
    run "$number" --filter "^($mine)/" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
else
  run 0 "$@" || status=$?
fi

python3 scripts/count-tests.py "$status" "$results"/*.jsonl
