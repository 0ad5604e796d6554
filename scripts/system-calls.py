#!/usr/bin/env python3
"""Reads the lists of allowed system calls and what strace has seen; scripts/system-calls.sh calls it.

system-calls.py lists                   Prints the calls of each list.
system-calls.py trace STATE [CALL…]     Prints which calls strace has to look for, without those named: all that a
                                        list allows and that were not seen in a process of it.
system-calls.py count STATE             Counts what strace -f writes, from standard input, into STATE/seen.json.
system-calls.py table STATE             Prints for each list the calls that were never seen, and how often the others.

A call counts for each list that confines its process: a worker has the coordinator's too, from its start on. A
process is confined from its first seccomp(SECCOMP_SET_MODE_FILTER) on, by the list of what it was started as.
"""

import collections
import glob
import json
import os
import re
import sys

NAME = re.compile(r"SCMP_SYS\((\w+)\)")
# Rules that allow a call with some arguments, functions of filter.c for several lists, and tables of calls.
RULE = re.compile(r"seccomp_rule_add\(\s*filter,\s*(?:allow|SCMP_ACT_ALLOW),\s*SCMP_SYS\((\w+)\)")
TABLE = re.compile(r"const int (?:allowed|needed|calls)\[\] = \{(.*?)\};", re.S)
HELPERS = {
    "csandbox_filter_allow_messages": "recvmsg", "csandbox_filter_allow_bytes": "sendto",
    "csandbox_filter_allow_abort": "tgkill",
}
REFUSED_TABLE = re.compile(r"const int denied\[\] = \{(.*?)\};", re.S)
REFUSED_RULE = re.compile(r"SCMP_ACT_ERRNO\(\w+\),\s*SCMP_SYS\((\w+)\),\s*0\)")

# By which list a process confines itself that is started so; every other command has the coordinator's.
LIST_OF_ARGUMENT = {
    "photos-reader": "worker", "picker": "picker", "times": "times", "camera": "camera", "watcher": "watcher",
    "asking-page": "page",
}
# What strace looks for besides, to know which process is what.
ALWAYS = ["clone", "clone3", "fork", "vfork", "execve", "execveat", "seccomp"]

LINE = re.compile(r"^(\d+) +(?:(\w+)\(|<\.\.\. (\w+) resumed>|\+\+\+ (exited|killed))(.*)$", re.S)
RESULT = re.compile(r"= (\d+)\s*$")
PROGRAM = re.compile(r'^"((?:[^"\\]|\\.)*)", \[(.*?)\](?:, |$)')
ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def allow_lists():
    """The calls of each list, by the name of its file."""
    lists = {}
    for path in sorted(glob.glob("Sources/C/CSandbox/seccomp_*.c")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"//[^\n]*", "", text)
        calls = {name for table in TABLE.findall(text) for name in NAME.findall(table)}
        calls.update(RULE.findall(text))
        calls.update(call for helper, call in HELPERS.items() if helper + "(filter" in text)
        calls.difference_update(name for table in REFUSED_TABLE.findall(text) for name in NAME.findall(table))
        calls.difference_update(REFUSED_RULE.findall(text))
        name = os.path.basename(path).removeprefix("seccomp_").removesuffix(".c")
        lists[name] = calls
    return lists


def seen_path(state):
    return os.path.join(state, "seen.json")


def read_seen(state):
    """How often each call was seen, by list."""
    try:
        with open(seen_path(state), encoding="utf-8") as file:
            counts = json.load(file)
    except FileNotFoundError:
        counts = {}
    return {name: collections.Counter(counts.get(name, {})) for name in allow_lists()}


class Process:
    def __init__(self, lists=frozenset(), kind=None, program=""):
        self.lists = lists
        self.program = program
        # The list of the program that it was started as; None for one that has none or tries on purpose.
        self.kind = kind
        # The name and the arguments of the call that it is in.
        self.begun = ("", "")

    def child(self):
        return Process(self.lists, self.kind, self.program)


