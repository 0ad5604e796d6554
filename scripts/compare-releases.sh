#!/usr/bin/env bash
# Compares what this machine's release of Debian and Debian 13 make of the same media.
#
# scripts/compare-releases.sh   Needs root, .build/release, what scripts/test-debian13.sh has built, and
# MEDIABATCH_CORPUS. Leaves records and libraries in .build-debian/releases, the distance of thumbnails by
# format in .build-debian/releases/thumbnails.md. Exits 1 at a difference that compare-releases.py does not
# list.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -z ${MEDIABATCH_CORPUS-} ]]; then
  echo "compare-releases: skipped: MEDIABATCH_CORPUS names no media" >&2
  exit 0
fi
folder=.build-debian/releases
mkdir -p "$folder/here"
# Each imports one item at a time: a core for each.
scripts/compare-releases.py record .build/release "$MEDIABATCH_CORPUS" "$folder/here" &
here=$!
trap 'kill "$here" 2>/dev/null || true' EXIT
scripts/debian-tree.sh trixie python3 /checkout/scripts/compare-releases.py record \
  /root/mediabatch/.build/release /corpora /root/releases
wait "$here"
trap - EXIT
exec /usr/bin/python3 scripts/compare-releases.py compare "$folder/here" \
  "${MEDIABATCH_TREES:-.build-debian}/trixie/root/releases" "$folder/thumbnails.md"
