#!/usr/bin/env bash
# Builds the tests, and the programs that they start, into .build-tests: optimized, with DEBUG defined.
#
# Suites that change every byte of a file run in programs and modules, not in themselves. DEBUG is what lets a test put a camera on loopback; no release has it, and nothing
# of this folder is packaged or installed. The programs stand in .build-tests/programs.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "test: building (optimized, for tests)"
swift build --build-tests --scratch-path .build-tests -Xswiftc -O -Xcc -O2 \
  --explicit-target-dependency-import-check error "$@" 2>&1 \
  | { grep -vE '^\[[0-9]+/[0-9]+\]|prohibited flag\(s\)|is not used by any target' || true; }
python3 scripts/link-programs.py .build-tests
