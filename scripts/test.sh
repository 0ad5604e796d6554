#!/usr/bin/env bash
# Builds the tests (scripts/build-tests.sh), runs every Swift test, and closes with the counts.
#
# scripts/test.sh [--filter PATTERN…]   MEDIABATCH_CORPUS names the folder of real media;
# tests that need it, or a tool that is missing, are skipped: their reasons are printed and counted.
# Without arguments two processes more than there are cores share the suites, since a test often waits
# for another program; TEST_PROCESSES is another number. Each runs one test at a time, so that the
# length of a test and a crash are its own. The suites are dealt by the seconds of the last run.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -n ${MEDIABATCH_CORPUS-} ]]; then
  if ! MEDIABATCH_CORPUS=$(cd "$MEDIABATCH_CORPUS" 2>/dev/null && pwd -P); then
    echo "test: MEDIABATCH_CORPUS names no folder" >&2
    exit 66
  fi
  export MEDIABATCH_CORPUS
fi

results=.build/test-results
mkdir -p "$results"
rm -f "$results"/*.jsonl "$results"/*.log
scripts/build-tests.sh
export MEDIABATCH_PROGRAMS=${MEDIABATCH_PROGRAMS:-$PWD/.build/test-programs}
processes=${TEST_PROCESSES:-$(($(nproc) + 2))}
# ImageMagick starts threads for each small picture, which costs a quarter of its time. (nproc says the
# same number, so it is asked before.)
export OMP_NUM_THREADS=1
# The system's programs first: a python3 of pyenv is a script, which takes longer than what is asked of Python.
export PATH=/usr/bin:/bin:$PATH
# In memory, where there is room: a sixth of the time of all tests is ext4's allocating of inodes. Tests that
# are about a disk make file systems of their own. Without a trap the folder would outlive an interruption.
if [[ -z ${TMPDIR-} && -w /dev/shm && $(stat -f -c %T /dev/shm) == tmpfs ]] \
  && (($(df --output=avail -k /dev/shm | tail -n 1) > 6 * 1024 * 1024)) \
  && (($(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo) > 8 * 1024 * 1024)); then
  TMPDIR=$(mktemp -d /dev/shm/mediabatch-tests.XXXXXX)
  export TMPDIR
  # Some tests start programs as another user.
  chmod 711 "$TMPDIR"
  trap 'rm -rf --one-file-system "$TMPDIR"' EXIT
fi

# Runs the tests that its arguments choose, by the program that "swift test" runs, of which there can
# be one at a time. The lines that say that something started or that a case passed are left out:
# there are thousands.
run() {
  local name=$1 status=0
  shift
  .build/release/mediabatchPackageTests.xctest --testing-library swift-testing --no-parallel \
    --event-stream-version 6.3 --event-stream-output-path "$results/$name.jsonl" "$@" 2>&1 \
    | sed -u 's/\x1b\[[0-9;]*m//g' \
    | tee "$results/$name.log" \
    | { grep --line-buffered -vE '^◇ .* started\.$|^◇ Test case passing|^✔ Test case' || true; } \
    || status=$?
  return "$status"
}

# The long form of a suite takes another time than its short one.
seconds=.build/test-seconds${MEDIABATCH_TEST_ALL:+-all}.json
echo "test: running (everything that is printed: $results)"
if [[ $# -gt 0 ]]; then processes=1; fi
status=0
if [[ $processes -gt 1 ]]; then
  # A process that ends takes the next share of the suites; the long ones come first, so that all end
  # at about the same time.
  swift test list -c release --skip-build --disable-xctest 2>/dev/null \
    | python3 scripts/count-tests.py --deal $((processes * 6)) "$seconds" \
    >"$results/shares"
  number=0
  while IFS= read -r suites; do
    if [[ $number -ge $processes ]]; then wait -n || status=$?; fi
    run "$number" --filter "$suites" &
    number=$((number + 1))
  done <"$results/shares"
  for ((left = 0; left < processes && left < number; left++)); do wait -n || status=$?; done
  python3 scripts/count-tests.py --seconds "$seconds" "$status" "$results"/*.jsonl
else
  run 0 "$@" || status=$?
  python3 scripts/count-tests.py "$status" "$results"/*.jsonl
fi
# A mistake in the script that counts does not hide its own failed test.
exit "$status"
