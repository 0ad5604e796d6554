#!/usr/bin/env bash
# Builds, uses and removes the Debian package of a release from its source archive alone, within a tree of
# scripts/debian-tree.sh.
#
# scripts/release-package.sh VERSION   Leaves package and SBOM in /root/release. With TESTS the tests run from
# the archive too. With TWICE package and SBOM are built again in a folder of another name and length, and
# compared.
set -euo pipefail
version=$1
archive=/checkout/.build/releases/$version/mediabatch-$version.tar.gz
result=/root/release
rm -rf "$result"

build() {
  local folder=$1 target=$2
  rm -rf "$folder" "$target"
  mkdir -p "$folder" "$target"
  tar -xzf "$archive" -C "$folder" --strip-components=1
  make -C "$folder" deb
  cp "$folder"/.build/deb/mediabatch_*.deb "$folder"/.build/deb/mediabatch.cdx.json "$target"
}

build /root/r "$result"
/root/r/scripts/use-package.sh "$result"/mediabatch_*.deb
if [[ -n ${TESTS-} ]]; then make -C /root/r test; fi
rm -rf /root/r

if [[ -n ${TWICE-} ]]; then
  second=/root/second
  build /root/another/folder/with/a/longer/name "$second"
  rm -rf /root/another
  # The SBOM has the digests of the programs, and a serial number that is a digest of itself.
  for side in "$result" "$second"; do
    jq -S 'del(.serialNumber, .metadata.component.components[].hashes)' "$side/mediabatch.cdx.json" >"$side/sbom"
    dpkg-deb -R "$side"/mediabatch_*.deb "$side/content"
  done
  if ! cmp "$result/sbom" "$second/sbom"; then
    echo "release-package: the SBOM differs when it is built in another folder" >&2
    exit 1
  fi
  # The length of the folder's path is at two places of GRDB's code (docs/install.md); md5sums is about the program.
  differing=$(diff -rq "$result/content" "$second/content" | sed 's/^Files .*\/content\/\(.*\) and .*/\1/' || true)
  differing=$(grep -vx 'DEBIAN/md5sums' <<<"$differing" || true)
  if [[ -n $differing && $differing != usr/bin/mediabatch ]]; then
    echo "release-package: differs when it is built in another folder: $differing" >&2
    exit 1
  fi
  program=usr/bin/mediabatch
  # The build-id is a digest of the whole program, and the name of its debug symbols is made of it.
  for side in "$result" "$second"; do
    objcopy --remove-section=.note.gnu.build-id --remove-section=.gnu_debuglink "$side/content/$program" "$side/program"
  done
  bytes=$({ cmp -l "$result/program" "$second/program" || true; } | wc -l)
  if ((bytes > 2)); then
    echo "release-package: $program differs in $bytes bytes when it is built in another folder" >&2
    exit 1
  fi
  echo "release-package: from a folder of another name and length: $bytes bytes of $program differ, and nothing else"
  rm -rf "$second" "$result/content" "$result/sbom" "$result/program"
fi
