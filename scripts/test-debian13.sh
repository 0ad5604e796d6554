#!/usr/bin/env bash
# Runs README's commands, the Debian package and the tests on Debian 13, in a tree of debootstrap.
#
# scripts/test-debian13.sh [short]   Needs root: see scripts/debian-tree.sh, which makes the tree and
# takes down all that is mounted. A new clone of HEAD is built there. "short" leaves the tests out:
# make run, make deb, the installed package with the demo, doctor. MEDIABATCH_CORPUS is handed on.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} != inside ]]; then
  exec scripts/debian-tree.sh trixie bash /checkout/scripts/test-debian13.sh inside "${1-all}"
fi

amount=$2
source=/root/mediabatch
rm -rf "$source"
git clone --quiet /checkout "$source"
cd "$source"
echo "debian13: Debian $(</etc/debian_version), $(swift --version 2>/dev/null | head -n 1)"

make run
make deb

expect() {
  local what=$1 wanted=$2 found=$3
  if [[ $wanted != "$found" ]]; then
    echo "debian13: $what: expected $wanted, found $found" >&2
    exit 1
  fi
  echo "debian13: $what: $found"
}
apt-get -q install --yes --no-install-recommends ./.build/deb/mediabatch_*.deb >/dev/null
id person >/dev/null 2>&1 || useradd --create-home person
home=/home/person
rm -rf "$home/media"
mkdir -p "$home/media/demo-output"
cp -R Manifests "$home/media"
chown -R person: "$home/media"
person() {
  setpriv --reuid person --regid person --init-groups \
    env --chdir="$home/media" HOME="$home" PATH=/usr/bin:/bin "$@"
}
expect "installed version" "$(.build/release/mediabatch --version)" "$(person mediabatch --version)"
expect "decoders that doctor misses" 0 "$(person mediabatch doctor | grep -c '^decoder missing' || true)"
person mediabatch doctor >/dev/null
summary=$(person mediabatch run Manifests/demo.json --no-input --format json)
expect "exit code, imported, failed" "0 14 0" \
  "$(jq -r '[.exitCode, .counts.imported, .counts.failed] | join(" ")' <<<"$summary")"
person mediabatch verify demo-output/Library >/dev/null
echo "debian13: verify finds no difference"
apt-get -q purge --yes mediabatch >/dev/null

if [[ $amount == all ]]; then make test; fi
echo "debian13: all as it must be"
