#!/usr/bin/env python3
"""Runs count-tests.py over planted event streams: a whole run, a failure, a crash, nothing at all.

Exit: 0 all as expected, 1 not.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

COUNT = pathlib.Path(__file__).resolve().parent / "count-tests.py"
NAMES = ["slow", "quick", "skips"]


def test(name, kind="function"):
    return {"kind": "test", "payload": {"kind": kind, "id": identifier(name), "name": name}}


def identifier(name):
    return f"RoomTests.Suite/{name}()/File.swift:1:2"


def event(kind, at, name=None, text=None, symbol="default", **more):
    payload = {"kind": kind, "instant": {"absolute": at}, "messages": []}
    if name:
        payload["testID"] = identifier(name)
    if text:
        payload["messages"] = [{"symbol": symbol, "text": text}]
    return {"kind": "event", "payload": payload | more}


def whole_run():
    return [test(name) for name in NAMES] + [
        event("runStarted", 10),
        event("testSkipped", 10, "skips", 'Test skips() skipped: "no strace"', "skip"),
        event("testStarted", 10, "quick"),
        event("testEnded", 14, "quick"),
        event("testStarted", 14, "slow"),
        event("testEnded", 32, "slow"),
        event("runEnded", 33),
    ]


def other_process():
    return [test("other"), event("runStarted", 5), event("testStarted", 6, "other"),
            event("testEnded", 7, "other"), event("runEnded", 8)]


def with_issue(name, known):
    run = whole_run()
    issue = event("issueRecorded", 13.5, name, "Expectation failed: 1 == 2\nmore", "fail",
                  issue={"isKnown": known})
    return run[:-4] + [issue] + run[-4:]


CASES = {
    "a whole run": (
        whole_run(), "", 0, 0,
        ["skipped 1: no strace", "the run took 23 s", "    18.0 s  RoomTests.Suite/slow()"],
        "2 passed, 0 failed, 1 skipped",
    ),
    "a failed test": (
        with_issue("quick", known=False), "", 1, 1,
        ["failed: RoomTests.Suite/quick(): Expectation failed: 1 == 2"],
        "1 passed, 1 failed, 1 skipped",
    ),
    "a known issue": (
        with_issue("quick", known=True), "", 0, 0, [], "2 passed, 0 failed, 1 skipped",
    ),
    "an issue outside of a test": (
        with_issue(None, known=False), "", 1, 1,
        ["failed outside of a test: Expectation failed"], "2 passed, 1 failed, 1 skipped",
    ),
    "an exit status of 0 does not hide a failure": (
        with_issue("quick", known=False), "", 0, 1, ["although"], "1 passed, 1 failed, 1 skipped",
    ),
    "a crash in the middle of a line": (
        whole_run()[:-2], '{"kind":"event","payload":{"kind":"testCa', 139, 1,
        ["ended early (status 139): 1 of 3 tests did not finish; "
         "running then: RoomTests.Suite/slow()"],
        "1 passed, 1 failed, 1 skipped",
    ),
    "a crash of one process of two": (
        whole_run()[:-2], "", 139, 1,
        ["1 of 4 tests did not finish; running then: RoomTests.Suite/slow()", "took 9 s"],
        "2 passed, 1 failed, 1 skipped",
    ),
    "a process that leaves with status 0 before the end": (
        whole_run()[:-1], "", 0, 1, ["ended early (status 0)"], "2 passed, 1 failed, 1 skipped",
    ),
    "a status without a failed test": (
        whole_run(), "", 1, 1, ["without naming"], "2 passed, 1 failed, 1 skipped",
    ),
    "an empty stream": ([], "", 1, 1, ["ended early"], "0 passed, 1 failed, 0 skipped"),
    "no stream": (None, "", 1, 1, ["ended early"], "0 passed, 1 failed, 0 skipped"),
    "no test that ran": (
        [test("skips"), event("runStarted", 1),
         event("testSkipped", 1, "skips", 'Test skips() skipped: "no strace"', "skip"),
         event("runEnded", 2)],
        "", 0, 1, ["no test ran"], "0 passed, 1 failed, 1 skipped",
    ),
}


def main():
    problems = []
    for name, (events, torn, status, expected, lines, last) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / "0.jsonl"]
            if events is not None:
                text = "".join(json.dumps(e) + "\n" for e in events)
                paths[0].write_text(text + torn)
            if name.endswith("of two"):
                paths.append(pathlib.Path(folder) / "1.jsonl")
                paths[1].write_text("".join(json.dumps(e) + "\n" for e in other_process()))
            result = subprocess.run(
                [sys.executable, COUNT, str(status)] + paths, capture_output=True, text=True)
        printed = result.stdout.splitlines()
        if result.returncode != expected or result.stderr:
            problems.append(f"{name}: exit {result.returncode} {result.stderr}")
        problems += [f"{name}: no line with: {line}" for line in lines if line not in result.stdout]
        closing = [l for l in printed if re.fullmatch(r"\d+ passed, \d+ failed, \d+ skipped", l)]
        if closing != [last] or printed[-1] != last:
            problems.append(f"{name}: closes with {printed[-1:]}")
    for problem in problems:
        print(f"check-count-tests: {problem}", file=sys.stderr)
    print(f"count-tests: {len(CASES)} planted runs, {len(problems)} problems")
    return 1 if problems else 0


sys.exit(main())
