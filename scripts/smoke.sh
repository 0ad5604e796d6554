#!/usr/bin/env bash
# Runs the built programs as a person would: the demo twice, verify, install, uninstall.
#
# scripts/smoke.sh FOLDER   The folder that holds mediabatch and mediabatch-worker. Works on copies
# in a temporary folder; exits 1 at the first thing that is not as it must be.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$(cd "$1" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R Manifests "$scratch/Manifests"
mkdir "$scratch/demo-output"
library=$scratch/demo-output/Library

expect() {
  local what=$1 wanted=$2 found=$3
  if [[ $wanted != "$found" ]]; then
    echo "smoke: $what: expected $wanted, found $found" >&2
    exit 1
  fi
  echo "smoke: $what: $found"
}
count() { jq -r "$1" "$scratch/summary.json"; }
summary='[.exitCode, .counts.imported, .counts.unchanged, .counts.skipped, .counts.failed] | join(" ")'

"$programs/mediabatch" --version
"$programs/mediabatch" run "$scratch/Manifests/demo.json" --format json >"$scratch/summary.json"
expect "first run: exit code, imported, unchanged, skipped, failed" "0 14 0 1 0" "$(count "$summary")"
"$programs/mediabatch" run "$scratch/Manifests/demo.json" --format json >"$scratch/summary.json"
expect "second run: exit code, imported, failed" "0 0 0" \
  "$(count '[.exitCode, .counts.imported, .counts.failed] | join(" ")')"
expect "second run: unchanged" 14 "$(count .counts.unchanged)"
"$programs/mediabatch" verify "$library" >/dev/null
"$programs/mediabatch" audit verify "$library" >/dev/null
echo "smoke: verify and audit verify are clean"

originals=$(find "$library/Originals" -type f)
expect "private files in the library" 0 "$(grep -ciE 'private|IMG_0050|memo' <<<"$originals" || true)"
kept=$(find "$library/Originals" -type f -exec sha256sum {} + | cut -d' ' -f1 | sort)
wanted=$(sha256sum Manifests/media/Photos/2026/{IMG_0041.*,harbour.jpg,picnic-*} | cut -d' ' -f1 | sort)
expect "kept originals that are their source, byte for byte" 5 \
  "$(comm -12 <(echo "$kept") <(echo "$wanted") | wc -l)"
leaks=$(find "$library" -type f -path '*' \( -name '*.jpg' -o -name '*.jpeg' -o -name '*.png' \) \
  -exec grep -laE 'Example Optics|Demo Photographer|Not for publication' {} + || true)
kept_with_tags=3
expect "files that name the camera or the photographer (the kept ones)" $kept_with_tags \
  "$(grep -c . <<<"$leaks" || true)"

make install PREFIX=/opt/mediabatch DESTDIR="$scratch/root" >/dev/null
expect "installed version" "$("$programs/mediabatch" --version)" \
  "$("$scratch/root/opt/mediabatch/bin/mediabatch" --version)"
"$scratch/root/opt/mediabatch/bin/mediabatch" run "$scratch/Manifests/demo.json" >/dev/null
make uninstall PREFIX=/opt/mediabatch DESTDIR="$scratch/root" >/dev/null
expect "programs left after uninstall" 0 "$(find "$scratch/root" -type f | wc -l)"
echo "smoke: all as it must be"
