#!/usr/bin/env bash
# Installs the Debian packages that are missing, and says which.
#
# scripts/deps.sh LIST…          Nothing is touched when all are there. Without a list it says which there are.
# scripts/deps.sh --list LIST…   Prints the names only.
set -euo pipefail

# One list for each purpose.
# SwiftPM fetches with git over TLS; sqlite3 and jq are for looking at a library; contact sheets have the
# font.
build=(
  ca-certificates fonts-dejavu-core git jq pkg-config sqlite3
  libavcodec-dev libavformat-dev libavutil-dev libdav1d-dev libdeflate-dev libexif-dev libheif-dev
  libjxl-dev liblcms2-dev libmagickwand-dev libraw-dev libseccomp-dev libsqlite3-dev libssl-dev libswresample-dev libswscale-dev libtiff-dev
  libturbojpeg0-dev libwebp-dev libzimg-dev nettle-dev python3 zlib1g-dev
)
test=(
  exiv2 faketime ffmpeg groff gstreamer1.0-libav gstreamer1.0-plugins-base gstreamer1.0-plugins-base-apps
  gstreamer1.0-plugins-good imagemagick jq libgphoto2-6 libgphoto2-port12 libgs-common libimage-exiftool-perl
  libjpeg-turbo-progs libjxl-tools libopenjp2-tools libraw-bin libvips-tools libxml2-utils mandoc
  mediainfo openssh-client openssl poppler-utils python3 python3-jsonschema python3-yaml sqlite3 strace tidy valgrind
)
# From Debian 13 on, what encodes HEIC and AVIF is in packages of its own.
debian=$(. /etc/os-release 2>/dev/null && echo "${VERSION_ID-}") || debian=
if [[ ${debian%%.*} =~ ^[0-9]+$ ]] && ((${debian%%.*} >= 13)); then
  test+=(libheif-plugin-aomenc libheif-plugin-x265)
fi
deb=(debhelper dpkg-dev gcc lintian man-db)
test_deb=(debootstrap jq mount util-linux)
releases=(python3-numpy python3-pil)
container=(buildah debootstrap jq mount util-linux)
release=(gzip openssl)
power=(e2fsprogs mount util-linux xfsprogs)
mounts=(
  btrfs-progs e2fsprogs exfat-fuse exfatprogs fuse3 mount ntfs-3g openssh-sftp-server rclone sshfs util-linux
  xfsprogs
)
lint=(codespell python3)
# The C shims for arm64: compiler, emulator, and what makes the samples of their tests.
arm64=(
  debootstrap ffmpeg file gcc gcc-aarch64-linux-gnu imagemagick libgphoto2-6 libgphoto2-port12 libimage-exiftool-perl
  libjxl-tools pkg-config python3 qemu-user
)
web=(chromium firefox-esr python3 python3-venv)
readers=(openssl python3 python3-venv)
schedulers=(
  iproute2 parallel procps python3 python3-venv rclone slurm-wlm strace util-linux
)
bench=(
  exiv2 ffmpeg ffmpegthumbnailer gcc imagemagick libgs-common libimage-exiftool-perl libjxl-tools libopenjp2-7-dev
  libopenjp2-tools libturbojpeg0-dev libvips-tools openssl pkg-config python3 python3-numpy rsync sqlite3 strace
)

lists=(build test web readers schedulers power mounts lint arm64 bench deb test-deb releases container release)

list_only=
if [[ ${1-} == --list ]]; then
  list_only=1
  shift
fi
if (($# == 0)); then
  echo "deps: which list? There are ${lists[*]}" >&2
  exit 64
fi
wanted=()
for purpose in "$@"; do
  if [[ $purpose == *[!a-z0-9-]* || " ${lists[*]} " != *" $purpose "* ]]; then
    echo "deps: no list \"$purpose\"; there are ${lists[*]}" >&2
    exit 64
  fi
  declare -n list=${purpose//-/_}
  wanted+=("${list[@]}")
done
mapfile -t wanted < <(printf '%s\n' "${wanted[@]}" | sort -u)
if [[ -n $list_only ]]; then
  printf '%s\n' "${wanted[@]}"
  exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "deps: this is no Debian; install what these Debian packages hold: ${wanted[*]}" >&2
  exit 0
fi

# The names that are installed, and those that an installed package provides: from Debian 13 on,
# libgphoto2-6t64 provides libgphoto2-6. What "config-files" gives is not installed.
declare -A installed
while read -r name; do installed[$name]=1; done < <(
  dpkg-query -W -f='${db:Status-Status}\t${Package}\t${Provides}\n' 2>/dev/null \
    | sed -n 's/^installed\t//p' | tr '\t,' '\n\n' | sed 's/(.*//; s/ //g; /^$/d'
)
missing=()
for package in "${wanted[@]}"; do
  [[ -n ${installed[$package]-} ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "deps: all ${#wanted[@]} Debian packages for $* are installed"
  exit 0
fi

line="apt-get update && apt-get install --yes --no-install-recommends ${missing[*]}"
if [[ $(id -u) == 0 ]]; then
  as_root=(env)
elif command -v sudo >/dev/null; then
  as_root=(sudo env)
else
  echo "deps: Debian packages are missing, and this user is not root and has no sudo." >&2
  echo "Run this as root, then the same make target again:" >&2
  echo "  $line" >&2
  exit 77
fi

echo "deps: installing Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
if "${apt[@]}" update >"$log" 2>&1 \
  && "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
  echo "deps: installed"
else
  tail -n 25 "$log" >&2
  echo "deps: could not install them. Run this as root, then the same make target again:" >&2
  echo "  $line" >&2
  exit 77
fi
