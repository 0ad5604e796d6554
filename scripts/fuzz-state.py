#!/usr/bin/env python3
"""Keeps what scripts/fuzz.sh knows of each parser between its calls: STATE has one file PARSER.json each.

fuzz-state.py watch STATE PARSER PROGRAM LOG   Copies libFuzzer's output from standard input to LOG, and counts.
fuzz-state.py next STATE PARSER…               Prints the parser that is fuzzed next: the one that was fuzzed
                                               least, of equal ones that whose last time is longest ago. Nothing
                                               when every parser is done.
fuzz-state.py count STATE PARSER…              Prints how many are not done.
fuzz-state.py table STATE PARSER…              Prints the table of Benchmarks/results in Markdown.

A parser is done when it was fuzzed for 30 minutes, of one call or many, without new coverage. Those begin when
libFuzzer has read its corpus. New coverage is an edge more than ever before. A program that was built anew and
covers another number of edges with the corpus of before has other code of that parser, or other seeds: its 30
minutes begin again.

Source: LLVM, docs/LibFuzzer.rst, "Output".
"""

import hashlib
import json
import os
import re
import sys
import time

DONE_AFTER_SECONDS = 30 * 60
# How often a call that goes on writes what it has counted, so that one that is killed loses little.
SECONDS_BETWEEN_WRITES = 10
STATUS = re.compile(rb"^#(\d+)\t(\S+)\s+cov: (\d+)")
EXECUTED = re.compile(rb"^stat::number_of_executed_units:\s*(\d+)")
COUNTERS = re.compile(rb"^INFO: Loaded \d+ (?:modules|PC tables)\s+\((\d+) ")
EMPTY = {
    "seconds": 0.0, "inputs": 0, "edges": 0, "secondsWithoutNew": 0.0, "counters": 0, "program": "", "last": 0.0,
}


def path_of(folder, parser):
    return os.path.join(folder, parser + ".json")


def read(folder, parser):
    """What is known of a parser; that of one which was never fuzzed where the file is not there or is damaged."""
    try:
        with open(path_of(folder, parser), encoding="utf-8") as file:
            return EMPTY | json.load(file)
    except (OSError, ValueError, TypeError):
        return dict(EMPTY)


def write(folder, parser, state):
    path = path_of(folder, parser)
    os.makedirs(folder, exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(path + ".new", path)


def is_done(state):
    return state["secondsWithoutNew"] >= DONE_AFTER_SECONDS


class Slice:
    """One call of the fuzzer for one parser, added to what is known from earlier ones."""

    def __init__(self, earlier, program, clock=time.monotonic):
        self.earlier = earlier
        self.program = program
        self.clock = clock
        self.began = clock()
        self.inputs = 0
        self.counters = earlier["counters"]
        self.edges = earlier["edges"]
        # When the corpus was read, and when an edge was new for the last time, by the clock.
        self.corpus_read = None
        self.newest = None

    def take(self, line):
        if match := STATUS.match(line):
            inputs, event, edges = int(match[1]), match[2], int(match[3])
            self.inputs = max(self.inputs, inputs)
            if event == b"READ":
                return
            now = self.clock()
            if self.corpus_read is None:
                self.corpus_read = now
                if self.program != self.earlier["program"] and edges != self.earlier["edges"]:
                    self.edges = edges
                    self.newest = now
            if edges > self.edges:
                self.edges = edges
                self.newest = now
        elif match := EXECUTED.match(line):
            self.inputs = int(match[1])
        elif match := COUNTERS.match(line):
            self.counters = int(match[1])

    def state(self):
        now = self.clock()
        if self.newest is not None:
            without = now - self.newest
        elif self.corpus_read is not None:
            without = self.earlier["secondsWithoutNew"] + now - self.corpus_read
        else:
            without = self.earlier["secondsWithoutNew"]
        return {
            "seconds": round(self.earlier["seconds"] + now - self.began, 1),
            "inputs": self.earlier["inputs"] + self.inputs,
            "edges": self.edges,
            "secondsWithoutNew": round(without, 1),
            "counters": self.counters,
            "program": self.program if self.corpus_read is not None else self.earlier["program"],
            "last": round(time.time(), 1),
        }


def watch(folder, parser, program, log):
    with open(program, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    call = Slice(read(folder, parser), digest)
    written = time.monotonic()
    with open(log, "wb", buffering=0) as copy:
        for line in iter(sys.stdin.buffer.readline, b""):
            copy.write(line)
            call.take(line)
            if time.monotonic() - written >= SECONDS_BETWEEN_WRITES:
                write(folder, parser, call.state())
                written = time.monotonic()
    write(folder, parser, call.state())


def next_parser(folder, parsers):
    """The parser whose turn it is; None when all are done."""
    states = {parser: read(folder, parser) for parser in parsers}
    waiting = [parser for parser in parsers if not is_done(states[parser])]
    return min(waiting, key=lambda parser: (states[parser]["seconds"], states[parser]["last"]), default=None)


def table(folder, parsers):
    states = {parser: read(folder, parser) for parser in parsers}
    print("| parser | minutes | inputs | edges | minutes without new coverage | |")
    print("|---|---|---|---|---|---|")
    for parser in parsers:
        state = states[parser]
        print(f"| {parser} | {state['seconds'] / 60:.1f} | {state['inputs']:,} | {state['edges']:,} "
              f"| {state['secondsWithoutNew'] / 60:.1f} | {'done' if is_done(state) else ''} |")
    done = sum(map(is_done, states.values()))
    minutes = sum(state["seconds"] for state in states.values()) / 60
    inputs = sum(state["inputs"] for state in states.values())
    counters = max((state["counters"] for state in states.values()), default=0)
    print()
    print(f"{done} of {len(parsers)} parsers are done, which is 30 minutes without new coverage; {minutes:,.0f} minutes, "
          f"{inputs:,} inputs; the program has {counters:,} edges.")


def main():
    verb, folder, *rest = sys.argv[1:]
    if verb == "watch":
        watch(folder, *rest)
    elif verb == "next":
        if parser := next_parser(folder, rest):
            print(parser)
    elif verb == "count":
        print(sum(not is_done(read(folder, parser)) for parser in rest))
    elif verb == "table":
        table(folder, rest)
    else:
        sys.exit(__doc__)


main()
