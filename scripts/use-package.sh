#!/usr/bin/env bash
# Installs a built Debian package, uses it as a person who is not root, and removes it.
#
# scripts/use-package.sh PACKAGE   For a tree of scripts/debian-tree.sh, as root: it makes a user "person" and
# installs and purges packages. Runs in the project's folder, for its demo; exits 1 at the first thing that
# is not as it must be.
set -euo pipefail
cd "$(dirname "$0")/.."
package=$1
home=/home/person
media=$home/media

expect() {
  local what=$1 wanted=$2 found=$3
  if [[ $wanted != "$found" ]]; then
    echo "use-package: $what: expected $wanted, found $found" >&2
    exit 1
  fi
  echo "use-package: $what: $found"
}
person() {
  setpriv --reuid person --regid person --init-groups \
    env --chdir="$media" HOME="$home" PATH=/usr/bin:/bin "$@"
}

# python3, for mediabatch-verify, is suggested by the package alone.
apt-get -q install --yes --no-install-recommends "$package" python3 >/dev/null
id person >/dev/null 2>&1 || useradd --create-home person
rm -rf "$media"
mkdir -p "$media/demo-output"
cp -R Manifests "$media"
chown -R person: "$media"

expect "installed version" "$(dpkg-deb -f "$package" Version)" "$(person mediabatch --version)"
expect "decoders that doctor misses" 0 "$(person mediabatch doctor | grep -c '^decoder missing' || true)"
person mediabatch doctor >/dev/null
summary=$(person mediabatch run Manifests/demo.json --no-input --format json)
expect "exit code, imported, failed" "0 14 0" \
  "$(jq -r '[.exitCode, .counts.imported, .counts.failed] | join(" ")' <<<"$summary")"
person mediabatch verify demo-output/Library >/dev/null
echo "use-package: verify finds no difference"
person mediabatch-verify demo-output/Library >/dev/null
echo "use-package: mediabatch-verify finds none either"
person mediabatch demo >/dev/null
echo "use-package: mediabatch demo"
scripts/documents.py --check /usr/share/doc/mediabatch
apt-get -q purge --yes mediabatch >/dev/null
expect "files that purging leaves" 0 "$(dpkg-deb -c "$package" | sed -n 's|^-.* \./|/|p' \
  | while IFS= read -r file; do [[ ! -e $file ]] || echo "$file"; done | wc -l)"
