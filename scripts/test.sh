#!/usr/bin/env bash
# Builds the debug programs, runs every Swift test, and closes with the counts.
#
# scripts/test.sh [arguments of swift test…]   MEDIABATCH_CORPUS names the folder of real media;
# tests that need it, or a tool that is missing, are skipped: their reasons are printed and counted.
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
mkdir -p .build
log=.build/test.log
events=.build/test-events.jsonl
rm -f "$events"

echo "test: building (debug)"
swift build --build-tests "${check[@]}" 2>&1 \
  | { grep -vE '^\[[0-9]+/[0-9]+\]|prohibited flag\(s\)' || true; }

echo "test: running (everything that is printed: $log)"
status=0
# The lines that say that something started are left out: thousands of cases start.
swift test --skip-build --disable-xctest --event-stream-version 6.3 \
  --event-stream-output-path "$events" "${check[@]}" "$@" 2>&1 \
  | tee "$log" \
  | { grep -vE '^◇ .* started\.$|^◇ Test case passing|^✔ Test case|prohibited flag\(s\)' || true; } \
  || status=$?

python3 scripts/count-tests.py "$events" "$status"
