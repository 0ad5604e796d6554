#!/usr/bin/env bash
# Measures the release build against the peers, and keeps the figures in Benchmarks/results.
#
# Benchmarks/run.sh [jpeg|strip|memory|confinement|holes|unchanged|scale…] [--rounds N] [--name NAME]
#   jpeg         a whole run with strip and one 256 px thumbnail, against vipsthumbnail twice at once
#   strip        a whole run with strip and no thumbnails, against exiftool -all= -o and exiv2 rm
#   memory       the peak of all processes of that run together
#   confinement  that run confined by the kernel, against the same run that is not
#   holes        anonymous memory over sparse files of 10 MB, of 4 GB and of 10 GB
#   unchanged    a second run over 100,000 unchanged files, against rsync -an
#   scale        the first import of 10,000 and of 100,000 files
# All seven without a name. jpeg, strip, memory and confinement use $MEDIABATCH_CORPUS/bench-jpeg.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} == -h || ${1-} == --help ]]; then
  sed -n '2,13s/^# \{0,1\}//p' Benchmarks/run.sh
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
