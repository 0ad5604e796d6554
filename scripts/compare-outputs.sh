#!/usr/bin/env bash
# Compares what this build and an earlier commit make of real media: outcomes, published resources,
# thumbnails, and what inspect says.
#
# scripts/compare-outputs.sh [COMMIT]   The default is the commit named in scripts/outputs-base: a
# change that alters outputs on purpose moves it, and its message says which outputs differ and why.
#
# MEDIABATCH_CORPUS names a folder of media; each folder in it is compared. The build of COMMIT is
# kept in .build-base, so that the next comparison with it is short. Exits 1 if an output differs.
set -euo pipefail
cd "$(dirname "$0")/.."

commit=${1:-$(<scripts/outputs-base)}
if [[ -z ${MEDIABATCH_CORPUS-} ]]; then
  echo "compare-outputs: skipped: MEDIABATCH_CORPUS names no media" >&2
  exit 0
fi
if ! commit=$(git rev-parse --verify --quiet "$commit^{commit}" 2>/dev/null); then
  echo "compare-outputs: skipped: this clone has no commit ${1:-$(<scripts/outputs-base)}" >&2
  exit 0
fi
base=.build-base
if [[ $(git -C "$base" rev-parse HEAD 2>/dev/null) != "$commit" ]]; then
  rm -rf "$base"
  git clone --quiet --no-checkout . "$base"
  git -C "$base" checkout --quiet --detach "$commit"
fi
# Where every record is there, the base is not built again.
missing=
for corpus in "$MEDIABATCH_CORPUS"/*/; do
  [[ -e $base/.build/outputs-$(basename "$corpus") ]] || missing=yes
done
# An earlier commit knows the same script.
if [[ -n $missing ]]; then "$base/scripts/build.sh"; fi

failed=0
for corpus in "$MEDIABATCH_CORPUS"/*/; do
  name=$(basename "$corpus")
  record=$base/.build/outputs-$name
  echo "compare-outputs: $name"
  [[ -e $record ]] \
    || scripts/compare-outputs.py "$base/.build/release" "$corpus" --write "$record"
  scripts/compare-outputs.py .build/release "$corpus" --check "$record" || failed=1
done
exit "$failed"
