#!/usr/bin/env bash
# Makes a release of HEAD into .build/releases/VERSION: source archive, packages for both Debians, container
# image, SBOMs, install.sh, checksums, signature, and an attestation of the build.
#
# scripts/release.sh           RELEASE_KEY names an Ed25519 private key (PEM, "openssl genpkey -algorithm
#                              ed25519") outside of the checkout. Needs root, for the trees of both Debians.
#                              Each package is built, installed, used and removed from the source archive
#                              alone. TESTS=1 also runs the tests there; TWICE=1 builds each package a second
#                              time, in a folder of another name and length, and compares. Refuses a tree that
#                              is not clean, a version that CHANGELOG.md and debian/changelog do not have, and
#                              changes that are not in CHANGELOG.md yet (scripts/changelog.py).
# scripts/release.sh --check   Only says whether HEAD could be released.
# scripts/release.sh --installer KEY.pem   Prints install.sh with that public key.
# scripts/release.sh --verify FOLDER KEY.pem   Checks signature, checksums and attestation of a release.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/.."

refuse() {
  echo "release: $1" >&2
  exit 65
}

if [[ ${1-} == --verify ]]; then
  [[ $# == 3 ]] || { echo "release: --verify FOLDER KEY.pem" >&2; exit 64; }
  folder=$(cd "$caller" && readlink -f "$2")
  key=$(cd "$caller" && readlink -f "$3")
  openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$folder/SHA256SUMS" \
    -sigfile "$folder/SHA256SUMS.sig" >/dev/null || refuse "SHA256SUMS is not signed by that key"
  (cd "$folder" && sha256sum --check --strict --quiet SHA256SUMS) || refuse "a file is not the one that was released"
  scripts/attest.py --verify "$folder" "$key"
  echo "release: signature, checksums and attestation hold"
  exit 0
fi

installer() {
  sed '/^# KEY$/,$d' packaging/install.sh
  echo "key='$(openssl pkey -pubin -in "$1" -pubout)'"
  sed '1,/^# KEY$/d' packaging/install.sh
}
if [[ ${1-} == --installer ]]; then
  [[ $# == 2 ]] || { echo "release: --installer KEY.pem" >&2; exit 64; }
  installer "$(cd "$caller" && readlink -f "$2")"
  exit 0
fi

version=$(scripts/version.sh)
[[ -e .git ]] || refuse "this is no clone; a release is made of a commit"
[[ -z $(git status --porcelain) ]] || refuse "the tree is not clean; commit or remove what \"git status\" lists"
[[ $(dpkg-parsechangelog -S Version) == "$version" ]] || refuse "debian/changelog does not begin with $version"
pending=$(find changes -type f ! -name README.md)
[[ -z $pending ]] || refuse "changes has files that no release has: scripts/changelog.py $version collects them"
grep -qE "^## ${version//./\\.}( |$)" CHANGELOG.md || refuse "CHANGELOG.md has no section \"## $version\""
if ! grep -q 'exact:' Package.swift || grep -E '\.package\(url:' Package.swift | grep -qv 'exact: "'; then
  refuse "Package.swift does not pin each package to an exact version"
fi
[[ ${1-} != --check ]] || { echo "release: $version can be released from $(git rev-parse --short=12 HEAD)"; exit 0; }

key=$(readlink -f "${RELEASE_KEY:?names no private key: see scripts/release.sh}")
[[ $key != "$PWD"/* ]] || refuse "RELEASE_KEY lies in the checkout; a private key does not belong there"
openssl pkey -in "$key" -noout -text 2>/dev/null | grep -q '^ED25519 Private-Key' || refuse "RELEASE_KEY is no Ed25519 private key"
[[ $(id -u) == 0 ]] || refuse "only root can make the trees of both Debians"

folder=$PWD/.build/releases/$version
rm -rf "$folder"
mkdir -p "$folder"
# The commit may be another one by the time of the attestation.
RELEASE_COMMIT=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$RELEASE_COMMIT")
export RELEASE_COMMIT SOURCE_DATE_EPOCH
started=$(date -u +%FT%TZ)

name=mediabatch-$version
# gzip without name and time; git writes a tar of the commit alone.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" "$RELEASE_COMMIT" | gzip -n -9 >"$folder/$name.tar.gz"
echo "release: $name.tar.gz"

for codename in bookworm trixie; do
  MUST_RUN=1 scripts/debian-tree.sh "$codename" bash /checkout/scripts/release-package.sh "$version"
  built=${MEDIABATCH_TREES:-$PWD/.build-debian}/$codename/root/release
  package=$(basename "$built"/*.deb .deb)
  cp "$built/$package.deb" "$folder/${package%_*}_${codename}_${package##*_}.deb"
  cp "$built/mediabatch.cdx.json" "$folder/$name-$codename.cdx.json"
done

codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
PACKAGE=$(echo "$folder"/*"_${codename}"_*.deb) MUST_RUN=1 scripts/container.sh
gzip -n -9 <".build/container/$name.tar" >"$folder/$name-container.tar.gz"

openssl pkey -in "$key" -pubout -out "$folder/mediabatch-release.pem"
installer "$folder/mediabatch-release.pem" >"$folder/install.sh"
chmod 755 "$folder/install.sh"
RELEASE_KEY=$key scripts/attest.py "$folder" "$started" bookworm trixie
(cd "$folder" && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort \
  | xargs sha256sum >SHA256SUMS)
openssl pkeyutl -sign -inkey "$key" -rawin -in "$folder/SHA256SUMS" -out "$folder/SHA256SUMS.sig"
scripts/release.sh --verify "$folder" "$folder/mediabatch-release.pem"
ls -l "$folder"
