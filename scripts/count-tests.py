#!/usr/bin/env python3
"""Reads the results of a test run, prints them and closes with 'N passed, N failed, N skipped'.

count-tests.py [--seconds FILE] STATUS EVENTS.jsonl…   STATUS is the exit code of swift test, EVENTS the
event stream of each of its processes (one JSON object a line, written by the testing library itself).
The console is not read: C libraries write to it in the middle of lines. FILE gets the seconds of each
suite.
count-tests.py --deal COUNT FILE   Reads the list of tests from standard input, and prints at most COUNT
filters, which have all suites, those that take longest first, by the seconds in FILE if it is there.
Prints failed tests, the reasons of skips, tests that were running when the run ended early, the
length of the run and the ten slowest tests.
Exit: 0 when every test ended and none failed; 1 otherwise, and when no test ran.

Source: swift-testing, Documentation/ABI/JSON.md.
"""

import collections
import heapq
import json
import re
import sys

SLOWEST = 10


class Test:
    def __init__(self, identifier, name):
        self.identifier = identifier
        self.name = name
        self.began = None
        self.seconds = 0.0
        self.problems = []
        self.skip_reason = None
        self.has_ended = False


def read_events(path):
    """The events of a run, in order; a line that a crash cut short is left out."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            for line in stream:
                try:
                    record = json.loads(line)
                    yield record["kind"], record["payload"]
                except (ValueError, KeyError, TypeError):
                    continue
    except OSError:
        return


def text_of(payload, symbol=None):
    texts = [m.get("text", "") for m in payload.get("messages", [])
             if symbol is None or m.get("symbol") == symbol]
    return texts[0].split("\n")[0][:300] if texts else ""


def short_name(identifier):
    """`Module.Suite/function`, without the source position."""
    return "/".join(identifier.split("/")[:2])


class Run:
    def __init__(self, paths):
        self.tests = {}
        self.stray_problems = []
        self.first = self.last = None
        self.has_ended = True
        for path in paths:
            self.has_process_ended = False
            self.read(path)
            self.has_ended = self.has_ended and self.has_process_ended

    def read(self, path):
        for kind, payload in read_events(path):
            if kind == "test" and payload.get("kind") == "function":
                identifier = payload["id"]
                self.tests[identifier] = Test(identifier, short_name(identifier))
            elif kind == "event":
                self.note(payload)

    def note(self, event):
        kind = event["kind"]
        instant = event["instant"]["absolute"]
        self.first = min(self.first or instant, instant)
        self.last = max(self.last or instant, instant)
        test = self.tests.get(event.get("testID"))
        if kind == "runEnded":
            self.has_process_ended = True
        elif kind == "issueRecorded":
            issue = event.get("issue", {})
            is_failure = issue.get("isFailure", not issue.get("isKnown", False))
            if is_failure:
                problems = test.problems if test else self.stray_problems
                problems.append(text_of(event, "fail") or text_of(event))
        elif test is None:
            return
        elif kind == "testStarted":
            test.began = instant
        elif kind in ("testSkipped", "testCancelled"):
            text = text_of(event, "skip") or text_of(event)
            test.skip_reason = text.partition(" skipped: ")[2].strip('"') or "no reason given"
        elif kind == "testEnded":
            test.has_ended = True
            test.seconds = instant - (test.began or instant)


def suite_of(name):
    return name.split("/")[0]


def deal(count, path):
    """Prints a filter a share: the suite that takes longest goes to the share that has least so far."""
    try:
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        known = {}
    suites = sorted({suite_of(line.strip()) for line in sys.stdin if re.match(r"[A-Za-z]+Tests\.", line)})
    # A suite that has not run yet takes as long as most.
    seconds = {suite: known.get(suite, 1.0) for suite in suites}
    shares = [(0.0, index, []) for index in range(count)]
    for suite in sorted(suites, key=lambda suite: -seconds[suite]):
        total, index, mine = heapq.heappop(shares)
        heapq.heappush(shares, (total + seconds[suite], index, [*mine, suite]))
    for _, _, mine in sorted(shares, key=lambda share: -share[0]):
        if mine:
            print("^(" + "|".join(re.escape(suite) for suite in mine) + ")/")


def main():
    if sys.argv[1] == "--deal":
        return deal(int(sys.argv[2]), sys.argv[3])
    seconds_path = None
    if sys.argv[1] == "--seconds":
        seconds_path = sys.argv[2]
        del sys.argv[1:3]
    status = int(sys.argv[1])
    run = Run(sys.argv[2:])
    tests = list(run.tests.values())
    failed = [t for t in tests if t.problems]
    skipped = [t for t in tests if t.skip_reason is not None and not t.problems]
    done = [t for t in tests if t.has_ended or t.skip_reason is not None]
    passed = [t for t in done if not t.problems and t.skip_reason is None]
    running = [t for t in tests if t.began is not None and not t.has_ended]
    unfinished = [t for t in tests if t not in done and t not in failed]
    failures = len(failed) + len(run.stray_problems)

    for test in failed:
        for problem in test.problems[:5]:
            print(f"failed: {test.name}: {problem}")
    for problem in run.stray_problems:
        print(f"failed outside of a test: {problem}")
    for reason, count in sorted(collections.Counter(t.skip_reason for t in skipped).items()):
        print(f"skipped {count}: {reason}")

    if not run.has_ended or unfinished:
        failures = max(failures, 1)
        print(f"the run ended early (status {status}): {len(unfinished)} of {len(tests)} tests "
              f"did not finish; running then: {', '.join(t.name for t in running) or '-'}")
    elif status != 0 and failures == 0:
        failures = 1
        print(f"swift test ended with status {status} without naming a failed test")
    elif status == 0 and failures > 0:
        print("swift test ended with status 0 although tests failed")
    elif not passed and failures == 0:
        failures = 1
        print("no test ran")

    if run.first is not None:
        print(f"the run took {run.last - run.first:.0f} s; the slowest tests:")
        timed = sorted((t for t in done if t.seconds > 0), key=lambda t: -t.seconds)
        for test in timed[:SLOWEST]:
            print(f"{test.seconds:8.1f} s  {test.name}")
    if seconds_path and not unfinished:
        taken = collections.Counter()
        for test in done:
            taken[suite_of(test.name)] += round(test.seconds, 2)
        with open(seconds_path, "w", encoding="utf-8") as file:
            json.dump(taken, file, indent=0, sort_keys=True)
    print(f"{len(passed)} passed, {failures} failed, {len(skipped)} skipped")
    sys.exit(1 if failures else 0)


main()
