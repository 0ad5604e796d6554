#!/usr/bin/env bash
# Copies the sources into a new folder, to be built there.
#
# scripts/copy-sources.sh FOLDER   Removes FOLDER first. A clone gives a clone of HEAD; a source archive, which
# has no history, a copy of all but what was built.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1

rm -rf "$folder"
if [[ -d .git ]]; then
  git clone --quiet . "$folder"
else
  mkdir -p "$folder"
  tar -cf - --exclude=./.git --exclude='./.build*' --exclude=./demo-output --exclude=./mediabatch-demo . | tar -xf - -C "$folder"
fi
