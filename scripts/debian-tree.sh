#!/usr/bin/env bash
# Runs a command in a tree of a Debian release, with this machine's Swift.
#
# scripts/debian-tree.sh CODENAME COMMAND…   Needs root and debootstrap. The tree, with what Swift's own
# archive needs, is made once in .build-debian/CODENAME (or MEDIABATCH_TREES/CODENAME); "make clean"
# leaves it. The command runs in /root with the tree as its root, in namespaces that take mounts and
# processes with them however it ends. MEDIABATCH_CORPUS is bound read-only to /corpora, this checkout
# to /checkout. MIRROR is another Debian mirror than this machine's. Where mounting is not allowed it
# says SKIPPED and exits with 0, or with 77 if MUST_RUN is set.
set -euo pipefail
cd "$(dirname "$0")/.."
codename=$1
shift

case $codename in
  bookworm) packages=(libcurl4 libgcc-12-dev libstdc++-12-dev) ;;
  trixie) packages=(libcurl4t64 libgcc-14-dev libstdc++-14-dev) ;;
  *)
    echo "debian-tree: no packages are known for \"$codename\"; there are bookworm and trixie" >&2
    exit 64
    ;;
esac
packages+=(binutils ca-certificates git libc6-dev libncurses6 libsqlite3-0 libxml2 make tzdata zlib1g-dev)

. scripts/debootstrap.sh
without="nothing was run on Debian $codename"

trees=${MEDIABATCH_TREES:-$PWD/.build-debian}
tree=$trees/$codename
if [[ -z ${IN_NAMESPACE-} ]]; then
  [[ $(id -u) == 0 ]] || skip "this user is not root"
  unshare --mount --pid --fork true 2>/dev/null || skip "namespaces are not allowed here"
  mirror=$(mirror 'Created-By: Packages')
  mkdir -p "$trees"
  # An interrupted debootstrap leaves no tree.
  if [[ ! -d $tree ]]; then
    echo "debian-tree: debootstrap $codename from $mirror into $tree"
    rm -rf --one-file-system "$tree.part"
    if ! debootstrap --variant=minbase "$codename" "$tree.part" "$mirror" >"$trees/$codename.log" 2>&1; then
      tail -n 30 "$trees/$codename.log" >&2
      exit 1
    fi
    mv "$tree.part" "$tree"
  fi
  # Its child ends with it, and so does every process and mount in the namespaces. It blocks SIGTERM and SIGINT.
  IN_NAMESPACE=1 unshare --mount --propagation private --pid --fork --kill-child "$0" "$codename" "$@" &
  child=$!
  trap 'kill -KILL "$child" 2>/dev/null; exit 143' TERM INT HUP
  status=0
  wait "$child" || status=$?
  exit "$status"
fi

# Everything below is seen by this namespace alone.
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
bind() {
  local source=$1 target=$tree$2
  mkdir -p "$target"
  mount --bind "$source" "$target"
  if [[ ${3-} == read-only ]]; then mount -o remount,bind,ro "$target"; fi
}
mount --bind "$tree" "$tree"
mount -t proc proc "$tree/proc"
mount -t sysfs sysfs "$tree/sys" 2>/dev/null || true
mount --rbind /dev "$tree/dev"
mkdir -p "$tree/tmp"
mount -t tmpfs -o mode=1777 tmpfs "$tree/tmp"
bind "$toolchain" /usr/local/swift read-only
bind "$PWD" /checkout read-only
if [[ -n ${MEDIABATCH_CORPUS-} ]]; then
  bind "$MEDIABATCH_CORPUS" /corpora read-only
  export MEDIABATCH_CORPUS=/corpora
fi
cp /etc/resolv.conf "$tree/etc/resolv.conf" 2>/dev/null || true
# Where this machine's git fetches the Swift packages, if not from where Package.swift says.
: >"$tree/etc/gitconfig"
while IFS=' ' read -r key value; do
  git config --file "$tree/etc/gitconfig" --add "$key" "$value"
  folder=${key#url.}
  folder=${folder%.insteadof}
  if [[ -d $folder ]] && ! mountpoint -q "$tree$folder"; then bind "$folder" "$folder" read-only; fi
done < <(git config --system --get-regexp '^url\..*\.insteadof$' || true)
git config --file "$tree/etc/gitconfig" --add safe.directory '*'

cd "$tree"
mkdir -p "$tree/.outside"
pivot_root . .outside
umount --lazy /.outside
cd /root
export HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/swift/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
unset TMPDIR IN_NAMESPACE MEDIABATCH_TREES
export DEBIAN_FRONTEND=noninteractive
if ! dpkg-query --show "${packages[@]}" >/dev/null 2>&1; then
  if ! { apt-get -q update && apt-get -q install --yes --no-install-recommends "${packages[@]}"; } \
    >/var/log/debian-tree.log 2>&1; then
    tail -n 30 /var/log/debian-tree.log >&2
    exit 1
  fi
fi
"$@"