def kind_of(program, arguments):
    """The list by which a program confines itself; None for others, for the programs of tests and for self-tests."""
    first, second = (arguments[1:] + ["", ""])[:2]
    if program == "mediabatch-worker":
        return None if first == "--self-test" else "worker"
    if program != "mediabatch" or first == "self-test":
        return None
    # A service with an argument more has the folder of a self-test.
    if second and first in LIST_OF_ARGUMENT | {"viewer": ""}:
        return None
    return LIST_OF_ARGUMENT.get(first, "coordinator")


class Trace:
    """What strace -f writes, line by line, of all processes in one stream.

    The parent of a process is known when the call that made it returns, which may be behind lines of the child:
    those wait until then.
    """

    def __init__(self, counts):
        self.counts = counts
        self.processes = {}
        self.waiting = {}
        self.has_first = False

    def take(self, line):
        match = LINE.match(line)
        if not match:
            return
        number = int(match[1])
        if not self.has_first:
            self.has_first = True
            self.processes[number] = Process()
        if number not in self.processes:
            # One that ends before its parent is known was none of ours.
            if match[4]:
                self.waiting.pop(number, None)
            else:
                self.waiting.setdefault(number, []).append(match)
            return
        self.note(number, match)

    def note(self, number, match):
        process = self.processes[number]
        call, resumed, ended, rest = match[2], match[3], match[4], match[5]
        if ended:
            del self.processes[number]
            return
        if call:
            for name in process.lists:
                self.counts[name][call] += 1
            process.begun = (call, rest)
        # What was interrupted ends on a line of its own, which lacks the arguments.
        result = RESULT.search(rest)
        if result and process.begun[0] == (call or resumed):
            self.end(process, *process.begun, int(result[1]))

    def end(self, process, call, arguments, result):
        """A call that has worked."""
        if call in {"clone", "clone3", "fork", "vfork"}:
            self.add(result, process.child())
        elif call == "execve":
            if found := PROGRAM.match(arguments):
                # This program starts itself again by that name.
                if found[1] != "/proc/self/exe":
                    process.program = found[1].rsplit("/", 1)[-1]
                process.kind = kind_of(process.program, ARGUMENT.findall(found[2]))
        # libseccomp asks before what the kernel knows, with no filter, which is an error.
        elif call == "seccomp" and arguments.startswith("SECCOMP_SET_MODE_FILTER") and process.kind:
            process.lists = process.lists | {process.kind}

    def add(self, number, process):
        self.processes[number] = process
        for match in self.waiting.pop(number, []):
            if number in self.processes:
                self.note(number, match)


def count(state):
    counts = read_seen(state)
    trace = Trace(counts)
    for line in iter(sys.stdin.buffer.readline, b""):
        trace.take(line.decode("utf-8", "replace").rstrip("\n"))
    with open(seen_path(state) + ".new", "w", encoding="utf-8") as file:
        json.dump(counts, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(seen_path(state) + ".new", seen_path(state))


def table(state):
    seen = read_seen(state)
    for name, calls in sorted(allow_lists().items()):
        never = sorted(call for call in calls if not seen[name][call])
        others = sorted(((seen[name][call], call) for call in calls if seen[name][call]), reverse=True)
        unknown = sorted(call for call in seen[name] if call not in calls)
        print(f"{name}: {len(calls)} calls, {len(never)} never seen")
        print("  never: " + (" ".join(never) or "-"))
        print("  seen:  " + (" ".join(f"{call}={number}" for number, call in others) or "-"))
        # Of another list's process that this one confines too, or made before the whole filter was in force.
        if unknown:
            print("  seen, not on the list: " + " ".join(unknown))


def main():
    verb, *rest = sys.argv[1:] or [""]
    if verb == "lists":
        for name, calls in sorted(allow_lists().items()):
            print(f"{name} ({len(calls)}): {' '.join(sorted(calls))}")
    elif verb == "trace":
        seen = read_seen(rest[0])
        doubtful = {call for name, calls in allow_lists().items() for call in calls if not seen[name][call]}
        # strace refuses a name that it does not know, but for one behind a question mark.
        print(",".join("?" + call for call in sorted((doubtful - set(rest[1:])) | set(ALWAYS))))
    elif verb == "count":
        count(rest[0])
    elif verb == "table":
        table(rest[0])
    else:
        sys.exit(__doc__)


main()
