#!/usr/bin/env bash
# Makes a fixture: what a program of an earlier commit leaves, for the tests of migrations.
#
# make-earlier-library.sh PROGRAM OUT.tar.gz   PROGRAM is that commit's mediabatch, with its worker
# beside it. Needs root (for a host name of its own), strace, ImageMagick, ffmpeg and exiftool.
#
# The folder is the same each time, because stored answers and the log hold its path.
set -euo pipefail
program=$(realpath "$1")
out=$(realpath -m "$2")
scripts=$(realpath "$(dirname "$0")/../../../scripts")

# The log has the host's name, which is nobody's business.
if [[ ${MEDIABATCH_FIXTURE_HOST-} != example ]]; then
  export MEDIABATCH_FIXTURE_HOST=example
  exec unshare --uts bash -c 'hostname example && exec "$0" "$@"' "$(realpath "$0")" "$program" "$out"
fi

place=/tmp/mediabatch-fixture
trap 'rm -rf "$place"' EXIT
rm -rf "$place"
mkdir -m 700 "$place"
cd "$place"
export XDG_DATA_HOME=$place/home LC_ALL=C.UTF-8 TZ=UTC

photo() { # photo NAME COLOR
  convert -size 24x16 "xc:$2" -quality 80 "$1"
  exiftool -q -overwrite_original -n -Orientation=6 -Model=Example -GPSLatitude=1.5 \
    -GPSLatitudeRef=N -GPSLongitude=2.5 -GPSLongitudeRef=E \
    -DateTimeOriginal='2026:11:20 10:11:12' "$1"
}

mkdir -p sources/camera sources/library sources/microphone
photo sources/camera/1.jpg red
photo sources/camera/2.jpg green
cp sources/camera/1.jpg 'sources/camera/again 1.jpg'
head -c 300 sources/camera/2.jpg >sources/camera/cut.jpg
echo 'These are notes.' >sources/camera/notes.txt
identifier=0B7E6F5D-3C1A-4F57-9A55-6E5B3D7B8D11
convert -size 24x16 xc:blue -quality 80 still.jpg
python3 "$scripts/add-content-identifier.py" still.jpg sources/library/IMG_1.JPG "$identifier"
ffmpeg -v error -f lavfi -i testsrc=size=24x16:rate=2:duration=1 -an -c:v mpeg4 \
  -metadata com.apple.quicktime.content.identifier="$identifier" -movflags use_metadata_tags \
  sources/library/IMG_1.MOV
ffmpeg -v error -f lavfi -i sine=duration=0.05:sample_rate=8000 -ac 1 sources/library/sound.wav
echo 'not to be opened' >sources/microphone/secret.wav
rm still.jpg

manifest() { # manifest GRID-SIZE POLICY-OF-THE-LIBRARY
  cat <<END
{
  "version": 1,
  "client": { "identifier": "org.example.fixture", "name": "A fixture" },
  "usageDescriptions": {
    "NSCameraUsageDescription": "The fixture takes pictures.",
    "NSPhotoLibraryUsageDescription": "The fixture chooses pictures.",
    "NSMicrophoneUsageDescription": "The fixture hears."
  },
  "metadata": { "policy": "strip" },
  "catalogue": { "privateFacts": true },
  "sources": {
    "camera": { "path": "sources/camera", "authorizationStatus": "authorized" },
    "library": {
      "path": "sources/library", "authorizationStatus": "authorized",
      "metadata": { "policy": "$2" }
    },
    "microphone": { "path": "sources/microphone", "authorizationStatus": "denied" }
  },
  "thumbnails": { "grid": { "size": [$1, $1], "contentMode": "aspectFill" } },
  "output": { "path": "Library" }
}
END
}
run() { # run EXPECTED-CODE ARGUMENT…
  local expected=$1 code=0
  shift
  "$program" run manifest.json --no-input "$@" >said 2>&1 || code=$?
  [[ $code == "$expected" ]] || { cat said >&2; echo "exit $code, not $expected" >&2; exit 1; }
  rm said
}

# Several runs: the second adds a photo, the third supersedes thumbnails and an original.
manifest 16 keep >manifest.json
run 3
photo sources/camera/3.jpg yellow
run 0
manifest 12 strip >manifest.json
run 3 --reprocess

# A run that is killed while it publishes, in a copy.
cp -a Library finished
photo sources/camera/4.jpg gray
photo sources/camera/5.jpg black
strace -f -qq -e trace=renameat2 -e signal=none -o /dev/null \
  -e inject=renameat2:signal=SIGKILL:when="${KILLED_AT:-4}" \
  "$program" run manifest.json --no-input >/dev/null 2>&1 || true
mv Library Killed
mv finished Library

# The answers of people, for a manifest that asks.
sed -e 's/org.example.fixture/org.example.asking/' \
  -e 's/"authorizationStatus": "[a-z]*"/"authorizationStatus": "notDetermined"/' \
  manifest.json >asking.json
"$program" access grant asking.json camera >/dev/null
"$program" access limit asking.json 'IMG_*' >/dev/null
"$program" access deny asking.json microphone >/dev/null

rm -f {Library,Killed}/{library,private}.sqlite-shm
tar --sort=name --owner=0 --group=0 --numeric-owner -cf - . | gzip -9n >"$out"
ls -l "$out"
