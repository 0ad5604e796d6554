#!/usr/bin/env bash
# Says which system calls the lists of confined processes (Sources/C/CSandbox/seccomp_*.c) allow, and which of those a
# command really makes in processes that are confined by the list.
#
# scripts/system-calls.sh COMMAND…   Runs it under strace, adds to what earlier calls have counted in
#                                    .build/system-calls, and prints the table. It ends with COMMAND's code.
# scripts/system-calls.sh --table    Prints the table alone; FORGET=1 begins anew.
#
# Only calls that some list allows and that were not seen yet in a process of it are traced, so begin with something
# small, such as `mediabatch run` of ten files, and the calls that every file costs are seen before the suites run:
#   scripts/system-calls.sh scripts/smoke.sh .build/release
#   scripts/system-calls.sh scripts/test.sh
#   MEDIABATCH_TEST_ALL=1 scripts/system-calls.sh scripts/test.sh
# WITHOUT="futex mremap" leaves calls out that slow the rest down. Tests that use strace themselves fail in this run,
# since a process has one tracer; so may those that measure time.
#
# What a filter refuses is not seen, and not counted (seccomp(2): an error goes before a tracer). The self-tests of
# doctor, which try calls for their own sake, and programs of tests such as sandbox-probe are left out.
set -euo pipefail
cd "$(dirname "$0")/.."

state=.build/system-calls
if [[ -n ${FORGET-} ]]; then rm -rf "$state"; fi
mkdir -p "$state"
if [[ ${1-} == --table ]]; then exec python3 scripts/system-calls.py table "$state"; fi
if (($# == 0)); then
  sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
  exit 64
fi

read -ra without <<<"${WITHOUT-}"
calls=$(python3 scripts/system-calls.py trace "$state" "${without[@]}")
status=0
# Without -s the arguments of a program, by which its kind is known, are cut.
strace -f --seccomp-bpf -qq -s 64 -e signal=none -e "trace=$calls" \
  -o "|python3 scripts/system-calls.py count $state" -- "$@" || status=$?
python3 scripts/system-calls.py table "$state"
exit "$status"
