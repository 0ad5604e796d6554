#!/usr/bin/env bash
# Makes a release of HEAD into .build/releases/VERSION: source archive, packages for both Debians, container
# image, SBOMs, install.sh, checksums, signature, and an attestation of the build.
#
# scripts/release.sh           RELEASE_KEY names an Ed25519 private key (PEM, "openssl genpkey -algorithm
#                              ed25519") outside of the checkout. Without it all is done as a rehearsal, signed with a
#                              key that is thrown away, into .build/releases/VERSION-rehearsal. Needs root, for the
#                              trees of both Debians. Each package is built, installed, used and removed from the
#                              source archive alone, the tests run there, and it is built a second time, in a folder of
#                              another name and length, and compared: "TESTS= TWICE=" leaves both out. A whole one
#                              writes Benchmarks/results/DATE-release.md. With RELEASE_KEY the commit gets the tag
#                              vVERSION at the end, if it has none. Refuses a tree that is not clean, and a section of
#                              CHANGELOG.md that is not closed with the date of the commit (scripts/changelog.py).
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
date=$(TZ=UTC git log -1 --date=format-local:%F --format=%cd)
lacking=$(scripts/changelog.py --open "$version" "$date") || refuse "$lacking"
tagged=$(git rev-parse --verify --quiet "v$version^{commit}" || true)
[[ -z $tagged || $tagged == $(git rev-parse HEAD) ]] || refuse "the tag v$version is of another commit, ${tagged:0:12}"
if ! grep -q 'exact:' Package.swift || grep -E '\.package\(url:' Package.swift | grep -qv 'exact: "'; then
  refuse "Package.swift does not pin each package to an exact version"
fi
[[ ${1-} != --check ]] || { echo "release: $version can be released from $(git rev-parse --short=12 HEAD)"; exit 0; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
key=$scratch/rehearsal.pem
if [[ -n ${RELEASE_KEY-} ]]; then
  key=$(readlink -f "$RELEASE_KEY")
else
  openssl genpkey -algorithm ed25519 -out "$key"
fi
[[ $key != "$PWD"/* ]] || refuse "RELEASE_KEY lies in the checkout; a private key does not belong there"
openssl pkey -in "$key" -noout -text 2>/dev/null | grep -q '^ED25519 Private-Key' || refuse "RELEASE_KEY is no Ed25519 private key"
[[ $(id -u) == 0 ]] || refuse "only root can make the trees of both Debians"

export TESTS=${TESTS-1} TWICE=${TWICE-1}
folder=$PWD/.build/releases/$version
# A rehearsal is built in the same place, and must not cost a release that was signed there.
[[ -n ${RELEASE_KEY-} || ! -e $folder/SHA256SUMS.sig ]] \
  || refuse "$folder is a release already; move it away to rehearse"
rm -rf "$folder" "$folder-rehearsal"
mkdir -p "$folder"
# The commit may be another one by the time of the attestation.
RELEASE_COMMIT=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$RELEASE_COMMIT")
export RELEASE_COMMIT SOURCE_DATE_EPOCH
started=$(date -u +%FT%TZ)
# Rows of the result: what was done, what came of it, and the minutes.
rows=()
row() { rows+=("| $1 | $2 | $(((SECONDS - $3) / 60)) |"); }

name=mediabatch-$version
# gzip without name and time; git writes a tar of the commit alone.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" "$RELEASE_COMMIT" | gzip -n -9 >"$folder/$name.tar.gz"
echo "release: $name.tar.gz"
row "source archive" "$(stat -c %s "$folder/$name.tar.gz") bytes" "$SECONDS"

for codename in bookworm trixie; do
  began=$SECONDS
  MUST_RUN=1 scripts/debian-tree.sh "$codename" bash /checkout/scripts/release-package.sh "$version" \
    | tee "$scratch/$codename.log"
  built=${MEDIABATCH_TREES:-$PWD/.build-debian}/$codename/root/release
  package=$(basename "$built"/*.deb .deb)
  cp "$built/$package.deb" "$folder/${package%_*}_${codename}_${package##*_}.deb"
  cp "$built/mediabatch.cdx.json" "$folder/$name-$codename.cdx.json"
  # The counts of the tests, and what differs between both builds.
  row "$codename: package, installed and used" \
    "$(grep -oE '^([0-9]+ passed, .*|release-package: .*)' "$scratch/$codename.log" | sed 's/^release-package: //' \
      | paste -sd ';' | sed 's/;/; /g')" "$began"
done

codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
began=$SECONDS
PACKAGE=$(echo "$folder"/*"_${codename}"_*.deb) MUST_RUN=1 scripts/container.sh
gzip -n -9 <".build/container/$name.tar" >"$folder/$name-container.tar.gz"
row "container" "the demo was imported by it" "$began"

openssl pkey -in "$key" -pubout -out "$folder/mediabatch-release.pem"
installer "$folder/mediabatch-release.pem" >"$folder/install.sh"
chmod 755 "$folder/install.sh"
RELEASE_KEY=$key scripts/attest.py "$folder" "$started" bookworm trixie
(cd "$folder" && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort \
  | xargs sha256sum >SHA256SUMS)
openssl pkeyutl -sign -inkey "$key" -rawin -in "$folder/SHA256SUMS" -out "$folder/SHA256SUMS.sig"
scripts/release.sh --verify "$folder" "$folder/mediabatch-release.pem"
row "signature, checksums, attestation" "hold" "$SECONDS"
kind=release
if [[ -z ${RELEASE_KEY-} ]]; then
  kind=rehearsal
  mv "$folder" "$folder-rehearsal"
  folder=$folder-rehearsal
fi
ls -l "$folder"

if [[ -n $TESTS && -n $TWICE ]]; then
  result=Benchmarks/results/$(date -u +%F)-release.md
  {
    echo "# make release, $(date -u +%F), $RELEASE_COMMIT"
    echo
    echo "A $kind of $version, whole, in $((SECONDS / 60)) minutes: $(nproc) cores, Debian $(</etc/debian_version)," \
      "$(swift --version 2>/dev/null | head -n 1 | sed 's/ (.*//'), Linux $(uname -r)."
    echo
    echo "| what | result | minutes |"
    echo "|---|---|---|"
    printf '%s\n' "${rows[@]}"
    echo
    echo '```text'
    cat "$folder/SHA256SUMS"
    echo '```'
  } >"$result"
  echo "release: $result"
fi
if [[ $kind == rehearsal ]]; then
  echo "release: this was a rehearsal, signed with a key that is gone; RELEASE_KEY=KEY.pem make release makes a release"
elif [[ -z $tagged ]]; then
  git tag --annotate --message "mediabatch $version" "v$version" "$RELEASE_COMMIT"
  echo "release: ${RELEASE_COMMIT:0:12} has the tag v$version; \"git push origin v$version\" publishes it"
fi
