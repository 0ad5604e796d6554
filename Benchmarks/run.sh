#!/usr/bin/env bash
# Measures the release build against the peers, and stores the figures in Benchmarks/results.
#
# Benchmarks/run.sh [PART…] [--million] [--rounds N] [--name NAME]
#   Without a part: all goals up to 100,000 files in one table; meant for less than 20 minutes on two cores.
#   --million: those at a million files, meant for 60 minutes; it says first how much of the disk it needs, and
#   ends with 69 if that is not free. goals.py has the table, with the command of each peer.
#   jpeg         a whole run with strip and one 256 px thumbnail, against vipsthumbnail twice at once
#   formats      that run by format, of photographs made here and of the corpus's pictures
#   strip        a run with strip and no thumbnails, against exiftool and exiv2, alone and with hashes and sync
#   scale        the first import of small files
#   small        that import against the least that makes the same folders, and its system calls for each file; with
#                --against DIR by turns with the programs in DIR, too
#   calls        system calls for each unchanged file
#   unchanged    a second run over unchanged files, against rsync -an
#   start        --version, and a run over one unchanged file
#   merge        one library made of the shards of a plan
#   verify       against sha256sum; of many tiny assets
#   repair       a library that needs none
#   asking       list, albums, explain, stack list and report --asset
#   posters      a whole run over films, against ffmpegthumbnailer
#   waveforms    ten minutes of sound, against ffmpeg's showwavespic
#   sizes        256, 512 and 1600 px, against vipsthumbnail for each of the sizes
#   pages        a contact sheet and a gallery
#   workers      two workers against one
#   memory       the peak of all processes together: camera JPEGs, 50 MP JPEGs, 12 MP HEICs
#   coordinator  the coordinator's own processor time, by format
#   busy         that time of the workers' over camera JPEGs, and how busy all cores are, with nothing beside
#   growth       what an import takes in memory for each file more
#   photos       the memory of a Photos library
#   report       the html report
#   These run only when they are named:
#   script       a whole run against cp, exiftool -all=, vipsthumbnail and sha256sum in a script
#   quality      SSIM and PSNR beside vipsthumbnail's; writes .build/contact-sheet.html to look at
#   movies       strip of MP4s, against openssl dgst, cp and sync, and against ffmpeg -c copy
#   confinement  a whole run with the kernel's confinement, against the same run without it
#   holes        anonymous memory over sparse files of 10 MB, of 4 GB and of 10 GB
#   build        scripts/build.sh in a new clone of HEAD; takes minutes
# Benchmarks/run.sh --against DIR [--rounds N] [--name NAME]
#   this build against the programs in DIR, an earlier build: nothing may cost more than 3 %
# Pictures are those of $MEDIABATCH_CORPUS: camera JPEGs in its folder bench-jpeg, all others in visible, or
# anywhere. What is made of them stays in .build/bench-media for the next time.
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
