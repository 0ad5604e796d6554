#!/usr/bin/env bash
# Builds the tests, and the programs that they start.
#
# Programs and modules are those of the release (scripts/swift-flags.sh), since suites change every byte of a file in
# them; the tests are not optimized, which would take longer to compile than to run. The programs that tests start are
# linked once more, into .build/test-programs: scripts/link-programs.py.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/swift-flags.sh
echo "test: building"
swift build --build-tests "${flags[@]}" "${shared[@]}" "$@" 2>&1 \
  | { grep -vE "^\[[0-9]+/[0-9]+\]|$harmless" || true; }
python3 scripts/link-programs.py .build
