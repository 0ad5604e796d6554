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
apt-get -q install --yes --no-install-recommends "$package" python3 openssl >/dev/null
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
# A release of this package alone, as somebody gets it from a web server, for one user.
release=$home/release
rm -rf "$release"
mkdir "$release"
. /etc/os-release
cp "$package" "$release/$(basename "$package" | sed "s/_\([^_]*\)\.deb/_${VERSION_CODENAME}_\1.deb/")"
openssl genpkey -algorithm ed25519 -out "$home/release-key" 2>/dev/null
openssl pkey -in "$home/release-key" -pubout -out "$release/mediabatch-release.pem"
scripts/release.sh --installer "$release/mediabatch-release.pem" >"$home/install.sh"
(cd "$release" && sha256sum -- * >"$home/SHA256SUMS" && mv "$home/SHA256SUMS" .)
openssl pkeyutl -sign -inkey "$home/release-key" -rawin -in "$release/SHA256SUMS" -out "$release/SHA256SUMS.sig"
chown -R person: "$release" "$home/install.sh"
python3 -m http.server 8765 --bind 127.0.0.1 --directory "$release" >/dev/null 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for attempt in {1..50}; do (: </dev/tcp/127.0.0.1/8765) 2>/dev/null && break; sleep 0.1; done
began=$SECONDS
person sh "$home/install.sh" http://127.0.0.1:8765
person "$home/.local/bin/mediabatch" demo "$home/tour" >/dev/null
expect "first picture of an installed release within a minute" yes "$( ((SECONDS - began < 60)) && echo yes)"
person sh "$home/install.sh" --uninstall
# Answers and keys are the person's, and stay.
expect "programs and documents in ~/.local" 0 "$(find "$home"/.local/{bin,share/{man,doc,mediabatch/demo}} -type f 2>/dev/null \
  | wc -l)"
kill "$server"
trap - EXIT
rm -rf "$release" "$home/release-key" "$home/install.sh" "$home/tour"
apt-get -q purge --yes mediabatch >/dev/null
expect "files that purging leaves" 0 "$(dpkg-deb -c "$package" | sed -n 's|^-.* \./|/|p' \
  | while IFS= read -r file; do [[ ! -e $file ]] || echo "$file"; done | wc -l)"
