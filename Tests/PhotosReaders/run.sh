#!/usr/bin/env bash
# Imports Photos libraries, and compares each result with osxphotos, which it installs from PyPI into an environment of its
# own beneath .build: those that are named, else the public ones of the corpus and those that make_libraries.py makes.
set -euo pipefail
cd "$(dirname "$0")/../.."

program=${MEDIABATCH:-.build/release/mediabatch}
tools=${PHOTOS_READERS:-.build/photos-readers}
if [[ ! -x $tools/bin/python ]]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "${OSXPHOTOS:-osxphotos==0.77.2}"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libraries=("$@")
if [[ $# -eq 0 ]]; then
  corpus=${MEDIABATCH_CORPUS:?names the folder of real media}
  libraries=("$corpus"/second/photoslibrary/*.photoslibrary)
  mkdir "$work/made"
  "$tools/bin/python" Tests/PhotosReaders/make_libraries.py "${libraries[0]}" Manifests/media/DCIM/100MEDIA/MOV_0010.MP4 \
    "$corpus" "$work/made" >"$work/list"
  mapfile -t -O "${#libraries[@]}" libraries <"$work/list"
fi
export XDG_DATA_HOME=$work/data
mistakes=0
for library in "${libraries[@]}"; do
  rm -rf "$work/Library"
  cat >"$work/manifest.json" <<MANIFEST
{
  "version": 1,
  "client": { "identifier": "org.example.photos" },
  "usageDescriptions": { "NSPhotoLibraryUsageDescription": "osxphotos looks at the result." },
  "sources": {
    "library": {
      "path": "$library", "kind": "photosLibrary", "authorizationStatus": "authorized",
      "fetch": { "includeHiddenAssets": true }
    }
  },
  "metadata": { "policy": "keep" },
  "output": { "path": "Library" }
}
MANIFEST
  status=0
  "$program" run "$work/manifest.json" >"$work/summary" || status=$?
  # The public copy lacks two originals, which fail.
  [[ $status -eq 0 || $status -eq 3 ]] || { cat "$work/summary"; exit "$status"; }
  "$tools/bin/python" Tests/PhotosReaders/check_photos.py "$library" "$work/Library/library.sqlite" || mistakes=1
done
exit "$mistakes"
