#!/usr/bin/env python3
"""Compares the answers of the filters on two architectures; scripts/test-arm64.sh calls it.

compare-filters.py NATIVE OTHER   Files that "shims filters" printed: KIND CALL ARGUMENTS ANSWER on each line.

A call that both have gets the same answer on both. For one that the other architecture lacks, its C library makes a
newer call, which gets the answer of the one that is lacking. What the other one alone has is refused. Exit: 0, or 1
with a line for each difference.
"""

import sys

# What glibc calls where an architecture lacks a call (sysdeps/unix/sysv/linux); None: there is nothing to call.
NEWER = {
    "access": "faccessat", "alarm": "setitimer", "dup2": "dup3", "epoll_create": "epoll_create1",
    "epoll_wait": "epoll_pwait", "getpgrp": "getpgid", "link": "linkat", "lstat": "newfstatat", "mkdir": "mkdirat",
    "open": "openat", "poll": "ppoll", "readlink": "readlinkat", "rename": "renameat", "rmdir": "unlinkat",
    "select": "pselect6", "stat": "newfstatat", "time": "clock_gettime", "unlink": "unlinkat",
    # The x86 registers FS and GS, in which arm64 keeps nothing by a call.
    "arch_prctl": None,
}


def answers(path):
    """The answer to each kind, call and arguments."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return {tuple(row[:3]): row[3] for row in rows}


def main():
    if len(sys.argv) != 3:
        print("usage: compare-filters.py NATIVE OTHER", file=sys.stderr)
        return 64
    native, other = answers(sys.argv[1]), answers(sys.argv[2])
    has = {call for _, call, _ in other}
    lacking = {call for _, call, _ in native} - has
    stand_ins = {NEWER[call] for call in lacking if call in NEWER}
    differences = []
    for (kind, call, what), wanted in sorted(native.items()):
        if call in has:
            key = (kind, call, what)
        elif wanted == "EPERM" or call in NEWER and NEWER[call] is None:
            continue
        else:
            key = (kind, NEWER.get(call, "no newer call"), what)
        found = other.get(key, "nothing")
        # A newer call may be allowed for the sake of the one that is lacking, in whose kind alone.
        if found != wanted and not (
            call in stand_ins and found == "allow"
            and any(NEWER.get(old) == call and native.get((kind, old, what)) == "allow" for old in lacking)
        ):
            differences.append(f"{' '.join(key)}: {found}, where {call} natively gets {wanted}")
    natively = {call for _, call, _ in native}
    for (kind, call, what), found in sorted(other.items()):
        if call not in natively and found != "EPERM":
            differences.append(f"{kind} {call} {what}: {found}, which is of this architecture alone")
    for difference in differences:
        print(f"compare-filters: {difference}")
    compared = sum(1 for _, call, _ in native if call in has)
    print(f"compare-filters: {compared} answers are of both; {len(lacking)} calls are natively alone; "
          f"{len(differences)} differ")
    return 1 if differences or compared < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
