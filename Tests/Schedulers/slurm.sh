#!/usr/bin/env bash
# Imports a plan with Slurm: a controller and four nodes on this machine. One node is killed while it is in
# the middle of a shard; another is cut off, so that its shard goes on while Slurm starts it elsewhere.
#
# Needs root: all of it is in a network of its own, with nothing but a loopback, because the daemons trust
# everybody who reaches them; and each node is a PID namespace, so that killing its first process is like
# switching the node off.
if [[ -z ${MEDIABATCH_IN_NETWORK-} ]]; then
  if [[ $(id -u) == 0 ]] && unshare --net true 2>/dev/null; then
    MEDIABATCH_IN_NETWORK=1 exec unshare --net bash "$0" "$@"
  fi
fi
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
[[ -n ${MEDIABATCH_IN_NETWORK-} ]] || skip "it needs root and namespaces"
need pgrep slurmctld slurmd sbatch scancel scontrol sinfo squeue ip unshare
ip link set lo up
# getaddrinfo with AI_ADDRCONFIG finds nothing where 127.0.0.1 is the only address.
ip address add 127.0.0.2/8 dev lo

slurm=$work/slurm
mkdir -p "$slurm/state" "$slurm/log" "$slurm"/spool/n{1,2,3,4} "$work/output"
cat >"$slurm/slurm.conf" <<CONF
ClusterName=mediabatch
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/none
CredType=cred/none
# A job that is requeued waits until the credential of its first start has expired.
AuthInfo=cred_expire=5
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool/%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/%n.pid
SlurmctldLogFile=$slurm/log/slurmctld.log
SlurmdLogFile=$slurm/log/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=2,sched_interval=2
SlurmdParameters=config_overrides
# Seconds until a node that does not answer is down.
SlurmdTimeout=6
SlurmctldTimeout=6
KillWait=3
# Only jobs that ask for it are requeued.
JobRequeue=0
ReturnToService=2
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=16821 CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=16822 CPUs=1 State=UNKNOWN
NodeName=n3 NodeHostname=localhost NodeAddr=127.0.0.1 Port=16823 CPUs=1 State=UNKNOWN
NodeName=n4 NodeHostname=localhost NodeAddr=127.0.0.1 Port=16824 CPUs=1 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$slurm/slurm.conf

make_wrapper
make_library 80
make_plan 6
emit slurm >"$work/mediabatch.sbatch"

slurmctld -D -c -f "$SLURM_CONF" >"$slurm/log/slurmctld.out" 2>&1 &
started+=($!)
# The process that holds a node's namespace, by the node's name.
declare -A node
for name in n1 n2 n3 n4; do
  unshare --pid --fork --mount-proc --kill-child slurmd -D -N $name -f "$SLURM_CONF" \
    >"$slurm/log/$name.out" 2>&1 &
  node[$name]=$!
  # bash need not tell that it was killed.
  disown $!
  started+=($!)
done
# unshare does not end by SIGTERM.
before_end() { kill -KILL "${node[@]}" 2>/dev/null || true; }
idle() { [[ $(sinfo -h -N -t idle | wc -l) == 4 ]]; }
wait_for 60 "four idle nodes" idle

# As the comment in the file says.
cd "$work/output" || exit
submit_merge() {
  sbatch --array=1 --parsable --job-name=mediabatch-merge --dependency="afterok:$1" "$work/mediabatch.sbatch" merge
}
touch "$control/hold-2" "$control/hold-3" "$control/crash-5" "$control/crash-6"
job=$(sbatch --parsable "$work/mediabatch.sbatch")
merge=$(submit_merge "$job")
wait_for 60 "shard 2 in the middle" test -e "$control/held-2"
wait_for 60 "shard 3 in the middle" test -e "$control/held-3"
node_of() { squeue -h -a -t R --array -o '%K %N' -j "$job" | awk -v shard="$1" '$1 == shard { print $2 }'; }
killed=$(node_of 2)
lost=$(node_of 3)
[[ -n $killed && -n $lost && $killed != "$lost" ]] || fail "the shards have the nodes \"$killed\" and \"$lost\""

