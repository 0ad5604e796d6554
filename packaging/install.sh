#!/bin/sh
# Installs a release of mediabatch on Debian, for all users or for one.
#
# install.sh PLACE [--key KEY.pem] [--user]   PLACE is the folder of a release, or its address (https://…).
# install.sh --uninstall [--user]
#
# Checks the signature of the release's checksums and the package by them, then installs the package of this Debian:
# as root with apt-get, with the libraries that it needs; otherwise, or with --user, for this user alone into ~/.local.
# The signature is checked with the key of --key, or with that which "make release" has written into this script.
set -eu

key=
# KEY

stop() {
  echo "install: $1" >&2
  exit "${2:-1}"
}

place= wants_key= is_for_user= uninstalls=
for word; do
  if [ -n "$wants_key" ]; then
    key_file=$word wants_key=
    continue
  fi
  case $word in
    --key) wants_key=yes ;;
    --user) is_for_user=yes ;;
    --uninstall) uninstalls=yes ;;
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"; exit 0 ;;
    -*) stop "unknown option $word; see install.sh --help" 64 ;;
    *) [ -z "$place" ] || stop "name one place" 64; place=$word ;;
  esac
done
[ -z "$wants_key" ] || stop "--key needs a file" 64
[ "$(id -u)" = 0 ] || is_for_user=yes
prefix=${HOME:?names no folder}/.local
list=$prefix/share/mediabatch/installed

# Removes what an earlier call has put into ~/.local.
remove() {
  [ -f "$list" ] || return 0
  files=$(cat "$list")
  echo "$files" | while IFS= read -r file; do rm -f "$prefix/$file"; done
  echo "$files" | sed 's|/[^/]*$||' | sort -ru | while IFS= read -r folder; do
    (cd "$prefix" && rmdir -p --ignore-fail-on-non-empty "$folder" 2>/dev/null) || true
  done
}

if [ -n "$uninstalls" ]; then
  if [ -n "$is_for_user" ]; then
    [ -f "$list" ] || stop "nothing of mediabatch is in $prefix"
    remove
    echo "install: removed mediabatch from $prefix; libraries and logs stay where you have made them"
  else
    apt-get remove --yes mediabatch
  fi
  exit 0
fi
[ -n "$place" ] || stop "name the folder of a release, or its address; see install.sh --help" 64
for program in openssl dpkg-deb; do
  command -v "$program" >/dev/null || stop "$program is missing: apt-get install $program"
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# apt-get reads a package as a user of its own.
chmod 755 "$scratch"

fetch() {
  case $place in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$scratch/$1" "${place%/}/$1"
      elif command -v wget >/dev/null; then
        wget --quiet --output-document="$scratch/$1" "${place%/}/$1"
      else
        /usr/lib/apt/apt-helper download-file "${place%/}/$1" "$scratch/$1" >/dev/null
      fi
      ;;
    *) cp -- "$place/$1" "$scratch/$1" ;;
  esac || stop "$1 cannot be read in $place"
}

if [ -n "${key_file-}" ]; then
  cp -- "$key_file" "$scratch/key.pem" || stop "the key $key_file cannot be read"
  which="the key $key_file"
elif [ -n "$key" ]; then
  printf '%s\n' "$key" >"$scratch/key.pem"
  which="the key in this script"
else
  stop "no key is written into this script: name the public key of the release with --key" 64
fi
fetch SHA256SUMS
fetch SHA256SUMS.sig
openssl pkeyutl -verify -pubin -inkey "$scratch/key.pem" -rawin -in "$scratch/SHA256SUMS" \
  -sigfile "$scratch/SHA256SUMS.sig" >/dev/null 2>&1 || stop "SHA256SUMS is not signed by $which. Nothing was installed." 65
digest=$(openssl pkey -pubin -in "$scratch/key.pem" -outform DER | sha256sum | cut -c1-64)
echo "install: signed by $which (SHA-256 $digest)"

. /etc/os-release
architecture=$(dpkg --print-architecture)
package=$(sed -n "s/^[0-9a-f]\{64\}  \(mediabatch_[^/]*_${VERSION_CODENAME-}_$architecture\.deb\)$/\1/p" "$scratch/SHA256SUMS")
[ -n "$package" ] || stop "the release has no package for ${PRETTY_NAME-this system} on $architecture" 69
fetch "$package"
(cd "$scratch" && grep -F "  $package" SHA256SUMS | sha256sum --check --strict --quiet) \
  || stop "$package is not the one that was released. Nothing was installed." 65

if [ -z "$is_for_user" ]; then
  apt-get install --yes "$scratch/$package"
  echo "install: installed $(mediabatch --version). Begin with: mediabatch demo"
  exit 0
fi

dpkg-deb -x "$scratch/$package" "$scratch/root"
# Units are looked for in another folder below a home.
mkdir -p "$scratch/root/usr/share/systemd"
mv "$scratch/root/usr/lib/systemd/user" "$scratch/root/usr/share/systemd/user"
sed -i 's|/usr/bin/|%h/.local/bin/|' "$scratch"/root/usr/share/systemd/user/*
if [ -d "$scratch/root/usr/share/zsh/vendor-completions" ]; then
  mv "$scratch/root/usr/share/zsh/vendor-completions" "$scratch/root/usr/share/zsh/site-functions"
fi
remove
mkdir -p "$prefix/share/mediabatch"
(cd "$scratch/root/usr" && find bin share -type f | LC_ALL=C sort) >"$list"
echo share/mediabatch/installed >>"$list"
cp -R "$scratch/root/usr/bin" "$scratch/root/usr/share" "$prefix"
echo "install: installed into $prefix"

missing=$(dpkg-deb -f "$scratch/$package" Depends | tr ',' '\n' | while IFS= read -r choice; do
  names=$(echo "$choice" | sed 's/([^)]*)//g; s/|/ /g')
  # Any of the packages between bars is enough.
  # shellcheck disable=SC2086
  dpkg-query -W -f='${db:Status-Status}\n' $names 2>/dev/null | grep -qx installed || echo "$names" | awk '{print $1}'
done)
if [ -n "$missing" ]; then
  echo "install: these packages are missing, without which it does not start. As root:" >&2
  echo "  apt-get install --no-install-recommends $(echo "$missing" | tr '\n' ' ')" >&2
  exit 3
fi
case :$PATH: in
  *:"$prefix/bin":*) echo "install: begin with: mediabatch demo" ;;
  *) echo "install: $prefix/bin is not on your search path. Begin with: $prefix/bin/mediabatch demo" ;;
esac
