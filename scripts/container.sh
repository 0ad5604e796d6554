#!/usr/bin/env bash
# Builds a container image from an empty tree, and uses it.
#
# scripts/container.sh   Needs root and the package of "make deb", or that which PACKAGE names. debootstrap makes the tree, buildah
# carries packaging/container/Containerfile out in a chroot, without a daemon and without another
# image, and the demo is imported by a container of it. Leaves .build/container/mediabatch-VERSION.tar,
# which "podman load" and "docker load" read. Where that is not allowed it says SKIPPED and exits with
# 0, or with 77 if MUST_RUN is set.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/debootstrap.sh
without="no image was made"
package=${PACKAGE:-$(echo .build/deb/mediabatch_*.deb)}
[[ -f $package ]] || { echo "container: run \"make deb\" first" >&2; exit 66; }
[[ $(id -u) == 0 ]] || skip "this user is not root"
unshare --mount true 2>/dev/null || skip "mounting is not allowed here"
version=$(dpkg-deb -f "$package" Version)
codename=$(codename)

# In a mount namespace of its own, so that what a failed step has mounted goes with it.
if [[ -z ${IN_NAMESPACE-} ]]; then
  scratch=$(mktemp -d /var/tmp/mediabatch-container.XXXXXX)
  trap 'rm -rf --one-file-system "$scratch"' EXIT
  IN_NAMESPACE=$scratch unshare --mount --propagation private "$0"
  exit
fi
scratch=$IN_NAMESPACE
export STORAGE_DRIVER=vfs
export BUILDAH_ISOLATION=chroot
store=(--root "$scratch/store" --runroot "$scratch/run")
context=$scratch/context
chmod 755 "$scratch"
mkdir -p "$context" .build/container

mirror=$(mirror "Codename: $codename")
echo "container: debootstrap $codename from $mirror"
log=$scratch/log
run() {
  if ! "$@" >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "container: failed: $*" >&2
    exit 1
  fi
}
run debootstrap --variant=minbase "$codename" "$scratch/tree" "$mirror"
run tar -C "$scratch/tree" --numeric-owner --exclude=./dev --exclude='./var/cache/apt/archives/*.deb' \
  -cf "$context/rootfs.tar" .
rm -rf --one-file-system "$scratch/tree"
cp "$package" "$context/mediabatch.deb"
cp packaging/container/Containerfile "$context"
image=localhost/mediabatch:$version
run buildah "${store[@]}" build --tag "$image" --pull-never "$context"
rm -rf "$context"

# The demo, by the image's own entry point and user, from a folder of the host.
media=$scratch/media
mkdir "$media"
cp -R Manifests "$media"
mkdir "$media/demo-output"
chown -R 1000:1000 "$media"
container=$(buildah "${store[@]}" from --pull-never "$image")
inside() {
  buildah "${store[@]}" run --volume "$media:/media" "$container" -- /usr/bin/mediabatch "$@"
}
expect() {
  local what=$1 wanted=$2 found=$3
  if [[ $wanted != "$found" ]]; then
    echo "container: $what: expected $wanted, found $found" >&2
    exit 1
  fi
  echo "container: $what: $found"
}
config=$(buildah "${store[@]}" inspect --type image "$image")
expect "user" 1000:1000 "$(jq -r .OCIv1.config.User <<<"$config")"
expect "entry point" /usr/bin/mediabatch "$(jq -r '.OCIv1.config.Entrypoint | join(" ")' <<<"$config")"
expect "version" "$version" "$(inside --version)"
expect "exit code, imported, failed" "0 14 0" \
  "$(inside run Manifests/demo.json --no-input --format json \
    | jq -r '[.exitCode, .counts.imported, .counts.failed] | join(" ")')"
expect "owner of the library" 1000 "$(stat -c %u "$media/demo-output/Library/library.sqlite")"
inside verify demo-output/Library >/dev/null
echo "container: verify finds no difference"
expect "decoders that doctor misses" 0 "$(inside doctor | grep -c '^decoder missing' || true)"

archive=.build/container/mediabatch-$version.tar
rm -f "$archive"
run buildah "${store[@]}" push "$image" "docker-archive:$archive:mediabatch:$version"
echo "container: $archive ($(($(stat -c %s "$archive") / 1048576)) MiB)"
