#!/usr/bin/env bash
# Builds the programs of earlier commits, and measures what a small file costs each of them, by turns.
#
# Benchmarks/history.sh [COMMIT…] [--rounds N] [--count N] [--name NAME]
#   COMMIT…     the first is what the others are compared with. Without any: 14 commits of the first-parent history
#               from 4853cd3 (25 November 2026) to HEAD, with as many commits between each two.
#   --rounds N  how often each imports the files, 3 if nothing is said; 0 builds the programs and measures nothing
#   --count N   how many small files, 20,000 if nothing is said
#   --name NAME of the file in Benchmarks/results, "history" if nothing is said
# Programs stay in .build-history/COMMIT, and are not built again; the clone in which they were built goes. One takes
# 5 to 15 minutes on two cores. A commit that cannot be built, or whose run does not import all, has a row that says so.
# Sources and libraries are in /dev/shm if there is room, so that no disk is measured, else in .build/bench-history.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} == -h || ${1-} == --help ]]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' Benchmarks/history.sh
  exit 0
fi
if [[ ! -d .git ]]; then
  echo "history: this is no clone of the history" >&2
  exit 69
fi
export PYTHONDONTWRITEBYTECODE=1
exec python3 Benchmarks/history.py "$@"
