#!/usr/bin/env bash
# Imports a plan with GNU parallel; a shard crashes in the middle, and a second start mends it.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
need parallel

make_wrapper
make_library 80
make_plan 6
emit parallel >"$work/job.sh"

touch "$control/crash-2"
status=0
JOBS=2 bash "$work/job.sh" >"$work/job.log" 2>&1 || status=$?
[[ $status == 1 ]] || { cat "$work/job.log" >&2; fail "one failed shard gives parallel's code 1, not $status"; }
[[ -e $control/crashed-2 ]] || fail "no shard has crashed"
[[ ! -e $plan/receipts/2.json && $(receipts) == 5 ]] || fail "there are $(receipts) receipts, not 5"
[[ ! -e $merged ]] || fail "five of six shards were merged"
grep -q Originals <(find "$plan/shards/2-1" -type f) || fail "the shard did not crash in the middle"

# The merge reports the damaged file.
status=0
JOBS=2 bash "$work/job.sh" >"$work/job.log" 2>&1 || status=$?
[[ $status == 3 ]] || { cat "$work/job.log" >&2; fail "the merge ends with 3, not $status"; }
[[ $(sort "$control/starts" | tr '\n' ' ') == "1 2 2 3 4 5 6 " ]] \
  || fail "not only the crashed shard was started again: $(sort "$control/starts" | tr '\n' ' ')"
check_merged

# A third start finds nothing to do.
status=0
JOBS=2 bash "$work/job.sh" >"$work/job.log" 2>&1 || status=$?
[[ $status == 3 && $(wc -l <"$control/starts") == 7 ]] || fail "a finished job did something: $status"
say "passed with $(parallel --version | head -n 1): shard 2 crashed, --resume-failed started it alone"
