#!/usr/bin/env bash
# Imports a plan with Snakemake: a shard crashes, Snakemake itself is killed, and --rerun-incomplete repeats
# what it cannot know to be whole.
#
# SNAKEMAKE is the path of the program; without it that of tools.sh is taken.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
SNAKEMAKE=${SNAKEMAKE-$tests/../../.build/schedulers/snakemake/bin/snakemake}
[[ -x $SNAKEMAKE ]] || skip "there is no $SNAKEMAKE; Tests/Schedulers/tools.sh snakemake installs it"

need pgrep

make_wrapper
make_library 80
make_plan 6
emit snakemake >"$work/Snakefile"
export HOME=$work XDG_CACHE_HOME=$work/cache
# It leaves a folder with logs where it was started.
cd "$work" || exit
no_process_of() { ! pgrep -g "$1"; }
snakemake() {
  "$SNAKEMAKE" --snakefile "$work/Snakefile" --cores 2 --keep-going "$@" \
    >"$work/job.log" 2>&1
}

# A shard crashes in the middle: it has no receipt, and its library stays, because it is no output.
touch "$control/crash-2"
! snakemake || fail "Snakemake has not seen that a shard crashed"
[[ -e $control/crashed-2 ]] || { cat "$work/job.log" >&2; fail "no shard has crashed"; }
[[ ! -e $plan/receipts/2.json && $(receipts) == 5 ]] || fail "there are $(receipts) receipts, not 5"
[[ -d $plan/shards/2-1/Originals ]] || fail "Snakemake removed a library"
[[ ! -e $merged ]] || fail "five of six shards were merged"

# Snakemake is killed while shard 2 is in the middle. The shard goes on and finishes, but nobody has told
# Snakemake that its receipt is whole.
touch "$control/hold-2"
setsid "$SNAKEMAKE" --snakefile "$work/Snakefile" --cores 2 >"$work/killed.log" 2>&1 &
killed=$!
started+=("$killed")
disown
wait_for 120 "the second start of shard 2" test -e "$control/held-2"
kill -KILL "$killed"
touch "$control/go-2"
wait_for 60 "the receipt of shard 2" test -e "$plan/receipts/2.json"
# The rest of its process group has to end before Snakemake starts again.
wait_for 60 "the end of what Snakemake has started" no_process_of "$killed"

# What is incomplete is said, and started again when that is asked for.
snakemake --unlock || { cat "$work/job.log" >&2; fail "--unlock"; }
! snakemake || fail "Snakemake has forgotten what it was doing"
grep -qi incomplete "$work/job.log" || { cat "$work/job.log" >&2; fail "nothing incomplete is named"; }
snakemake --rerun-incomplete || { cat "$work/job.log" >&2; fail "--rerun-incomplete"; }
[[ $(sort "$control/starts" | tr '\n' ' ') == "1 2 2 2 3 4 5 6 " ]] \
  || fail "not only shard 2 was started again: $(sort "$control/starts" | tr '\n' ' ')"
[[ $(attempts 2) == 3 ]] || fail "shard 2 has $(attempts 2) attempts, not 3"
grep -q '"failed":1\b' <(tr -d ' ' <"$plan/merge.json") || fail "the summary has no failed item"
check_merged

# Another start finds nothing to do.
snakemake
grep -q "Nothing to be done" "$work/job.log" || { cat "$work/job.log" >&2; fail "there was something to do"; }
say "passed with Snakemake $("$SNAKEMAKE" --version): shard 2 crashed, Snakemake was killed, --rerun-incomplete"
