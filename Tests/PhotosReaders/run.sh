#!/usr/bin/env bash
# Imports the public Photos library of the corpus, and compares the result with osxphotos, which it installs from PyPI
# into an environment of its own beneath .build.
set -euo pipefail
cd "$(dirname "$0")/../.."

library=${1:-${MEDIABATCH_CORPUS:?names the folder of real media}/second/photoslibrary/Test-13.0.0.photoslibrary}
tools=.build/photos-readers
if [[ ! -x $tools/bin/python ]]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "${OSXPHOTOS:-osxphotos==0.77.2}"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/manifest.json" <<MANIFEST
{
  "version": 1,
  "client": { "identifier": "org.example.photos" },
  "usageDescriptions": { "NSPhotoLibraryUsageDescription": "osxphotos looks at the result." },
  "sources": {
    "library": { "path": "$library", "kind": "photosLibrary", "authorizationStatus": "authorized" }
  },
  "metadata": { "policy": "keep" },
  "output": { "path": "Library" }
}
MANIFEST
status=0
.build-tests/debug/mediabatch run "$work/manifest.json" >"$work/summary" || status=$?
# The public copy lacks two originals, which fail.
[[ $status -eq 0 || $status -eq 3 ]] || { cat "$work/summary"; exit "$status"; }
"$tools/bin/python" Tests/PhotosReaders/check_photos.py "$library" "$work/Library/library.sqlite"
