# What the tests with schedulers share; they source it.
#
# MEDIABATCH is the path of the program. A tool that is not there skips the test, or ends it with 77 if
# MUST_RUN is set. KEEP leaves the folder of the test, and its path is printed.
# shellcheck shell=bash
set -euo pipefail

test_name=$(basename "$0" .sh)
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

say() { echo "$test_name: $*"; }

fail() {
  say "FAILED: $*" >&2
  exit 1
}

skip() {
  say "SKIPPED: $*" >&2
  [[ -z ${MUST_RUN-} ]] || exit 77
  exit 0
}

need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || skip "there is no $tool; scripts/deps.sh schedulers installs it"
  done
}

[[ -n ${MEDIABATCH-} && -x $MEDIABATCH ]] || fail "MEDIABATCH names no program"
MEDIABATCH=$(realpath "$MEDIABATCH")

# Everything is below this folder, and everything that was started is in a list: it is ended by its number.
work=$(mktemp -d "${TMPDIR:-/tmp}/mediabatch-$test_name.XXXXXX")
started=()
control=$work/control
end() {
  local status=$? pid
  trap - EXIT
  ! declare -F before_end >/dev/null || before_end
  for pid in "${started[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
  for _ in {1..50}; do
    running=0
    for pid in "${started[@]}"; do kill -0 "$pid" 2>/dev/null && running=1; done
    [[ $running == 1 ]] || break
    sleep 0.1
  done
  for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  # Runs that the wrapper has stopped. In a node of Slurm numbers have another meaning, so ask who that is.
  while read -r pid; do
    ! grep -qaF "$work" "/proc/$pid/cmdline" 2>/dev/null || kill -KILL -- "-$pid" || true
  done < <(cat "$control/groups" 2>/dev/null)
  wait 2>/dev/null || true
  if [[ -n ${KEEP-} ]]; then
    say "kept: $work"
  else
    rm -rf --one-file-system "$work"
  fi
  exit "$status"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# wait_for SECONDS WHAT COMMAND…: until the command succeeds.
wait_for() {
  local seconds=$1 what=$2 limit
  shift 2
  limit=$((SECONDS + seconds))
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < limit)) || fail "$what: not within $seconds s"
    sleep 0.2
  done
}

# Paths that a job file has to quote; U+0301 makes one character of itself and the quote before it.
place="$work/it'"$'\xCC\x81'"s a \$HOME {x} \"folder\" \\n"
plan="$place/Plan \$\$(JOB_COMPLETION_INDEX)"
merged="$place/Merged library"
# Keys and stored answers of the test, not of the person.
export XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
mkdir -p "$place" "$control" "$XDG_DATA_HOME" "$XDG_STATE_HOME"

# Puts a program in front of mediabatch that stops runs in the middle, after the rename of a few files:
#   touch "$control/crash-2"   the next run of shard 2 is killed there, and exits with 137
#   touch "$control/hold-2"    the next run of shard 2 stops there and makes held-2, until there is go-2
wrapper=$work/bin/mediabatch
make_wrapper() {
  need strace
  mkdir -p "$work/bin"
  {
    echo '#!/usr/bin/env bash'
    printf 'control=%q real=%q\n' "$control" "$MEDIABATCH"
    cat <<'WRAPPER'
set -u
shard='' previous=''
for word in "$@"; do
  [[ $previous != --shard ]] || shard=$word
  previous=$word
done
[[ "$1 ${2-}" == "shards run" && -n $shard ]] || exec "$real" "$@"
echo "$shard" >>"$control/starts"
# Only one of several starts takes the order.
mv "$control/crash-$shard" "$control/crashed-$shard" 2>/dev/null && order=crash
mv "$control/hold-$shard" "$control/holding-$shard" 2>/dev/null && order=hold
[[ -n ${order-} ]] || exec "$real" "$@"

trace=$control/trace-$shard-$$
setsid strace -f -qq -o "$trace" -e trace=renameat2 -e inject=renameat2:signal=STOP:when=10 \
  "$real" "$@" &
group=$!
echo "$group" >>"$control/groups"
for _ in {1..600}; do
  stopped=$(awk '/stopped by SIGSTOP/ { print $1; exit }' "$trace" 2>/dev/null)
  [[ -z $stopped ]] || break
  sleep 0.1
done
[[ -n $stopped ]] || { kill -KILL -- "-$group"; echo "the run was not stopped" >&2; exit 99; }
if [[ $order == crash ]]; then
  kill -KILL -- "-$group"
  exit 137
fi
touch "$control/held-$shard"
for _ in {1..3000}; do
  [[ ! -e $control/go-$shard ]] || break
  sleep 0.1
done
kill -CONT "$stopped"
wait "$group"
WRAPPER
  } >"$wrapper"
  chmod +x "$wrapper"
}

# make_library COUNT: media, and the library that one ordinary run makes of them. It ends with 3, because
# one file is damaged.
make_library() {
  local status=0
  python3 "$tests/fixture.py" make "$place" "$1"
  "$MEDIABATCH" run "$place/manifest.json" --no-input >"$work/run.log" 2>&1 || status=$?
  [[ $status == 3 ]] || { cat "$work/run.log" >&2; fail "the ordinary run ended with $status, not 3"; }
}

# make_plan SHARDS [OPTION…]
make_plan() {
  local shards=$1
  shift
  "$MEDIABATCH" shards plan "$place/manifest.json" --shards "$shards" --output "$plan" --no-input "$@" >"$work/plan.log"
}

# emit SCHEDULER [OPTION…]: a job file, which calls the wrapper where there is one.
emit() {
  local program=$MEDIABATCH
  [[ ! -x $wrapper ]] || program=$wrapper
  # Job files have the name by which the program was called.
  (exec -a "$program" "$MEDIABATCH" shards plan "$plan" --library "$merged" --emit "$@")
}

receipts() { find "$plan/receipts" -name '*.json' | wc -l; }
attempts() { find "$plan/shards" -mindepth 1 -maxdepth 1 -name "$1-*" -type d | wc -l; }
starts() { grep -cx "$1" "$control/starts" || true; }

# The merged library is that of the ordinary run, and verify finds nothing.
check_merged() {
  python3 "$tests/fixture.py" compare "$place/Library" "$merged"
  "$MEDIABATCH" verify "$merged" >"$work/verify.log" || { cat "$work/verify.log" >&2; fail "verify"; }
  "$MEDIABATCH" audit verify "$merged" >"$work/verify.log" || {
    cat "$work/verify.log" >&2
    fail "audit verify"
  }
}
