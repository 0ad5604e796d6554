#!/usr/bin/env bash
# Installs the built Debian package into a chroot that debootstrap makes, and uses it there.
#
# scripts/test-deb.sh   Needs root, and a Debian mirror: MIRROR, or that of this machine. Everything is
# mounted in a namespace of its own, which takes the mounts with it however the script ends; the
# folder is removed. Where chroot or mount is not allowed it says SKIPPED and exits with 0, or with 77
# if MUST_RUN is set.
set -euo pipefail
cd "$(dirname "$0")/.."
package=$(echo "$PWD"/.build/deb/mediabatch_*.deb)
[[ -f $package ]] || { echo "test-deb: run \"make deb\" first" >&2; exit 66; }

. scripts/debootstrap.sh
without="the package was not installed anywhere"
if [[ -z ${IN_NAMESPACE-} ]]; then
  [[ $(id -u) == 0 ]] || skip "this user is not root"
  unshare --mount true 2>/dev/null || skip "mounting is not allowed here"
  root=$(mktemp -d /var/tmp/mediabatch-deb.XXXXXX)
  trap 'rm -rf --one-file-system "$root"' EXIT
  IN_NAMESPACE=$root unshare --mount --propagation private "$0"
  exit
fi

root=$IN_NAMESPACE
codename=$(codename)
mirror=$(mirror "Codename: $codename")

expect() {
  local what=$1 wanted=$2 found=$3
  if [[ $wanted != "$found" ]]; then
    echo "test-deb: $what: expected $wanted, found $found" >&2
    exit 1
  fi
  echo "test-deb: $what: $found"
}
quietly() {
  if ! "$@" >"$root.log" 2>&1; then
    tail -n 30 "$root.log" >&2
    rm -f "$root.log"
    echo "test-deb: failed: $*" >&2
    exit 1
  fi
  rm -f "$root.log"
}
# A person, not root: the package gives no user a right.
inside() { chroot "$root" "$@"; }
person() { inside setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/home/person "$@"; }

chmod 755 "$root"
echo "test-deb: debootstrap $codename from $mirror"
quietly debootstrap --variant=minbase "$codename" "$root" "$mirror"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
# Pages are looked at too: a minimal image leaves them out, debootstrap does not.
quietly inside env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends man-db
cp "$package" "$root/mediabatch.deb"

# Without the recommended packages: pictures work, doctor names what is missing.
quietly inside env DEBIAN_FRONTEND=noninteractive \
  apt-get install --yes --no-install-recommends /mediabatch.deb
inside useradd --create-home --uid 1000 person
cp -R Manifests "$root/home/person/Manifests"
mkdir "$root/home/person/demo-output"
inside chown -R 1000:1000 /home/person
doctor=$(person mediabatch doctor || true)
sed 's/^/test-deb: doctor: /' <<<"$doctor"
for format in dng mp4 wma; do
  expect "doctor without recommended packages misses $format" 1 \
    "$(grep -ciE "^decoder missing: [^;]*\b$format\b.*lib" <<<"$doctor" || true)"
done

# With them: everything works. Each word is a package.
# shellcheck disable=SC2046
quietly inside env DEBIAN_FRONTEND=noninteractive apt-get install --yes \
  $(dpkg-deb -f "$package" Recommends | tr ',' '\n' | sed 's/(.*//; s/|.*//')
expect "decoders that doctor misses" 0 \
  "$(person mediabatch doctor | grep -c '^decoder missing' || true)"
expect "version" "$(dpkg-deb -f "$package" Version)" "$(person mediabatch --version)"

cd_home='cd /home/person &&'
person sh -c "$cd_home mediabatch check Manifests/demo.json" >/dev/null
summary=$(person sh -c "$cd_home mediabatch run Manifests/demo.json --no-input --format json")
expect "exit code, imported, failed" "0 14 0" \
  "$(jq -r '[.exitCode, .counts.imported, .counts.failed] | join(" ")' <<<"$summary")"
library=demo-output/Library
person sh -c "$cd_home mediabatch run Manifests/demo.json" >/dev/null
# Every command that reads a library or a file: a program that lacks a part of its runtime ends here.
for command in "verify $library" "audit verify $library" "rebuild $library" "repair $library" \
  "repair $library --superseded" "doctor $library" "audit key show" "access list" "access explain Manifests/demo.json" \
  "audit export $library" "audit prove $library --record 2" \
  "inspect Manifests/media/Photos/2026/harbour.jpg"; do
  person sh -c "$cd_home mediabatch $command" >/dev/null \
    || { echo "test-deb: mediabatch $command: exit code $?" >&2; exit 1; }
  echo "test-deb: mediabatch $command"
done
# The second implementation, with the Python that the package only suggests.
quietly inside env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends python3
person sh -c "$cd_home mediabatch-verify $library" >/dev/null \
  || { echo "test-deb: mediabatch-verify: exit code $?" >&2; exit 1; }
echo "test-deb: mediabatch-verify $library"
for format in html json csv junit sarif github in-toto; do
  person sh -c "$cd_home mediabatch report $library --format $format --output report.$format"
  [[ $format == github || -s $root/home/person/report.$format ]] \
    || { echo "test-deb: report --format $format is empty" >&2; exit 1; }
done
echo "test-deb: reports in all formats"

for page in $(dpkg-deb -c "$package" | sed -n 's|.*/man1/\(.*\)\.1\.gz$|\1|p'); do
  for width in 60 100; do
    warnings=$(inside env LC_ALL=C.UTF-8 MANWIDTH=$width man --warnings "$page" 2>&1 >/dev/null || echo "no page $page")
    [[ -z $warnings ]] || { echo "test-deb: man $page: $warnings" >&2; exit 1; }
  done
done
echo "test-deb: all pages of man, in 60 and 100 columns"
for file in bash-completion/completions/mediabatch zsh/vendor-completions/_mediabatch \
  fish/vendor_completions.d/mediabatch.fish; do
  [[ -s $root/usr/share/$file ]] || { echo "test-deb: $file is not there" >&2; exit 1; }
done
if command -v systemd-analyze >/dev/null; then
  units=$root/units
  mkdir "$units"
  cp "$root"/usr/lib/systemd/user/mediabatch{,-watch}@.* "$units"
  # The program is looked for on this machine.
  sed -i 's|^ExecStart=/usr/bin/mediabatch|ExecStart=/bin/true|' "$units"/*.service
  said=$(XDG_RUNTIME_DIR=$units systemd-analyze verify --user --man=no "$units/mediabatch@photos.service" \
    "$units/mediabatch@photos.timer" "$units/mediabatch-watch@photos.service" 2>&1 | grep -F mediabatch || true)
  rm -r "$units"
  [[ -z $said ]] || { echo "test-deb: $said" >&2; exit 1; }
  echo "test-deb: systemd-analyze verify has nothing to say"
fi
expect "units that are enabled" 0 \
  "$(inside find /etc/systemd -name '*mediabatch*' 2>/dev/null | wc -l)"

# Nothing of it stays.
quietly inside env DEBIAN_FRONTEND=noninteractive apt-get purge --yes mediabatch
expect "files that purging leaves" 0 "$(inside sh -c 'find / -xdev -path /proc -prune -o \
  -path /home -prune -o -name "*mediabatch*" -print' | grep -vcE '^/mediabatch.deb$' || true)"
echo "test-deb: all as it must be"