# Everything on the node ends at once: the daemon, and the run in the middle of the shard.
kill -KILL "${node[$killed]}"
tracing() { grep -qaF "$control/trace-$1-" /proc/[0-9]*/cmdline 2>/dev/null; }
dead() { ! tracing 2; }
wait_for 10 "the end of the node's processes" dead
grep -q Originals <(find "$plan/shards/2-1" -type f) || fail "shard 2 was not in the middle"
[[ ! -e $plan/receipts/2.json ]] || fail "a killed shard has a receipt"
# This node's daemon does not answer any more; its run is still there.
daemon=$(pgrep -P "${node[$lost]}")
kill -STOP "$daemon"
tracing 3 || fail "shard 3 is gone, too"

restarted() { [[ $(starts 2) == 2 && $(starts 3) == 2 ]]; }
say "shard 2 was on $killed, which was killed, shard 3 on $lost, which was cut off; waiting for Slurm"
wait_for 180 "a second start of both shards" restarted
wait_for 60 "the receipt of shard 3" test -e "$plan/receipts/3.json"
# The first run of shard 3 ends after the second one, and changes nothing.
cp "$plan/receipts/3.json" "$work/receipt"
touch "$control/go-3"
ended() { ! tracing 3; }
wait_for 60 "the end of the first run of shard 3" ended
cmp "$plan/receipts/3.json" "$work/receipt" || fail "the later attempt has changed the receipt"
grep -q '"attempt":2,' "$work/receipt" || fail "the receipt is not that of the second attempt"
kill -CONT "$daemon"

finished() { [[ -z $(squeue -h -j "$1" 2>/dev/null) ]]; }
state() { scontrol show job "$1" | grep -o "$2=[^ ]*" | sort | uniq -c | awk '{ print $1 " " $2 }'; }
wait_for 180 "the end of the shards" finished "$job"
[[ $(state "$job" JobState) == $'4 JobState=COMPLETED\n2 JobState=FAILED' ]] || fail "shards: $(state "$job" JobState)"
[[ $(state "$job" Restarts) == $'4 Restarts=0\n2 Restarts=1' ]] || fail "shards: $(state "$job" Restarts)"
[[ $(attempts 2) == 2 && $(attempts 3) == 2 && $(receipts) == 4 ]] || fail "attempts or receipts"

# Shards 5 and 6 have crashed, so the merge waits for ever. It names them as sbatch takes them.
[[ $(squeue -h -j "$merge" -o %r) == Dependency* ]] || fail "the merge does not wait: $(squeue -h -j "$merge" -o %r)"
scancel "$merge"
status=0
"$MEDIABATCH" shards merge "$plan" --output "$merged" --format json >"$work/merge.json" 2>/dev/null \
  || status=$?
missing=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["missing"])' <"$work/merge.json")
[[ $status == 65 && $missing == 5-6 && ! -e $merged ]] || fail "merge: $status, missing: $missing"
job=$(sbatch --parsable --array="$missing" "$work/mediabatch.sbatch")
merge=$(submit_merge "$job")
wait_for 180 "the end of the merge" finished "$merge"
[[ $(state "$job" JobState) == "2 JobState=COMPLETED" ]] || fail "the shards again: $(state "$job" JobState)"
# One item failed: the merge says so, and the library is there.
[[ $(state "$merge" ExitCode) == "1 ExitCode=3:0" ]] \
  || { tail -n 5 "$work/output"/* >&2; fail "the merge: $(state "$merge" ExitCode)"; }
[[ $(wc -l <"$control/starts") == 10 ]] || fail "there were $(wc -l <"$control/starts") starts, not 10"
check_merged
say "passed with $(slurmctld -V): shards 2 and 3 were requeued, shard 3 ended twice, 5 and 6 were submitted again"
