#!/usr/bin/env bash
# Builds the two release programs, and nothing of the tests.
#
# DEBUG_SYMBOLS=1 builds those of the package into .build-deb: without what only tests need, and with what a debugger
# needs, which debian/rules puts into a package of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/swift-flags.sh
build=.build
if [[ -n ${DEBUG_SYMBOLS-} ]]; then
  build=.build-deb
  # The names of compiled C modules have digests of the folder's path in them, which would get into the debug symbols.
  flags+=(--scratch-path "$build" -Xswiftc -g -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs)
else
  flags+=("${shared[@]}")
fi
# Without the programs and modules of tests, so that both products are one build.
export MEDIABATCH_BUILD=release

[[ -e $build/release/mediabatch ]] || echo "build: release; the first time takes some minutes"
mkdir -p "$build"
if ! swift build "${flags[@]}" >"$build/build.log" 2>&1; then
  grep -vE "^\[[0-9]+/[0-9]+\]|$harmless" "$build/build.log" >&2
  exit 1
fi
grep -E 'warning:' "$build/build.log" | grep -vE "$harmless" | sort -u >&2 || true
for program in mediabatch mediabatch-worker; do
  bytes=$(stat -Lc %s "$build/release/$program")
  echo "build: $build/release/$program ($((bytes / 1048576)) MiB)"
done
