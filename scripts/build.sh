#!/usr/bin/env bash
# Builds the release programs: small, and without a word about the folder in which they were built.
#
# docs/install.md has what each flag is worth.
set -euo pipefail
cd "$(dirname "$0")/.."

flags=(
  -c release --static-swift-stdlib
  --explicit-target-dependency-import-check error
  # For size, but for the modules that Package.swift lists.
  -Xswiftc -Osize
  # No symbol is exported, so that what nobody calls is left out, function by function.
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
  -Xswiftc -use-ld=lld
  # Equal functions are one: "safe" would leave those of Swift alone.
  -Xlinker --no-export-dynamic -Xlinker --exclude-libs=ALL -Xlinker --icf=all
  -Xlinker -z -Xlinker pack-relative-relocs
  -Xlinker "$PWD/scripts/discard.ld" -Xlinker --no-eh-frame-hdr
  -debug-info-format none -Xlinker --strip-all
  # The folder is in no string of the programs.
  -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
  # Also texts that end like another one are one.
  -Xlinker --build-id=sha1 -Xlinker -O2
)
# Foundation brings 34 MB of data of the world's languages and calendars, for formatters and collations
# that no code here calls. The symbol of that data is bound to the ELF header, which ICU does not take
# for data: a call that needs it fails with U_INVALID_FORMAT_ERROR.
static=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/lib/swift_static/linux
data=$(nm "$static/lib_FoundationICU.a" 2>/dev/null | sed -n 's/.* R \(icudt[0-9]*_dat\)$/\1/p' || true)
if [[ -n $data ]]; then flags+=(-Xlinker --defsym -Xlinker "$data=__ehdr_start"); fi

# What SwiftPM says of ImageMagick's -fopenmp and of pinned packages, and the linker of a part of Foundation that is
# not called. All are explained in CONTRIBUTING.md.
harmless='prohibited flag\(s\)|is not used by any target|the use of `(mktemp|tempnam|tmpnam)'

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
