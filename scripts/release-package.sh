#!/usr/bin/env bash
# Builds the Debian package of a release from its source archive, within a tree of scripts/debian-tree.sh.
#
# scripts/release-package.sh VERSION [TWICE]   Leaves package and SBOM in /root/release. With TWICE both are
# built again in a folder of another name and length, and compared.
set -euo pipefail
version=$1
twice=${2-}
archive=/checkout/.build/releases/$version/mediabatch-$version.tar.gz
result=/root/release
rm -rf "$result"
mkdir -p "$result"

build() {
  local folder=$1 target=$2
  rm -rf "$folder"
  mkdir -p "$folder" "$target"
  tar -xzf "$archive" -C "$folder" --strip-components=1
  make -C "$folder" deb
  cp "$folder"/.build/deb/mediabatch_*.deb "$folder"/.build/deb/mediabatch.cdx.json "$target"
  rm -rf "$folder"
}

build /root/r "$result"
if [[ -n $twice ]]; then
  build /root/another/folder/with/a/longer/name /root/second
  cmp "$result/mediabatch.cdx.json" /root/second/mediabatch.cdx.json
  for side in "$result" /root/second; do dpkg-deb -R "$side"/mediabatch_*.deb "$side/content"; done
  # The length of the folder's path is at two places of GRDB's code (docs/install.md), and the build-id is a
  # digest of 20 bytes; md5sums is about the program.
  differing=$(diff -rq "$result/content" /root/second/content | sed 's/^Files .*\/content\/\(.*\) and .*/\1/' || true)
  differing=$(grep -vx 'DEBIAN/md5sums' <<<"$differing" || true)
  if [[ -n $differing && $differing != usr/bin/mediabatch ]]; then
    echo "release-package: differs when it is built in another folder: $differing" >&2
    exit 1
  fi
  program=usr/bin/mediabatch
  bytes=$({ cmp -l "$result/content/$program" "/root/second/content/$program" || true; } | wc -l)
  if ((bytes > 22)); then
    echo "release-package: $program differs in $bytes bytes when it is built in another folder" >&2
    exit 1
  fi
  echo "release-package: from a folder of another name and length: $bytes bytes of $program differ, and nothing else"
  rm -rf /root/second "$result/content"
fi
