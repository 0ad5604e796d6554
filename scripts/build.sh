#!/usr/bin/env bash
# Builds the two release programs, and nothing of the tests.
#
# DEBUG_SYMBOLS=1 builds into .build-deb and not .build, with what a debugger needs: debian/rules puts that into a
# package of its own. docs/install.md has what each flag is worth.
set -euo pipefail
cd "$(dirname "$0")/.."

flags=(
  -c release --static-swift-stdlib
  --explicit-target-dependency-import-check error
  # No symbol is exported, so that what nobody calls is left out, function by function.
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
  -Xswiftc -use-ld=lld
  -Xlinker --no-export-dynamic
  -Xlinker -z -Xlinker pack-relative-relocs
  # The folder changes nothing in the programs.
  -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
  -Xlinker "$PWD/scripts/reproducible.ld"
  -Xlinker --build-id=sha1
)
build=.build
if [[ -n ${DEBUG_SYMBOLS-} ]]; then
  build=.build-deb
  flags+=(--scratch-path "$build" -Xswiftc -g)
else
  flags+=(-debug-info-format none -Xlinker --strip-all)
fi
# Without the programs and modules of tests, so that both products are one build.
export MEDIABATCH_BUILD=release

# What SwiftPM says of ImageMagick's -fopenmp and of pinned packages, and the linker of a part of Foundation that is
# not called. All are explained in CONTRIBUTING.md.
harmless='prohibited flag\(s\)|is not used by any target|the use of `(mktemp|tempnam|tmpnam)'

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
