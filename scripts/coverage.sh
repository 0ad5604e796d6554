#!/usr/bin/env bash
# Runs the tests with LLVM's counters in every module, and writes what they never reach: "make coverage" calls it.
#
# scripts/coverage.sh [--filter PATTERN…]   The result is Benchmarks/results/DATE-coverage.md (scripts/coverage.py).
# The programs that tests start are those of "make test", without counters: they are confined and could write none.
# Commands of a Scene, and their workers, count, since they are performed in the process of the test.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=$(dirname "$(readlink -f "$(command -v swift)")")
build=.build-coverage
scripts/build-tests.sh
# Package.swift links the programs of a debug build with Swift's shared libraries then.
export MEDIABATCH_BUILD=coverage
echo "coverage: building into $build"
swift build -c debug --build-tests --enable-code-coverage --scratch-path "$build" -debug-info-format none \
  >"$build.log" 2>&1 || { tail -n 20 "$build.log" >&2; exit 1; }

rm -rf "$build/profiles"
mkdir -p "$build/profiles"
export LLVM_PROFILE_FILE=$PWD/$build/profiles/%m-%p.profraw
export MEDIABATCH_PROGRAMS=$PWD/.build/test-programs
export OMP_NUM_THREADS=1
bundle=$build/debug/mediabatchPackageTests.xctest
echo "coverage: running the tests (everything that is printed: $build/tests.log)"
# A test that fails has counted too; its result is that of "make test".
"$bundle" --testing-library swift-testing --no-parallel "$@" >"$build/tests.log" 2>&1 \
  || echo "coverage: some tests failed, which $build/tests.log names" >&2
"$tools/llvm-profdata" merge -sparse "$build"/profiles/*.profraw -o "$build/tests.profdata"
"$tools/llvm-cov" export --instr-profile "$build/tests.profdata" --skip-expansions "$bundle" >"$build/coverage.json"
python3 scripts/coverage.py "$build/coverage.json" "Benchmarks/results/$(date +%F)-coverage.md" "${*:-all tests}"
