#!/usr/bin/env bash
# Draws the media of Manifests/demo.json anew. They are committed: run this only to change them.
# Needs ImageMagick 6 (convert), exiftool, ffmpeg with libx264 and python3.
# The same versions of these programs give the same bytes; no font, clock or random number is used.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC

media=Manifests/media
camera=$media/DCIM/100MEDIA
photos=$media/Photos/2026
voice=$media/Voice
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rm -rf "$media/DCIM" "$media/Photos" "$voice"
mkdir -p "$camera" "$photos" "$voice"

# harbour OUT WIDTH HEIGHT BIRDS SKY_TOP SKY_LOW SUN SEA_TOP SEA_LOW HILL
# An upright picture: the sun on the left, the lighthouse on the right, an arrow pointing up, and
# as many birds as BIRDS says. A turned or mirrored copy is seen to be wrong at a glance.
harbour() {
  local out=$1 w=$2 h=$3 birds=$4
  shift 4
  local horizon=$((h * 62 / 100)) draw=() n x y
  for ((n = 0; n < birds; n++)); do
    x=$((w * (36 + 6 * (n % 4)) / 100))
    y=$((h * (12 + 9 * (n / 4)) / 100 + (n % 2) * h / 40))
    draw+=(-draw "bezier $x,$y $((x + w / 90)),$((y - h / 45)) $((x + w / 50)),$((y - h / 45)) \
$((x + w / 40)),$y bezier $((x + w / 40)),$y $((x + w / 32)),$((y - h / 45)) \
$((x + w / 26)),$((y - h / 45)) $((x + w / 20)),$y")
  done
  local right=$((w * 78 / 100)) foot=$((horizon - h / 16)) top=$((h * 22 / 100))
  local arrow=$((w / 2)) base=$((h * 94 / 100)) wing=$((w / 40))
  convert -size "${w}x${h}" -depth 8 xc:black \
    \( -size "${w}x${horizon}" "gradient:$1-$2" \) -gravity NorthWest -composite \
    \( -size "${w}x$((h - horizon))" "gradient:$4-$5" \) \
    -geometry "+0+$horizon" -composite \
    -fill "$3" -draw "circle $((w * 20 / 100)),$((h * 30 / 100)) $((w * 20 / 100)),$((h * 38 / 100))" \
    -fill "$6" -draw "polygon 0,$horizon $((w * 14 / 100)),$((h * 44 / 100)) \
$((w * 30 / 100)),$((h * 56 / 100)) $((w * 44 / 100)),$((h * 47 / 100)) $((w * 60 / 100)),$horizon" \
    -fill '#4a4038' -draw "polygon $((w * 64 / 100)),$((horizon + h / 20)) \
$((w * 70 / 100)),$foot $((w * 88 / 100)),$foot $w,$((horizon + h / 16))" \
    -fill '#f4efe6' -draw "polygon $((right - w / 40)),$foot $((right - w / 64)),$top \
$((right + w / 64)),$top $((right + w / 40)),$foot" \
    -fill '#b5352b' -draw "polygon $((right - w / 48)),$((h * 40 / 100)) \
$((right - w / 54)),$((h * 31 / 100)) $((right + w / 54)),$((h * 31 / 100)) \
$((right + w / 48)),$((h * 40 / 100))" \
    -draw "polygon $((right - w / 50)),$top $right,$((top - h / 12)) $((right + w / 50)),$top" \
    -fill '#ffd76a' -draw "rectangle $((right - w / 160)),$((top + h / 60)) \
$((right + w / 160)),$((top + h / 24))" \
    -fill none -stroke '#22242c' -strokewidth $((w / 320 + 1)) "${draw[@]}" \
    -stroke none -fill '#fffbe8' -draw "polygon $((arrow - wing / 3)),$base \
$((arrow - wing / 3)),$((h * 84 / 100)) $((arrow - wing)),$((h * 84 / 100)) \
$arrow,$((h * 73 / 100)) $((arrow + wing)),$((h * 84 / 100)) $((arrow + wing / 3)),$((h * 84 / 100)) \
$((arrow + wing / 3)),$base" \
    -strip "$out"
}

# The nine skies of one day: top, low, sun, sea near the horizon, sea below, hill.
skies=(
  '#27315f #f2a285 #ffd9a0 #c98277 #2b3a5c #4d4560'
  '#3f5f97 #f7c6a0 #ffe6b0 #b99a92 #30506f #5b5a6c'
  '#4d8fd0 #cfe6f5 #fff3c4 #7fb4cf #1f5f86 #5d7f63'
  '#2f86d6 #bfe0f7 #fff7d6 #63a9cf #165a86 #4f7d55'
  '#3a8fcf #d8ecf2 #fff4c8 #6fb0c4 #1b6484 #5a8257'
  '#5a86bd #f3dcb2 #ffe3a0 #9fa6a6 #2a5a77 #63744f'
  '#6a5a93 #f59a6b #ffcf7d #c47c66 #33406b #51455c'
  '#2a2450 #c8577a #ffb37a #7d4a6e #1d2348 #372f4b'
  '#070b1f #24335f #f1f3ff #1c2a52 #050818 #10152b'
)

# What turns an upright picture into the stored one; its EXIF orientation turns it back.
turns=('' '' '-flop' '-rotate 180' '-flip' '-transpose' '-rotate 270' '-transverse' '-rotate 90')

