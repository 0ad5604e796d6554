#!/usr/bin/env bash
# Imports the demo media, and says what to look at.
#
# scripts/demo.sh FOLDER   The folder that holds mediabatch and mediabatch-worker.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1/mediabatch
library=demo-output/Library

mkdir -p demo-output
echo "$ $program run Manifests/demo.json"
"$program" run Manifests/demo.json

cat <<TEXT

The library is in $library. Look at:
  ls -R $library/Originals        one folder an asset; its files carry its label
  ls $library/Thumbnails/grid     upright, whatever orientation the photo was stored in
  $program verify $library
  $program audit verify $library
  sqlite3 -readonly $library/library.sqlite .schema
  tail -n 1 $library/Audit/*.ndjson | jq .

The camera was authorized: its photos came in without place, make or names (exiftool shows it).
The photo library was limited: the live photo and three more were selected and kept as they are;
private-letter.jpg and IMG_0050.JPG were not, so this run could not open them.
The microphone was denied: Manifests/media/Voice was never looked at.
Run it again: what was imported is unchanged, and none of it is opened.
TEXT
