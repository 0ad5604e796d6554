#!/usr/bin/env bash
# Builds the release programs: Swift's library linked in, symbols stripped.
set -euo pipefail
cd "$(dirname "$0")/.."

flags=(
  -c release --static-swift-stdlib -Xlinker -s
  --explicit-target-dependency-import-check error
)
# What SwiftPM says of ImageMagick's -fopenmp, and the linker of a part of Foundation that is
# not called. Both are explained in CONTRIBUTING.md.
harmless='prohibited flag\(s\)|the use of `(mktemp|tempnam|tmpnam)'

[[ -e .build/release/mediabatch ]] || echo "build: release; the first time takes some minutes"
mkdir -p .build
if ! swift build "${flags[@]}" >.build/build.log 2>&1; then
  grep -vE "^\[[0-9]+/[0-9]+\]|$harmless" .build/build.log >&2
  exit 1
fi
grep -E 'warning:' .build/build.log | grep -vE "$harmless" | sort -u >&2 || true
for program in mediabatch mediabatch-worker; do
  bytes=$(stat -Lc %s ".build/release/$program")
  echo "build: .build/release/$program ($((bytes / 1048576)) MiB)"
done
