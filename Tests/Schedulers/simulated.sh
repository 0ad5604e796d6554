#!/usr/bin/env bash
# Checks the job files for Kubernetes, AWS Batch and Nextflow, and carries them out without these: their
# commands, variables, exit codes and rules for repetition, of simulate.py. One shard is started twice at
# one time, another crashes.
#
# KUBERNETES_PYTHON and MOTO_PYTHON are interpreters that have kubernetes-validate and moto; without them
# those of tools.sh are taken.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
environments=$tests/../../.build/schedulers
KUBERNETES_PYTHON=${KUBERNETES_PYTHON-$environments/kubernetes/bin/python}
MOTO_PYTHON=${MOTO_PYTHON-$environments/moto/bin/python}
for python in "$KUBERNETES_PYTHON" "$MOTO_PYTHON"; do
  [[ -x $python ]] || skip "there is no $python; Tests/Schedulers/tools.sh kubernetes moto installs it"
done

shards=6
make_wrapper
make_library 80
make_plan $shards

# simulate PYTHON SCHEDULER: a whole job.
simulate() {
  local python=$1 scheduler=$2 file=$work/job-$2 status=0
  rm -rf "$plan/receipts" "$plan/shards" "$control" "$merged"
  mkdir -p "$plan/receipts" "$plan/shards" "$control"
  emit "$scheduler" >"$file"
  touch "$control/hold-2" "$control/crash-4"
  "$python" "$tests/simulate.py" "$scheduler" "$file" --control "$control" --double 2 \
    >"$work/starts" 2>"$work/job.log" || status=$?
  [[ $status == 0 ]] || { cat "$work/job.log" >&2; fail "$scheduler ends with $status"; }
  # The second start of shard 2 ended first; shard 4 was started again.
  [[ $(grep '^2 ' "$work/starts" | tr '\n' ',') == "2 2 0,2 1 0," ]] || fail "$scheduler: shard 2 was not doubled"
  [[ $(grep '^4 ' "$work/starts" | tr '\n' ',') == "4 1 137,4 2 0," ]] || fail "$scheduler: shard 4 was not repeated"
  [[ $(wc -l <"$work/starts") == $((shards + 2)) ]] || fail "$scheduler: other shards were repeated"
  [[ $(receipts) == "$shards" && $(attempts 2) == 2 && $(attempts 4) == 2 ]] || fail "$scheduler: receipts or attempts"
  grep -q '"attempt":2,' "$plan/receipts/2.json" || fail "$scheduler: the attempt that ended first has not won"

  # One item failed. A workflow takes that for no failure, because it would remove the result.
  local expected=3
  [[ $scheduler != nextflow ]] || expected=0
  "$python" "$tests/simulate.py" "$scheduler" "$file" --merge >"$work/starts" 2>"$work/job.log" || status=$?
  [[ $status == "$expected" ]] || { cat "$work/job.log" >&2; fail "$scheduler: the merge ends with $status"; }
  [[ $(wc -l <"$work/starts") == 1 ]] || fail "$scheduler: the merge was repeated"
  check_merged
  say "$scheduler: shard 2 twice at one time, shard 4 crashed, merged"
}

# A shard that there is not ends with 64, and is not started again.
simulate_mistake() {
  local python=$1 scheduler=$2 file=$work/job-$2 status=0
  sed -E "s/(completions: |\"size\": |channel\.of\(1\.\.)$shards/\1$((shards + 1))/" "$file" >"$file-mistake"
  ! cmp -s "$file" "$file-mistake" || fail "$scheduler: nothing was changed"
  "$python" "$tests/simulate.py" "$scheduler" "$file-mistake" >"$work/starts" 2>"$work/job.log" || status=$?
  [[ $status == 64 && $(grep -c "^$((shards + 1)) " "$work/starts") == 1 ]] \
    || { cat "$work/job.log" >&2; fail "$scheduler: a shard too many ends with $status"; }
}

simulate "$KUBERNETES_PYTHON" kubernetes
simulate_mistake "$KUBERNETES_PYTHON" kubernetes
simulate "$MOTO_PYTHON" aws-batch
simulate_mistake "$MOTO_PYTHON" aws-batch
simulate python3 nextflow
simulate_mistake python3 nextflow

# The variables themselves, for jobs that nobody has emitted. The last shard has the damaged file.
code() {
  local status=0
  env "$@" >/dev/null 2>&1 || status=$?
  echo "$status"
}
expect() {
  local expected=$1 status
  shift
  status=$(code "$@" "$MEDIABATCH" shards run "$plan")
  [[ $status == "$expected" ]] || fail "$*: $status, not $expected"
}
damaged=$(grep -l damaged.jpg "$plan/items/"*)
damaged=$(basename "$damaged" .ndjson)
expect 3 SLURM_ARRAY_TASK_ID="$damaged"
expect 3 PARALLEL_SEQ="$damaged"
expect 3 JOB_COMPLETION_INDEX=$((damaged - 1))
expect 3 AWS_BATCH_JOB_ARRAY_INDEX=$((damaged - 1))
expect 64 -u SLURM_ARRAY_TASK_ID
expect 64 PARALLEL_SEQ="$damaged" SLURM_ARRAY_TASK_ID="$damaged"
expect 64 JOB_COMPLETION_INDEX=0 AWS_BATCH_JOB_ARRAY_INDEX=0
expect 64 SLURM_ARRAY_TASK_ID=0
expect 64 PARALLEL_SEQ=$((shards + 1))
expect 64 JOB_COMPLETION_INDEX=$shards
expect 64 AWS_BATCH_JOB_ARRAY_INDEX=-1
expect 64 SLURM_ARRAY_TASK_ID=2x
[[ $(code PARALLEL_SEQ=1 SLURM_ARRAY_TASK_ID=1 "$MEDIABATCH" shards run "$plan" --shard "$damaged") == 3 ]] \
  || fail "--shard does not come first"
[[ $(code "$MEDIABATCH" shards run "$plan" --shard "$damaged" --items-failed-exit 7) == 7 ]] \
  || fail "--items-failed-exit of a finished shard"

# A plan of one shard is no array on AWS Batch, and has no index there.
plan="$place/Plan of one"
"$MEDIABATCH" shards plan "$place/manifest.json" --shards 1 --output "$plan" --no-input >"$work/plan.log"
rm -rf "$merged"
emit aws-batch >"$work/job-one"
"$MOTO_PYTHON" "$tests/simulate.py" aws-batch "$work/job-one" >"$work/starts" 2>"$work/job.log" \
  || { cat "$work/job.log" >&2; fail "one shard"; }
[[ $(code "$MOTO_PYTHON" "$tests/simulate.py" aws-batch "$work/job-one" --merge) == 3 ]] || fail "merge of one shard"
check_merged
say "passed: Kubernetes, AWS Batch and Nextflow were simulated"