camera_tags=(
  -Make='Example Optics' -Model='EO-1' -Software='EO-1 firmware 2.1' -ExifVersion=0232
  -OffsetTime=+01:00 -OffsetTimeOriginal=+01:00 -OffsetTimeDigitized=+01:00
  -ISO=100 -FNumber=5.6 -ExposureTime=1/250 -FocalLength=35
  -GPSLatitudeRef=N -GPSLongitudeRef=W -GPSLatitude=49.9577 -GPSLongitude=5.2043
  -GPSAltitude=12 -GPSAltitudeRef=0 -GPSMapDatum=WGS-84
)
stamp() { exiftool -q -q -overwrite_original -n -m "$@"; }

for n in 1 2 3 4 5 6 7 8; do
  file=$camera/IMG_000$n.JPG
  read -r -a sky <<<"${skies[n - 1]}"
  harbour "$scratch/upright.png" 960 640 "$n" "${sky[@]}"
  read -r -a turn <<<"${turns[n]}"
  convert "$scratch/upright.png" "${turn[@]}" -sampling-factor 4:2:0 -quality 84 "$file"
  taken="2026:05:17 $(printf '%02d' $((5 + 2 * n))):1$n:0$n"
  convert "$scratch/upright.png" "${turn[@]}" -thumbnail 160x160 -quality 70 "$scratch/thumb.jpg"
  stamp "${camera_tags[@]}" -Orientation="$n" -DateTimeOriginal="$taken" -CreateDate="$taken" \
    -ModifyDate="$taken" -SubSecTimeOriginal=25$n "-ThumbnailImage<=$scratch/thumb.jpg" "$file"
done
stamp -XMP-dc:Creator='Demo Photographer' -IPTC:City='Lizard' -Comment='Not for publication' \
  "$camera/IMG_0001.JPG"

read -r -a sky <<<"${skies[3]}"
harbour "$scratch/plan.png" 480 320 9 "${sky[@]}"
convert "$scratch/plan.png" -dither Riemersma -colors 96 -define png:exclude-chunks=date,time \
  "PNG8:$camera/IMG_0009.PNG"
stamp -PNG:Author='Demo Photographer' -PNG:Comment='Not for publication' \
  -EXIF:Make='Example Optics' -EXIF:Model='EO-1' -EXIF:DateTimeOriginal='2026:05:17 22:30:00' \
  -EXIF:OffsetTimeOriginal=+01:00 -EXIF:GPSLatitudeRef=N -EXIF:GPSLatitude=49.9577 \
  -EXIF:GPSLongitudeRef=W -EXIF:GPSLongitude=5.2043 "$camera/IMG_0009.PNG"

# film OUT PICTURE: one second that pans over the picture, with a quiet tone.
film() {
  local out=$1 picture=$2
  shift 2
  ffmpeg -nostdin -v error -y -loop 1 -framerate 15 -i "$picture" \
    -f lavfi -i 'sine=frequency=330:sample_rate=44100' -t 1 \
    -vf "crop=320:240:x=n*8:y=20,format=yuv420p" -c:v libx264 -preset slow -crf 30 -threads 1 \
    -c:a aac -b:a 32k -ac 1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
    -map_metadata -1 "$@" "$out"
}

film "$camera/MOV_0010.MP4" "$scratch/plan.png" \
  -metadata creation_time=2026-05-17T21:35:00Z -metadata location=+49.9577-005.2043/

# The photo library: a live photo pair, three more photos that the manifest selects, two that it
# does not.
identifier=7C1D9A52-3E0B-4F5A-9C86-2B1E5D40A913
read -r -a sky <<<"${skies[6]}"
harbour "$scratch/live.png" 800 600 5 "${sky[@]}"
convert "$scratch/live.png" -sampling-factor 4:2:0 -quality 84 "$scratch/live.jpg"
python3 scripts/add-content-identifier.py "$scratch/live.jpg" "$photos/IMG_0041.JPG" "$identifier"
stamp -Orientation=1 -ExifVersion=0232 -Make=Apple -Model='iPhone 15' \
  -DateTimeOriginal='2026:06:02 20:41:07' \
  -CreateDate='2026:06:02 20:41:07' -OffsetTimeOriginal=+02:00 -OffsetTimeDigitized=+02:00 \
  -GPSLatitudeRef=N -GPSLatitude=43.2951 -GPSLongitudeRef=E -GPSLongitude=5.3739 \
  "$photos/IMG_0041.JPG"
film "$photos/IMG_0041.MOV" "$scratch/live.png" -f mov -movflags use_metadata_tags \
  -metadata com.apple.quicktime.content.identifier="$identifier" \
  -metadata com.apple.quicktime.creationdate=2026-06-02T20:41:07+0200 \
  -metadata com.apple.quicktime.make=Apple -metadata com.apple.quicktime.model='iPhone 15'

# photo NAME SKY BIRDS TAKEN
photo() {
  read -r -a sky <<<"${skies[$2]}"
  harbour "$scratch/photo.png" 720 540 "$3" "${sky[@]}"
  convert "$scratch/photo.png" -sampling-factor 4:2:0 -quality 82 "$photos/$1"
  stamp "${camera_tags[@]}" -Orientation=1 -DateTimeOriginal="$4" -CreateDate="$4" "$photos/$1"
}
photo harbour.jpg 2 3 '2026:06:03 11:20:00'
photo picnic-1.jpg 4 2 '2026:06:04 13:05:30'
photo picnic-2.jpg 5 6 '2026:06:04 16:45:10'
photo private-letter.jpg 7 1 '2026:06:05 21:00:00'
photo IMG_0050.JPG 8 4 '2026:06:05 23:10:00'

ffmpeg -nostdin -v error -y -f lavfi -i 'sine=frequency=440:sample_rate=8000:duration=0.5' \
  -ac 1 -c:a pcm_s16le -bitexact "$voice/memo.wav"

du -ab "$media" | sort -k2 | awk '{ printf "%8d  %s\n", $1, $2 }'
