#!/usr/bin/env bash
# Measures the release build against the peers, and stores the figures in Benchmarks/results.
#
# Benchmarks/run.sh [PART…] [--rounds N] [--name NAME]
#   jpeg         a whole run with strip and one 256 px thumbnail, against vipsthumbnail twice at once
#   sizes        that run with 256, 512 and 1600 px, against vipsthumbnail for each of the sizes
#   script       the run against cp, exiftool -all=, vipsthumbnail and sha256sum in a script
#   floor        the run against libjpeg-turbo's decode alone, at the same scale
#   formats      folders of HEIC, AVIF, PNG, WebP, TIFF and GIF, each against vipsthumbnail
#   processor    processor time of a whole run, against vipsthumbnail: real and large pictures
#   workers      two workers against one
#   memory       the peak of all processes together: camera JPEGs, 50 MP JPEGs, 12 MP HEICs
#   quality      SSIM and PSNR beside vipsthumbnail's; writes .build/contact-sheet.html to look at
#   movies       strip of MP4s, against openssl dgst, cp and sync, and against ffmpeg -c copy
#   posters      a whole run over videos, against ffmpegthumbnailer
#   waveforms    an hour of sound, against ffmpeg's showwavespic
#   strip        a whole run with strip and no thumbnails, against exiftool -all= -o and exiv2 rm
#   confinement  that run with the kernel's confinement, against the same run without it
#   holes        anonymous memory over sparse files of 10 MB, of 4 GB and of 10 GB
#   scale        the first import of 10,000 and of 100,000 files
#   unchanged    a second run over 100,000 unchanged files, against rsync -an
#   asking       list, albums, explain, stacks and report --asset at 100,000 assets; the start of the program;
#                verify against sha256sum; what an import takes in memory for each file
# Benchmarks/run.sh --against DIR [--rounds N] [--name NAME]
#   this build against the programs in DIR, an earlier build: nothing may cost more than 3 %
# Without a name all parts run. All but movies, posters, waveforms, holes, scale, unchanged and asking take
# their pictures from $MEDIABATCH_CORPUS: bench-jpeg, and visible for formats and quality.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} == -h || ${1-} == --help ]]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' Benchmarks/run.sh
  exit 0
fi
programs=${MEDIABATCH_PROGRAMS:-.build/release}
for program in mediabatch mediabatch-worker; do
  if [[ ! -x $programs/$program ]]; then
    echo "bench: $programs/$program is not there; run \"make build\" first" >&2
    exit 69
  fi
done
export PYTHONDONTWRITEBYTECODE=1
exec python3 Benchmarks/bench.py --programs "$programs" "$@"
