#!/usr/bin/env bash
# Compiles the C shims for this machine and for arm64, and runs their tests (Tests/Shims), the latter by qemu-user.
#
# scripts/test-arm64.sh [CODENAME]   Needs root, for debootstrap, which fetches arm64's libraries of this machine's
#                         release, or of CODENAME, once into .build-debian/CODENAME-arm64 (or MEDIABATCH_TREES); nothing
#                         of that tree is executed but by qemu. No Swift is compiled. On this machine char is signed in
#                         one run and unsigned in another, with the sanitizer that ends the program at an address that
#                         is not aligned. The filters of system calls are written by libseccomp for each architecture
#                         and compared call by call; qemu-user enforces none, and has neither openat2 nor Landlock:
#                         those lines begin with "untried".
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/debootstrap.sh
without="no shim was compiled for arm64"
[[ $(id -u) == 0 ]] || skip "this user is not root"
release=${1:-$(codename)}
case $release in
  bookworm) cameras=(libgphoto2-6 libgphoto2-port12) ;;
  trixie) cameras=(libgphoto2-6t64 libgphoto2-port12t64) ;;
  *) skip "no packages are known for \"$release\"" ;;
esac
trees=${MEDIABATCH_TREES:-$PWD/.build-debian}
tree=$trees/$release-arm64
if [[ ! -d $tree ]]; then
  mirror=$(mirror "Codename: $release")
  echo "arm64: debootstrap $release for arm64 from $mirror into $tree"
  mkdir -p "$trees"
  rm -rf --one-file-system "$tree.part"
  mapfile -t libraries < <(scripts/deps.sh --list build | grep -e '-dev$')
  include=$(IFS=,; echo "${libraries[*]},${cameras[*]},libc6-dev")
  if ! debootstrap --foreign --arch=arm64 --variant=minbase --include="$include" "$release" "$tree.part" "$mirror" \
    >"$tree.log" 2>&1; then
    tail -n 30 "$tree.log" >&2
    exit 1
  fi
  # The second stage would run arm64's programs: the packages are unpacked, and none is configured.
  for package in "$tree.part"/var/cache/apt/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$tree.part"
  done
  rm -f "$tree.part"/var/cache/apt/archives/*.deb
  mv "$tree.part" "$tree"
fi

work=$PWD/.build/arm64
rm -rf "$work"
mkdir -p "$work"
sources=(Tests/Shims/*.c)
includes=(-ITests/Shims)
embedding=()
for module in Sources/C/*/include; do
  module=${module%/include}
  includes+=("-I$module/include")
  # What embeds files is of C23, for the compiler that Swift brings.
  if grep -q '^#embed' "$module"/*.c; then embedding+=("$module"/*.c); else sources+=("$module"/*.c); fi
done
flags=(-std=gnu17 -O2 -Wall -Wextra -Wcast-align=strict -Werror -Wno-enum-compare -Wno-stringop-overread
  -Wno-missing-field-initializers -Wno-unused-function -D_Nonnull= -D_Nullable=
  -Wl,--wrap=seccomp_load,--wrap=syscall,--wrap=getpid)
libraries=(-lseccomp -lsqlite3 -lnettle -lhogweed -lz -ldeflate -ltiff -lexif -llcms2 -lzimg -lturbojpeg -lwebp)

# compile NAME COMPILER… -- CLANG…   The first for what is C17, the second for what is C23.
compile() {
  local name=$1 compiler=() objects=() file magick
  shift
  while [[ $1 != -- ]]; do compiler+=("$1"); shift; done
  shift
  for file in "${embedding[@]}"; do
    objects+=("$work/$name-$(basename "$file" .c).o")
    "$@" -std=c23 -O2 -Wall -Wextra -Werror "${includes[@]}" -c "$file" -o "${objects[-1]}"
  done
  # ImageMagick's headers lie in a folder of their version, and partly in one of the architecture.
  magick=$(pkg-config --cflags-only-I MagickWand)
  # shellcheck disable=SC2086
  "${compiler[@]}" "${flags[@]}" "${includes[@]}" ${magick//-I/-isystem } "${sources[@]}" "${objects[@]}" \
    "${libraries[@]}" $(pkg-config --libs-only-l MagickWand) -o "$work/$name"
}

clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
echo "arm64: compiling for this machine"
compile signed gcc -- "$clang"
compile unsigned gcc -funsigned-char -fsanitize=undefined -fno-sanitize-recover=undefined -- "$clang" -funsigned-char
export PKG_CONFIG_SYSROOT_DIR=$tree
export PKG_CONFIG_LIBDIR=$tree/usr/lib/aarch64-linux-gnu/pkgconfig:$tree/usr/share/pkgconfig
echo "arm64: compiling for arm64"
# Of the compiler's own C library, which is another one, nothing is taken.
own=$(aarch64-linux-gnu-gcc -print-file-name=include)
compile arm64 aarch64-linux-gnu-gcc --sysroot="$tree" -nostdinc -isystem "$own" \
  -isystem "$tree/usr/include/aarch64-linux-gnu" -isystem "$tree/usr/include" \
  -B"$tree/usr/lib/aarch64-linux-gnu" -L"$tree/usr/lib/aarch64-linux-gnu" \
  -- "$clang" --target=aarch64-linux-gnu --sysroot="$tree"

# Samples of one color and one tone, by programs that have nothing to do with the shims.
samples=$work/samples
mkdir "$samples"
convert -size 64x64 xc:'rgb(200,100,50)' "PNG24:$samples/color.png"
for kind in heic avif jpg; do convert "$samples/color.png" -quality 95 "$samples/color.$kind"; done
convert "$samples/color.png" -depth 16 -compress none "$samples/color.tif"
cjxl --quiet -d 1 "$samples/color.png" "$samples/color.jxl"
quiet=(ffmpeg -nostdin -hide_banner -loglevel error)
"${quiet[@]}" -f lavfi -i color=0xC86432:s=320x240:d=1:r=10 -c:v libx264 -pix_fmt yuv420p "$samples/film.mp4"
tone=(-f lavfi -i 'aevalsrc=0.5*sin(2*PI*440*t):d=1')
for kind in u8 s16 s24 s32 f32 f64; do
  suffix=le
  [[ $kind != u8 ]] || suffix=
  "${quiet[@]}" "${tone[@]}" -c:a "pcm_$kind$suffix" "$samples/$kind.wav"
done
"${quiet[@]}" "${tone[@]}" "$samples/tone.flac"
"${quiet[@]}" "${tone[@]}" -b:a 192k "$samples/tone.mp3"
cp Manifests/media/Voice/memo.wav "$samples"
exiftool -q -n -IFD0:DNGVersion='1 4 0 0' -IFD0:PhotometricInterpretation=34892 -IFD0:UniqueCameraModel=Shims \
  -IFD0:Orientation=6 "$samples/color.tif" -o "$samples/linear.dng"

# qemu-user does not look for a file in the tree when a program asks with faccessat, as ImageMagick for its modules.
coders=$(echo "$tree"/usr/lib/aarch64-linux-gnu/ImageMagick-*/modules-*/coders)
emulated=(env SHIMS_EMULATED=1 MAGICK_CODER_MODULE_PATH="$coders" qemu-aarch64 -L "$tree")
status=0
for name in signed unsigned arm64; do
  run=()
  [[ $name != arm64 ]] || run=("${emulated[@]}")
  mkdir "$work/folder-$name"
  echo "arm64: $name: $(file -b "$work/$name" | cut -d , -f 2 | sed 's/^ //')"
  "${run[@]}" "$work/$name" "$work/folder-$name" "$samples" || status=1
  "${run[@]}" "$work/$name" filters >"$work/filters-$name"
done
cmp "$work/filters-signed" "$work/filters-unsigned" || status=1
Tests/Shims/compare-filters.py "$work/filters-signed" "$work/filters-arm64" || status=1
((status == 0)) || { echo "arm64: FAILED" >&2; exit 1; }
echo "arm64: the shims do on arm64 what they do here; no Swift was compiled for it"
