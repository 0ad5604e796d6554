#!/usr/bin/env bash
# Builds the tests, and the programs that they start, into .build-tests.
#
# Programs and modules are optimized as in a release, since suites change every byte of a file in them; the tests are
# not, which would take longer to compile than to run. CAMERA_ON_LOOPBACK is what lets a test put a camera on loopback;
# no release has it, and nothing of this folder is packaged or installed. The programs stand in .build-tests/programs.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "test: building (optimized, for tests)"
swift build --build-tests -c release --scratch-path .build-tests \
  -Xswiftc -enable-testing -Xswiftc -DCAMERA_ON_LOOPBACK -Xcc -DCAMERA_ON_LOOPBACK -debug-info-format none \
  --explicit-target-dependency-import-check error "$@" 2>&1 \
  | { grep -vE '^\[[0-9]+/[0-9]+\]|prohibited flag\(s\)|is not used by any target' || true; }
python3 scripts/link-programs.py .build-tests
